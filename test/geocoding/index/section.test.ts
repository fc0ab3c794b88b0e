import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { NumberList, writeNumbers } from '../../../src/geocoding/index/section.ts';
import { ScratchFiles } from '../../../src/tables/environment/scratch_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

test('a list on disk has the numbers that one in memory has, whole and in parts', () => {
  const folder = temporaryFolder();
  const scratch = new ScratchFiles(folder);
  onTestFinished(() => scratch.close());
  const lists = [new NumberList(Int32Array), new NumberList(Int32Array, scratch)] as const;
  for (const list of lists) {
    for (let i = 0; i < 40_000; i++) list.push(i, -i);
    list.append(Int32Array.from({ length: 90_001 }, (_, i) => i * 7));
    for (let i = 0; i < 30_000; i++) list.push(i);
  }
  const [inMemory, onDisk] = lists;
  expect(onDisk.length).toBe(200_001);
  expect(Buffer.from(onDisk.values().buffer).equals(Buffer.from(inMemory.values().slice().buffer))).toBe(true);
  const parts = [...onDisk.parts()].map(part => part.length);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.reduce((sum, length) => sum + length)).toBe(onDisk.length);
  const sections = new Map<NumberList<Int32Array<ArrayBuffer>>, Buffer>();
  for (const list of lists) {
    const section = (_: string, bytes: Uint8Array): void => void sections.set(list, Buffer.from(bytes));
    writeNumbers({ section }, 'some', list.parts());
  }
  expect(sections.get(onDisk)!.equals(sections.get(inMemory)!)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test('a list on disk can be added to after its parts were read', () => {
  const scratch = new ScratchFiles(temporaryFolder());
  onTestFinished(() => scratch.close());
  const list = new NumberList(Float64Array, scratch);
  for (let i = 0; i < 70_000; i++) list.push(i / 2);
  expect(list.values().at(-1)).toBe(34_999.5);
  for (let i = 70_000; i < 140_000; i++) list.push(i / 2);
  expect(list.values().every((value, i) => value === i / 2)).toBe(true);
});
