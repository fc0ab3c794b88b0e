import { expect, test } from 'vitest';
import { questionWords, wordsOf } from '../../../../src/geocoding/search/words/text.ts';

test('case, marks and sharp s make no difference', () => {
  expect(wordsOf('HÄUPTSTRAßE Ġwann Łódź')).toEqual(['hauptstrasse', 'gwann', 'lodz']);
});

test.each([
  ['München', 'Muenchen'],
  ['Köln', 'Koeln'],
  ['Übersaxen', 'Uebersaxen'],
  ['Århus', 'Aarhus'],
  ['Œuvre', 'oeuvre'],
])('%s and %s are the same', (name, typed) => {
  expect(wordsOf(typed)).toEqual(wordsOf(name));
});

test('letters of a code are no umlauts', () => {
  expect(wordsOf('2011AE SW1A 2AA b2ue')).toEqual(['2011ae', 'sw1a', '2aa', 'b2ue']);
});

test('other scripts are written in Latin letters, other digits as ours', () => {
  expect(wordsOf('улица Ленина ٣٣ ３ Αθήνα')).toEqual(['ulitsa', 'lenina', '33', '3', 'athina']);
});

test('marks of other scripts that are letters are kept', () => {
  expect(wordsOf('दिल्ली')).not.toEqual(wordsOf('दल'));
});

test('an elided article stands alone, any other apostrophe is left out', () => {
  expect(wordsOf("Quai d'Anjou")).toEqual(['quai', 'd', 'anjou']);
  expect(wordsOf("St. Julian’s, Ta' Xbiex")).toEqual(['st', 'julians', 'ta', 'xbiex']);
});

test('a question keeps its parts and what joins its words', () => {
  expect(questionWords('Landstr. 1-3/b,\tSchaan\n9494')).toEqual([
    { text: 'landstr', typed: 'landstr', written: 'landstr', part: 0, glue: ' ', isCut: true },
    { text: '1', typed: '1', written: '1', part: 0, glue: ' ', isCut: false },
    { text: '3', typed: '3', written: '3', part: 0, glue: '-', isCut: false },
    { text: 'b', typed: 'b', written: 'b', part: 0, glue: '/', isCut: false },
    { text: 'schan', typed: 'schaan', written: 'schaan', part: 1, glue: ' ', isCut: false },
    { text: '9494', typed: '9494', written: '9494', part: 2, glue: ' ', isCut: false },
  ]);
});

test('a text without letters has no words', () => {
  expect(questionWords(' ,;-- …\n')).toEqual([]);
});

test('a word is also known as it was written', () => {
  const written = (text: string) => questionWords(text).map(word => word.written);
  expect(written('Ош, Ñandú x')).toEqual(['ош', 'ñandú', 'x']);
  expect(written('दिल्ली')).toEqual(['दिल्ली']);
  expect(written('ъ д ቂ')).toEqual(['д', 'ቂ', 'ቂ']);
  expect(written('d’Anjou, Julian’s')).toEqual(['d’anjou', 'd’anjou', 'julian’s']);
});

test('pictograms are no words', () => {
  expect(wordsOf('😠 Café ☎ 12°')).toEqual(['cafe', '12']);
});

test.each([
  ['大阪市中央区大手前二丁目', '大阪市 中央区 大手前 2丁目'],
  ['十二丁目', '12 丁目'],
  ['二十三丁目', '23 丁目'],
  ['二〇丁目', '20 丁目'],
  ['大手前２−１−３', '大手前 2 1 3'],
  ['三里屯', '三里屯'],
  ['شَارِع', 'شارع'],
  ['أحمد', 'احمد'],
  ['המלך', 'הַמֶּלֶךְ'],
])('%s has the words of %s', (text, other) => {
  expect(wordsOf(text)).toEqual(wordsOf(other));
});
