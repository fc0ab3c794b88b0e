// There and back on every house number of real extracts: its position gives it back, and so do its words, also with a
// mistyped letter.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FoundPlace } from '../../src/geocoding/found_place.ts';
import { matchKeyOf } from '../../src/geocoding/import/objects/match_key.ts';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { uniform } from '../kits/random.ts';
import {
  addressOf,
  LANDS,
  type Land,
  missingExtract,
  openRealGeocoder,
  type RealGeocoder,
  type RealObject,
  realObjects,
} from './real_geocoder.ts';

const missing = missingExtract();
if (missing !== undefined) console.log(`The addresses of real extracts are not tried: ${missing} is not there.`);

/** So many of the addresses are asked for by their words, at most. */
const ASKED_MAX = 2_500;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const OSM_TYPES = [undefined, 'node', 'way', 'relation'];

describe.skipIf(missing !== undefined)('addresses of real extracts', () => {
  let real: RealGeocoder;
  const houses = new Map<Land, readonly RealObject[]>();

  beforeAll(async () => {
    real = await openRealGeocoder(true);
    for (const land of LANDS)
      houses.set(land, await realObjects(land, (_, tags) => tags['addr:housenumber'] !== undefined));
  });
  afterAll(() => real.close());

  test.each(LANDS)('%s: the position of 99 of 100 houses has their number and street', land => {
    const groups = [
      ...Map.groupBy(houses.get(land)!, ({ latitude, longitude }) => `${latitude} ${longitude}`).values(),
    ];
    const given = groups.filter(group => {
      const [{ latitude, longitude }] = group;
      const place = real.geocoder.reverse({ latitude, longitude, zoom: 18, languages: [] });
      return place !== undefined && group.some(house => isAddress(addressOf(place), house));
    });
    expect(given.length / groups.length).toBeGreaterThanOrEqual(0.99);
  });

  test.each(LANDS)('%s: the words of 98 of 100 addresses find it first', land => {
    const asked = questionsOf(houses.get(land)!);
    const found = asked.filter(question => isFound(question, question.street, 1));
    expect(found.length / asked.length).toBeGreaterThanOrEqual(0.98);
  });

  test.each(LANDS)('%s: with a mistyped letter in the street 90 of 100 are among the first three', land => {
    const random = uniform(7);
    const asked = questionsOf(houses.get(land)!);
    const found = asked.filter(question => isFound(question, mistype(question.street, random), 3));
    expect(found.length / asked.length).toBeGreaterThanOrEqual(0.9);
  });

  function isFound(question: Question, street: string, places: number): boolean {
    const answer = real.geocoder.search(freeTextQuestion(`${street} ${question.number}${question.tail}`));
    return answer.slice(0, places).some(place => isAnswer(question, place));
  }
});

/** An address in words, and the objects that have it. */
interface Question {
  street: string;
  number: string;
  /** Postcode and town, as far as they are known. */
  tail: string;
  objects: RealObject[];
}

function questionsOf(houses: readonly RealObject[]): Question[] {
  const questions = new Map<string, Question>();
  for (const house of houses) {
    const street = streetOf(house);
    if (street === undefined) continue;
    const number = house.tags['addr:housenumber'];
    const place = [house.tags['addr:postcode'], house.tags['addr:city']].filter(part => part !== undefined).join(' ');
    const tail = place === '' ? '' : `, ${place}`;
    const key = `${street} ${number}${tail}`;
    const known = questions.get(key);
    if (known === undefined) questions.set(key, { street, number, tail, objects: [house] });
    else known.objects.push(house);
  }
  const step = Math.ceil(questions.size / ASKED_MAX);
  return [...questions.values()].filter((_, i) => i % step === 0);
}

/** The very object, or another one with the same address: a shop in the house. */
function isAnswer({ objects }: Question, place: FoundPlace): boolean {
  if (objects.some(({ type, id }) => OSM_TYPES[type] === place.osmType && id === place.osmId)) return true;
  const address = addressOf(place);
  const { 'addr:postcode': postcode } = objects[0].tags;
  return isAddress(address, objects[0]) && (postcode === undefined || postcode === address.postcode);
}

function isAddress(address: Readonly<Record<string, string>>, house: RealObject): boolean {
  const street = streetOf(house);
  return (
    address.house_number === house.tags['addr:housenumber'] &&
    (street === undefined || matchKeyOf(street) === matchKeyOf(address.road ?? ''))
  );
}

function streetOf({ tags }: RealObject): string | undefined {
  return tags['addr:street'] ?? tags['addr:place'];
}

/** One letter is lost, added, another one, or two have changed places. */
function mistype(text: string, random: () => number): string {
  for (;;) {
    const letters = [...text];
    const at = Math.floor(random() * letters.length);
    const letter = LETTERS[Math.floor(random() * LETTERS.length)];
    const kind = Math.floor(random() * 4);
    if (!/\p{L}/u.test(letters[at])) continue;
    if (kind === 0) letters.splice(at, 1);
    else if (kind === 1) letters.splice(at, 0, letter);
    else if (kind === 2) letters[at] = letter;
    else letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
    const mistyped = letters.join('');
    if (mistyped.trim() !== '' && mistyped !== text) return mistyped;
  }
}
