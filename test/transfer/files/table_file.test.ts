import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTable } from '../../../src/transfer/files/table_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

test('a file that goes away while its header is read is a table that ends, or an error, and no end of the process', async () => {
  const path = join(temporaryFolder(), 'a.csv');
  for (let turns = 0; turns < 40; turns++) {
    writeFileSync(path, 'lat,lon\n47,9\n');
    const opening = openTable(path).then(
      ({ header }) => header,
      (error: Error) => error.message,
    );
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    rmSync(path);
    const opened = await opening;
    if (typeof opened === 'string') expect(opened).toMatch(/ENOENT/);
    else expect(opened).toEqual(['lat', 'lon']);
  }
});

test('a header with a quote that is never closed names the file and the line', async () => {
  const path = join(temporaryFolder(), 'a.csv');
  writeFileSync(path, 'lat,"lon\n47,9\n');
  await expect(openTable(path)).rejects.toThrow(`${path} is no table: its line 1 has a stray quote.`);
});
