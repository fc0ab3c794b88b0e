// `sextant locate`, `geocode` and `reverse` as commands: what they print where, and files that appear whole.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDemoFolder } from '../kits/radio/demo_queries.ts';
import { runSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test('the table goes to standard output or to a file, and what was found to standard error', async () => {
  const base = temporaryFolder();
  const [data, table, output] = ['var', 'table.csv', 'found.csv'].map(name => join(base, name));
  await makeDemoFolder(data);
  writeFileSync(join(data, 'FORMAT'), '{"application":"sextant","format":1}\n');
  writeFileSync(table, 'lat,lon\n47.14,9.52\n0,-30\n');
  const printed = await runSextant('reverse', table, '--data', data);
  expect(printed).toMatchObject({ code: 0, stderr: expect.stringContaining('2 rows, 1 of them found.\n') });
  expect(printed.stdout).toMatch(
    /^lat,lon,latitude,longitude,radius,place,quality\n47\.14,9\.52,.*Liechtenstein.*\n0,-30,/,
  );
  expect((await runSextant('reverse', table, '--data', data, '--output', output)).stdout).toBe('');
  expect(readFileSync(output, 'utf8')).toBe(printed.stdout);

  // The name of a file asks for Parquet, which is read as the table that it is.
  const parquet = join(base, 'found.parquet');
  expect((await runSextant('reverse', table, '--data', data, '--output', parquet)).code).toBe(0);
  const fromParquet = await runSextant('reverse', parquet, '--data', data);
  expect(fromParquet.stdout).toMatch(/^lat,lon,latitude,.*,quality,found_latitude,/);
  expect(fromParquet.stdout).toContain('47.14,9.52,47.14151,9.52154,');

  // A table that cannot be read to its end leaves no file.
  writeFileSync(table, `lat,lon\n47.14,9.52\n${'1'.repeat(2_000_000)}`);
  const broken = await runSextant('reverse', table, '--data', data, '--output', join(base, 'broken.csv'));
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('goes on for more than 1 MiB') });
  expect(existsSync(join(base, 'broken.csv'))).toBe(false);
  expect(await runSextant('geocode', table, '--data', data)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name the column of the address'),
  });

  // All columns that are named make the address, not the last alone.
  writeFileSync(table, 'town,country\nVaduz,Liechtenstein\n');
  const several = await runSextant('geocode', table, '--column', 'town', '--column', 'country', '--data', data);
  expect(several.stdout).toContain('47.14151,9.52154');

  // As spreadsheets write it: read and written again in its own encoding, which is said where it is guessed.
  const western = 'Kunde;Ort\nMüller;Wien\nJörg Weiß;Zürich\nGrößner;Köln\n';
  writeFileSync(table, western, 'latin1');
  const named = ['--column', 'Ort', '--language', 'de', '--data', data, '--output', output];
  const encoded = await runSextant('geocode', table, ...named);
  expect(encoded.stderr).toContain(`${table} is read as windows-1252; --encoding says otherwise.`);
  expect(readFileSync(output, 'latin1')).toContain('Jörg Weiß;Zürich;47.36667;8.55;');
});
