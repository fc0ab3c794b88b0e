import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { StationSet } from '../../../src/radio/query/station_set.ts';
import { freeBytes } from '../../../src/tables/environment/commit.ts';
import type { Forgotten } from '../../../src/tables/observations/log_rewrite.ts';
import { ObservationLog } from '../../../src/tables/observations/observation_log.ts';
import { packReports } from '../../../src/tables/observations/report.ts';
import { cell, HOME, numberedReport, numberOf, report } from '../../kits/radio/reports.ts';
import { macKey } from '../../kits/radio/stations.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const NOW = Date.parse('2025-11-10T12:00:00Z');
const NOBODY = new StationSet();
/** Reports with an odd number go. */
const ODD: Forgotten = { isReport: each => numberOf(each) % 2 === 1, stations: NOBODY };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function open(): ObservationLog {
  const log = new ObservationLog(folder, 'commit');
  onTestFinished(() => log.close());
  return log;
}

const pack = (...numbers: number[]) => packReports(numbers.map(n => numberedReport(n)));
const numbersIn = (log: Pick<ObservationLog, 'read'>) =>
  log.read(1, 1_000).map(({ sequence, report }) => [sequence, numberOf(report)]);
const still = () => {};

/** What is the last sequence of a log in each turn while work is under way, ascending. */
async function readWhile(log: ObservationLog, work: Promise<void>): Promise<number[]> {
  const found = new Set([log.lastSequence]);
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    found.add(log.lastSequence);
  }
  await done;
  found.add(log.lastSequence);
  return [...found].toSorted();
}

describe('a rewrite', () => {
  test('numbers through what remains, catches up, and counts once it is in force', async () => {
    const log = open();
    await log.append(pack(1, 2, 3, 4, 5), NOW);
    const rewrite = await log.rewrite(ODD, 4, 0);
    await rewrite.copy(still, still);
    await log.append(pack(6, 7, 8), NOW);
    await rewrite.copy(still, still);
    await rewrite.complete();
    expect(numbersIn(log)).toHaveLength(8);
    const after = [2, 4, 6, 8].map((n, i) => [i + 1, n]);
    expect(numbersIn(rewrite)).toEqual(after);
    expect([rewrite.number, rewrite.removed, rewrite.changed, rewrite.progress]).toEqual([1, 4, 0, 2]);
    await log.settle(1);
    await log.clearRest();
    expect(numbersIn(log)).toEqual(after);
    expect([log.lastSequence, log.count]).toEqual([4, 4]);
    // What was forgotten may come again, what was kept may not.
    expect(await log.append(pack(3, 4), NOW)).toMatchObject({ accepted: 1, duplicates: 1, lastSequence: 5 });
  });

  test('does not keep the log from being read while it comes into force', async () => {
    const log = open();
    await log.append(pack(1, 2, 3), NOW);
    const rewrite = await log.rewrite(ODD, 3, 0);
    await rewrite.copy(still, still);
    await rewrite.complete();
    expect(await readWhile(log, log.settle(1))).toEqual([1, 3]);
    expect(log.lastSequence).toBe(1);
  });

  test('is put in force by the next owner if the tables were learned from it, and else given up', async () => {
    const log = open();
    await log.append(pack(1, 2, 3), NOW);
    for (const [rewrites, kept] of [
      [0, 3],
      [1, 1],
      [1, 1],
    ]) {
      const rewrite = await log.rewrite(ODD, 3, 0);
      await rewrite.copy(still, still);
      await rewrite.complete();
      const other = new ObservationLog(folder, 'commit');
      await other.settle(rewrites);
      await other.clearRest();
      expect(other.count).toBe(kept);
      await other.close();
      if (rewrites === 1) break;
    }
    // Whoever read the log before must not go on with other numbers.
    expect(() => log.read(1, 1)).toThrow(
      'The observation log was rewritten meanwhile ("sextant forget" or "sextant sources remove"); start again.',
    );
  });

  test('counts what the reports of an account take that remain, and gives the rest back', async () => {
    const log = open();
    await log.append(pack(2, 4), NOW);
    const even = log.storedBytes(3);
    await log.append(pack(1, 3), NOW);
    const all = log.storedBytes(3);
    const rewrite = await log.rewrite(ODD, 4, 0);
    await rewrite.copy(still, still);
    await log.append(pack(5, 6), NOW);
    expect(log.storedBytes(3)).toBeGreaterThan(all);
    await rewrite.copy(still, still);
    await rewrite.complete();
    await log.settle(1);
    const six = log.storedBytes(3) - even;
    expect(six).toBeGreaterThan(0);
    await log.clearRest();
    expect(log.storedBytes(3)).toBe(even + six);
    // Those that were given up count nothing.
    await (await log.rewrite({ isReport: () => false, stations: NOBODY }, 3, 0)).copy(still, still);
    await log.clearRest();
    const again = await log.rewrite({ isReport: each => numberOf(each) === 6, stations: NOBODY }, 3, 0);
    await again.copy(still, still);
    await again.complete();
    await log.settle(2);
    expect(log.storedBytes(3)).toBe(even);
  });

  test('that is not complete is never put in force', async () => {
    const log = open();
    await log.append(pack(1, 2, 3), NOW);
    const rewrite = await log.rewrite(ODD, 3, 0);
    await rewrite.copy(still, still);
    await log.settle(1);
    expect(log.count).toBe(3);
  });

  test('may follow another', async () => {
    const log = open();
    await log.append(pack(1, 2, 3, 4), NOW);
    for (const [n, gone] of [2, 3, 4].entries()) {
      const rewrite = await log.rewrite({ isReport: each => numberOf(each) === gone, stations: NOBODY }, 4, 0);
      await rewrite.copy(still, still);
      await rewrite.complete();
      await log.settle(n + 1);
      await log.clearRest();
    }
    expect(numbersIn(log)).toEqual([[1, 1]]);
  });

  test('keeps what stands for dropped reports, and their numbers', async () => {
    const log = open();
    await log.append(pack(1, 2, 3, 4), NOW);
    await log.prune('aggregated', 2, NOW);
    const rewrite = await log.rewrite(ODD, 3, 0);
    await rewrite.copy(still, still);
    await rewrite.complete();
    await log.settle(1);
    expect([log.droppedThrough, log.firstSequence, rewrite.progress]).toEqual([2, 3, 2]);
    expect(numbersIn(log)).toEqual([[3, 4]]);
    expect(await log.append(pack(1, 2), NOW)).toMatchObject({ accepted: 0, duplicates: 2 });
  });

  test('keeps more dropped reports than one slice takes', async () => {
    const log = open();
    const numbers = Array.from({ length: 1_203 }, (_, i) => i + 1);
    await log.append(pack(...numbers), NOW);
    await log.prune('aggregated', 1_201, NOW);
    const rewrite = await log.rewrite(ODD, 1_203, 0);
    await rewrite.copy(still, still);
    await rewrite.complete();
    await log.settle(1);
    expect(await log.append(pack(...numbers), NOW)).toMatchObject({ accepted: 1, duplicates: 1_202 });
  });

  test('does not begin where there is no room for it and for the tables that are learned from it', async () => {
    const log = open();
    await log.append(pack(1, 2, 3), NOW);
    await expect(log.rewrite(ODD, 3, freeBytes(folder))).rejects.toThrow(
      /^Writing the observation log anew needs \d+ MB of free disk, and \d+ MB are left\.$/,
    );
    expect(log.count).toBe(3);
  });

  test('takes stations out of reports, of which two may then be the same, or have none left', async () => {
    const log = open();
    const heard = (...keys: Buffer[]) =>
      report(
        3,
        HOME,
        60,
        keys.map(key => ({ key, dbm: -60 })),
      );
    await log.append(
      packReports([heard(macKey(1), macKey(2)), heard(macKey(2)), heard(macKey(1)), heard(cell(7), macKey(1))]),
      NOW,
    );
    const rewrite = await log.rewrite({ isReport: () => false, stations: new StationSet([macKey(1)]) }, 4, 0);
    await rewrite.copy(still, still);
    const left = rewrite.read(1, 10).map(({ report }) => report.observations.length / 40);
    expect(left).toEqual([1, 1]);
    expect([rewrite.changed, rewrite.removed]).toEqual([2, 2]);
  });
});

test('stations that opted out are taken out of what is appended, and reports of nothing else are not stored', async () => {
  const log = open();
  log.optedOut = new StationSet([macKey(1), cell(7)]);
  const heard = (...keys: Buffer[]) =>
    report(
      3,
      HOME,
      60,
      keys.map(key => ({ key, dbm: -60 })),
    );
  const packed = packReports([heard(macKey(1), macKey(2)), heard(macKey(1), cell(7)), heard(macKey(2))]);
  // Without the station the first is the same as the last.
  expect(await log.append(packed, NOW)).toEqual({ accepted: 1, duplicates: 1, lastSequence: 1, optedOut: 3 });
  expect(log.read(1, 10).map(({ report }) => Buffer.from(report.observations))).toEqual([
    heard(macKey(2)).observations,
  ]);
});

test('a log that takes the place of another is read at any moment', async () => {
  const log = open();
  await log.append(pack(1, 2, 3), NOW);
  const path = join(folder, 'other');
  const other = new ObservationLog(path, 'commit');
  await other.append(pack(4), NOW);
  await other.close();
  const replaced = log.replaceBy(join(path, 'observations'), join(path, 'before'));
  expect(await readWhile(log, replaced)).toEqual([1]);
  expect(numbersIn(log)).toEqual([[1, 4]]);
  await log.append(pack(5), NOW);
  expect(log.lastSequence).toBe(2);
});
