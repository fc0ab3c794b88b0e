import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSections, SectionFileWriter, sectionsOf } from '../../../src/tables/environment/section_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const SECTIONS = new Map([
  ['points', Uint8Array.from({ length: 100_003 }, (_, i) => i * 7)],
  ['empty', new Uint8Array()],
  ['edges', new Uint8Array(Int32Array.of(-1, 2, 3).buffer)],
]);

function writeSections(path: string, sections: ReadonlyMap<string, Uint8Array>): void {
  const writer = new SectionFileWriter(path);
  onTestFinished(() => writer.close());
  // In two parts, as sections that are not in memory come.
  for (const [name, bytes] of sections) writer.add(name, [bytes.subarray(0, 8), bytes.subarray(8)]);
  writer.finish();
}

function written(): string {
  const path = join(temporaryFolder(), 'index.bin');
  writeSections(path, SECTIONS);
  return path;
}

/** Changes the bytes of a file. */
function damage(path: string, edit: (bytes: Buffer) => void): string {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
  return path;
}

test('sections come back as views of one shared memory, on whole 64 bytes', () => {
  const buffer = loadSections(written());
  const sections = sectionsOf(buffer);
  expect(buffer).toBeInstanceOf(SharedArrayBuffer);
  expect([...sections].map(([name, bytes]) => [name, Buffer.from(bytes)])).toEqual(
    [...SECTIONS].map(([name, bytes]) => [name, Buffer.from(bytes)]),
  );
  for (const { buffer: of, byteOffset } of sections.values()) expect([of, byteOffset % 64]).toEqual([buffer, 0]);
  const edges = sections.get('edges')!;
  expect([...new Int32Array(edges.buffer, edges.byteOffset, 3)]).toEqual([-1, 2, 3]);
});

test('a file may end with empty sections', () => {
  const path = join(temporaryFolder(), 'index.bin');
  writeSections(path, new Map([...SECTIONS, ['none', new Uint8Array()], ['nor here', new Uint8Array()]]));
  expect(sectionsOf(loadSections(path)).get('nor here')).toEqual(new Uint8Array());
});

test('a file without sections is a file', () => {
  const path = join(temporaryFolder(), 'index.bin');
  writeSections(path, new Map());
  expect(sectionsOf(loadSections(path)).size).toBe(0);
});

test('a file is never written over', () => {
  const path = written();
  expect(() => writeSections(path, SECTIONS)).toThrow('EEXIST');
});

test('a file that has lost its end, or grown, is refused', () => {
  const path = written();
  const bytes = readFileSync(path).length;
  truncateSync(path, bytes - 1);
  expect(() => loadSections(path)).toThrow(`it has ${bytes - 1} bytes where ${bytes} were written`);
  truncateSync(path, bytes + 5);
  expect(() => loadSections(path)).toThrow(`it has ${bytes + 5} bytes where ${bytes} were written`);
});

test.each([0, 1, 31])('a file of %i bytes is no index', length => {
  const path = written();
  truncateSync(path, length);
  expect(() => loadSections(path)).toThrow(/it is no index of places|it has \d+ bytes where/);
});

test('a file of another kind or a newer version is refused', () => {
  expect(() => loadSections(damage(written(), bytes => bytes.write('PK')))).toThrow('it is no index of places');
  const newer = damage(written(), bytes => bytes.writeUInt32LE(2, 8));
  expect(() => loadSections(newer)).toThrow('it has format 2 of a newer Sextant, and this version reads format 1');
});

test('one wrong bit is found wherever it is', () => {
  const path = written();
  const bytes = readFileSync(path);
  const { byteOffset } = sectionsOf(loadSections(path)).get('points')!;
  expect(() => loadSections(damage(written(), b => (b[byteOffset + 5_000] ^= 1)))).toThrow(
    'its section "points" is damaged',
  );
  expect(() => loadSections(damage(written(), b => (b[40] ^= 1)))).toThrow('its directory is damaged');
  expect(() => loadSections(damage(written(), b => b.writeUInt32LE(bytes.length, 12)))).toThrow(
    'its directory is damaged',
  );
});
