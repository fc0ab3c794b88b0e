// Extracts imported by the program: where nobody serves, into a running service, and cut short by the service's end.

import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExtractSummary } from '../../src/geocoding/import/import_extracts.ts';
import type { Progress } from '../../src/jobs/job.ts';
import { currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import { writeTown } from '../kits/places/extracts.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const base = folderOfFile();
const vaduz = writeTown(join(base, 'vaduz.osm.pbf'), 50);
const schaan = writeTown(join(base, 'schaan.osm.pbf'), 30_000, 'Schaan');

/** Both towns under one name: the second replaces the first. */
const IMPORT = { verb: 'import', kind: 'osm', source: 'town' } as const;

async function livePlaces(folder: string): Promise<number> {
  const layer = new LayerReader(currentLayer(placesFolder(folder))!);
  await layer.close();
  return layer.meta.count;
}

describe('where nobody serves', () => {
  const folder = join(base, 'idle');

  test('the command imports and says what it has done', async () => {
    const { code, stdout, stderr } = await runSextant('import', 'osm', vaduz, '--data', folder);
    expect(stdout).toBe(
      'Imported 1 area, 1 road, 50 house numbers, 0 other places and 0 postcodes.\nJoined 0 settlements with ' +
        'their boundaries.\nThe tables hold 52 places.\n',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^reading relations \d %, \d+ bytes(?:, about .* left)?$/m);
    expect(await livePlaces(folder)).toBe(52);
  });

  test('a file that is not there is one error message, and standard input is refused', async () => {
    const missing = join(base, 'missing.osm.pbf');
    expect(await runSextant('import', 'osm', missing, '--data', folder)).toMatchObject({
      code: 1,
      stderr: `There is no file ${missing}.\n`,
    });
    const { code, stderr } = await runSextant('import', 'osm', '-', '--data', folder);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('extracts are read twice and cannot come from standard input (-)'),
    ]);
  });

  test('the help shows how', async () => {
    const { stdout } = await runSextant('import', 'osm', '--help');
    expect(stdout).toContain('sextant import osm liechtenstein-latest.osm.pbf');
  });

  test('the places are checked', async () => {
    expect(await runSextant('check', '--data', folder)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('all is sound'),
    });
  });

  test('a service does not start on a layer that is damaged, and a new import mends it', async () => {
    truncateSync(join(currentLayer(placesFolder(folder))!, 'index', 'data.mdb'), 9_000);
    await expect(ServiceProcess.start(folder, ...FEW_THREADS)).rejects.toThrow(
      /The places in .* cannot be used: it has 9000 bytes where .* Import them again: /,
    );
    expect(await runSextant('import', 'osm', vaduz, '--data', folder)).toMatchObject({ code: 0 });
    const service = await ServiceProcess.start(folder, ...FEW_THREADS);
    expect((await service.stop()).code).toBe(0);
  });
});

describe('while a service runs', () => {
  const folder = join(base, 'serving');
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await ServiceProcess.start(folder);
  });
  afterAll(async () => {
    expect((await service.stop()).code).toBe(0);
  });

  test('an import is told about from phase to phase, with an estimate, and its places replace those before', async () => {
    const phases: Progress[] = [];
    const first = await service.job<ExtractSummary>({ ...IMPORT, files: [vaduz] });
    expect(first).toMatchObject({ houses: 50, places: 52 });
    const second = await service.job<ExtractSummary>({ ...IMPORT, files: [schaan] }, progress => phases.push(progress));
    expect(second).toMatchObject({ houses: 30_000, places: 30_002 });
    expect([...new Set(phases.map(({ phase }) => phase))]).toEqual(
      expect.arrayContaining([
        'relations',
        'nodes',
        'ways',
        'areas',
        'survey',
        'roads',
        'addresses',
        'places',
        'index',
      ]),
    );
    const done = phases.map(({ bytesDone }) => bytesDone);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(phases.at(-1)!.secondsLeft).toBeGreaterThan(0);
    expect(await livePlaces(folder)).toBe(30_002);
    expect(readdirSync(placesFolder(folder)).sort()).toEqual(['2', 'CURRENT']);
    expect((await service.request({ method: 'GET', path: '/nothing' })).status).toBe(404);
  });

  test('other jobs are done meanwhile', async () => {
    let isImporting = false;
    const importing = service.job({ ...IMPORT, files: [schaan] }, () => {
      isImporting = true;
    });
    let ended = false;
    void importing.then(() => {
      ended = true;
    });
    while (!isImporting) await service.request({ method: 'GET', path: '/nothing' });
    await service.key();
    expect(ended).toBe(false);
    await importing;
  });

  test('an extract that is removed is no longer answered from, without a restart', async () => {
    const { key } = await service.key();
    const roadAt = async () =>
      (await service.request({ method: 'GET', path: `/reverse?key=${key}&lat=47.14&lon=9.57&zoom=18` })).json.address
        ?.road;
    expect(await roadAt()).toBe('Aeulestrasse');
    expect(await runSextant('sources', 'remove', 'town', '--data', folder)).toMatchObject({
      code: 0,
      stdout: 'Removed the source. The tables hold 0 places of others.\n',
    });
    expect(await roadAt()).toBeUndefined();
    expect((await runSextant('sources', 'list', '--data', folder)).stdout).toBe('Nothing was imported.\n');
    expect(readdirSync(placesFolder(folder))).toEqual(['CURRENT']);
    expect(await runSextant('check', '--data', folder)).toMatchObject({ code: 0 });
    await service.job({ ...IMPORT, files: [vaduz] });
    expect(await roadAt()).toBe('Aeulestrasse');
  });

  test('its places go into a file, and are answered from it again, without a restart', async () => {
    const { key } = await service.key();
    const file = join(base, 'town.places');
    const found = async () =>
      (await service.request({ method: 'GET', path: `/search?key=${key}&q=Aeulestrasse` })).json.length > 0;
    const exported = await runSextant('export', 'places', '-o', file, '--data', folder);
    expect(exported).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Exported the places to .*, 1 MB\.$/m) });
    await runSextant('sources', 'remove', 'town', '--data', folder);
    expect(await found()).toBe(false);
    expect(await runSextant('import', 'places', file, '--data', folder)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Took over 52 places, built at 20[-\d]+T[:.\d]+Z\.\n$/),
    });
    expect(await found()).toBe(true);
    expect((await runSextant('sources', 'list', '--data', folder)).stdout).toMatch(/^osm .* town$/m);
    expect(await runSextant('check', '--data', folder)).toMatchObject({ code: 0 });
  });
});

test('an import that runs when the service stops gives up, and nothing is lost', async () => {
  const folder = join(base, 'stopped');
  await runSextant('import', 'osm', vaduz, '--data', folder);
  const before = readFileSync(join(placesFolder(folder), '1', 'index', 'data.mdb'));
  const service = await ServiceProcess.start(folder, ...FEW_THREADS);
  let stopped: ReturnType<ServiceProcess['stop']> | undefined;
  const importing = service.job({ verb: 'import', kind: 'osm', files: [schaan] }, ({ phase }) => {
    if (phase === 'nodes') stopped ??= service.stop();
  });
  await expect(importing).rejects.toThrow('The service is stopping');
  expect((await stopped!).code).toBe(0);
  expect(readdirSync(placesFolder(folder)).sort()).toEqual(['1', 'CURRENT']);
  expect(readdirSync(folder).filter(name => name.startsWith('import-'))).toEqual([]);
  expect(readFileSync(join(placesFolder(folder), '1', 'index', 'data.mdb')).equals(before)).toBe(true);
});
