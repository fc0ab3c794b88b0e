import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gatherBody } from '../../src/api/gather_body.ts';
import { ERRORS, type ErrorRow } from '../../src/protocol/errors.ts';

const CAP = 1_000_000;
const LARGE = 1000;

/** A stream of these pieces. */
const streamOf = (...pieces: Uint8Array[]) => Readable.from(pieces, { objectMode: false });
const gather = (pieces: Uint8Array[], encoding?: string) => gatherBody(streamOf(...pieces), encoding, CAP, LARGE);
const refused = (row: ErrorRow, message: string = row.message) => expect.objectContaining({ row, message });
/** Bytes that a fault in order or offset would change. */
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7919) >> 3));
const cut = (bytes: Buffer, ...at: number[]) => [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length));

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
  await expect(gather([sent.subarray(0, 100)], 'gzip')).rejects.toEqual(refused(ERRORS.parseError, 'The body does not inflate as gzip.'));
  await expect(gather([Buffer.from('{}')], 'gzip')).rejects.toEqual(refused(ERRORS.parseError, 'The body does not inflate as gzip.'));
  await expect(gather([Buffer.from('{}')], 'br')).rejects.toEqual(refused(ERRORS.parseError, 'The body does not inflate as br.'));
  await expect(gather([sent], 'zstd')).rejects.toEqual(refused(ERRORS.encodingUnsupported));
  const broken = new Readable({ read() {} });
  broken.push(bytesOf(10));
  const gathered = gatherBody(broken, undefined, CAP, LARGE);
  broken.destroy(new Error('aborted'));
  await expect(gathered).rejects.toEqual(refused(ERRORS.parseError, 'The body breaks off.'));
});
