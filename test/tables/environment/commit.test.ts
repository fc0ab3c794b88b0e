import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AccountTable } from '../../../src/tables/accounts/accounts.ts';
import { commit, commitAtOnce, freeBytes } from '../../../src/tables/environment/commit.ts';
import { openEnvironment } from '../../../src/tables/environment/open_environment.ts';
import { ObservationLog } from '../../../src/tables/observations/observation_log.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { numberOf } from '../../kits/radio/reports.ts';
import { CAN_MOUNT, smallDisk } from '../../kits/small_disk.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { numberedRequest } from './numbered_rows.ts';

/** A data folder on a small disk. */
function folderOnSmallDisk(megabytes: number): string {
  const folder = join(smallDisk(megabytes * 1024), 'data');
  mkdirSync(folder);
  return folder;
}

/** Rows that a table holds after so many acknowledged writes, opened as after a restart. */
const ROWS: Record<string, (folder: string, writes: number) => Promise<[found: number, expected: number]>> = {
  stations: async (folder, writes) => {
    const writer = await StationWriter.open(folder, undefined);
    const found = writer.count();
    await writer.close();
    return [found, writes * 1_000];
  },
  accounts: async (folder, writes) => {
    const accounts = new AccountTable(folder);
    const found = accounts.list().length;
    await accounts.close();
    return [found, writes * 100];
  },
  requests: async (folder, writes) => {
    const log = RequestLog.open(folder, 64, () => {});
    const ids = Array.from({ length: writes * 100 }, (_, n) => numberedRequest(n).logId);
    const found = ids.filter(id => log.get(id, 2) !== undefined).length;
    await log.close();
    return [found, ids.length];
  },
  observations: async (folder, writes) => {
    const log = new ObservationLog(folder, 'commit');
    const found = new Set(log.read(1, 1_000_000).map(({ report }) => numberOf(report))).size;
    await log.close();
    return [found, writes * 20];
  },
};

describe.skipIf(!CAN_MOUNT)('a full disk', () => {
  test.each(Object.keys(ROWS))(
    'is an error message for the writer of %s, ends no process, and loses nothing acknowledged',
    async table => {
      const folder = folderOnSmallDisk(3);
      const child = join(import.meta.dirname, 'full_disk_child.ts');
      const { status, signal, stdout } = spawnSync(process.execPath, [child, table, folder], {
        encoding: 'utf8',
        timeout: 50_000,
      });
      const [acknowledged, sentence] = stdout.split('\n');
      expect(sentence).toMatch(
        /The (station tables|account table|request log|observation log) could not be written: .*\(the disk is full or failing\)\. Nothing was changed\.$/,
      );
      expect([status, signal]).toEqual([1, null]);
      expect(Number(acknowledged)).toBeGreaterThan(5);
      const [found, expected] = await ROWS[table](folder, Number(acknowledged));
      // Accounts are written one at a time: of the hundred that failed together some may have been acknowledged before.
      expect(found - expected).toBeGreaterThanOrEqual(0);
      expect(found - expected).toBeLessThan(table === 'accounts' ? 100 : 1);
    },
  );
});

test('a commit gives what its action returns, and throws what it throws', async () => {
  const root = openEnvironment(temporaryFolder());
  expect(await commit(root, 'It', () => 5)).toBe(5);
  expect(await commitAtOnce(root, 'It', () => 6, true)).toBe(6);
  const ours = new Error('There is no account 5.');
  await expect(
    commit(root, 'It', () => {
      throw ours;
    }),
  ).rejects.toBe(ours);
  await root.close();
});

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
