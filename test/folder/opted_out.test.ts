import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOptedOut, stationsOf, writeOptedOut } from '../../src/folder/opted_out.ts';
import { macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test('the list of stations that are kept out is read as it was written, and empty where there is none', () => {
  const folder = temporaryFolder();
  expect(readOptedOut(folder)).toEqual([]);
  const names = ['02:00:5e:00:00:d3', 'lte-206-1-251-51764'];
  writeOptedOut(folder, names);
  expect(readOptedOut(folder)).toEqual(names);
  expect(stationsOf(names).has(macKey(0x02005e0000d3))).toBe(true);
});

test('a line that names no station is named', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'opted_out'), '02:00:5e:00:00:d3\nhome\n');
  expect(() => readOptedOut(folder)).toThrow(
    `The file ${join(folder, 'opted_out')} cannot be used: line 2: "home" names no station`,
  );
});
