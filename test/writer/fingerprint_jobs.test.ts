import { beforeEach, expect, test } from 'vitest';
import { KIND_WIFI } from '../../src/radio/kind.ts';
import { parseMac } from '../../src/radio/mac.ts';
import { KEY_BYTES_MAX, writeMacKey } from '../../src/radio/station_key.ts';
import { openOrCreateBuildings } from '../../src/tables/buildings/building_tables.ts';
import { putSource } from '../../src/tables/buildings/change_source.ts';
import { putFingerprintSource } from '../../src/tables/fingerprints/change_fingerprints.ts';
import { openFingerprints, openOrCreateFingerprints } from '../../src/tables/fingerprints/fingerprint_tables.ts';
import { fingerprintsOf } from '../../src/tables/fingerprints/publish_map.ts';
import { createMapRevision, FingerprintReader } from '../../src/tables/fingerprints/reader.ts';
import { type Report, trackOf } from '../../src/tables/observations/report.ts';
import { FingerprintJobs } from '../../src/writer/fingerprint_jobs.ts';
import { degreesAt, drawnModel, rectangle } from '../kits/buildings/drawn.ts';
import { drawnFingerprint, drawnGroup } from '../kits/fingerprints/drawn.ts';
import { report } from '../kits/radio/reports.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { World } from './world.ts';

const ONE = '02:00:00:00:00:01';
const TWO = '02:00:00:00:00:02';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Opens the folder of an owner in which one house is known. */
async function openHouse(): Promise<World> {
  const world = await World.open(folder);
  const tables = await openOrCreateBuildings(folder);
  putSource(tables, 'models', [drawnModel({ name: 'House', outline: [rectangle([0, 0], [40, 30])] })], () => {});
  await tables.root.close();
  return world;
}

function heard(who: number, east: number, macs: readonly string[], changes: Partial<Report> = {}): Report {
  const [longitude, latitude] = degreesAt([east, 5]);
  const stations = macs.map(mac => {
    const key = new Uint8Array(KEY_BYTES_MAX);
    writeMacKey(key, 0, KIND_WIFI, parseMac(mac));
    return { key, dbm: -50 };
  });
  return report(who, [latitude, longitude], east, stations, { accuracyMetres: 5, floor: 1, isTrusted: true, ...changes });
}

/** Who has brought the fingerprints, and the radios of the map. */
async function known(): Promise<{ contributors: number[]; radios: number[] }> {
  const tables = openFingerprints(folder)!;
  const contributors = [...fingerprintsOf(tables, 1)].map(({ fingerprint }) => fingerprint.contributor);
  const radios = [...tables.radios.getRange({})].flatMap(({ value }) =>
    Array.from({ length: value.length / 8 }, (_, i) => value.readDoubleLE(8 * i)),
  );
  await tables.root.close();
  return { contributors, radios };
}

test('reports with floors become a map, and a forgotten contributor leaves nothing in it', async () => {
  const world = await openHouse();
  await world.teach([heard(3, 5, [ONE]), heard(4, 6, [TWO]), heard(3, 7, [ONE]), heard(5, 90, [ONE])]);
  expect(await known()).toEqual({ contributors: [3, 4, 3], radios: [1, 2] });
  await world.forget({ what: 'contributor', id: 3 });
  expect(await known()).toEqual({ contributors: [4], radios: [2] });
  await world.close();
});

test('a forgotten station leaves reports and surveys, and a forgotten device its reports', async () => {
  const world = await openHouse();
  const survey = await openOrCreateFingerprints(folder);
  putFingerprintSource(survey, 'survey', [drawnGroup('House', drawnFingerprint([5, 5], { 1: -40, 9: -50 }))], () => {});
  await survey.root.close();
  await world.teach([heard(3, 5, [ONE, TWO]), heard(4, 6, [TWO], { track: trackOf(4, 'phone') })]);
  expect(await known()).toEqual({ contributors: [3, 4, 0], radios: [1, 2, 9] });
  await world.forget({ what: 'stations', names: [ONE] });
  expect(await known()).toEqual({ contributors: [3, 4, 0], radios: [2, 9] });
  await world.forget({ what: 'device', device: 'phone', account: 4 });
  expect(await known()).toEqual({ contributors: [3, 0], radios: [2, 9] });
  await world.close();
});

test('after each job readers look again, also after one that has failed; jobs wait for what pauses them', async () => {
  const memory = createMapRevision();
  const reader = new FingerprintReader(folder, memory);
  const order: string[] = [];
  const fail = { verb: 'fingerprints', action: 'remove', name: 'x' } as const;
  const jobs = new FingerprintJobs({
    folder,
    sync: 'commit',
    maps: memory,
    onError: () => {},
    runFingerprintsJob: job => {
      order.push(job.verb === 'fingerprints' ? job.action : job.kind);
      return job === fail ? Promise.reject(new Error('It has failed.')) : Promise.resolve(7);
    },
  });
  reader.radios();
  const before = reader.revision;
  const pausing = jobs.pausedDuring(async () => order.push('pause'));
  const failing = jobs.run(fail, { folder, sync: 'commit', onProgress: () => {} });
  expect(await jobs.learn(() => {})).toBe(7);
  await expect(failing).rejects.toThrow('It has failed.');
  await pausing;
  reader.radios();
  expect([order, reader.revision - before]).toEqual([['pause', 'remove', 'learn'], 2]);
  await jobs.close();
  await expect(jobs.learn(() => {})).rejects.toThrow('The service is stopping');
  await reader.close();
});
