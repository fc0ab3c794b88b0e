// Learns the log of a data folder with the code of a checkout, in turns that its parent asks for, and reports the
// processor time of each: the other half of cost.ts. Arguments: checkout, data folder, "calibrate" or "plain".
// Messages: a number of reports to learn, 0 for the digest of all tables.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as AggregatorModule from '../../src/learning/aggregator.ts';
import type * as LocatorModule from '../../src/learning/calibration/report_locator.ts';
import type * as LogModule from '../../src/tables/observations/observation_log.ts';
import type * as WriterModule from '../../src/tables/stations/writer.ts';

/** Processor time an observation: of the process with all its threads, and of the thread that learns. */
export type Turn = Record<'process us' | 'thread us', number>;

/** Sightings of a slice: about 25 ms. */
const SLICE_SIGHTINGS = 500;
const TABLES = ['stations', 'learned', 'codes', 'tracks', 'stale', 'calibration'] as const;

const [checkout, folder, calibrates] = process.argv.slice(2);
const { takeSlice } = await load<typeof AggregatorModule>('learning/aggregator.ts');
const { ReportLocator } = await load<typeof LocatorModule>('learning/calibration/report_locator.ts');
const { ObservationLog } = await load<typeof LogModule>('tables/observations/observation_log.ts');
const { StationWriter } = await load<typeof WriterModule>('tables/stations/writer.ts');

const log = new ObservationLog(folder, 'commit');
const writer = await StationWriter.open(folder, undefined);
const locator = calibrates === 'calibrate' ? new ReportLocator() : undefined;

process.on('message', async (reports: number) => process.send!(reports === 0 ? digest() : await learn(reports)));
process.send!('ready');

function load<T>(file: string): Promise<T> {
  return import(join(checkout, 'src', file)) as Promise<T>;
}

async function learn(reports: number): Promise<Turn> {
  const last = writer.knowledge.progress + reports;
  const before = process.cpuUsage();
  const threadBefore = process.threadCpuUsage();
  let sightings = 0;
  while (writer.knowledge.progress < last) {
    const slice = takeSlice(log, writer.knowledge, SLICE_SIGHTINGS, locator);
    if (slice === undefined) break;
    await writer.learn(slice.changes);
    sightings += slice.counts.sightings;
    await nextTurn();
  }
  const { user, system } = process.cpuUsage(before);
  const thread = process.threadCpuUsage(threadBefore);
  return { 'process us': (user + system) / sightings, 'thread us': (thread.user + thread.system) / sightings };
}

function digest(): string {
  const { generation } = writer.knowledge;
  const hash = createHash('sha256');
  for (const table of TABLES)
    for (const { key, value } of generation[table].getRange()) hash.update(table).update(key).update(value);
  return hash.digest('hex');
}
