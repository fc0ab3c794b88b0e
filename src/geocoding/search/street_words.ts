// Words that only say what a street is, or where it lies, need not be in its name: ul. Polna is Polna, and Main Street
// NW is Main Street. But where the name says another kind or direction, another street is meant: Church Street is not
// Church Road. And a street of which only the kind was said is not meant where the query names one: Millbrook Road is
// none of the other roads of a quarter that is called Millbrook.

import { RANK_PATH, RANK_ROAD } from '../../tables/places/ranks.ts';
import type { Match } from './match.ts';
import type { QueryWords } from './query_words.ts';
import type { Terms } from './terms.ts';
import { isLastSpelling, SPELLING_POSTCODE, spellingKind, spellingTokens } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { entriesOf, wordsForWays } from './words/address_table.ts';
import { HAS_DIGIT, type Word } from './words/text.ts';
import { wordsInRole } from './words/vocabulary.ts';

/** Tokens of a layer. */
interface WayTokens {
  kinds: ReadonlySet<number>;
  directions: ReadonlySet<number>;
}

const wayTokensOf = new WeakMap<SearchIndex, WayTokens>();

/**
 * True if all names of a street say another kind or direction than the query, which says one that they do not have.
 * @param mask words that the result explains
 */
export function isOtherWay(
  index: SearchIndex,
  street: number,
  mask: number,
  { address, words }: QueryWords,
  { byToken }: Terms,
): boolean {
  if ((address.besideName & ~mask) === 0) return false;
  const left = (role: string) => words.some((_, at) => (mask & (1 << at)) === 0 && address.roles[at] === role);
  const [isKindLeft, isDirectionLeft] = [left('street'), left('direction')];
  if (!isKindLeft && !isDirectionLeft) return false;
  const tokens = wayTokens(index);
  const isSaid = (token: number) => byToken.get(token)?.some(term => (term.mask & ~mask) === 0) === true;
  const isOther = (token: number) =>
    ((isKindLeft && tokens.kinds.has(token)) || (isDirectionLeft && tokens.directions.has(token))) && !isSaid(token);
  const { names } = index;
  let header: number;
  let at = index.spellings(street);
  do {
    header = names[at];
    const end = at + 1 + spellingTokens(header);
    const name = names.subarray(at + 1, end);
    if (spellingKind(header) < SPELLING_POSTCODE && name.some(isSaid) && !name.some(isOther)) return false;
    at = end;
  } while (!isLastSpelling(header));
  return true;
}

function wayTokens(index: SearchIndex): WayTokens {
  const known = wayTokensOf.get(index);
  if (known !== undefined) return known;
  const { kinds, directions } = wordsForWays();
  const tokensOf = (words: readonly string[]) =>
    new Set(words.map(word => index.find(word)).filter(token => token >= 0));
  const tokens = { kinds: tokensOf(kinds), directions: tokensOf(directions) };
  wayTokensOf.set(index, tokens);
  return tokens;
}

/** A street is called by its kind alone if more of its name was said: Am Markt. */
const KIND_SAID_MAX = 0.6;

/** True if only the kind of a street was said, next to a word that its name does not have. */
export function isOnlyKindSaid(index: SearchIndex, { document, own, said }: Match, { words }: QueryWords): boolean {
  const rank = index.searchRank(document);
  if (said > KIND_SAID_MAX || rank < RANK_ROAD || rank > RANK_PATH) return false;
  const isOwn = (at: number) => (own & (1 << at)) !== 0;
  for (let at = 0; at < words.length; at++) {
    // Its postcode is no name.
    if (isOwn(at) && !isKind(words[at]) && !HAS_DIGIT.test(words[at].text)) return false;
  }
  const isName = (at: number, part: number) =>
    words[at]?.part === part &&
    !isOwn(at) &&
    !HAS_DIGIT.test(words[at].text) &&
    !wordsInRole('stop').has(words[at].text);
  return words.some(
    (word, at) => isOwn(at) && isKind(word) && (isName(at - 1, word.part) || isName(at + 1, word.part)),
  );
}

function isKind({ text }: Word): boolean {
  return entriesOf(text).some(({ role }) => role === 'street' || role === 'way');
}
