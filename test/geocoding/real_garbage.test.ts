// Questions that mean nothing have no answer, though real extracts and the gazetteer of the world have hundreds of
// thousands of words.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { uniform } from '../kits/random.ts';
import { missingExtract, openRealGeocoder, type RealGeocoder } from './real_geocoder.ts';

const missing = missingExtract();
if (missing !== undefined) console.log(`Questions without meaning are not asked: ${missing} is not there.`);

const QUESTIONS = 1_000;
const WORDS_MAX = 4;
/** First and last letters, or signs, of one script each. */
const SCRIPTS = [
  ...[
    'az',
    'az',
    'àÿ',
    'āſ',
    'αω',
    'ая',
    'ԱՖ',
    'את',
    'اي',
    'अह',
    'กฮ',
    'აჰ',
    'ሀቐ',
    'ぁゖ',
    'ァヺ',
    '一龥',
    '가힣',
    '😀🙏',
    '!@',
    '09',
  ],
].map(ends => [...ends].map(letter => letter.codePointAt(0)!) as [number, number]);

let real: RealGeocoder;
beforeAll(async () => {
  if (missing === undefined) real = await openRealGeocoder(true);
});
afterAll(() => real?.close());

// One in a hundred questions of up to three letters is a code of a country, or the whole name of a place.
test.skipIf(missing !== undefined).each([
  { letters: [3, 10], seed: 12, share: 0.01 },
  { letters: [1, 10], seed: 611, share: 0.01 },
  { letters: [1, 3], seed: 612, share: 0.01 },
])(
  'random questions over all scripts, words of $letters letters: at most a share of $share is answered',
  ({ letters: [least, most], seed, share }) => {
    const random = uniform(seed);
    const whole = (end: number) => Math.floor(random() * end);
    const answered: string[] = [];
    for (let i = 0; i < QUESTIONS; i++) {
      const [first, last] = SCRIPTS[whole(SCRIPTS.length)];
      const word = () =>
        Array.from({ length: least + whole(most - least + 1) }, () =>
          String.fromCodePoint(first + whole(last - first + 1)),
        ).join('');
      const text = Array.from({ length: 1 + whole(WORDS_MAX) }, word).join(random() < 0.2 ? ', ' : ' ');
      const [place] = real.geocoder.search(freeTextQuestion(text));
      if (place !== undefined) answered.push(`${text}: ${place.displayName}`);
    }
    expect(answered.length, answered.join('\n')).toBeLessThanOrEqual(share * QUESTIONS);
  },
);
