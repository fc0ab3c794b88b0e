// Sources of imported reports: what each one brought, what it only repeats, and what is left when one goes.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ObservationLog } from '../../../src/tables/observations/observation_log.ts';
import { packReports, reportIdentity } from '../../../src/tables/observations/report.ts';
import { numberedReport } from '../../kits/radio/reports.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const NOW = Date.parse('2026-11-10T12:00:00Z');

let folder: string;
let log: ObservationLog;
beforeEach(() => {
  folder = temporaryFolder();
  log = new ObservationLog(folder, 'commit');
});
afterEach(async () => {
  await log.close();
});

const packed = (...numbers: number[]) => packReports(numbers.map(n => numberedReport(n)));
const identityOf = (n: number) => Buffer.from(reportIdentity(numberedReport(n)));

/** Imports reports under a name. */
async function bring(name: string, ...numbers: number[]): Promise<void> {
  await log.append(packed(...numbers), NOW, await log.sources.begin(name, NOW));
}

test('sources are listed in the order of their first import, with the reports that they name', async () => {
  await log.append(packed(1), NOW);
  await bring('a', 1, 2, 3, 3);
  await bring('b', 3, 4);
  await bring('a', 2, 5);
  const importedAt = new Date(NOW).toISOString();
  expect(log.sources.list()).toEqual([
    { number: 1, name: 'a', reports: 4, importedAt },
    { number: 2, name: 'b', reports: 2, importedAt },
  ]);
  expect(log.count).toBe(5);
  await log.close();
  log = new ObservationLog(folder, 'commit');
  expect(log.sources.list().map(({ name }) => name)).toEqual(['a', 'b']);
});

test('a source is alone with what it brought, unless another has it too', async () => {
  await log.append(packed(1), NOW);
  await bring('a', 1, 2, 3);
  await bring('b', 3, 4);
  const alone = (source: number) => [1, 2, 3, 4].filter(n => log.sources.isAlone(source, identityOf(n)));
  expect([alone(1), alone(2)]).toEqual([[2], [4]]);
  await log.sources.remove(1);
  expect(log.sources.list().map(({ name }) => name)).toEqual(['b']);
  expect([alone(1), alone(2)]).toEqual([[], [3, 4]]);
  await bring('c', 1);
  expect(log.sources.list().map(({ number, name }) => [number, name])).toEqual([
    [2, 'b'],
    [3, 'c'],
  ]);
});

test('a source is not alone with what came once more without a source, whatever else names it', async () => {
  await bring('a', 1, 2);
  await log.append(packed(2, 3), NOW);
  const alone = (source: number) => [1, 2, 3].filter(n => log.sources.isAlone(source, identityOf(n)));
  expect(alone(1)).toEqual([1]);
  await bring('b', 2);
  await log.sources.remove(1);
  expect(alone(2)).toEqual([]);
});

test('what identified a report is forgotten with its sources', async () => {
  await bring('a', 1);
  await log.append(packed(2), NOW + 30 * 86_400_000);
  await log.prune(1, 1, NOW + 30 * 86_400_000);
  expect(log.sources.isAlone(1, identityOf(1))).toBe(false);
});

test('a log of a version with other tables is refused', async () => {
  await log.append(packed(1), NOW);
  await log.close();
  const path = join(folder, 'observations');
  const root = open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary', noSubdir: false, maxDbs: 16 });
  root.openDB('sourced', { encoding: 'binary', keyEncoding: 'binary' }).dropSync();
  await root.close();
  expect(() => new ObservationLog(folder, 'commit')).toThrow(
    'cannot be used: it has no table "sourced", as another version wrote it. Run the version that wrote it, or export ' +
      'with that version and import with this one.',
  );
  rmSync(path, { recursive: true });
  log = new ObservationLog(folder, 'commit');
});
