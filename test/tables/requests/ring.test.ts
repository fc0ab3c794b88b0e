import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LogEntry, readRecord, recordLength, recordLogId } from '../../../src/tables/requests/record.ts';
import {
  createLogRing,
  LOG_DROPPED,
  LOG_HALF_FULL,
  LOG_STORED,
  LogConsumer,
  LogProducer,
} from '../../../src/tables/requests/ring.ts';

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
      let logId = 1;
      while (logId <= 200000) {
        const length = (logId * 7919) % 1200;
        const response = String(logId).repeat(logId % 9);
        const entry = { logId, timeMs: logId, latencyUs: 1, status: 200, route: 1, accountId: 1, nr: logId, deviceId: 'd' + logId, query: '', request: bodies[length], response };
        if (producer.push(entry) > 0) logId++;
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
