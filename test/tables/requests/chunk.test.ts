import { type ZstdCompress, zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChunkCompressor } from '../../../src/tables/requests/chunk.ts';
import { uniform } from '../../kits/random.ts';

let compressor: ChunkCompressor;

beforeEach(() => {
  compressor = new ChunkCompressor();
});
afterEach(() => {
  compressor.close();
});

function noise(bytes: number, seed: number): Buffer {
  const random = uniform(seed);
  return Buffer.from(Array.from({ length: bytes }, () => random() * 256));
}

test('each chunk can be read alone, whatever stood before it', async () => {
  const sizes = [1, 64, 5_000, 262_144, 3, 700_000, 150_000];
  const chunks = sizes.flatMap((bytes, i) => [
    noise(bytes, i),
    Buffer.alloc(bytes, i),
    Buffer.from('a request '.repeat(bytes / 10 + 1)),
  ]);
  const values: Buffer[] = [];
  for (const chunk of chunks) values.push(await compressor.compress(chunk, 8));
  values.reverse().forEach((value, i) => {
    expect(zstdDecompressSync(value.subarray(8)).equals(chunks[chunks.length - 1 - i])).toBe(true);
  });
});

test('what repeats takes little room', async () => {
  const text = Buffer.from('{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:d3"}]}'.repeat(1_000));
  expect((await compressor.compress(text, 0)).length).toBeLessThan(text.length / 100);
});

test('a failure is told to its caller, and the next chunk is compressed anew', async () => {
  await compressor.compress(noise(100, 1), 0);
  const failing = compressor.compress(noise(200_000, 2), 0);
  (compressor as unknown as { stream: ZstdCompress }).stream.destroy(new Error('zstd gives up'));
  await expect(failing).rejects.toThrow('zstd gives up');
  expect(zstdDecompressSync(await compressor.compress(Buffer.from('again'), 0)).toString()).toBe('again');
});
