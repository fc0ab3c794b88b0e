import { describe, expect, onTestFinished, test } from 'vitest';
import { distanceMetres } from '../../../src/geo/distance.ts';
import { screenReport } from '../../../src/intake/screen.ts';
import { Tally } from '../../../src/intake/tally.ts';
import { Aggregation } from '../../../src/learning/aggregate.ts';
import {
  KIND_BEACON,
  KIND_BLUETOOTH,
  KIND_CDMA,
  KIND_GSM,
  KIND_LTE,
  KIND_NR,
  KIND_WCDMA,
  KIND_WIFI,
} from '../../../src/radio/kind.ts';
import { FLAG_INFERRED, FLAG_NO_AREA, FLAG_NO_CELL_ID } from '../../../src/radio/query/layout.ts';
import {
  keyBytesOfKind,
  networkNumber,
  writeBeaconKey,
  writeCellKey,
  writeMacKey,
} from '../../../src/radio/station_key.ts';
import { EVERYWHERE, placeOfVotes } from '../../../src/tables/calibration/rows.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { generationPath, openGeneration } from '../../../src/tables/stations/generation.ts';
import { StationReader } from '../../../src/tables/stations/reader.ts';
import { STATION_BYTES } from '../../../src/tables/stations/record_layout.ts';
import { STATE_ACTIVE, STATE_BLOCKED, type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { queryOfKeys } from '../../kits/radio/query_of_keys.ts';
import { putting } from '../../kits/radio/stations.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const GROUP = 44;
type WriteKey = (bytes: Uint8Array, at: number) => void;
const wifi =
  (mac: number): WriteKey =>
  (bytes, at) =>
    writeMacKey(bytes, at, KIND_WIFI, mac);
const cell =
  (kind: number, area: number, id: number, mnc = 1): WriteKey =>
  (bytes, at) =>
    writeCellKey(bytes, at, kind, networkNumber(kind, 1, mnc), area, id);

function keyOf(writeKey: WriteKey): Buffer {
  const bytes = Buffer.alloc(24);
  writeKey(bytes, 0);
  return bytes.subarray(0, keyBytesOfKind(bytes[0]));
}

/** A reader, and the writer of the stations that it reads. */
async function world(
  stations: [WriteKey, Station][] = [],
): Promise<{ reader: StationReader; writer: StationWriter; folder: string }> {
  const folder = temporaryFolder();
  const cache = createCacheMemory(0);
  const writer = await StationWriter.open(folder, new StationCache(cache));
  const reader = new StationReader(folder, new StationCache(cache));
  onTestFinished(async () => {
    await reader.close();
    await writer.close();
  });
  await put(writer, stations);
  return { reader, writer, folder };
}

function put(writer: StationWriter, stations: [WriteKey, Station][]): Promise<void> {
  return writer.apply(stations.map(([writeKey, station]) => putting(keyOf(writeKey), station)));
}

/** Looks observations up together. */
function lookUp(reader: StationReader, keys: WriteKey[], flags = 0): void {
  reader.lookUp(queryOfKeys(keys.length, (bytes, at, i) => keys[i](bytes, at), flags));
  reader.release();
}

/** Latitude and longitude of one observation, undefined when it is unknown. */
function positionOf(reader: StationReader, key: WriteKey, flags = 0): [number, number] | undefined {
  lookUp(reader, [key], flags);
  return reader.isKnown(0) ? [reader.latitude(0), reader.longitude(0)] : undefined;
}

describe('a station', () => {
  test('is read as it was written, from the table and then from the cache', async () => {
    const station: Station = {
      latitude: -33.4488897,
      longitude: -70.6692655,
      r50Metres: 35.4,
      r95Metres: 4_000,
      samples: 70,
      firstSeenDay: 20_000,
      lastSeenDay: 20_400,
      state: STATE_ACTIVE,
      referenceDbm: -41,
      exponent: 2.7,
      code: 17,
      isLearned: true,
    };
    const { reader } = await world([[wifi(5), station]]);
    for (const _ of ['table', 'cache']) {
      lookUp(reader, [wifi(4), wifi(5)]);
      expect([reader.isKnown(0), reader.isKnown(1)]).toEqual([false, true]);
      expect([reader.latitude(1), reader.longitude(1)]).toEqual([station.latitude, station.longitude]);
      expect([reader.r50Metres(1), reader.r95Metres(1)]).toEqual([35.4, 4_000]);
      expect([reader.referenceDbm(1), reader.exponent(1), reader.samples(1)]).toEqual([-41, 2.7, 64]);
      expect(Math.abs(reader.lastSeenDay(1) - 20_400)).toBeLessThan(64);
    }
  });

  test('without a fit or a date has zeros there', async () => {
    const { reader } = await world([[wifi(5), stationAt(1, 2, 3, 4)]]);
    lookUp(reader, [wifi(5)]);
    expect([reader.referenceDbm(0), reader.exponent(0), reader.samples(0), reader.lastSeenDay(0)]).toEqual([
      0, 0, 1, 0,
    ]);
  });

  test('is known in the active state only', async () => {
    const { reader } = await world([
      [wifi(1), { ...stationAt(1, 2, 3, 4), state: STATE_ACTIVE }],
      [wifi(2), { ...stationAt(1, 2, 3, 4), state: 2 }],
      [wifi(3), { ...stationAt(1, 2, 3, 4), state: STATE_BLOCKED }],
    ]);
    for (const _ of ['table', 'cache']) {
      lookUp(reader, [wifi(1), wifi(2), wifi(3)]);
      expect([0, 1, 2].map(i => reader.isKnown(i))).toEqual([true, false, false]);
    }
  });

  test('of every kind answers for its own key only', async () => {
    const uuid = Uint8Array.from({ length: 16 }, (_, i) => i);
    const keys: WriteKey[] = [
      wifi(77),
      (bytes, at) => writeMacKey(bytes, at, KIND_BLUETOOTH, 77),
      (bytes, at) => writeBeaconKey(bytes, at, uuid, 1, 2),
      cell(KIND_GSM, 3, 77),
      cell(KIND_LTE, 3, 77),
      cell(KIND_CDMA, 3, 77),
    ];
    expect(keyOf(keys[2])[0]).toBe(KIND_BEACON);
    const { reader } = await world(
      keys.filter((_, i) => i % 2 === 0).map((key, i) => [key, stationAt(i + 1, 0, 1, 1)]),
    );
    for (const _ of ['table', 'cache']) {
      lookUp(reader, keys);
      expect(keys.map((_, i) => reader.isKnown(i) && reader.latitude(i))).toEqual([1, false, 2, false, 3, false]);
    }
  });

  test('is found among more than fit into one look ahead', async () => {
    const { reader } = await world(Array.from({ length: 1_500 }, (_, i) => [wifi(i * 2), stationAt(i / 100, 0, 1, 1)]));
    lookUp(
      reader,
      Array.from({ length: 3_000 }, (_, i) => wifi(i)),
    );
    expect(Array.from({ length: 3_000 }, (_, i) => reader.isKnown(i) === (i % 2 === 0)).every(Boolean)).toBe(true);
    expect(reader.latitude(2_998)).toBe(14.99);
  });
});

describe('a folder without stations', () => {
  test('knows none', async () => {
    const { reader, writer } = await world();
    lookUp(reader, [wifi(1), cell(KIND_LTE, 1, 1)]);
    expect([reader.isKnown(0), reader.isKnown(1)]).toEqual([false, false]);
    expect([writer.count(), writer.live]).toEqual([0, 1]);
  });
});

describe('a cell of an unsure radio type', () => {
  test('is the first that is known of wcdma, lte, nbiot and nr', async () => {
    const { reader, writer } = await world([[cell(KIND_NR, 3, 9), stationAt(4, 0, 1, 1)]]);
    const latitude = () => positionOf(reader, cell(KIND_GSM, 3, 9), FLAG_INFERRED)?.[0];
    expect([latitude(), latitude()]).toEqual([4, 4]);
    await put(writer, [[cell(KIND_LTE, 3, 9), { ...stationAt(2, 0, 1, 1), state: STATE_BLOCKED }]]);
    expect(latitude()).toBe(4);
    await put(writer, [[cell(KIND_LTE, 3, 9), stationAt(2, 0, 1, 1)]]);
    expect(latitude()).toBe(2);
    await put(writer, [[cell(KIND_WCDMA, 3, 9), stationAt(1, 0, 1, 1)]]);
    expect(latitude()).toBe(1);
    expect(positionOf(reader, cell(KIND_GSM, 3, 9))).toBeUndefined();
  });
});

describe('a cell without area code', () => {
  /** Degrees of latitude of a distance northward. */
  const north = (metres: number) => metres / distanceMetres(50, 8, 51, 8);
  const at = (metres: number): Station => stationAt(50 + north(metres), 8, 100, 200);

  test('is the mean of its candidates, with a radius that holds them', async () => {
    const { reader } = await world([
      [cell(KIND_LTE, 1, 9), at(0)],
      [cell(KIND_LTE, 0xffffff, 9), { ...at(4_000), isLearned: true }],
      [cell(KIND_LTE, 2, 8), at(9_000)],
      [cell(KIND_LTE, 2, 9, 2), at(9_000)],
      [cell(KIND_WCDMA, 2, 9), at(9_000)],
    ]);
    expect(positionOf(reader, cell(KIND_LTE, 0, 9), FLAG_NO_AREA)![0]).toBeCloseTo(50 + north(2_000), 6);
    expect(reader.r50Metres(0)).toBeGreaterThanOrEqual(2_099);
    expect(reader.r50Metres(0)).toBeLessThan(2_105);
    expect(positionOf(reader, cell(KIND_LTE, 0, 7), FLAG_NO_AREA)).toBeUndefined();
  });

  test.each([
    ['two 9.9 km apart', [0, 9_900], true],
    ['two 10.1 km apart', [0, 10_100], false],
    ['two together and one 9.9 km away', [0, 0, 9_900], true],
    ['three in a row, the ends 12 km apart', [0, 6_000, 12_000], false],
  ])('%s: known when all lie within 10 km of each other', async (_, metres, known) => {
    const { reader } = await world(metres.map((away, i) => [cell(KIND_LTE, i, 9), at(away)]));
    expect(positionOf(reader, cell(KIND_LTE, 0, 9), FLAG_NO_AREA) !== undefined).toBe(known);
  });

  test('on both sides of the date line is there and not on the other side of the earth', async () => {
    const { reader } = await world([
      [cell(KIND_LTE, 1, 9), stationAt(-17, 179.99, 10, 20)],
      [cell(KIND_LTE, 2, 9), stationAt(-17, -179.97, 10, 20)],
    ]);
    const [latitude, longitude] = positionOf(reader, cell(KIND_LTE, 0, 9), FLAG_NO_AREA)!;
    expect(latitude).toBeCloseTo(-17, 6);
    expect(longitude).toBeCloseTo(-179.99, 6);
    expect(reader.r50Metres(0)).toBeLessThan(2_200);
  });

  test('is nobody when more than sixteen bear its number', async () => {
    const { reader, writer } = await world(Array.from({ length: 16 }, (_, i) => [cell(KIND_LTE, i, 9), at(i)]));
    expect(positionOf(reader, cell(KIND_LTE, 0, 9), FLAG_NO_AREA)).toBeDefined();
    await put(writer, [[cell(KIND_LTE, 99, 9), { ...at(1), state: STATE_BLOCKED }]]);
    expect(positionOf(reader, cell(KIND_LTE, 0, 9), FLAG_NO_AREA)).toBeUndefined();
  });

  test('counts its active candidates only, and of gsm none', async () => {
    const { reader } = await world([
      [cell(KIND_LTE, 1, 9), { ...at(50_000), state: STATE_BLOCKED }],
      [cell(KIND_LTE, 2, 9), at(0)],
      [cell(KIND_GSM, 2, 9), at(0)],
    ]);
    expect(positionOf(reader, cell(KIND_LTE, 0, 9), FLAG_NO_AREA)![0]).toBe(50);
    expect(positionOf(reader, cell(KIND_GSM, 0, 9), FLAG_NO_AREA)).toBeUndefined();
  });

  test('and of an unsure radio type is the first type that is known', async () => {
    const { reader } = await world([[cell(KIND_NR, 5, 9), at(0)]]);
    expect(positionOf(reader, cell(KIND_GSM, 0, 9), FLAG_NO_AREA | FLAG_INFERRED)![0]).toBe(50);
  });

  test('and with an identity that devices send for none is never known', async () => {
    const unknown = [cell(KIND_LTE, 251, 268_435_455), cell(KIND_GSM, 251, 65_535), cell(KIND_GSM, 65_534, 7)];
    const { reader } = await world(unknown.map(key => [key, at(0)]));
    for (const key of unknown) expect(positionOf(reader, key)).toBeUndefined();
    expect(positionOf(reader, unknown[0], FLAG_NO_AREA)).toBeUndefined();
  });

  test('and without cell id is never known', async () => {
    const { reader } = await world([[cell(KIND_LTE, 0, 1), at(0)]]);
    expect(positionOf(reader, cell(KIND_LTE, 0, 1), FLAG_NO_CELL_ID)).toBeUndefined();
    expect(positionOf(reader, cell(KIND_LTE, 0, 1))).toBeDefined();
  });
});

test('a damaged record is an error and not an unknown station', async () => {
  const { reader, writer, folder } = await world();
  const table = openGeneration(generationPath(folder, writer.live));
  await table.stations.put(keyOf(wifi(1)), Buffer.alloc(STATION_BYTES, 0xf1));
  await table.stations.put(keyOf(wifi(2)), Buffer.alloc(3));
  await table.root.close();
  expect(() => lookUp(reader, [wifi(1)])).toThrow('A station record has format 15; this version reads format 1.');
  expect(() => lookUp(reader, [wifi(2)])).toThrow('A station record is damaged: it has 3 bytes instead of 24.');
});

test('factors of radii are read again once they have changed, and only then', async () => {
  const { reader, writer } = await world();
  expect(reader.radiusFactors().size).toBe(0);
  const votes = new Map([[placeOfVotes(GROUP, EVERYWHERE), []]]);
  const calibration = {
    tracks: [],
    over: [],
    before: new Map(),
    tests: new Map(),
    votes,
    measured: new Map(),
  };
  await writer.learn({ learned: [], tracks: new Map(), calibration, progress: 1 });
  await writer.calibrate(() => [1.5, 2, 2.5]);
  const factors = reader.radiusFactors();
  expect(factors.get(placeOfVotes(GROUP, EVERYWHERE))).toEqual([1.5, 2, 2.5]);
  expect(reader.radiusFactors()).toBe(factors);
  await writer.calibrate(() => [1.5, 2, 2.5]);
  expect(reader.radiusFactors()).toBe(factors);
  await writer.calibrate(() => [3, 3, 3]);
  expect(reader.radiusFactors().get(placeOfVotes(GROUP, EVERYWHERE))).toEqual([3, 3, 3]);
});

describe('the map of a cell that a query does not name', () => {
  const learnedCell: WriteKey = (bytes, at) =>
    writeCellKey(bytes, at, KIND_LTE, networkNumber(KIND_LTE, 262, 1), 7, 4711);
  const importedCell = cell(KIND_LTE, 7, 4712);
  const TOWER = {
    radioType: 'lte',
    mobileCountryCode: 262,
    mobileNetworkCode: 1,
    locationAreaCode: 7,
    cellId: 4711,
    signalStrength: -80,
  };

  test('is read by its key with the place of the cell, and others have none', async () => {
    const { reader, writer } = await world([[importedCell, stationAt(48, 11, 500, 1_500)]]);
    const aggregation = new Aggregation(writer.knowledge);
    for (let i = 0; i < 3; i++) {
      const draft = {
        timeMs: Date.UTC(2026, 0, 5, 12 + i),
        latitude: 49.87,
        longitude: 8.65 + i / 1e3,
        accuracyMetres: 5,
        cellTowers: [TOWER],
      };
      const report = screenReport(
        draft,
        { contributor: 0, isTrusted: true, track: 0, receivedMs: draft.timeMs },
        new Tally(),
      );
      aggregation.add(i + 1, report!, report!.timeMs);
    }
    await writer.learn(aggregation.changes());
    const found = reader.radioMapOf(keyOf(learnedCell))!;
    expect([found.latitude, found.longitude]).toEqual([expect.closeTo(49.87, 4), expect.closeTo(8.651, 4)]);
    expect(found.r95Metres).toBeGreaterThan(50);
    expect([found.map.points, found.map.observations]).toEqual([3, 3]);
    expect(reader.radioMapOf(keyOf(importedCell))).toBeUndefined();
    expect(reader.radioMapOf(keyOf(cell(KIND_LTE, 7, 4713)))).toBeUndefined();
    reader.release();
  });
});
