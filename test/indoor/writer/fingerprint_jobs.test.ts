import { beforeEach, expect, test, vi } from 'vitest';
import type { FeatureJob } from '../../../src/feature.ts';
import { type BuiltMaps, NOTHING_BUILT } from '../../../src/indoor/learning/build_maps.ts';
import { openOrCreateBuildings } from '../../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../../src/indoor/tables/buildings/change_source.ts';
import { putFingerprintSource } from '../../../src/indoor/tables/fingerprints/change_fingerprints.ts';
import {
  openFingerprints,
  openOrCreateFingerprints,
} from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { fingerprintsOf } from '../../../src/indoor/tables/fingerprints/publish_map.ts';
import { FingerprintJobs } from '../../../src/indoor/writer/fingerprint_jobs.ts';
import type { RunTableJob } from '../../../src/jobs/table_jobs.ts';
import { KIND_WIFI } from '../../../src/radio/kind.ts';
import { parseMac } from '../../../src/radio/mac.ts';
import { KEY_BYTES_MAX, writeMacKey } from '../../../src/radio/station_key.ts';
import { createRevision } from '../../../src/tables/environment/revision.ts';
import { type Report, trackOf } from '../../../src/tables/observations/report.ts';
import { degreesAt, drawnModel, rectangle } from '../../kits/buildings/drawn.ts';
import { drawnFingerprint, drawnGroup } from '../../kits/fingerprints/drawn.ts';
import { report } from '../../kits/radio/reports.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { World } from '../../writer/world.ts';

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
  return report(who, [latitude, longitude], east, stations, {
    accuracyMetres: 5,
    floor: 1,
    isTrusted: true,
    ...changes,
  });
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

/** Jobs of which a test decides what comes of them, with what they announce, in a folder with buildings. */
async function jobsOf(run: (action: string) => Promise<BuiltMaps | undefined>) {
  await (await openOrCreateBuildings(folder)).root.close();
  const memory = createRevision();
  const runTableJob = ((_, job: FeatureJob<'buildings' | 'fingerprints'>) =>
    run(job.verb === 'import' ? job.kind : job.action)) as RunTableJob;
  const jobs = new FingerprintJobs({ folder, sync: 'commit', revision: memory, onError: () => {}, runTableJob });
  return { jobs, announced: () => new Int32Array(memory)[0] };
}

test('after each job readers look again, also after one that has failed; jobs wait for what pauses them', async () => {
  const order: string[] = [];
  const built = { ...NOTHING_BUILT, maps: 7 };
  const { jobs, announced } = await jobsOf(action => {
    order.push(action);
    return action === 'remove' ? Promise.reject(new Error('It has failed.')) : Promise.resolve(built);
  });
  const pausing = jobs.pausedDuring(async () => order.push('pause'));
  const failing = jobs.run(
    'fingerprints',
    { verb: 'fingerprints', action: 'remove', name: 'x' },
    { folder, sync: 'commit', onProgress: () => {} },
  );
  expect(await jobs.learn(() => {})).toBe(built);
  await expect(failing).rejects.toThrow('It has failed.');
  await pausing;
  expect([order, announced()]).toEqual([['pause', 'remove', 'learn'], 2]);
  await jobs.close();
  await expect(jobs.learn(() => {})).rejects.toThrow('The service is stopping');
});

test.each<[Partial<BuiltMaps>, number]>([
  [{}, 0],
  [{ dropped: 3, beyond: 4 }, 0],
  [{ maps: 1 }, 1],
  [{ gone: 1 }, 1],
])('readers look again only where maps have changed: %j', async (changes, times) => {
  const { jobs, announced } = await jobsOf(() => Promise.resolve({ ...NOTHING_BUILT, ...changes }));
  await jobs.learn(() => {});
  expect(announced()).toBe(times);
  await jobs.close();
});

test.each(['buildings', 'fingerprints'] as const)('readers look again at %s of another node', async group => {
  const { jobs, announced } = await jobsOf(() => Promise.resolve(undefined));
  const context = { folder, sync: 'commit', onProgress: () => {} } as const;
  await jobs.run(group, { verb: group, action: 'take', hashes: [], from: folder }, context);
  expect(announced()).toBe(1);
  await jobs.close();
});

test.each(['buildings', 'fingerprints'])('it learns only in a folder that ever had %s', async what => {
  let learned = 0;
  const runTableJob = (() => Promise.resolve({ ...NOTHING_BUILT, maps: ++learned })) as RunTableJob;
  const jobs = new FingerprintJobs({
    folder,
    sync: 'commit',
    revision: createRevision(),
    onError: () => {},
    runTableJob,
  });
  await jobs.learn(() => {});
  expect(learned).toBe(0);
  const tables = await (what === 'buildings' ? openOrCreateBuildings(folder) : openOrCreateFingerprints(folder));
  await tables.root.close();
  await jobs.learn(() => {});
  expect(learned).toBe(1);
  await jobs.close();
});

test('the pause after learning is ten times what it took, without what it waited for', async () => {
  vi.useFakeTimers();
  try {
    let learned = 0;
    const { jobs } = await jobsOf(async () => {
      await new Promise(resolve => setTimeout(resolve, 3_000));
      learned++;
      return NOTHING_BUILT;
    });
    void jobs.pausedDuring(() => new Promise(resolve => setTimeout(resolve, 600_000)));
    jobs.wake();
    await vi.advanceTimersByTimeAsync(603_000);
    expect(learned).toBe(1);
    jobs.wake();
    await vi.advanceTimersByTimeAsync(32_900);
    expect(learned).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(learned).toBe(2);
    // What comes while it learns waits as long.
    await vi.advanceTimersByTimeAsync(30_000 - 100);
    jobs.wake();
    await vi.advanceTimersByTimeAsync(1_500);
    jobs.wake();
    await vi.advanceTimersByTimeAsync(2_600);
    expect(learned).toBe(3);
    await vi.advanceTimersByTimeAsync(32_800);
    expect(learned).toBe(3);
    await vi.advanceTimersByTimeAsync(300);
    expect(learned).toBe(4);
    await jobs.close();
  } finally {
    vi.useRealTimers();
  }
});
