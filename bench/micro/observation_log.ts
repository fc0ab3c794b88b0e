// How fast does the observation log take reports, and how much disk does an observation need? Seeded reports of access
// points are appended in batches that wait at the same time, as those of several HTTP threads do, and then read back in
// slices. Run: node bench/micro/observation_log.ts

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../../src/config.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../src/radio/query/writer.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports, type Report } from '../../src/tables/observations/report.ts';
import { uniform } from '../../test/kits/random.ts';
import { describeStealTime, probeStealTime } from '../machine.ts';

const REPORTS = 100_000;
const BATCH = 100;
const WAITING = 8;
const SLICE = 1_000;
const FREQUENCIES = [2412, 2437, 2462, 5180, 5240];

/** One row. Microseconds are those of the thread that does the work. */
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
  const memory = new QueryMemory(new ArrayBuffer(queryBytes(count)));
  const writer = new QueryWriter(memory);
  writer.begin(0);
  for (let i = 0; i < count; i++) {
    const mac = Math.floor(random() * 2 ** 48);
    const signalDbm = Math.ceil(-40 - random() * 50);
    writer.addWifi(
      mac,
      signalDbm,
      FREQUENCIES[Math.floor(random() * FREQUENCIES.length)],
      random() * 3_000,
      random() * 13,
    );
  }
  const observations = memory.u8.subarray(writer.at(0), writer.end());
  return {
    timeMs: 1_750_000_000_000 + n * 1_000,
    isTimed: true,
    latitude: 50 + random(),
    longitude: 4 + random(),
    accuracyMetres: Math.round(random() * 20),
    positionAgeMs: 0,
    altitude: Math.round(random() * 300),
    heading: Number.NaN,
    floor: Number.NaN,
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
      `${String(observations).padStart(2)} observations, ${sync.padEnd(6)}  pack ` +
        `${row.packMicroseconds.toFixed(1).padStart(5)} us/report` +
        `  append ${row.reportsPerSecond.toFixed(0).padStart(7)} reports/s ` +
        `${(row.reportsPerSecond * observations).toFixed(0).padStart(8)} observations/s` +
        `  read ${row.readMicroseconds.toFixed(1).padStart(4)} us/report  disk ` +
        `${(row.bytesPerReport / observations).toFixed(1).padStart(6)} bytes/observation`,
    );
  }
}
console.log(describeStealTime(await probeStealTime()));
