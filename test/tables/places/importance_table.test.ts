import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ImportanceTable,
  problemWithImportance,
  type RatedItem,
  writeImportanceTable,
} from '../../../src/tables/places/importance_table.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

/** So many items out of ten thousand, and the greatest number that there can be. */
function drawItems(count: number, seed: number): RatedItem[] {
  const random = uniform(seed);
  const items = new Map(Array.from({ length: count }, () => [1 + Math.floor(random() * 10_000), random()]));
  if (count > 1) items.set(0xffffffff, 1);
  return [...items].sort(([a], [b]) => a - b);
}

function write(items: readonly RatedItem[]): { path: string; kept: Parameters<typeof problemWithImportance>[1] } {
  const path = join(temporaryFolder(), 'table');
  const kept = { name: 'drawn', file: 1, importedAt: '', ...writeImportanceTable(path, items, () => {}) };
  return { path, kept };
}

test.each([0, 1, 511, 512, 513, 1_024, 5_000])('a table of %i items knows these and no others', count => {
  const items = drawItems(count, count);
  const { path, kept } = write(items);
  const table = new ImportanceTable(path);
  expect([table.items, kept.items]).toEqual([items.length, items.length]);
  const known = new Map(items);
  for (let item = 0; item <= 10_001; item++) {
    const wanted = known.get(item);
    if (wanted === undefined) expect(table.importanceOf(item)).toBeUndefined();
    else expect(table.importanceOf(item)).toBeCloseTo(wanted, 4);
  }
  expect(table.importanceOf(0xffffffff)).toBe(known.get(0xffffffff));
  expect([2 ** 32, 2 ** 32 + 1, Number.NaN].map(item => table.importanceOf(item))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(problemWithImportance(path, kept)).toBeUndefined();
  table.close();
});

test('items that another table lacks are counted', () => {
  const [a, b] = [drawItems(3_000, 1), drawItems(2_000, 2)];
  const [first, second] = [new ImportanceTable(write(a).path), new ImportanceTable(write(b).path)];
  const has = new Set(a.map(([item]) => item));
  expect(first.countMissing(second)).toBe(b.filter(([item]) => !has.has(item)).length);
  expect(first.countMissing(first)).toBe(0);
  first.close();
  second.close();
});

test('what is thrown while a table is written ends that', () => {
  const path = join(temporaryFolder(), 'table');
  const stop = () => {
    throw new Error('stopped');
  };
  expect(() => writeImportanceTable(path, drawItems(10, 1), stop)).toThrow('stopped');
});

test('damage to any byte is found, and so is a table that is cut, longer or gone', () => {
  const { path, kept } = write(drawItems(20, 3));
  const sound = readFileSync(path);
  for (let at = 0; at < sound.length; at++) {
    const damaged = Buffer.from(sound);
    damaged[at] ^= 1;
    writeFileSync(path, damaged);
    expect(problemWithImportance(path, kept)).toMatch(/damaged$/);
  }
  for (const bytes of [0, 5, 12, sound.length - 6, sound.length - 1]) {
    writeFileSync(path, sound);
    truncateSync(path, bytes);
    expect(problemWithImportance(path, kept)).toMatch(/damaged$/);
  }
  writeFileSync(path, Buffer.concat([sound, sound.subarray(12)]));
  expect(problemWithImportance(path, kept)).toMatch(/damaged$/);
  expect(problemWithImportance(`${path}.gone`, kept)).toBe('its table is missing or damaged');
  writeFileSync(path, 'importance 2abcdef');
  expect(() => new ImportanceTable(path)).toThrow(`${path} is no table of importance, or a damaged one.`);
});
