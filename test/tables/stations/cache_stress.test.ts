import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import {
  describeGeneration,
  generationPath,
  publishGeneration,
  removeGeneration,
  startGeneration,
} from '../../../src/tables/stations/generation.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { FAILURE, LOOKUPS, recordOf, SHARED_WORDS, STATIONS, STOP, stationKey, WRONG } from './revised_stations.ts';

const READERS = 3;

/** A writer, some threads that look up and judge all the time, and what they share. */
class Stage {
  readonly folder = temporaryFolder();
  readonly random: () => number;
  readonly shared = new Int32Array(new SharedArrayBuffer(SHARED_WORDS * 4));
  readonly cacheMemory = createCacheMemory(0);
  readonly readers: Worker[] = [];
  writer!: StationWriter;
  private readonly seed: number;
  private started = 0;

  constructor(seed: number) {
    this.seed = seed;
    this.random = uniform(seed);
  }

  async open(): Promise<void> {
    this.writer = await StationWriter.open(this.folder, new StationCache(this.cacheMemory));
    onTestFinished(async () => {
      Atomics.store(this.shared, STOP, 1);
      await Promise.all(this.readers.map(ended));
      await this.writer.close();
    });
    for (let i = 0; i < READERS; i++) this.readers.push(await this.startReader());
  }

  async startReader(): Promise<Worker> {
    const { folder, cacheMemory, shared } = this;
    const seed = this.seed * 1_000 + ++this.started;
    // Every other thread takes the memory for an ordinary one, and looks up in JavaScript.
    const cache = seed % 2 === 0 ? cacheMemory : { buffer: cacheMemory.buffer };
    const worker = new Worker(new URL('./cache_thread.ts', import.meta.url), {
      workerData: { folder, cache, shared, seed },
    });
    // lmdb-js ends the process when a thread is killed that is just opening an environment.
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    return worker;
  }

  /** Kills a reader wherever it is, and starts another. */
  async replaceReader(): Promise<void> {
    const i = Math.floor(this.random() * READERS);
    await this.readers[i].terminate();
    this.readers[i] = await this.startReader();
  }

  /** Writes some next revisions in one batch, several batches at once, and acknowledges them. */
  async change(): Promise<void> {
    const chosen = new Set<number>();
    const batches = Array.from({ length: 1 + Math.floor(this.random() * 3) }, () =>
      Array.from({ length: 1 + Math.floor(this.random() * 8) }, () => Math.floor(this.random() * STATIONS)).filter(
        station => !chosen.has(station) && chosen.add(station),
      ),
    );
    await Promise.all(
      batches.map(async stations => {
        const changes = stations.map(station => ({
          key: stationKey(station),
          record: recordOf(station, this.begin(station)),
        }));
        await this.writer.apply(changes);
        for (const station of stations) this.acknowledge(station);
      }),
    );
  }

  /** Replaces all tables by ones with the next revision of every station. */
  async replaceTables(): Promise<void> {
    const before = this.writer.live;
    const { n, generation } = startGeneration(this.folder);
    generation.root.transactionSync(() => {
      for (let station = 0; station < STATIONS; station++) {
        const record = recordOf(station, this.begin(station));
        if (record !== undefined) generation.stations.putSync(stationKey(station), record);
      }
      describeGeneration(generation, 0);
    });
    await generation.root.close();
    publishGeneration(this.folder, n);
    await this.writer.adopt(n, undefined);
    removeGeneration(this.folder, before);
    for (let station = 0; station < STATIONS; station++) this.acknowledge(station);
    void this.writer.warm();
  }

  get lookups(): number {
    return Atomics.load(this.shared, LOOKUPS);
  }

  /** The first thing that a reader found wrong. */
  get failure(): string {
    const [wrong, station, revision, acknowledged] = this.shared.subarray(FAILURE, FAILURE + 4);
    return wrong === 0 ? '' : `station ${station} ${WRONG[wrong]}: revision ${revision}, acknowledged ${acknowledged}`;
  }

  private begin(station: number): number {
    return Atomics.add(this.shared, station, 1) + 1;
  }

  private acknowledge(station: number): void {
    Atomics.store(this.shared, STATIONS + station, this.shared[station]);
  }
}

function ended(worker: Worker): Promise<void> {
  return new Promise(resolve => (worker.threadId === -1 ? resolve() : worker.once('exit', () => resolve())));
}

test('no thread sees a torn station or one older than acknowledged, also while imports replace tables', async () => {
  const stage = new Stage(2);
  await stage.open();
  for (let i = 0; (i < 1_500 || stage.lookups < 300_000) && stage.failure === ''; i++) {
    await stage.change();
    if (i % 20 === 0) await stage.replaceTables();
  }
  expect(stage.failure).toBe('');
});

test('nor when threads are killed while they read, and the file stays small', async () => {
  const stage = new Stage(3);
  await stage.open();
  for (let i = 0; (i < 1_000 || stage.lookups < 300_000) && stage.failure === ''; i++) {
    await stage.change();
    if (i % 20 === 0) await stage.replaceReader();
  }
  expect(stage.failure).toBe('');
  expect(statSync(join(generationPath(stage.folder, stage.writer.live), 'data.mdb')).size).toBeLessThan(4_000_000);
});
