// The rank of a search: every weight that decides which place stands before which, in one table.
//
// A place has a penalty, and the smallest comes first. It is the sum of these terms, which have no unit; what a place
// is worth counts below zero.
//
//   term          weight                          of
//   unexplained   UNEXPLAINED                     the share of the query that nothing explains (match.ts)
//   unsaid        UNSAID                          the share of the place's name that was not said (match.ts)
//   otherName     OTHER_NAME, UNFINISHED_OTHER,   a name that is not the main one (match.ts)
//                 FOREIGN_NAME
//   kind          KIND, KIND_NAMED                a place found by its kind (match.ts)
//   readings      SPELLING, JOINED, ORDINAL,      each word that is not read as it is written, by its share of the
//                 CUT, UNFINISHED, EDIT, SHIFT,   query; words that surroundings explain count as well (terms.ts,
//                 SUBDIVISION                     match.ts)
//   notNamed      NOT_NAMED                       a shop on a street, if the house was asked for (match.ts)
//   otherTown     OTHER_TOWN                      a house elsewhere, besides the street in the town (named_town.ts)
//   wholeName     WHOLE_NAME                      a name that is the whole query (match.ts)
//   importance    IMPORTANCE                      the importance, 0..1 (match.ts); a table of importance raises it, by
//                 WELL_KNOWN, when the places are built (import/objects/importance.ts)
//   away          AWAY_PER_DEGREE, AWAY_MAX       degrees from the point in the query (match.ts)
//                 AROUND                          the distance from what the place is to be near to (match.ts)
//   outside       OUTSIDE                         a place outside of the view (match.ts)
//   extract       EXTRACT_BONUS                   a place of the imported extract; a far village of the gazetteer comes
//                                                 after all of them (merge_hits.ts)
//
// Shares are of weights: each word weighs by how rare it is (query_words.ts).

/**
 * Penalty for a query of which no word is explained; by share. It is the greatest: what was asked for counts before all
 * else.
 */
export const UNEXPLAINED = 1.2;
/**
 * Penalty for a name of which nothing was said; by share. A quarter of the words asked for, as people leave out parts
 * of long names.
 */
export const UNSAID = 0.3;
/** Penalty for a name that is not the main one: it only decides between places that are alike otherwise. */
export const OTHER_NAME = 0.02;
/** Penalty for a place found by its kind and not by its name: a name that was said is better evidence. */
export const KIND = 0.1;
/**
 * The same if its whole name was said as well: Marktplatz station is the station called Marktplatz before a rack called
 * Marktplatz Station, and a station called so before both.
 */
export const KIND_NAMED = 0.001;
/**
 * Penalty for a place on a street, such as a shop, if its own name says nothing that its surroundings do not say: then
 * the house was asked for. Where its whole name was said and a part of its street's, it was asked for itself: a museum
 * on Museum Mews stands before the stop Museum elsewhere.
 */
export const NOT_NAMED = 0.1;
/** What is no better known is called after its street or what else it stands beside (data/importance.csv). */
export const NAMED_AFTER_MAX = 0.0125;
/** Penalty for a house elsewhere, beyond that of the street without the number in the town that is named. */
export const OTHER_TOWN = 0.001;
/** Worth of a name that is the whole query: the stop Vaduz Post, and not the path Post in Vaduz. */
export const WHOLE_NAME = 0.05;
/** Worth of importance 1; by importance, 0..1. */
export const IMPORTANCE = 0.4;
/**
 * Importance of what a table of importance rates 1: about that of a capital of thirty million in the gazetteer
 * (import/gazetteer/kind.ts). So all other weights, which know no more, stay as they are.
 */
export const WELL_KNOWN = 0.55;
/**
 * Penalty for such a name of which a word is not finished, in place of OTHER_NAME: of a few letters, some of a hundred
 * names of a country begin with any, and would hide the cities that begin so.
 */
export const UNFINISHED_OTHER = 0.2;
/**
 * Penalty for the name in one language that was not asked for, by the share of the query that it explains: Heiligkreuz
 * is a street before it is Świętokrzyskie. A place that is known far better comes first all the same.
 */
export const FOREIGN_NAME = 0.1;

/** Penalty for a word written in another way, such as str for Strasse; by its share of the query. */
export const SPELLING = 0.04;
/** Penalty for words read as one: Land Strasse; by their share of the query. */
export const JOINED = 0.04;
/** Penalty for another form of a number, such as Second for 2nd; by its share of the query. */
export const ORDINAL = 0.04;
/** Penalty for the beginning of a word, such as G. for Giuseppe; by its share of the query. */
export const CUT = 0.08;
/** Penalty for a last word that is not finished; by its share of the query. */
export const UNFINISHED = 0.04;
/**
 * Penalty for each mistyped letter of a word; by its share of the query. Far above other spellings: first what was
 * written is looked for.
 */
export const EDIT = 0.3;
/**
 * Penalty for each of two words between which the space is a letter too early or too late; by its share of the query.
 * Both are one mistake.
 */
export const SHIFT = EDIT / 2;
/**
 * Penalty for words that name a state of the place's country, of which the layer has no area; by their share of the
 * query. A place in an area of that name comes first.
 */
export const SUBDIVISION = 0.1;

/** Penalty for each degree from the point in the query. */
export const AWAY_PER_DEGREE = 1;
/** The greatest penalty for being away from it: farther places are all equally far. */
export const AWAY_MAX = 0.5;
/**
 * Penalty for being as far as may be from what the query asks for places near to. Then importance does not count, and
 * the answers are ordered by distance.
 */
export const AROUND = 0.2;
/** Penalty for a place outside of the view: it comes after all inside that are kept beside the best. */
export const OUTSIDE = 0.5;

/** Worth of being in the extract: about as much as a hundred times the inhabitants (import/gazetteer/kind.ts). */
export const EXTRACT_BONUS = 0.1;

/** Results with a penalty this much greater than the best are dropped. */
export const BEHIND_MAX = 0.5;

/** Weight of a joining word (in, the) in a query or name; that of a word that no place has is 1. */
export const STOP_WORD_WEIGHT = 0.15;
/** Weight of a word with a digit: a number says little where there are streets with many houses. */
export const NUMBER_WEIGHT = 0.5;

/**
 * Weight of any other word in a query or name, 0..1: a word that a thousand places have weighs half of one that none
 * has. @param count places that have it
 */
export function weightByCount(count: number): number {
  return 1 / (1 + Math.log10(1 + count) / 3);
}
