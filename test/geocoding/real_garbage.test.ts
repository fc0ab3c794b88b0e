// Questions that mean nothing have no answer, though real extracts and the gazetteer of the world have hundreds of thousands of words.

import { expect, test } from 'vitest';
import { inWords } from '../../src/geocoding/search/question.ts';
import { uniform } from '../kits/random.ts';
import { missingExtract, openRealGeocoder } from './real_geocoder.ts';

const missing = missingExtract();
if (missing !== undefined) console.log(`Questions without meaning are not asked: ${missing} is not there.`);

const QUESTIONS = 1_000;
const LETTERS_MIN = 3;
const LETTERS_MAX = 10;
const WORDS_MAX = 4;
/** First and last letters, or signs, of one script each. */
const SCRIPTS = [
  ...['az', 'az', 'àÿ', 'āſ', 'αω', 'ая', 'ԱՖ', 'את', 'اي', 'अह', 'กฮ', 'აჰ', 'ሀቐ', 'ぁゖ', 'ァヺ', '一龥', '가힣', '😀🙏', '!@', '09'],
].map(ends => [...ends].map(letter => letter.codePointAt(0)!) as [number, number]);

test.skipIf(missing !== undefined)('990 of 1,000 random questions over all scripts have no answer', async () => {
  const real = await openRealGeocoder(true);
  const random = uniform(12);
  const whole = (end: number) => Math.floor(random() * end);
  const answered: string[] = [];
  for (let i = 0; i < QUESTIONS; i++) {
    const [first, last] = SCRIPTS[whole(SCRIPTS.length)];
    const word = () =>
      Array.from({ length: LETTERS_MIN + whole(LETTERS_MAX - LETTERS_MIN + 1) }, () =>
        String.fromCodePoint(first + whole(last - first + 1)),
      ).join('');
    const text = Array.from({ length: 1 + whole(WORDS_MAX) }, word).join(random() < 0.2 ? ', ' : ' ');
    const [place] = real.geocoder.search(inWords(text));
    if (place !== undefined) answered.push(`${text}: ${place.displayName}`);
  }
  await real.close();
  expect(answered.length, answered.join('\n')).toBeLessThanOrEqual(0.01 * QUESTIONS);
});
