import { PassThrough, Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatherBody, gatherQuery } from '../../src/api/gather_body.ts';
import { ERRORS, type ErrorRow } from '../../src/protocol/errors.ts';

const CAP = 1_000_000;
const LARGE = 1000;

/** A stream of these pieces. */
const streamOf = (...pieces: Uint8Array[]) => Readable.from(pieces, { objectMode: false });
const gather = (pieces: Uint8Array[], encoding?: string) => gatherBody(streamOf(...pieces), encoding, CAP, LARGE);
const refused = (row: ErrorRow, message: string = row.message) => expect.objectContaining({ row, message });
/** Bytes that a fault in order or offset would change. */
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7919) >> 3));
const cut = (bytes: Buffer, ...at: number[]) =>
  [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length));

test.each<[string, number, number[]]>([
  ['nothing', 0, []],
  ['one piece', 900, []],
  ['pieces', 1000, [1, 2, 999]],
  ['one large piece', 1001, []],
  ['pieces that become large', 5000, [400, 800, 1200, 4999]],
  ['pieces that fill the cap', CAP, [999, 65_536, 999_999]],
])('a body of %s is put together', async (_, length, at) => {
  const bytes = bytesOf(length);
  const body = await gather(cut(bytes, ...at));
  expect(body.equals(bytes)).toBe(true);
  expect(body.buffer instanceof SharedArrayBuffer).toBe(length > LARGE);
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  [' GZIP ', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['identity', (bytes: Buffer) => bytes],
  ['', (bytes: Buffer) => bytes],
])('a body under the encoding "%s" is inflated, small or large', async (encoding, compress) => {
  for (const length of [1, 1000, 200_000]) {
    const bytes = bytesOf(length);
    const sent = compress(bytes);
    const body = await gather(cut(sent, sent.length >> 1), encoding);
    expect(body.equals(bytes)).toBe(true);
    expect(body.buffer instanceof SharedArrayBuffer).toBe(length > LARGE);
  }
});

describe('a body that does not come', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is given up after a minute without a byte, however long it takes', async () => {
    const source = new PassThrough();
    const gathered = gatherBody(source, undefined, CAP, LARGE);
    const outcome = vi.fn();
    gathered.then(outcome, outcome);
    for (let minute = 0; minute < 20; minute++) {
      source.write('x');
      await vi.advanceTimersByTimeAsync(59_000);
    }
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcome).toHaveBeenCalledWith(refused(ERRORS.requestTimeout));
  });

  test('of a query is given up after a minute', async () => {
    const source = new PassThrough();
    const hold = { growTo: vi.fn(), release: vi.fn() };
    const gathered = gatherQuery({ compute: {} as never }, source, undefined, CAP, LARGE, hold as never);
    const outcome = vi.fn();
    gathered.then(outcome, outcome);
    source.write('x');
    await vi.advanceTimersByTimeAsync(59_000);
    source.write('x');
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcome).toHaveBeenCalledWith(refused(ERRORS.requestTimeout));
    expect(hold.release).toHaveBeenCalled();
  });

  test('leaves no timer behind when it comes', async () => {
    expect(await gather([Buffer.from('{}')])).toHaveLength(2);
    await expect(gather([Buffer.alloc(CAP + 1)])).rejects.toEqual(refused(ERRORS.bodyTooLarge));
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('an empty body is empty under any encoding', async () => {
  for (const encoding of ['gzip', 'br', 'unknown']) expect(await gather([], encoding)).toHaveLength(0);
});

test('one byte above the cap is too large, as it comes and inflated', async () => {
  const bytes = bytesOf(CAP + 1);
  await expect(gather(cut(bytes, 500_000))).rejects.toEqual(refused(ERRORS.bodyTooLarge));
  await expect(gather([gzipSync(bytes)], 'gzip')).rejects.toEqual(
    refused(ERRORS.bodyTooLarge, 'The body is larger than 1000000 bytes when inflated.'),
  );
});

test('what does not inflate, an encoding that nobody knows and a body that breaks off are refused', async () => {
  const sent = gzipSync(bytesOf(5000));
  await expect(gather([sent.subarray(0, 100)], 'gzip')).rejects.toEqual(
    refused(ERRORS.parseError, 'The body does not inflate as gzip.'),
  );
  await expect(gather([Buffer.from('{}')], 'gzip')).rejects.toEqual(
    refused(ERRORS.parseError, 'The body does not inflate as gzip.'),
  );
  await expect(gather([Buffer.from('{}')], 'br')).rejects.toEqual(
    refused(ERRORS.parseError, 'The body does not inflate as br.'),
  );
  await expect(gather([sent], 'zstd')).rejects.toEqual(refused(ERRORS.encodingUnsupported));
  const broken = new Readable({ read() {} });
  broken.push(bytesOf(10));
  const gathered = gatherBody(broken, undefined, CAP, LARGE);
  broken.destroy(new Error('aborted'));
  await expect(gathered).rejects.toEqual(refused(ERRORS.parseError, 'The body breaks off.'));
});
