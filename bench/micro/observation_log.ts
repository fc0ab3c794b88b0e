// How fast does the observation log take reports, and how much disk does an observation cost? Seeded reports of access points, in batches that wait side
// by side as those of several HTTP threads do; appended, then read back in slices. Run: node bench/micro/observation_log.ts

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../../src/config.ts';
import {
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
} from '../../src/radio/query/layout.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports, type Report } from '../../src/tables/observations/report.ts';
import { uniform } from '../../test/kits/random.ts';
import { describeLoss, probeLoss } from '../machine.ts';

const REPORTS = 100_000;
const BATCH = 100;
const WAITING = 8;
const SLICE = 1_000;
const FREQUENCIES = [2412, 2437, 2462, 5180, 5240];

/** One row. Microseconds are of the thread that does it. */
interface Row {
  observations: number;
  sync: Durability;
  packMicroseconds: number;
  reportsPerSecond: number;
  readMicroseconds: number;
  bytesPerReport: number;
}

async function measure(observations: number, sync: Durability): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const log = new ObservationLog(folder, sync);
  const random = uniform(1);
  const drawn = Array.from({ length: REPORTS / BATCH }, (_, b) =>
    Array.from({ length: BATCH }, (_, i) => drawReport(random, b * BATCH + i, observations)),
  );
  const start = performance.now();
  const batches = drawn.map(packReports);
  const packed = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < batches.length) await log.append(batches[next++], Date.now());
  };
  await Promise.all(Array.from({ length: WAITING }, lane));
  const appended = performance.now();
  for (let from = 1; from <= log.lastSequence; from += SLICE) log.read(from, SLICE);
  const read = performance.now();
  const stored = log.count;
  await log.close();
  const bytes = statSync(join(folder, 'observations', 'data.mdb')).size;
  rmSync(folder, { recursive: true });
  return {
    observations,
    sync,
    packMicroseconds: ((packed - start) * 1_000) / REPORTS,
    reportsPerSecond: (REPORTS * 1_000) / (appended - packed),
    readMicroseconds: ((read - appended) * 1_000) / REPORTS,
    bytesPerReport: bytes / stored,
  };
}

function drawReport(random: () => number, n: number, count: number): Report {
  const observations = new Uint8Array(count * OBSERVATION_BYTES);
  const view = new DataView(observations.buffer);
  for (let at = 0; at < observations.length; at += OBSERVATION_BYTES) {
    observations[at] = 1;
    for (let octet = 1; octet <= 6; octet++) observations[at + octet] = random() * 256;
    view.setInt16(at + OBSERVATION_SIGNAL, -40 - random() * 50, true);
    view.setUint16(at + OBSERVATION_FREQUENCY, FREQUENCIES[Math.floor(random() * FREQUENCIES.length)], true);
    view.setUint32(at + OBSERVATION_AGE, random() * 3_000, true);
    view.setInt32(at + OBSERVATION_TIMING, -1, true);
    view.setUint16(at + OBSERVATION_CHANNEL, random() * 13, true);
  }
  return {
    timeMs: 1_750_000_000_000 + n * 1_000,
    isTimed: true,
    latitude: 50 + random(),
    longitude: 4 + random(),
    accuracyMetres: Math.round(random() * 20),
    positionAgeMs: 0,
    altitude: Math.round(random() * 300),
    heading: Number.NaN,
    speed: random() * 30,
    contributor: 3,
    isTrusted: false,
    track: 5_000_000_000 + (n % 100),
    observations,
  };
}

for (const observations of [1, 20]) {
  for (const sync of ['commit', 'flush'] as const) {
    const row = await measure(observations, sync);
    console.log(
      `${String(observations).padStart(2)} observations, ${sync.padEnd(6)}  pack ${row.packMicroseconds.toFixed(1).padStart(5)} us/report` +
        `  append ${row.reportsPerSecond.toFixed(0).padStart(7)} reports/s ${(row.reportsPerSecond * observations).toFixed(0).padStart(8)} observations/s` +
        `  read ${row.readMicroseconds.toFixed(1).padStart(4)} us/report  disk ${(row.bytesPerReport / observations).toFixed(1).padStart(6)} bytes/observation`,
    );
  }
}
console.log(describeLoss(await probeLoss()));
