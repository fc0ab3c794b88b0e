import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type LogEntry, readRecord, recordLength, recordLogId } from '../../../src/tables/requests/record.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import {
  createLogRing,
  LOG_BLOCK_IDS,
  LOG_DROPPED,
  LOG_HALF_FULL,
  LOG_NODES_MAX,
  LOG_STORED,
  LogConsumer,
  LogIds,
  LogProducer,
  nodeOfLogId,
} from '../../../src/tables/requests/ring.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

function entry(logId: number, requestBytes: number, response: string): LogEntry {
  const request = Buffer.alloc(requestBytes, 97 + (logId % 26));
  return {
    logId,
    timeMs: 0,
    latencyUs: 0,
    status: 200,
    route: 1,
    accountId: 1,
    nr: undefined,
    deviceId: undefined,
    query: '',
    request,
    response,
  };
}

function records(run: Uint8Array | undefined): { bytes: Buffer; ids: number[]; offsets: number[]; view: DataView } {
  const bytes = Buffer.from(run?.buffer ?? new ArrayBuffer(0), run?.byteOffset, run?.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const ids: number[] = [];
  const offsets: number[] = [];
  for (let at = 0; at < bytes.length; at += recordLength(view, at)) {
    ids.push(recordLogId(view, at));
    offsets.push(at);
  }
  return { bytes, ids, offsets, view };
}

describe('a ring', () => {
  test('gives an array of whole records in order, through wraps and drops (property)', () => {
    const push = fc.record({ requestBytes: fc.nat(900), responseBytes: fc.nat(120) });
    const steps = fc.array(
      fc.oneof({ weight: 4, arbitrary: push }, { weight: 1, arbitrary: fc.constant('drain' as const) }),
      { minLength: 1, maxLength: 80, size: 'max' },
    );
    let wraps = 0;
    let drops = 0;
    fc.assert(
      fc.property(steps, steps => {
        const ring = createLogRing(4_096);
        const producer = new LogProducer(ring);
        const consumer = new LogConsumer(ring);
        const expected: { logId: number; text: string; response: string }[] = [];
        let logId = 0;
        let dropped = 0;
        const check = () => {
          const run = records(consumer.drain());
          if (run.bytes.length > 0 && new Int32Array(ring)[16] < run.bytes.length) wraps++;
          expect(run.ids).toEqual(expected.map(model => model.logId));
          run.offsets.forEach((at, i) => {
            const { request, response } = readRecord(run.bytes, run.view, at);
            expect([String(request), String(response ?? '')]).toEqual([expected[i].text, expected[i].response]);
          });
          expected.length = 0;
        };
        for (const step of steps) {
          if (step === 'drain') check();
          else {
            const model = entry(++logId, step.requestBytes, 'r'.repeat(step.responseBytes));
            if (producer.push(model) === LOG_DROPPED) dropped++;
            else expected.push({ logId, text: model.request!.toString(), response: model.response as string });
          }
        }
        check();
        expect(consumer.dropped).toBe(dropped);
        drops += dropped;
        expect(consumer.drain()).toBeUndefined();
      }),
      { numRuns: 300, seed: 7 },
    );
    expect(wraps).toBeGreaterThan(50);
    expect(drops).toBeGreaterThan(50);
  });

  test('drops and counts what does not fit, and takes records again after a drain', () => {
    const ring = createLogRing(4_096);
    const producer = new LogProducer(ring);
    const consumer = new LogConsumer(ring);
    const results = [1, 2, 3, 4, 5].map(id => producer.push(entry(id, 1_000, '')));
    expect(results).toEqual([LOG_STORED, LOG_HALF_FULL, LOG_STORED, LOG_DROPPED, LOG_DROPPED]);
    expect(consumer.dropped).toBe(2);
    expect(records(consumer.drain()).ids).toEqual([1, 2, 3]);
    expect(producer.push(entry(6, 1_000, ''))).toBe(LOG_STORED);
    expect(producer.push(entry(7, 9_000, ''))).toBe(LOG_DROPPED);
    expect(records(consumer.drain()).ids).toEqual([6]);
  });

  test('says that it is half full from half of it on until it is drained, also where the records wrap', () => {
    const ring = createLogRing(4_096);
    const producer = new LogProducer(ring);
    const consumer = new LogConsumer(ring);
    for (let id = 1; id < 12; id += 3) {
      expect([producer.push(entry(id, 1_000, '')), consumer.isHalfFull]).toEqual([LOG_STORED, false]);
      expect([producer.push(entry(id + 1, 1_000, '')), consumer.isHalfFull]).toEqual([LOG_HALF_FULL, true]);
      expect(records(consumer.drain()).ids).toEqual([id, id + 1]);
      expect(consumer.isHalfFull).toBe(false);
    }
  });

  test('drains into the same memory again', () => {
    const ring = createLogRing(65_536);
    const producer = new LogProducer(ring);
    const consumer = new LogConsumer(ring);
    const memory = new Set<ArrayBufferLike>();
    for (let id = 1; id <= 200; id++) {
      producer.push(entry(id, 1_000, ''));
      memory.add(consumer.drain()!.buffer);
    }
    expect(memory.size).toBe(1);
  });

  test('a second producer of the same ring goes on where the first one ended', () => {
    const ring = createLogRing(4_096);
    const consumer = new LogConsumer(ring);
    new LogProducer(ring).push(entry(1, 100, 'a'));
    new LogProducer(ring).push(entry(2, 100, 'b'));
    expect(records(consumer.drain()).ids).toEqual([1, 2]);
  });

  test('two threads pass 200,000 records through it and none is torn or lost', async () => {
    const ring = createLogRing(65_536);
    const producing = `
      import { workerData } from 'node:worker_threads';
      const { LogProducer } = await import(workerData.ringModule);
      const producer = new LogProducer(workerData.ring);
      const bodies = Array.from({ length: 1200 }, (_, length) => Buffer.alloc(length, length % 256));
      const pause = new Int32Array(new SharedArrayBuffer(4));
      let logId = 1;
      let full = 0;
      while (logId <= 200000) {
        const length = (logId * 7919) % 1200;
        const response = String(logId).repeat(logId % 9);
        const entry = { logId, timeMs: logId, latencyUs: 1, status: 200, route: 1, accountId: 1, nr: logId, deviceId: 'd' + logId, query: '', request: bodies[length], response };
        if (producer.push(entry) > 0) {
          logId++;
          full = 0;
        } else if (++full > 1_000) Atomics.wait(pause, 0, 0, 1); // the other thread waits for a processor
      }
    `;
    const ringModule = new URL('../../../src/tables/requests/ring.ts', import.meta.url).href;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(producing)}`), {
      workerData: { ring, ringModule },
    });
    const exited = once(worker, 'exit');
    const consumer = new LogConsumer(ring);
    const bodies = Array.from({ length: 1_200 }, (_, length) => Buffer.alloc(length, length % 256));
    let last = 0;
    const wrong: string[] = [];
    while (last < 200_000 && wrong.length === 0) {
      const run = records(consumer.drain());
      for (const at of run.offsets) {
        const logId = ++last;
        const length = (logId * 7919) % 1200;
        const request = run.bytes.subarray(at + 64 + `d${logId}`.length, at + 64 + `d${logId}`.length + length);
        const read = readRecord(run.bytes, run.view, at);
        const expected = [logId, logId, `d${logId}`, length, String(logId).repeat(logId % 9)].join();
        const text = run.bytes.toString(
          'latin1',
          request.byteOffset + length,
          request.byteOffset + length + String(logId).length * (logId % 9),
        );
        const found = [read.logId, read.nr, read.device, run.view.getUint32(at + 40, true), text].join();
        if (found !== expected || !request.equals(bodies[length])) wrong.push(`${found} instead of ${expected}`);
      }
      if (run.ids.length === 0) await new Promise(setImmediate);
    }
    if (wrong.length > 0) await worker.terminate();
    await exited;
    expect(wrong).toEqual([]);
    expect(last).toBe(200_000);
    expect(consumer.drain()).toBeUndefined();
  });
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const fail = (error: Error) => {
  throw error;
};

function take(ids: LogIds, count: number): void {
  for (let i = 0; i < count; i++) ids.next();
}

/** A writer that answers when the test says so. */
class SlowWriter {
  asked = 0;
  private readonly answers: { resolve: (first: number) => void; reject: (error: Error) => void }[] = [];
  readonly allocate = (): Promise<number> => {
    if (++this.asked <= 2) return Promise.resolve(this.asked * LOG_BLOCK_IDS);
    return new Promise((resolve, reject) => this.answers.push({ resolve, reject }));
  };
  async answer(): Promise<void> {
    this.answers.shift()!.resolve(this.asked * LOG_BLOCK_IDS);
    await new Promise(setImmediate);
  }
  async refuse(): Promise<void> {
    this.answers.shift()!.reject(new Error('disk full'));
    await new Promise(setImmediate);
  }
}

describe('a thread', () => {
  test('counts through its first block, then its second, and asks for a third only then', async () => {
    const writer = new SlowWriter();
    const ids = await LogIds.start(writer.allocate, fail);
    expect(ids.next()).toBe(LOG_BLOCK_IDS);
    take(ids, LOG_BLOCK_IDS - 2);
    expect(ids.next()).toBe(2 * LOG_BLOCK_IDS - 1);
    expect(writer.asked).toBe(2);
    expect(ids.next()).toBe(2 * LOG_BLOCK_IDS);
    take(ids, 5);
    expect(writer.asked).toBe(3);
    await writer.answer();
    take(ids, LOG_BLOCK_IDS - 6);
    expect(ids.next()).toBe(3 * LOG_BLOCK_IDS);
  });

  test('throws only when a slow writer has left it without a single id, and goes on when the writer answers', async () => {
    const writer = new SlowWriter();
    const ids = await LogIds.start(writer.allocate, fail);
    take(ids, 2 * LOG_BLOCK_IDS);
    expect(() => ids.next()).toThrow('no log id left');
    await writer.answer();
    expect(ids.next()).toBe(3 * LOG_BLOCK_IDS);
  });

  test('reports a refusal and asks again when half of the rest is used', async () => {
    const writer = new SlowWriter();
    const errors: string[] = [];
    const ids = await LogIds.start(writer.allocate, error => errors.push(error.message));
    take(ids, LOG_BLOCK_IDS + 2);
    await writer.refuse();
    expect(errors).toEqual(['disk full']);
    take(ids, LOG_BLOCK_IDS / 2 - 2);
    expect(writer.asked).toBe(3);
    take(ids, 2);
    expect(writer.asked).toBe(4);
    await writer.answer();
    take(ids, LOG_BLOCK_IDS / 2 - 2);
    expect(ids.next()).toBe(4 * LOG_BLOCK_IDS);
  });
});

describe('no two replies share an id', () => {
  test('over threads and restarts', async () => {
    const seen = new Set<number>();
    for (let restart = 0; restart < 5; restart++) {
      const log = RequestLog.open(folder, 1, fail);
      const allocate = () => log.allocateBlock();
      const threads = await Promise.all([1, 2, 3].map(() => LogIds.start(allocate, fail)));
      for (let i = 0; i < 2_000; i++) for (const ids of threads) seen.add(ids.next());
      await log.close();
    }
    expect(seen.size).toBe(5 * 3 * 2_000);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...seen)).toBeLessThan(2 ** 53);
  });

  test('over nodes of a cluster, whose numbers their ids tell', async () => {
    const log = RequestLog.open(folder, 1, fail);
    const { blocks } = log;
    expect([blocks.nodeNumber, nodeOfLogId(await log.allocateBlock())]).toEqual([0, 0]);
    for (const number of [1, 7, LOG_NODES_MAX]) {
      blocks.useNumber(number);
      const first = await log.allocateBlock();
      expect([blocks.nodeNumber, nodeOfLogId(first - 1), nodeOfLogId(first)]).toEqual([number, number - 1, number]);
      expect([blocks.needsNumber, Number.isSafeInteger(first + LOG_BLOCK_IDS)]).toEqual([false, true]);
    }
    expect(() => blocks.useNumber(7)).toThrow('may have been given out before');
    await log.close();
  });

  test('over kills while blocks are being taken', async () => {
    const seen: number[] = [];
    for (let kill = 0; kill < 4; kill++) {
      const child = spawnTaker();
      const exited = once(child, 'exit');
      let blocks = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        seen.push(Number(line));
        if (++blocks === 10 + kill) child.kill('SIGKILL');
      }
      expect((await exited)[1]).toBe('SIGKILL');
    }
    const log = RequestLog.open(folder, 1, fail);
    seen.push(await log.allocateBlock());
    await log.close();
    expect(seen.length).toBeGreaterThan(40);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.every(first => first % LOG_BLOCK_IDS === 0 && first > 0)).toBe(true);
  });
});

/** A process that takes blocks without end and prints the first id of each. */
function spawnTaker(): ChildProcessByStdio<null, Readable, null> {
  const script = `
    import { writeSync } from 'node:fs';
    const { RequestLog } = await import(process.argv[1]);
    const log = RequestLog.open(process.argv[2], 1, error => { throw error; });
    for (;;) for (const first of await Promise.all([log.allocateBlock(), log.allocateBlock()])) writeSync(1, first + '\\n');
  `;
  const module = new URL('../../../src/tables/requests/request_log.ts', import.meta.url).href;
  return spawn(process.execPath, ['--input-type=module', '-e', script, module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
