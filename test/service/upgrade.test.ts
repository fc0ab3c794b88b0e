// An upgrade: the code of version 0.3.0, as it stands in git, makes a data folder and serves it; then this code does.
// What was answered, taught and paid must still be so, and everything that is new must work on the old folder.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../docs/markdown.ts';
import { type Answer, type RequestOptions, runProgram, runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

/** The last commit before version 0.4.0 was begun. */
const OLD_COMMIT = '1889bbf6139990892c30699336041f3702a16ef5';
const CREDITS = 1000;
const REPORTS = 20;
const FLAGS = ['--http-threads', '1'];
/** Radii would change with the tests of new reports, which 0.3.0 did not make. */
const NEW_FLAGS = [...FLAGS, '--calibrate', 'off'];
const BUILD_MILLISECONDS_MAX = 300_000;

const IMPORTED_CELL = {
  radioType: 'lte',
  mobileCountryCode: 295,
  mobileNetworkCode: 5,
  locationAreaCode: 2101,
  cellId: 1280257,
};
const DEMO_POINTS = [
  { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
  { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
];
const TAUGHT_POINTS = [0, 1, 2].map(k => ({ macAddress: `02:00:5e:11:00:0${k}`, signalStrength: -50 - k }));
const QUESTIONS: RequestOptions[] = [
  { body: { geoname: 1, cellTowers: [IMPORTED_CELL] } },
  { body: { address: 1, wifiAccessPoints: DEMO_POINTS } },
  { body: { wifiAccessPoints: TAUGHT_POINTS } },
  { body: { wifiAccessPoints: [{ macAddress: '02:00:5e:20:00:01' }, { macAddress: '02:00:5e:20:00:02' }] } },
  { body: { wifiAccessPoints: [{ macAddress: '02:00:5e:30:00:01' }, { macAddress: '02:00:5e:30:00:02' }] } },
  { body: { wifiAccessPoints: [{ macAddress: '00:25:9c:cf:1c:ac' }, { macAddress: '00:25:9c:cf:1c:ad' }] } },
  { method: 'GET', path: '/reverse?lat=1.2504&lon=-2.4995' },
  { method: 'GET', path: '/search?q=5+harbour+street+demo+town&limit=1' },
  { method: 'GET', path: '/reverse?lat=47.14&lon=9.52' },
];

const base = folderOfFile();
const folder = join(base, 'var');
const checkout = join(base, 'old');
const program = join(checkout, 'src', 'sextant.js');

const isThere = spawnSync('git', ['cat-file', '-e', `${OLD_COMMIT}^{commit}`], { cwd: ROOT }).status === 0;
if (!isThere)
  console.log(
    'Skipped: an upgrade needs the code of version 0.3.0, which is not in this clone; git fetch --unshallow gets it.',
  );

/** What the service of 0.3.0 did. */
let old: {
  key: string;
  answers: unknown[];
  state: string;
  credits: number;
  logId: number;
  logged: unknown;
  stations: string;
};
let service: ServiceProcess;

function extractOldCheckout(): void {
  mkdirSync(checkout);
  const { status, stderr } = spawnSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', OLD_COMMIT, checkout], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
}

async function command(words: string[], run: typeof runSextant): Promise<string> {
  const { code, stdout, stderr } = await run(...words, '--data', folder);
  expect(code, stderr).toBe(0);
  return stdout;
}

const byOld = (...words: string[]) => command(words, (...all) => runProgram(program, ...all));
const byNew = (...words: string[]) => command(words, runSextant);

/** An answer without what is another one each time. */
function told({ status, json }: Answer): unknown {
  const { logId, state, ...rest } = json;
  return [status, Array.isArray(json) ? json.map(inAnyOrder) : inAnyOrder(rest)];
}

/** A place with the words of its `display_name` in one order: 0.3.0 did not know that of its country. */
function inAnyOrder<T extends { display_name?: string }>(answer: T): unknown {
  const { display_name: name } = answer;
  return name === undefined ? answer : { ...answer, display_name: name.split(/[, ]+/).sort() };
}

async function ask(of: ServiceProcess, key: string): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { path = '/?', ...question } of QUESTIONS)
    answers.push(told(await of.request({ ...question, path: `${path}&key=${key}` })));
  return answers;
}

async function contribute(to: ServiceProcess, key: string, first: number): Promise<void> {
  const items = Array.from({ length: REPORTS }, (_, i) => ({
    timestamp: Date.parse('2026-05-01T00:00:00Z') + 10_000 * (first + i),
    position: { latitude: 48 + (first + i) / 1e5, longitude: 9, accuracy: 5 },
    wifiAccessPoints: TAUGHT_POINTS,
  }));
  expect((await to.request({ path: `/v2/geosubmit?key=${key}`, body: { items } })).status).toBe(200);
}

describe.skipIf(!isThere)('a data folder of version 0.3.0', () => {
  beforeAll(async () => {
    extractOldCheckout();
    service = await ServiceProcess.startProgram(program, folder, ...FLAGS);
    const example = (name: string) => join(ROOT, 'docs/examples', name);
    await byOld('import', 'cells', example('cells.csv'));
    await byOld('import', 'wifi', example('access_points.csv'));
    await byOld('import', 'observations', example('wigle.csv'), example('scans.jsonl'));
    await byOld('import', 'osm', example('village.osm.pbf'));
    const { key } = JSON.parse(
      await byOld(
        'keys',
        'create',
        '--name',
        'fleet',
        '--credits',
        String(CREDITS),
        '--contributor',
        '--trusted',
        '--speed-filter',
      ),
    );
    await contribute(service, key, 0);
    await byOld('aggregate');
    const answers = await ask(service, key);
    const tracked = await service.post(key, { wifiAccessPoints: DEMO_POINTS }, '&id=tracker-1');
    const { logId, state } = tracked.json;
    expect([tracked.status, typeof state]).toEqual([200, 'string']);
    const ended = await service.stop();
    expect(ended.code, ended.stderr).toBe(0);
    const { credits } = JSON.parse(await byOld('keys', 'show', '2'));
    old = {
      key,
      answers,
      state,
      credits,
      logId,
      logged: JSON.parse(await byOld('log', String(logId))),
      stations: await byOld('export', 'stations'),
    };
  }, BUILD_MILLISECONDS_MAX);
  afterAll(() => service?.stop('SIGKILL'));

  test('was answered from', () => {
    expect(old.answers.map(answer => (answer as [number])[0])).toEqual(QUESTIONS.map((_, i) => (i === 5 ? 404 : 200)));
  });

  test('is sound, and gives the same answers, balances and logged requests', async () => {
    cpSync(folder, join(base, 'copy'), { recursive: true });
    expect(await byNew('check')).toContain('all is sound');
    expect(await byNew('export', 'stations')).toBe(old.stations);
    expect(JSON.parse(await byNew('keys', 'show', '2')).credits).toBe(old.credits);
    expect(JSON.parse(await byNew('log', String(old.logId)))).toEqual(old.logged);
    service = await ServiceProcess.start(folder, ...NEW_FLAGS);
    expect((await service.request({ method: 'GET', path: '/ready' })).status).toBe(200);
    expect(await ask(service, old.key)).toEqual(old.answers);
    const followed = await service.post(old.key, { wifiAccessPoints: DEMO_POINTS, state: old.state }, '&id=tracker-1');
    expect([followed.status, typeof followed.json.state]).toEqual([200, 'string']);
  });

  test('learns on, keeps sources from now on, and can be backed up', async () => {
    await contribute(service, old.key, REPORTS);
    await byNew('aggregate');
    await byNew('import', 'cells', join(ROOT, 'docs/examples/cells.csv'), '--source', 'survey');
    expect(await byNew('sources', 'list')).toContain('cells before 0.4');
    await byNew('sources', 'remove', 'survey');
    const backup = join(base, 'backup');
    await byNew('backup', backup);
    const answers = await ask(service, old.key);
    const restored = join(base, 'restored');
    expect(await runSextant('restore', backup, '--data', restored)).toMatchObject({ code: 0 });
    const other = await ServiceProcess.start(restored, ...NEW_FLAGS);
    expect(await ask(other, old.key)).toEqual(answers);
    expect(answers.filter((_, i) => i !== 2)).toEqual(old.answers.filter((_, i) => i !== 2));
    expect(await other.stop()).toMatchObject({ code: 0 });
  });

  test('as it was copied before, is served by 0.3.0 again', async () => {
    const again = await ServiceProcess.startProgram(program, join(base, 'copy'), ...FLAGS);
    expect(await ask(again, old.key)).toEqual(old.answers);
    expect(await again.stop()).toMatchObject({ code: 0 });
  });
});
