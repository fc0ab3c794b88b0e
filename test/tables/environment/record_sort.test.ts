import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RecordSort } from '../../../src/tables/environment/record_sort.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

/** Sorts records with random keys of few values, numbered in the order of adding, and compares with a map. */
function compareWithModel(keyBytes: number, records: number, runRecords: number, seed: number): void {
  const random = uniform(seed);
  const sort = new RecordSort(temporaryFolder(), keyBytes, 24, runRecords);
  const model = new Map<string, number>();
  for (let n = 0; n < records; n++) {
    const key = Buffer.alloc(keyBytes);
    // Bytes above 127 and differences in every word, yet often the same key again.
    for (let i = 0; i < keyBytes; i++) key[i] = i % 3 === 0 ? Math.floor(random() * 3) * 127 : 255;
    const at = sort.next();
    sort.bytes.set(key, at);
    sort.view.setUint32(at + keyBytes, n);
    model.set(key.toString('hex'), n);
  }
  const sorted: [string, number][] = [];
  for (const batch of sort.batches()) {
    const view = new DataView(batch.bytes.buffer);
    for (let i = 0; i < batch.count; i++) {
      const at = i * (keyBytes + 24);
      sorted.push([
        Buffer.from(batch.bytes.subarray(at, at + keyBytes)).toString('hex'),
        view.getUint32(at + keyBytes),
      ]);
    }
  }
  sort.close();
  expect(sort.added).toBe(records);
  expect(sorted).toEqual([...model].sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.each([8, 12, 24])('records with keys of %i bytes come in key order, the last of each key', keyBytes => {
  for (let seed = 1; seed <= 5; seed++) compareWithModel(keyBytes, 300, 1000, seed);
});

test.each([8, 12, 24])('records with keys of %i bytes come in key order from several runs', keyBytes => {
  for (let seed = 1; seed <= 5; seed++) compareWithModel(keyBytes, 300, 40, seed);
});

test('a memory that is exactly full makes no run', () => {
  compareWithModel(8, 40, 40, 9);
});

test('more records than a batch come in several batches', () => {
  const sort = new RecordSort(temporaryFolder(), 8, 24, 15_000);
  const count = 50_000;
  for (let n = 0; n < count; n++) sort.view.setUint32(sort.next(), (n * 7919) % count);
  const sizes: number[] = [];
  let expected = 0;
  for (const batch of sort.batches()) {
    sizes.push(batch.count);
    const view = new DataView(batch.bytes.buffer);
    for (let i = 0; i < batch.count; i++) if (view.getUint32(i * 32) === expected) expected++;
  }
  sort.close();
  expect(sizes.length).toBeGreaterThan(1);
  expect(expected).toBe(count);
});

test('no records are no batches', () => {
  expect([...new RecordSort(temporaryFolder(), 8, 24, 10).batches()]).toEqual([]);
});

test('runs leave no name behind', () => {
  const folder = temporaryFolder();
  const sort = new RecordSort(folder, 8, 24, 2);
  for (let n = 0; n < 5; n++) sort.view.setUint32(sort.next(), n);
  expect(readdirSync(folder)).toEqual([]);
  sort.close();
});

/** Keys that `records` gives after sorting, with the number of each record. */
function sortNumbers(numbers: readonly number[], runRecords: number): { keys: number[]; numbers: number[] } {
  const sort = new RecordSort(temporaryFolder(), 4, 8, runRecords);
  for (const [n, number] of numbers.entries()) {
    const at = sort.next();
    sort.view.setUint32(at, number);
    sort.view.setUint32(at + 4, n);
  }
  const sorted = { keys: [] as number[], numbers: [] as number[] };
  for (const { bytes, count } of sort.batches()) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let i = 0; i < count; i++) {
      sorted.keys.push(view.getUint32(i * 12));
      sorted.numbers.push(view.getUint32(i * 12 + 4));
    }
  }
  sort.close();
  return sorted;
}

test('records that come in order stay in it, in one run, in several and in more than a batch', () => {
  const ascending = Array.from({ length: 40_000 }, (_, i) => 255 + i * 7);
  for (const runRecords of [50_000, 9_000, 7]) {
    const { keys, numbers } = sortNumbers(runRecords === 7 ? ascending.slice(0, 100) : ascending, runRecords);
    expect(keys).toEqual(ascending.slice(0, keys.length));
    expect(numbers).toEqual([...numbers.keys()]);
    expect(keys).toHaveLength(runRecords === 7 ? 100 : 40_000);
  }
});

test('where ordered runs meet or overlap, the last record of a key is taken', () => {
  const first = Array.from({ length: 20_000 }, (_, i) => i);
  const second = Array.from({ length: 20_000 }, (_, i) => i + 19_999);
  const third = Array.from({ length: 20_000 }, (_, i) => 2 * i);
  const { keys, numbers } = sortNumbers([...first, ...second, ...third], 20_000);
  const model = new Map([...first, ...second, ...third].map((key, n) => [key, n]));
  expect(keys).toEqual([...model.keys()].sort((a, b) => a - b));
  expect(numbers).toEqual(keys.map(key => model.get(key)));
});
