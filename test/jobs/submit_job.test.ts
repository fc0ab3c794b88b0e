// A command of root at the folder of a service that runs as another user, which may read less than root.

import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { takeFolder } from '../../src/folder/data_folder.ts';
import type { ImportJob } from '../../src/jobs/job.ts';
import { openJobSocket } from '../../src/jobs/socket.ts';
import { submitJob } from '../../src/jobs/submit_job.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const IS_ROOT = process.geteuid?.() === 0;
if (!IS_ROOT) console.log('Skipped: only root hands files over to another user.');
const USER = 4321;

test.skipIf(!IS_ROOT)(
  'root hands its files over to the user of the service, who gets them under their names',
  async () => {
    const folder = join(temporaryFolder(), 'data');
    const owned = takeFolder(folder, true)!;
    const seen: unknown[] = [];
    const socket = await openJobSocket(folder, async job => {
      const [file] = (job as ImportJob).files;
      const { uid, mode } = statSync(file);
      seen.push(basename(file), readFileSync(file, 'utf8'), uid, mode & 0o777, statSync(join(folder, 'spool')).uid);
      if (seen.length > 5) throw new Error(`${file} is no table.`);
      return { done: true };
    });
    onTestFinished(() => {
      socket.close();
      owned.release();
    });
    chownSync(folder, USER, USER);
    const secret = join(temporaryFolder(), 'home');
    mkdirSync(secret, { mode: 0o700 });
    const file = join(secret, 'cells.csv');
    writeFileSync(file, 'a,b\n');
    chmodSync(file, 0o600);
    const submit = () =>
      submitJob(
        { dataFolder: folder, sync: 'commit' },
        { verb: 'import', kind: 'cells', files: [file] },
        () => Promise.reject(new Error('The folder has an owner.')),
        { onProgress: () => {}, stdin: Readable.from([]) },
      );
    expect(await submit()).toEqual({ done: true });
    expect(seen).toEqual(['cells.csv', 'a,b\n', USER, 0o600, USER]);
    await expect(submit()).rejects.toThrow(`${file} is no table.`);
    expect(readdirSync(join(folder, 'spool'))).toEqual([]);
  },
);
