// Postcodes: which ones the map has, where their centroids are, and which one applies where none is given.
//
// Houses carry their postcode themselves. The mean of all points with the same country and code is an artificial
// centroid and becomes a place. An object without a postcode takes that of the nearest centroid within the reach of the
// country's codes (data/postcodes.csv). Areas drawn for a code take precedence.

import { readFileSync } from 'node:fs';
import Flatbush from 'flatbush';
import type { Polygon } from '../../../geo/polygon.ts';
import { POSTAL_CODE } from '../objects/classify.ts';
import { type KnownAreas, metresBetween, reachAt } from './known_areas.ts';

/** Format and reach of the postcodes of a country. */
interface PostcodeRules {
  /** One group for each part. */
  pattern: RegExp | undefined;
  /** Between the parts. */
  separator: string;
  /** How far a code reaches from its centroid. */
  extentMetres: number;
}

/** The mean of all points with one code. */
export interface PostcodeCentroid {
  /** ISO 3166-1 alpha-2, lower case. */
  countryCode: string;
  postcode: string;
  /** Units. */
  x: number;
  y: number;
}

const EXTENT_METRES = 5_000;
/** Search ranks by the reach of the country's codes. */
const SEARCH_RANKS: readonly { extentMetresMax: number; searchRank: number }[] = [
  { extentMetresMax: 100, searchRank: 25 },
  { extentMetresMax: 3_000, searchRank: 23 },
  { extentMetresMax: Infinity, searchRank: 21 },
];
/**
 * Half the side of the box around a centroid, degrees, at search rank 21, and how much less it is for each further
 * rank.
 */
const BOX_DEGREES = 0.05;
const BOX_DEGREES_PER_RANK = 0.012;
const BOX_RANK = 21;

let rules: ReadonlyMap<string, PostcodeRules> | undefined;

/** A postcode in its country's format; empty for a list or for text that does not match the format. */
export function readPostcode(text: string | undefined, countryCode: string): string {
  if (text === undefined || /[,;]/.test(text)) return '';
  const postcode = text.trim().toUpperCase();
  const { pattern, separator } = rulesOf(countryCode);
  if (pattern === undefined) return postcode;
  const parts = pattern.exec(postcode);
  return parts === null ? '' : parts.slice(1).join(separator);
}

/** The search rank of a country's postcodes. */
export function postcodeRankOf(countryCode: string): number {
  const { extentMetres } = rulesOf(countryCode);
  return SEARCH_RANKS.find(({ extentMetresMax }) => extentMetres <= extentMetresMax)!.searchRank;
}

/** Half the side of the box around a centroid, degrees. */
export function postcodeBoxDegreesOf(searchRank: number): number {
  return BOX_DEGREES - BOX_DEGREES_PER_RANK * (searchRank - BOX_RANK);
}

/** Collects the points of each code. */
export class PostcodeSurvey {
  private readonly sums = new Map<
    string,
    { countryCode: string; postcode: string; x: number; y: number; count: number }
  >();

  /** Adds a point, in units, to a code returned by `readPostcode`; an empty code is ignored. */
  note(countryCode: string, postcode: string, x: number, y: number): void {
    if (postcode === '' || countryCode === '') return;
    const key = `${countryCode},${postcode}`;
    const sum = this.sums.get(key);
    if (sum === undefined) {
      this.sums.set(key, { countryCode, postcode, x, y, count: 1 });
      return;
    }
    sum.x += x;
    sum.y += y;
    sum.count++;
  }

  /** The centroids, by country and code. */
  centroids(): PostcodeCentroid[] {
    return [...this.sums.values()]
      .map(({ countryCode, postcode, x, y, count }) => ({
        countryCode,
        postcode,
        x: Math.round(x / count),
        y: Math.round(y / count),
      }))
      .sort((a, b) => (a.countryCode + a.postcode < b.countryCode + b.postcode ? -1 : 1));
  }
}

/** Finds postcodes by position. */
export class Postcodes {
  private readonly centroids: readonly PostcodeCentroid[];
  private readonly index: Flatbush | undefined;
  private readonly areas: KnownAreas;

  constructor(centroids: readonly PostcodeCentroid[], areas: KnownAreas) {
    this.centroids = centroids;
    this.areas = areas;
    if (centroids.length === 0) return;
    this.index = new Flatbush(centroids.length, 16, Int32Array);
    for (const { x, y } of centroids) this.index.add(x, y, x, y);
    this.index.finish();
  }

  /**
   * The code of a point: that of the postal area around it, else of the nearest centroid within reach; empty if there
   * is none.
   */
  at(x: number, y: number, countryCode: string): string {
    for (const area of this.areas.containing(x, y)) {
      const postcode = area.type === POSTAL_CODE ? readPostcode(area.tags.postal_code, countryCode) : '';
      if (postcode !== '') return postcode;
    }
    let nearestMetres = rulesOf(countryCode).extentMetres;
    const { north, east } = reachAt(nearestMetres, y);
    let postcode = '';
    for (const i of this.index?.search(x - east, y - north, x + east, y + north) ?? []) {
      const centroid = this.centroids[i];
      const metres = metresBetween(centroid.x, centroid.y, x, y);
      if (centroid.countryCode !== countryCode || metres > nearestMetres) continue;
      nearestMetres = metres;
      postcode = centroid.postcode;
    }
    return postcode;
  }

  /** The code of an area that contains exactly one centroid; otherwise empty. */
  inside(polygon: Polygon, countryCode: string): string {
    let postcode = '';
    for (const i of this.index?.search(polygon.west, polygon.south, polygon.east, polygon.north) ?? []) {
      const centroid = this.centroids[i];
      if (centroid.countryCode !== countryCode || !polygon.contains(centroid.x, centroid.y)) continue;
      if (postcode !== '') return '';
      postcode = centroid.postcode;
    }
    return postcode;
  }
}

function rulesOf(countryCode: string): PostcodeRules {
  rules ??= loadRules();
  return rules.get(countryCode) ?? ANY;
}

const ANY: PostcodeRules = { pattern: undefined, separator: '', extentMetres: EXTENT_METRES };

/**
 * data/postcodes.csv: countries separated by spaces, pattern (`d` digit, `l` letter, `a` either; ` ` or `-` between
 * parts), extent in metres.
 */
function loadRules(): ReadonlyMap<string, PostcodeRules> {
  const lines = readFileSync(new URL('../../../../data/postcodes.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const byCountry = new Map<string, PostcodeRules>();
  for (const line of lines) {
    const [countries, text, extent] = line.split(',');
    const separator = /[ -]/.exec(text)?.[0] ?? '';
    const parts = text.split(/[ -]/).map(part => `(${part.replaceAll(/[dla]/g, character => CHARACTERS[character])})`);
    const pattern = new RegExp(`^${parts.join('[ -]?')}$`);
    for (const country of countries.split(' '))
      byCountry.set(country, { pattern, separator, extentMetres: Number(extent) });
  }
  return byCountry;
}

const CHARACTERS: Readonly<Record<string, string>> = { d: '[0-9]', l: '[A-Z]', a: '[A-Z0-9]' };
