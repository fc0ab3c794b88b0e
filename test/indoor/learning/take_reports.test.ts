import { beforeEach, expect, test } from 'vitest';
import { takeReports } from '../../../src/indoor/learning/take_reports.ts';
import { openOrCreateBuildings } from '../../../src/indoor/tables/buildings/building_tables.ts';
import { putSource, removeSource } from '../../../src/indoor/tables/buildings/change_source.ts';
import { readFingerprintedBuildings } from '../../../src/indoor/tables/fingerprints/buildings.ts';
import type { StoredFingerprint } from '../../../src/indoor/tables/fingerprints/fingerprint_record.ts';
import { openFingerprints, readProgress } from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { fingerprintsOf } from '../../../src/indoor/tables/fingerprints/publish_map.ts';
import { KIND_WIFI } from '../../../src/radio/kind.ts';
import { parseMac } from '../../../src/radio/mac.ts';
import { KEY_BYTES_MAX, writeMacKey } from '../../../src/radio/station_key.ts';
import type { LoggedReport } from '../../../src/tables/observations/log_row.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import { degreesAt, drawnModel, type Metres, rectangle } from '../../kits/buildings/drawn.ts';
import { report } from '../../kits/radio/reports.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function drawHouse(name: string, west = 0): Promise<void> {
  const tables = await openOrCreateBuildings(folder);
  putSource(tables, name, [drawnModel({ name, outline: [rectangle([west, 0], [west + 40, 30])] })], () => {});
  await tables.root.close();
}

/** A report of what somebody hears at a point, 5 m accurate, on floor 1. */
function heardAt([east, north]: Metres, changes: Partial<Report> = {}): Report {
  const [longitude, latitude] = degreesAt([east, north]);
  const key = new Uint8Array(KEY_BYTES_MAX);
  writeMacKey(key, 0, KIND_WIFI, parseMac('02:00:00:00:00:01'));
  return report(4, [latitude, longitude], 0, [{ key, dbm: -50 }], { accuracyMetres: 5, floor: 1, ...changes });
}

/** A log of reports, and how often it was written anew. */
function logOf(reports: readonly Report[], rewrites = 0, droppedThrough = 0) {
  const logged = reports.map(
    (report, i): LoggedReport => ({ sequence: droppedThrough + i + 1, receivedMs: 0, report }),
  );
  return {
    read: (from: number, limit: number) => logged.filter(({ sequence }) => sequence >= from).slice(0, limit),
    firstSequence: droppedThrough + 1,
    lastSequence: droppedThrough + reports.length,
    droppedThrough,
    rewrites,
  };
}

/** Fingerprints with the numbers of their reports. */
async function stored(): Promise<[number, StoredFingerprint][]> {
  const tables = openFingerprints(folder);
  if (tables === undefined) return [];
  const found = [...tables.buildings.getKeys({})].flatMap(id => [...fingerprintsOf(tables, id.readUInt32BE())]);
  await tables.root.close();
  return found.map(({ key, fingerprint }) => [key.readUIntBE(8, 6), fingerprint]);
}

const take = (log: ReturnType<typeof logOf>) => takeReports(folder, log, () => {});
const numbers = async () => (await stored()).map(([number]) => number);

test('a report that names its floor inside of a footprint is a fingerprint of its building', async () => {
  await drawHouse('House');
  await take(logOf([heardAt([5, 5], { track: 77 })]));
  const [[number, fingerprint]] = await stored();
  expect(number).toBe(1);
  expect(fingerprint).toMatchObject({
    floor: 1,
    contributor: 4,
    isTrusted: false,
    track: 77,
    readings: [{ radio: 1, levelDbm: -50 }],
  });
  expect(fingerprint.identity).toHaveLength(16);
});

test('others are none: without a floor, outside, rough, of unknown accuracy, without a radio, or at an old position', async () => {
  await drawHouse('House');
  const others = [
    heardAt([5, 5], { floor: Number.NaN }),
    heardAt([-5, 5]),
    heardAt([5, 5], { accuracyMetres: 10.5 }),
    heardAt([5, 5], { accuracyMetres: Number.NaN }),
    heardAt([5, 5], { observations: new Uint8Array() }),
    heardAt([5, 5], { positionAgeMs: 3_001 }),
    heardAt([5, 5], { positionAgeMs: -3_001 }),
  ];
  await take(logOf([...others, heardAt([5, 5], { accuracyMetres: 10, floor: 0, positionAgeMs: 3_000 })]));
  expect(await numbers()).toEqual([8]);
});

test('of an untrusted report the 100 strongest radios are kept, of a trusted one all', async () => {
  await drawHouse('House');
  const observations = report(
    4,
    [0, 0],
    0,
    Array.from({ length: 101 }, (_, i) => {
      const key = new Uint8Array(KEY_BYTES_MAX);
      writeMacKey(key, 0, KIND_WIFI, parseMac('02:00:00:00:01:00') + i);
      return { key, dbm: i === 40 ? -91 : -90 + (i % 50) };
    }),
  ).observations;
  await take(logOf([heardAt([5, 5], { observations }), heardAt([6, 5], { observations, isTrusted: true })]));
  const [untrusted, trusted] = (await stored()).map(([, { readings }]) => readings);
  expect([untrusted.length, Math.min(...untrusted.map(({ levelDbm }) => levelDbm))]).toEqual([100, -90]);
  expect([trusted.length, Math.min(...trusted.map(({ levelDbm }) => levelDbm))]).toEqual([101, -91]);
});

test('the log is looked at once, and again after an import of buildings', async () => {
  await drawHouse('House');
  const reports = [heardAt([5, 5]), heardAt([105, 5])];
  await take(logOf(reports));
  const more = logOf([...reports, heardAt([6, 5])]);
  const seen: number[] = [];
  const read = (from: number, limit: number): LoggedReport[] => {
    seen.push(from);
    return more.read(from, limit);
  };
  await takeReports(folder, { ...more, read }, () => {});
  expect([seen, await numbers()]).toEqual([[3], [1, 3]]);
  await drawHouse('Annexe', 100);
  await take(more);
  expect((await numbers()).sort()).toEqual([1, 2, 3]);
});

test('where no building is known, nothing is read and nothing is made', async () => {
  const log = logOf([heardAt([5, 5])]);
  const read = () => {
    throw new Error('The log is read.');
  };
  await takeReports(folder, { ...log, read }, () => {});
  expect(openFingerprints(folder)).toBeUndefined();
});

test('after the log was written anew, its reports count under their new numbers, and the dropped ones stay', async () => {
  await drawHouse('House');
  await take(logOf([heardAt([5, 5]), heardAt([6, 5]), heardAt([7, 5])]));
  expect(await numbers()).toEqual([1, 2, 3]);
  // The first was dropped by age, the second forgotten.
  await take(logOf([heardAt([7, 5])], 1, 1));
  expect(await numbers()).toEqual([1, 2]);
  const tables = openFingerprints(folder)!;
  expect(readProgress(tables)).toMatchObject({ sequence: 2, log: 1 });
  await tables.root.close();
});

test('a log that has lost its end loses its fingerprints too', async () => {
  await drawHouse('House');
  const all = [heardAt([5, 5]), heardAt([6, 5]), heardAt([7, 5])];
  await take(logOf(all));
  await take(logOf(all.slice(0, 1)));
  expect(await numbers()).toEqual([1]);
});

/** Numbers of the reports of each building, by its name. */
async function byBuilding(): Promise<Record<string, number[]>> {
  const tables = openFingerprints(folder)!;
  const found = [...readFingerprintedBuildings(tables)].map(([id, { name }]) => [
    name,
    [...fingerprintsOf(tables, id)].map(({ key }) => key.readUIntBE(8, 6)),
  ]);
  await tables.root.close();
  return Object.fromEntries(found.filter(([, reports]) => reports.length > 0));
}

test('after a change of footprints no report stays in its former building, also where the log has dropped it', async () => {
  await drawHouse('House');
  await take(logOf([heardAt([5, 5]), heardAt([30, 5]), heardAt([6, 5])]));
  expect(await byBuilding()).toEqual({ House: [1, 2, 3] });
  const dropped = logOf([heardAt([6, 5])], 0, 2);
  const tables = await openOrCreateBuildings(folder);
  putSource(tables, 'House', [drawnModel({ name: 'Hall', outline: [rectangle([0, 0], [20, 30])] })], () => {});
  await tables.root.close();
  await take(dropped);
  expect(await byBuilding()).toEqual({ Hall: [1, 3] });
});

test('after a removal of buildings none stays at all', async () => {
  await drawHouse('House');
  await drawHouse('Annexe', 100);
  const log = logOf([heardAt([5, 5]), heardAt([105, 5])]);
  await take(log);
  const tables = await openOrCreateBuildings(folder);
  removeSource(tables, 'House');
  await tables.root.close();
  await take(log);
  expect(await byBuilding()).toEqual({ Annexe: [2] });
});
