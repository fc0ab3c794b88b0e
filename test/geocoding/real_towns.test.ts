// Which rule gives the town that people write? Every house of real extracts that names its city is asked for by four
// rules, and once more where the extract is cut: it has no borders, and no house says its city. Run it to see the
// table:
//
//   npx vitest run test/geocoding/real_towns.test.ts

import { afterAll, beforeAll, expect, test } from 'vitest';
import { toSpecAddress } from '../../src/geocoding/address/spec_address.ts';
import type { FoundPlace } from '../../src/geocoding/found_place.ts';
import { matchKeyOf, matchKeysOf } from '../../src/geocoding/import/objects/match_key.ts';
import {
  LANDS,
  type Land,
  missingExtract,
  openCutGeocoder,
  openRealGeocoder,
  type RealGeocoder,
  type RealObject,
  realObjects,
} from './real_geocoder.ts';

const missing = missingExtract();
if (missing !== undefined) console.log(`The towns of real extracts are not tried: ${missing} is not there.`);

/** Shares of the houses, percent, that each rule is to reach. */
const WRITTEN_MIN = { liechtenstein: 99.5, monaco: 99.5, malta: 95 };
/** The same where the extract is cut. */
const CUT_MIN = { liechtenstein: 80, monaco: 80, malta: 80 };
/** Zooms that ask for a municipality, and for the nearest village in it. */
const ZOOM_MUNICIPALITY = 10;
const ZOOM_VILLAGE = 13;

let real: RealGeocoder;
let world: RealGeocoder;
beforeAll(async () => {
  if (missing !== undefined) return;
  [real, world] = [await openRealGeocoder(true), await openRealGeocoder(false)];
});
afterAll(async () => {
  await real?.close();
  await world?.close();
});

test.skipIf(missing !== undefined).each(LANDS)('%s: what houses and their neighbours write is the town', async land => {
  const houses = await housesWithCity(land);
  const rules: Record<string, (house: RealObject) => boolean> = {
    written: house => isTown(house, townOf(real, house)),
    municipality: house => isTown(house, at(real, house, ZOOM_MUNICIPALITY)?.name),
    'nearest settlement': house => isTown(house, at(real, house, ZOOM_VILLAGE)?.name),
    gazetteer: house => isTown(house, townIn(world.geocoder.at(house.latitude, house.longitude)?.geonameText())),
  };
  const shares = Object.fromEntries(
    Object.entries(rules).map(([rule, isRight]) => [rule, shareOf(houses, isRight)] as const),
  );
  const table = Object.entries(shares).map(([rule, share]) => `${rule} ${share.toFixed(1)}`);
  console.log(`${land}, ${houses.length} houses, right in percent: ${table.join(', ')}`);
  expect(shares.written).toBeGreaterThanOrEqual(WRITTEN_MIN[land]);
  for (const rule of Object.keys(rules)) expect(shares.written, rule).toBeGreaterThanOrEqual(shares[rule]);
});

test.skipIf(missing !== undefined).each(LANDS)(
  '%s: without borders and written towns, settlements and the gazetteer say the town',
  async land => {
    const cut = await openCutGeocoder(land);
    const houses = await housesWithCity(land);
    const share = shareOf(houses, house => isTown(house, townOf(cut, house)));
    await cut.close();
    console.log(`${land}, cut, ${houses.length} houses, right in percent: ${share.toFixed(1)}`);
    expect(share).toBeGreaterThanOrEqual(CUT_MIN[land]);
  },
);

function housesWithCity(land: Land): Promise<RealObject[]> {
  return realObjects(land, (_, tags) => tags['addr:housenumber'] !== undefined && tags['addr:city'] !== undefined);
}

/** Percent. */
function shareOf(houses: readonly RealObject[], isRight: (house: RealObject) => boolean): number {
  return (100 * houses.filter(isRight).length) / houses.length;
}

function townOf(geocoder: RealGeocoder, house: RealObject): string | undefined {
  return toSpecAddress(at(geocoder, house, 18)?.address ?? []).town;
}

function at({ geocoder }: RealGeocoder, { latitude, longitude }: RealObject, zoom: number): FoundPlace | undefined {
  return geocoder.reverse({ latitude, longitude, zoom, languages: [] });
}

/**
 * True if a town is the one that a house writes, by that name or by another one of the same place: Fgura is Il-Fgura.
 */
function isTown({ tags }: RealObject, town: string | undefined): boolean {
  const written = matchKeyOf(tags['addr:city']);
  return town !== undefined && (matchKeyOf(town) === written || namesOf(town).has(written));
}

const keysByTown = new Map<string, ReadonlySet<string>>();

/** Keys of all names of the places that have a name. */
function namesOf(town: string): ReadonlySet<string> {
  let keys = keysByTown.get(town);
  if (keys === undefined) {
    const question = {
      text: town,
      parts: undefined,
      limit: 10,
      viewbox: undefined,
      isBounded: false,
      countryCodes: [],
      languages: [],
    };
    const places = real.geocoder.search({ ...question, isAutocomplete: false });
    keys = new Set(places.filter(({ name }) => name === town).flatMap(({ names }) => matchKeysOf(names)));
    keysByTown.set(town, keys);
  }
  return keys;
}

function townIn(geonameText: string | undefined): string | undefined {
  return geonameText === undefined ? undefined : JSON.parse(geonameText).town;
}
