// `sextant export places` of a part of the places, by the program itself.

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeDrawnExtract } from '../kits/places/extracts.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile, temporaryFolder } from '../kits/temporary_folder.ts';

const files = folderOfFile();
const folder = join(files, 'var');
const out = join(files, 'out');

beforeAll(async () => {
  mkdirSync(out);
  await runSextant('import', 'osm', writeDrawnExtract(join(files, 'drawn.osm.pbf')), '--data', folder);
});

const exporting = (name: string, ...words: string[]) =>
  runSextant('export', 'places', ...words, '-o', join(out, name), '--data', folder);

test('a region and what only answers points are smaller files, and nothing else is left', async () => {
  // A folder of a kill.
  mkdirSync(join(out, 'box.places.cut'));
  const box = '--box=9.49,47.11,9.55,47.17';
  const all: [string, string[]][] = [
    ['all.places', []],
    ['country.places', ['--country', 'li']],
    ['box.places', [box]],
    ['points.places', ['--reverse-only']],
    ['box_points.places', [box, '--reverse-only']],
  ];
  for (const [name, words] of all)
    expect(await exporting(name, ...words)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/MB/) });
  expect(readdirSync(out).sort()).toEqual(all.map(([name]) => name).sort());
  const [whole, country, ofBox, points, both] = all.map(([name]) => statSync(join(out, name)).size);
  expect(country).toBeGreaterThan(ofBox);
  expect([ofBox < whole, points < 0.4 * whole, both < points]).toEqual([true, true, true]);
  expect(await exporting('none.places', '--country', 'JP')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There are no places in this region.\n'),
  });
  expect(readdirSync(out)).toHaveLength(all.length);
});

test('a service that takes points in says that it searches no places of theirs', async () => {
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...FEW_THREADS);
  await exporting('points.places', '--reverse-only');
  const taken = await runSextant('import', 'places', join(out, 'points.places'), '--data', service.folder);
  expect(taken.stdout).toMatch(/^Took over \d+ places/);
  const get = async (path: string) =>
    (await service.request({ method: 'GET', path: `${path}&key=${service.demoKey}` })).json;
  expect(await get('/reverse?lat=47.1402&lon=9.515')).toMatchObject({ address: { road: 'Äulestrasse' } });
  expect(await get('/search?q=%C3%84ulestrasse')).toEqual([]);
  expect(await get('/search?limit=1&q=Vaduz')).toMatchObject([{ display_name: expect.stringContaining('Vaduz') }]);
  const list = await runSextant('sources', 'list', '--data', service.folder);
  expect(list.stdout).toMatch(/points \(answers points only, no searches\)$/m);
  const status = await runSextant('status', '--data', service.folder);
  expect(status.stdout).toMatch(/from points, for points only$/m);
  await service.stop();
});

test.each([
  [['--box', '1,2,3'], 'It must be west,south,east,north in degrees'],
  [['--box', '3,1,1,2'], 'It must be west,south,east,north in degrees'],
  [['--box', '1,2,3,'], 'It must be west,south,east,north in degrees'],
  [['--box', '1,80,2,91'], 'It must be west,south,east,north in degrees'],
  [['--box=-181,1,2,3'], 'It must be west,south,east,north in degrees'],
  [['--country', 'LIE'], 'It must be a code of two letters'],
])('%j is not understood', async (words, problem) => {
  expect(await exporting('bad.places', ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
});
