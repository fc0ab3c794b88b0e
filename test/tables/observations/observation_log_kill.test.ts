// Kills a process that appends to the observation log, again and again. Whatever the moment, what was acknowledged is
// there, and nothing is there twice.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ObservationLog } from '../../../src/tables/observations/observation_log.ts';
import { packReports, unpackReports } from '../../../src/tables/observations/report.ts';
import { numberedReport, numberOf } from '../../kits/radio/reports.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const ROUNDS = 8;

/**
 * Appends in a process of its own and kills it some turns of events after so many batches were acknowledged. @returns
 * these batches
 */
async function appendUntil(folder: string, first: number, batches: number, turns: number): Promise<number[]> {
  const child = spawn(process.execPath, ['test/tables/observations/append_child.ts', folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const acknowledged: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(Number(line));
    if (acknowledged.length !== batches) continue;
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    child.kill('SIGKILL');
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

test('no acknowledged report is lost and none counts twice, whenever the writer is killed', async () => {
  const folder = temporaryFolder();
  const random = uniform(21);
  const acknowledged = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    // Every other round sends again what the last one may have been about to acknowledge.
    const first = Math.max(0, Math.max(0, ...acknowledged) + (round % 2 === 0 ? 1 : -3));
    for (const batch of await appendUntil(folder, first, 1 + Math.floor(random() * 60), Math.floor(random() * 300)))
      acknowledged.add(batch);

    const log = new ObservationLog(folder, 'commit');
    const rows = log.read(1, 1_000_000);
    const { lastSequence } = log;
    const storedBytes = log.storedBytes(3);
    await log.close();
    const values = [...unpackReports(packReports(rows.map(({ report }) => report)))].map(
      ({ record }) => record.length + 24,
    );
    expect(storedBytes).toBe(values.reduce((sum, bytes) => sum + bytes + 160, 0));
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, i) => i + 1));
    expect(rows).toHaveLength(lastSequence);
    const found = new Set(rows.map(({ report }) => numberOf(report)));
    expect(found.size).toBe(rows.length);
    const missing = [...acknowledged].filter(
      batch => !Array.from({ length: 10 }, (_, i) => batch * 10 + i).every(n => found.has(n)),
    );
    expect(missing).toEqual([]);
    expect(
      rows.filter(
        ({ report }, i) =>
          i % 50 === 0 && !Buffer.from(report.observations).equals(numberedReport(numberOf(report)).observations),
      ),
    ).toEqual([]);
  }
  expect(acknowledged.size).toBeGreaterThan(ROUNDS);
});
