// The space that is left on a disk, against what the system's own program says.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freeBytes } from '../../../src/tables/environment/free_space.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

test('the free space is what df says, within what others write meanwhile', context => {
  if (process.platform === 'win32') return context.skip('There is no df.');
  const folder = temporaryFolder();
  const kilobytes = Number(
    execFileSync('df', ['-Pk', folder], { encoding: 'utf8' }).trim().split('\n')[1].split(/\s+/)[3],
  );
  expect(Math.abs(freeBytes(folder) - kilobytes * 1024)).toBeLessThan(1_073_741_824);
});

test('a path that is not there is an error', () => {
  expect(() => freeBytes(join(temporaryFolder(), 'gone'))).toThrow(/ENOENT/);
});
