import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Answerer } from '../../src/answer/answerer.ts';
import type { WorkerFile } from '../../src/pool/messages.ts';
import { Slices } from '../../src/pool/slices.ts';
import { TASKS, type WorkerTasks } from '../../src/tasks/tasks.ts';
import { serveParts } from '../kits/served_parts.ts';

/** Inflating asks no table. */
const NO_ANSWERER = undefined as unknown as Answerer;
const inflate = (bytes: Buffer, encoding: string, capBytes: number) =>
  TASKS.inflate(NO_ANSWERER, { bytes, encoding, capBytes }, new Slices());
const body = Buffer.from(
  JSON.stringify({ cellTowers: Array.from({ length: 20_000 }, (_, i) => ({ cellId: i * 7919 })) }),
);

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
])('a body in %s inflates into shared memory, up to the cap', async (encoding, compress) => {
  const bytes = (await inflate(compress(body), encoding, body.length)) as Uint8Array;
  expect(bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(Buffer.from(bytes).equals(body)).toBe(true);
  expect(await inflate(compress(body), encoding, body.length - 1)).toMatchObject({ refused: 'bodyTooLarge' });
});

test('what cannot be a query is refused', async () => {
  expect(await inflate(gzipSync('['.repeat(100_000)), 'gzip', 1e6)).toMatchObject({ refused: 'parseError' });
  expect(await inflate(gzipSync('{},'.repeat(400_000)), 'gzip', 8e6)).toMatchObject({ refused: 'bodyTooLarge' });
  expect(await inflate(gzipSync(body).subarray(0, 1000), 'gzip', 1e6)).toMatchObject({ refused: 'parseError' });
});

test('a compressed body that is not small is inflated in a worker', async () => {
  const workerFile: WorkerFile<WorkerTasks> = new URL('./worker_without_inflate.ts', import.meta.url);
  const served = await serveParts({ mode: 'auto', workers: 1, ringBytes: 65_536, workerFile });
  const post = (bytes: number) =>
    served.post(gzipSync(JSON.stringify({ padding: 'x'.repeat(bytes), considerIp: false })), '/', {
      headers: { 'content-encoding': 'gzip' },
    });
  expect((await post(60_000)).status).toBe(404);
  expect((await post(70_000)).status).toBe(500);
  expect(served.errors).toEqual([expect.stringContaining('This worker inflates nothing.')]);
  await served.close();
});
