import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSections, sectionsOf } from '../../../src/tables/environment/loaded_sections.ts';
import { indexBefore } from '../../kits/places/index_before.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const SECTIONS = new Map([
  ['points', Uint8Array.from({ length: 100_003 }, (_, i) => i * 7)],
  ['empty', new Uint8Array()],
  ['edges', new Uint8Array(Int32Array.of(-1, 2, 3).buffer)],
]);

/** A file of the sections. @param edit changes its bytes */
function written(edit: (bytes: Buffer) => void = () => {}): string {
  const path = join(temporaryFolder(), 'index.bin');
  const bytes = indexBefore(SECTIONS);
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
});

test('a file that has lost its end, or grown, is refused', () => {
  const path = written();
  const bytes = readFileSync(path).length;
  for (const length of [bytes - 1, bytes + 5]) {
    truncateSync(path, length);
    expect(() => loadSections(path)).toThrow(`it has ${length} bytes where ${bytes} were written`);
  }
});

test.each([0, 1, 31])('a file of %i bytes is no index', length => {
  const path = written();
  truncateSync(path, length);
  expect(() => loadSections(path)).toThrow(/it is no index of places|it has \d+ bytes where/);
});

test('a file of another kind or a newer version is refused', () => {
  expect(() => loadSections(written(bytes => bytes.write('PK')))).toThrow('it is no index of places');
  expect(() => loadSections(written(bytes => bytes.writeUInt32LE(2, 8)))).toThrow(
    'it has format 2 of a newer Sextant, and this version reads format 1',
  );
});

test('one wrong bit is found wherever it is', () => {
  const { byteOffset } = sectionsOf(loadSections(written())).get('points')!;
  expect(() => loadSections(written(bytes => (bytes[byteOffset + 5_000] ^= 1)))).toThrow(
    'its section "points" is damaged',
  );
  expect(() => loadSections(written(bytes => (bytes[40] ^= 1)))).toThrow('its directory is damaged');
  expect(() => loadSections(written(bytes => bytes.writeUInt32LE(bytes.length, 12)))).toThrow(
    'its directory is damaged',
  );
});
