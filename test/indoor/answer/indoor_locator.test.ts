// Whether a device is in the building or beside it, in a drawn street: a hall with fingerprints, access points of the
// hall and of the houses across the street, all of which the service also knows as stations.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IndoorFix, IndoorLocator } from '../../../src/indoor/answer/indoor_locator.ts';
import { Locator } from '../../../src/positioning/locate.ts';
import { queryBytesOf, readQuery } from '../../../src/protocol/requests/position_query.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';
import { parseMac, radioOfMac } from '../../../src/radio/mac.ts';
import { readFound } from '../../../src/radio/query/answer.ts';
import { SOURCE_BLUETOOTH, SOURCE_WIFI } from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter } from '../../../src/radio/query/writer.ts';
import { createRevision } from '../../../src/tables/environment/revision.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { degreesAt, type Metres } from '../../kits/buildings/drawn.ts';
import { heardAt, publish, RADIOS, survey } from '../../kits/buildings/fingerprinted.ts';
import { deviceMac, macKey, putting } from '../../kits/radio/stations.ts';
import { uniform } from '../../kits/random.ts';

/** Across the street, ten metres wide, south of the hall. */
const HOUSES = Array.from({ length: 8 }, (_, i) => ({
  mac: deviceMac(2_000 + i),
  floor: 0,
  at: [-10 + 8 * i, -14] as const,
}));
const maps = createRevision();
let folder: string;
let writer: StationWriter;
let locator: Locator;
let indoors: IndoorLocator;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-indoors-'));
  const cache = createCacheMemory(4);
  writer = await StationWriter.open(folder, new StationCache(cache));
  const stations = [...RADIOS, ...HOUSES].map(({ mac, at }) => {
    const [longitude, latitude] = degreesAt(at);
    return putting(macKey(mac), stationAt(latitude, longitude, 20, 45));
  });
  await writer.apply(stations);
  locator = new Locator(folder, cache);
  indoors = new IndoorLocator(folder, maps);
});

afterAll(async () => {
  await locator.close();
  await indoors.close();
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const metresTo = ({ latitude, longitude }: { latitude: number; longitude: number }, at: Metres): number => {
  const [east, north] = degreesAt(at);
  return Math.hypot((latitude - north) * 111_195, (longitude - east) * 111_195 * Math.cos((north * Math.PI) / 180));
};

function ask(body: object): { memory: QueryMemory; fix: IndoorFix | undefined } {
  checkStructure(body);
  const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
  readQuery(body, 0, new QueryWriter(memory), 0);
  locator.lookUp(memory, 0);
  return { memory, fix: indoors.locate(locator.heard) };
}

/** What is answered with and without the fingerprints. */
function answers(wifiAccessPoints: readonly object[]) {
  const { memory, fix } = ask({ wifiAccessPoints });
  locator.lookUp(memory, 0);
  locator.locate();
  const without = readFound(memory, 0);
  locator.lookUp(memory, 0);
  locator.locate(fix?.estimate);
  return { fix, without, found: readFound(memory, 0) };
}

test('without maps nothing is located', () => {
  expect(ask({ wifiAccessPoints: heardAt(1, [20, 15]) }).fix).toBeUndefined();
});

describe('with the map of the hall', () => {
  beforeAll(() => publish(folder, maps, { modelId: undefined, buildingId: undefined, name: 'Hall' }, survey()));

  test('devices inside are found on their floors', () => {
    for (const floor of [0, 1, 2]) {
      const { fix } = ask({ wifiAccessPoints: heardAt(floor, [12, 20], uniform(floor)) });
      expect(fix?.storey).toMatchObject({ floor, building: { name: 'Hall' } });
      expect(fix?.estimate.source).toBe(SOURCE_WIFI);
      expect(metresTo(fix!.estimate, [12, 20])).toBeLessThan(8);
    }
  });

  test(
    'on either side of the windows no answer is worse than that by stations alone by more than its radius, but ' +
      'for one in twenty',
    () => {
      const random = uniform(7);
      const asked = 400;
      let worse = 0;
      for (let i = 0; i < asked; i++) {
        const at: Metres = [1 + 38 * random(), 6 - 18 * random()];
        const { found, without } = answers([...heardAt(0, at, random), ...heardAt(0, at, random, HOUSES)]);
        if (metresTo(found, at) > metresTo(without, at) + found.accuracyMetres) worse++;
      }
      expect(worse).toBeLessThanOrEqual(asked / 20);
    },
  );

  test('a device across the street is not in the hall', () => {
    const random = uniform(9);
    for (let i = 0; i < 50; i++) {
      const at: Metres = [40 * random(), -22 - 5 * random()];
      const { fix } = answers([...heardAt(0, at, random), ...heardAt(0, at, random, HOUSES)]);
      expect(fix).toBeUndefined();
    }
  });

  test('one network tells nothing, and neither do two of one radio', () => {
    const [one, two] = heardAt(1, [20, 15]);
    const twin = { ...one, macAddress: one.macAddress.replace(/^02/, '06') };
    expect(ask({ wifiAccessPoints: [one] }).fix).toBeUndefined();
    expect(ask({ wifiAccessPoints: [one, twin] }).fix).toBeUndefined();
    expect(ask({ wifiAccessPoints: [one, two] }).fix).toBeDefined();
  });

  test('a beacon alone locates', async () => {
    const beacon = { macAddress: '00:14:bc:00:00:01', signalStrength: -60 };
    const number = 2 ** 48 + 0x00_14_bc_00_00_01;
    const survey = [0, 1].map(floor => ({
      floor,
      eastMetres: 5,
      northMetres: 5,
      readings: [{ radio: number + floor, levelDbm: -60 }],
    }));
    await publish(folder, maps, { modelId: undefined, buildingId: 5, name: 'Beacons' }, survey);
    const { fix } = ask({ bluetoothBeacons: [beacon] });
    expect(fix?.estimate.source).toBe(SOURCE_BLUETOOTH);
    expect(fix?.storey).toMatchObject({ floor: 0, building: { name: 'Beacons' } });
    // An access point beside it says nothing, and is told of nothing.
    expect(
      ask({ bluetoothBeacons: [beacon], wifiAccessPoints: [heardAt(1, [20, 15])[0]] }).fix?.storey.building.name,
    ).toBe('Beacons');
  });

  test(
    'a device is in the building that explains all of what it hears, not in one that knows half of it and is ' +
      'more like that half',
    async () => {
      const random = uniform(3);
      const heard = heardAt(0, [12, 20], random);
      const readings = heard.slice(0, heard.length / 2).map(({ macAddress, signalStrength }) => ({
        radio: radioOfMac(parseMac(macAddress)),
        levelDbm: signalStrength,
      }));
      const survey = [{ floor: 4, eastMetres: 90, northMetres: 90, readings }];
      await publish(folder, maps, { modelId: undefined, buildingId: undefined, name: 'Annex' }, survey);
      expect(ask({ wifiAccessPoints: heard }).fix?.storey).toMatchObject({ floor: 0, building: { name: 'Hall' } });
      expect(ask({ wifiAccessPoints: heard.slice(0, heard.length / 2) }).fix?.storey).toMatchObject({
        floor: 4,
        building: { name: 'Annex' },
      });
    },
  );
});
