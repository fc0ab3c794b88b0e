// The numbers of post-office boxes, of which figures may stand apart: PO Box No. 12; Postfach 12 34 56; BP 12-34.

import { entriesOf, isNumberWord } from './address_table.ts';
import { HAS_DIGIT, type Word } from './text.ts';

/** Digits of the further groups of the number of a box: more are a postcode. */
const GROUP_DIGITS_MAX = 2;

/** Behind the number of a box; 0 if none follows. @param from behind the words for a box */
export function boxEnd(words: readonly Word[], from: number): number {
  const { part } = words[from - 1];
  const isNumber = (at: number) => words[at]?.part === part && HAS_DIGIT.test(words[at].text);
  const isCounted = isNumber(from + 1) && entriesOf(words[from].text).some(isNumberWord);
  let at = isCounted ? from + 1 : from;
  if (!isNumber(at)) return 0;
  do at++;
  while (isNumber(at) && (words[at].glue !== ' ' || words[at].text.length <= GROUP_DIGITS_MAX));
  return at;
}
