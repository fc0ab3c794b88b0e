// `sextant sources`, by the program itself.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const CELLS =
  'LTE,206,1,1,1000,88,4.35,50.85,900,42,1,1459814306,1741057142,0\nLTE,206,1,1,1001,88,4.36,50.85,900,42,1,1459814306,1741057142,0\n';

/** Runs a verb that must succeed. */
async function run(folder: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runSextant(...words, '--data', folder);
  expect([words, code, stderr.split('\n').filter(line => line.startsWith('error'))]).toEqual([words, 0, []]);
  return stdout;
}

test('sources are listed in the order of their import, and one of them can be taken out', async () => {
  const folder = join(temporaryFolder(), 'var');
  const [cells, wifi] = ['cells.csv', 'wifi.csv'].map(name => join(temporaryFolder(), name));
  writeFileSync(cells, CELLS);
  writeFileSync(wifi, 'bssid,lat,lon\n88:f7:c7:00:00:01,50.85,4.35\n');
  await run(folder, 'import', 'cells', cells);
  await run(folder, 'import', 'wifi', wifi);
  const listed = JSON.parse(await run(folder, 'sources', 'list', '--json'));
  const today = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
  expect(listed).toEqual([
    { name: 'cells', kind: 'cells', rows: 2, importedAt: today },
    { name: 'wifi', kind: 'wifi', rows: 1, importedAt: today },
  ]);
  expect((await run(folder, 'sources', 'list')).split('\n')).toEqual([
    expect.stringMatching(/^cells {2}2 {2}\S{16} {2}cells$/),
    expect.stringMatching(/^wifi {3}1 {2}\S{16} {2}wifi$/),
    '',
  ]);
  expect(JSON.parse(await run(folder, 'status', '--json')).sources).toEqual(listed);
  expect(await run(folder, 'status')).toMatch(/^ {2}imported {3}2 cells of \d{4}-\d{2}-\d{2} from cells$/m);
  expect(await run(folder, 'sources', 'remove', 'cells')).toContain('Removed 2 stations');
  expect(JSON.parse(await run(folder, 'sources', 'list', '--json'))).toEqual([listed[1]]);
});

test('a source of addresses says its licence, also in finished places and from a backup', async () => {
  const [folder, other, backup, restored] = ['var', 'other', 'backup', 'restored'].map(name =>
    join(temporaryFolder(), name),
  );
  const finished = join(temporaryFolder(), 'town.places');
  await run(folder, 'import', 'addresses', 'docs/examples/addresses.csv', '--source', 'ours', '--licence', 'CC0\u202e');
  expect(await run(folder, 'sources', 'list')).toMatch(/^addresses {2}3 {2}\S{16} {2}ours \(CC0\\u202e\)\n$/);
  await run(folder, 'export', 'places', '-o', finished);
  await run(other, 'import', 'places', finished);
  expect(await run(other, 'sources', 'list')).toMatch(/^osm {2}3 {2}\S{16} {2}town, with ours \(CC0\\u202e\)\n$/);
  expect(JSON.parse(await run(other, 'sources', 'list', '--json'))[0].registers).toEqual([
    { name: 'ours', licence: 'CC0\u202e' },
  ]);
  await run(folder, 'backup', backup);
  await run(restored, 'restore', backup);
  expect(await run(restored, 'sources', 'list')).toBe(await run(folder, 'sources', 'list'));
  // The copy of the rows is there, too: places are built again from it.
  await run(restored, 'import', 'osm', 'docs/examples/village.osm.pbf');
  expect(JSON.parse(await run(restored, 'sources', 'list', '--json'))).toMatchObject([
    { name: 'ours', rows: 3 },
    { name: 'village' },
  ]);
  expect(await run(restored, 'sources', 'remove', 'ours')).toBe(
    'Removed the source. The tables hold 13 places of others.\n',
  );
  expect(await run(restored, 'sources', 'list')).toMatch(/^osm .* village\n$/);
});

test('a new folder says that nothing was imported', async () => {
  const folder = join(temporaryFolder(), 'var');
  await run(folder, 'keys', 'create', '--name', 'one');
  expect(await run(folder, 'sources', 'list')).toBe('Nothing was imported.\n');
});

test('names of files with marks of a terminal break no line, wherever they are printed', async () => {
  const folder = join(temporaryFolder(), 'var');
  const cells = join(temporaryFolder(), 'north\n\u001b[31m\u202e.csv');
  const escaped = 'north\\u000a\\u001b[31m\\u202e';
  writeFileSync(cells, `${CELLS}LTE,rubbish\n`);
  const texts = [
    await run(folder, 'import', 'cells', cells),
    await run(folder, 'sources', 'list'),
    await run(folder, 'status'),
    await run(folder, 'station', 'lte-206-1-1-1000'),
  ];
  for (const text of texts) {
    expect(text).toContain(escaped);
    for (const mark of ['\u001b', '\u202e']) expect(text).not.toContain(mark);
  }
  // Our own faults have several lines.
  const { stderr } = await runSextant('import', 'wifi', `${cells}.missing`, '--data', folder);
  expect(stderr).toContain('/north\n  \\u001b[31m\\u202e.csv.missing');
});
