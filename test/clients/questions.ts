// What every program is asked, and how what it understands of the answers is judged. The places are those of the drawn
// extract, the access points those of the demo town.

import { ACCESS_POINTS, BETWEEN } from '../api/dialects/stations.ts';
import { HOUSE, SEA } from '../kits/places/extracts.ts';

/** What programs are told of the questions. */
export const QUESTIONS = {
  words: 'Äulestrasse 3, Vaduz',
  nonsense: 'xyzzyqwk',
  house: HOUSE,
  sea: SEA,
  points: ACCESS_POINTS,
  unknownPoints: ['02:00:5e:77:00:01', '02:00:5e:77:00:02'],
} as const;

/** What a program understands of one answer; null where it says that there is nothing. */
export type Finding = { text?: string; lat?: number; lon?: number; accuracy?: number; error?: string } | null;

/** What a program understood, by question; a program need not know all of them. */
export interface Findings {
  /** The words. */
  search?: Finding;
  /** The house. */
  reverse?: Finding;
  /** The nonsense. */
  nothing?: Finding;
  sea?: Finding;
  /** The access points. */
  locate?: Finding;
  /** The unknown access points. */
  nowhere?: Finding;
  /** Any of these with a key that is none. */
  wrongKey?: Finding;
}

const TEXT = /Äulestrasse/;
/** Of a degree: 100 m. */
const NEAR_DEGREES = 0.001;
const HAS_PLACE: readonly (readonly [name: 'search' | 'reverse' | 'locate', lat: number, lon: number])[] = [
  ['search', HOUSE.lat, HOUSE.lon],
  ['reverse', HOUSE.lat, HOUSE.lon],
  ['locate', BETWEEN.latitude, BETWEEN.longitude],
];
const HAS_NONE = ['nothing', 'sea', 'nowhere'] as const;

/** @returns a sentence for each finding that is wrong */
export function judge(findings: Findings): string[] {
  const wrong = Object.keys(findings).length === 0 ? ['It found nothing at all.'] : [];
  const say = (name: keyof Findings, what: string) =>
    wrong.push(`${name} ${what}: ${JSON.stringify(findings[name] ?? null)}`);
  for (const [name, lat, lon] of HAS_PLACE) {
    const found = findings[name];
    if (found === undefined) continue;
    if (found === null || found.error !== undefined) say(name, 'has no place');
    else if (name !== 'locate' && !TEXT.test(found.text ?? '')) say(name, 'has other words');
    else if (!isNear(found.lat, lat) || !isNear(found.lon, lon)) say(name, 'is elsewhere');
  }
  const refusal = findings.wrongKey;
  for (const name of HAS_NONE) {
    const found = findings[name];
    if (found === undefined || found === null) continue;
    // Some programs have nothing but an error for it, which must not be that of the key.
    if (found.error === undefined) say(name, 'has a place');
    else if (found.error === refusal?.error) say(name, 'has the error of a wrong key');
  }
  if (refusal !== undefined && !refusal?.error) say('wrongKey', 'is no error');
  return wrong;
}

/** True where a program reads no such number. */
function isNear(found: number | undefined, expected: number): boolean {
  return found === undefined || Math.abs(found - expected) <= NEAR_DEGREES;
}

/** A program that finds places, with one key. */
export interface PlaceClient {
  search(text: string): Promise<Finding>;
  reverse(lat: number, lon: number): Promise<Finding>;
}

/** Asks all about places. @param make the program with a key */
export async function askPlaces(make: (key: string) => PlaceClient, key: string): Promise<Findings> {
  const { words, nonsense, house, sea } = QUESTIONS;
  const own = make(key);
  return {
    search: await foundBy(() => own.search(words)),
    reverse: await foundBy(() => own.reverse(house.lat, house.lon)),
    nothing: await foundBy(() => own.search(nonsense)),
    sea: await foundBy(() => own.reverse(sea.lat, sea.lon)),
    // Some programs have one address in a process: that of the last client.
    wrongKey: await foundBy(() => make('wrong').search(words)),
  };
}

/** What a program throws is its finding. */
export async function foundBy(ask: () => Promise<Finding>): Promise<Finding> {
  return ask().catch(error => ({ error: String(error) }));
}
