// Where two streets cross that a question names together: `X and Y, town`. The words between and before them are in
// data/crossings.csv.
//
// Each street is searched for by itself, with the rest of the question. From the way that represents the first one its
// other ways are followed from node to node, until one comes to a way of the second street. So only streets are
// answered that meet, and what is read is bounded.

import { readFileSync } from 'node:fs';
import { wrapDegrees } from '../geo/angle.ts';
import { linesOf } from '../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../geo/units.ts';
import { isRoad } from '../tables/places/ranks.ts';
import { displayName } from './address/display_name.ts';
import type { FoundPlace } from './found_place.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import { readPlace } from './index/place_reader.ts';
import { PATH, ROAD } from './index/traits.ts';
import type { SearchQuestion } from './search/question.ts';
import { searchLayers } from './search/search.ts';
import type { SearchRecord } from './search/search_record.ts';
import { wordsOf } from './search/words/text.ts';

/** Two streets of a question, each with where they are. */
interface NamedCrossing {
  first: string;
  second: string;
  /** The rest of the question. */
  rest: string;
}

/** A point at which two streets meet. */
export interface Crossing {
  /** Ids of a way of each. */
  first: number;
  second: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

/** Streets of a name, in several towns, of which each is tried. */
const STREETS_MAX = 8;
/** Half the width of the box around a crossing, degrees: some thirty metres. */
const HALF_BOX = 0.0003;
/** Ways of a street that are followed. */
const WAYS_MAX = 150;
/** Ways to read one question, by the words that may stand between its streets. */
const READINGS_MAX = 6;
/** Two ways share a node if they have points so near to each other, units: a centimetre. */
const NODE_UNITS = 1;

/** How texts name two streets. */
interface Phrases {
  between: RegExp;
  before: RegExp;
  /** A word between two streets, behind a comma or stroke. */
  corner: RegExp;
  /** Found wherever `between` is, and quicker. */
  mayBeBetween: RegExp;
}

let phrases: Phrases | undefined;

/** The ways in which a text may name two streets. */
function crossingsNamed(text: string): NamedCrossing[] {
  phrases ??= readPhrases();
  const { between, before, corner, mayBeBetween } = phrases;
  // Most texts have nothing that may stand there.
  if (!mayBeBetween.test(text)) return [];
  // Behind a comma or stroke, too, a word may stand between two streets: Lindenweg, Ecke Ahornallee.
  const parts = text.replaceAll(corner, ' $1 ').split(',');
  const found: NamedCrossing[] = [];
  for (const [at, part] of parts.entries()) {
    const rest = parts.toSpliced(at, 1).join(',');
    const names = part.replace(before, '');
    for (const match of names.matchAll(between)) {
      const first = names.slice(0, match.index).trim();
      const second = names.slice(match.index + match[0].length).trim();
      if (wordsOf(first).length > 0 && wordsOf(second).length > 0) found.push({ first, second, rest });
    }
    if (found.length === 0 && names !== part) found.push(...divided(names, rest));
  }
  return found.slice(0, READINGS_MAX);
}

/** Two streets with nothing between them, of which a word says that they cross: Kreuzung Lindenweg Ahornallee. */
function divided(names: string, rest: string): NamedCrossing[] {
  const words = names.trim().split(/\s+/);
  return words.slice(1).map((_, at) => ({
    first: words.slice(0, at + 1).join(' '),
    second: words.slice(at + 1).join(' '),
    rest,
  }));
}

/**
 * True for a question that names two streets, unless one place has a name with the words of both: the best answer to
 * its words, or an area around it, such as Castille and León. @param found that answer
 */
export function isCrossingMeant(
  { text }: SearchQuestion,
  found: FoundPlace | undefined,
  record?: SearchRecord,
): boolean {
  const named = crossingsNamed(text);
  if (named.length === 0 || found === undefined) return named.length > 0;
  const names = [...Object.values(found.names), ...found.address.map(({ value }) => value)];
  const known = names.map(name => new Set(wordsOf(name)));
  const isMeant = named.some(({ first, second }) => {
    const words = [...wordsOf(first), ...wordsOf(second)];
    return !known.some(own => words.every(word => own.has(word)));
  });
  if (!isMeant) record?.crossings.push(...named.map(({ first, second }) => ({ first, second })));
  return isMeant;
}

/** The answer for a crossing of two streets, each described at it. */
export function placeOfCrossing(first: FoundPlace, second: FoundPlace, languages: readonly string[]): FoundPlace {
  const { latitude, longitude } = first;
  const name = `${first.name} / ${second.name}`;
  const rows = [{ key: 'road', value: name }, ...first.address.filter(({ key }) => key !== 'road')];
  return {
    ...first,
    south: latitude - HALF_BOX,
    north: latitude + HALF_BOX,
    west: wrapDegrees(longitude - HALF_BOX),
    east: wrapDegrees(longitude + HALF_BOX),
    category: 'highway',
    type: 'crossing',
    addressType: 'road',
    name,
    displayName: displayName(rows, languages),
    geometry: () => ({ kind: 'point' }),
  };
}

/** The point at which two streets meet that a question names, if it does. */
export function findCrossing(
  layer: GeocoderLayer,
  question: SearchQuestion,
  record?: SearchRecord,
): Crossing | undefined {
  for (const { first, second, rest } of crossingsNamed(question.text)) {
    const [from, to] = [first, second].map(name => streetsCalled(layer, question, name, rest));
    const crossing = crossingOf(layer, from, to);
    const isAnswer = crossing !== undefined;
    record?.crossings.push({ first, second, streets: [from.length, to.length], ...(isAnswer && { isAnswer }) });
    if (isAnswer) return crossing;
  }
  return undefined;
}

/** Where one of some streets meets one of others. */
function crossingOf(layer: GeocoderLayer, from: readonly number[], to: readonly number[]): Crossing | undefined {
  if (from.length === 0 || to.length === 0) return undefined;
  for (const street of from) {
    const crossing = meetingOf(layer, street, to);
    if (crossing !== undefined) return crossing;
  }
  for (const street of to) {
    const crossing = meetingOf(layer, street, from);
    if (crossing !== undefined) return { ...crossing, first: crossing.second, second: crossing.first };
  }
  return undefined;
}

/** Ids of the ways that represent streets of a name. */
function streetsCalled({ words, places }: GeocoderLayer, question: SearchQuestion, name: string, rest: string) {
  const text = rest === '' ? name : `${name},${rest}`;
  const { hits } = searchLayers([words], { ...question, text, limit: STREETS_MAX, isAutocomplete: false });
  return hits[0].flatMap(({ id }) => {
    const { searchRank } = readPlace(places, id);
    return isRoad(searchRank) ? [id] : [];
  });
}

/** Follows a street until it meets one of others. */
function meetingOf({ spatial, places }: GeocoderLayer, street: number, others: readonly number[]) {
  const { ground, groundLines } = spatial;
  const nameOf = (id: number) => readPlace(places, id).names.name ?? readPlace(places, id).names.ref ?? '';
  const own = nameOf(street);
  const wanted = new Set(others.map(nameOf).filter(name => name !== own && name !== ''));
  const ways = [street];
  const seen = new Set(ways);
  for (let next = 0; next < ways.length && ways.length <= WAYS_MAX && wanted.size > 0; next++) {
    for (const line of linesOf(spatial.geometryOf(ways[next]))) {
      for (let at = 0; at < line.length; at += 2) {
        let second = 0;
        groundLines.around(line[at], line[at + 1], NODE_UNITS, (shape, fromX, fromY, toX, toY) => {
          if ((ground.traits(shape) & (ROAD | PATH)) === 0) return true;
          if (!isNode(fromX, fromY) && !isNode(toX, toY)) return true;
          const id = ground.id(shape);
          if (seen.has(id)) return true;
          seen.add(id);
          const name = nameOf(id);
          if (wanted.has(name)) second = id;
          else if (name === own) ways.push(id);
          return second === 0;
        });
        if (second === 0) continue;
        const [longitude, latitude] = [line[at] / UNITS_PER_DEGREE, line[at + 1] / UNITS_PER_DEGREE];
        return { first: ways[next], second, latitude, longitude };
      }
    }
  }
  return undefined;
}

function isNode(x: number, y: number): boolean {
  return Math.abs(x) <= NODE_UNITS && Math.abs(y) <= NODE_UNITS;
}

/** data/crossings.csv: role, language, phrases with semicolons between them. */
function readPhrases(): Phrases {
  const csv = readFileSync(new URL('../../data/crossings.csv', import.meta.url), 'utf8');
  const all = (role: string) =>
    csv
      .trim()
      .split('\n')
      .map(line => line.split(','))
      .flatMap(([of, , text]) => (of === role ? text.split(';') : []))
      .sort((a, b) => b.length - a.length);
  const isSign = (phrase: string) => !/\p{L}/u.test(phrase);
  const signs = all('between').filter(isSign).join('');
  const words = all('between').filter(phrase => !isSign(phrase));
  return {
    between: new RegExp(`\\s+(?:${words.join('|')})\\.?\\s+|(?<![0-9])\\s*[${signs}]\\s*(?![0-9])`, 'giu'),
    corner: new RegExp(`(?<=\\S)\\s*[,/]\\s*(${all('corner').join('|')})\\.?\\s+`, 'giu'),
    mayBeBetween: new RegExp(
      `[${signs}]|\\s(?:${words.join('|')})\\.?\\s|(?:^|,)\\s*(?:${all('before').join('|')})\\s`,
      'iu',
    ),
    before: new RegExp(`^\\s*(?:${all('before').join('|')})\\s+`, 'iu'),
  };
}
