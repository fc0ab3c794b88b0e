import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkPages } from '../../../src/tables/environment/check_pages.ts';
import { checkSectionFile, SectionFile, SectionFileWriter } from '../../../src/tables/environment/section_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const SECTIONS = new Map([
  ['points', Uint8Array.from({ length: 100_003 }, (_, i) => i * 7)],
  ['empty', new Uint8Array()],
  ['edges', new Uint8Array(Int32Array.of(-1, 2, 3).buffer)],
]);

function writeSections(folder: string, sections: ReadonlyMap<string, Uint8Array>): string {
  const writer = new SectionFileWriter(folder);
  onTestFinished(() => writer.close());
  // In two parts, as sections that are not in memory come.
  for (const [name, bytes] of sections) writer.add(name, [bytes.subarray(0, 8), bytes.subarray(8)]);
  writer.finish();
  return folder;
}

const written = (sections: ReadonlyMap<string, Uint8Array> = SECTIONS) =>
  writeSections(join(temporaryFolder(), 'index'), sections);

function opened(folder: string): SectionFile {
  const file = new SectionFile(folder);
  onTestFinished(() => file.close());
  return file;
}

/** Changes the bytes of a file. */
function damage(folder: string, edit: (bytes: Buffer) => void): string {
  const path = join(folder, 'data.mdb');
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
  return folder;
}

const contentsOf = (sections: ReadonlyMap<string, Uint8Array>) =>
  [...sections].map(([name, bytes]) => [name, Buffer.from(bytes)]);

test('sections come back by name, on whole 64 bytes of the file', () => {
  const folder = written();
  const { sections } = opened(folder);
  expect(contentsOf(sections)).toEqual(contentsOf(SECTIONS).sort());
  const bytes = readFileSync(join(folder, 'data.mdb'));
  for (const [name, section] of SECTIONS) if (name !== 'empty') expect(bytes.indexOf(section) % 64).toBe(0);
  const edges = sections.get('edges')!;
  expect([...new Int32Array(edges.buffer, edges.byteOffset, 3)]).toEqual([-1, 2, 3]);
});

test('LMDB has nothing to object to', () => {
  const folder = written();
  checkPages(folder, Number.POSITIVE_INFINITY);
  checkSectionFile(folder);
});

test('a file without sections is a file', () => {
  const folder = written(new Map());
  checkSectionFile(folder);
  expect(opened(folder).sections.size).toBe(0);
});

test('a file has at least 50 sections, and an error says when there is no room', () => {
  const many = new Map(Array.from({ length: 50 }, (_, i) => [`a section of ${i}`, Uint8Array.of(i)]));
  expect(contentsOf(opened(written(many)).sections)).toEqual(contentsOf(many).sort());
  const writer = new SectionFileWriter(join(temporaryFolder(), 'index'));
  onTestFinished(() => writer.close());
  for (let i = 0; i < 100; i++) writer.add(`section ${i}`, []);
  expect(() => writer.finish()).toThrow('A file cannot have 100 sections.');
  expect(() => writer.add('a'.repeat(33), [])).toThrow('A section cannot have the name "aaa');
  expect([...opened(written(new Map([['a'.repeat(32), Uint8Array.of(7)]]))).sections.values()]).toEqual([
    Uint8Array.of(7),
  ]);
});

test.runIf(process.platform === 'linux')('a section lies in the map of the file, and a file is mapped once', () => {
  const folder = written();
  const [one, other] = [opened(folder), opened(folder)];
  const maps = readFileSync('/proc/self/maps', 'latin1').split('\n');
  expect(maps.filter(map => map.endsWith(join(folder, 'data.mdb')))).toHaveLength(1);
  // What is written to the file is seen through both.
  damage(folder, bytes => bytes.writeUInt8(99, bytes.indexOf(SECTIONS.get('points')!)));
  expect([one, other].map(({ sections }) => sections.get('points')![0])).toEqual([99, 99]);
});

test('when it is closed, its sections are empty', async () => {
  const folder = written();
  const [file, other] = [new SectionFile(folder), opened(folder)];
  const points = file.sections.get('points')!;
  const words = new Int32Array(points.buffer, points.byteOffset, 4);
  await file.close();
  expect([points.length, words.length, words[0]]).toEqual([0, 0, undefined]);
  expect(other.sections.get('points')).toHaveLength(100_003);
});

test('a file is never written over, and is none before it is finished', () => {
  const folder = written();
  expect(() => writeSections(folder, SECTIONS)).toThrow('EEXIST');
  const writer = new SectionFileWriter(join(temporaryFolder(), 'index'));
  onTestFinished(() => writer.close());
  const begun = join(temporaryFolder(), 'index');
  const beginner = new SectionFileWriter(begun);
  beginner.add('points', SECTIONS.values());
  beginner.close();
  expect(() => new SectionFile(begun)).toThrow('its data file is no LMDB database, or is damaged');
});

test('a file that has lost its end, or grown, is refused', () => {
  const folder = written();
  const path = join(folder, 'data.mdb');
  const bytes = readFileSync(path).length;
  for (const length of [bytes - 1, bytes + 5]) {
    truncateSync(path, length);
    for (const open of [() => new SectionFile(folder), () => checkSectionFile(folder)])
      expect(open).toThrow(`it has ${length} bytes where ${bytes} were written`);
  }
});

test('a file of another kind is refused', () => {
  for (const length of [0, 1, 100, 5_000]) {
    const folder = written();
    writeFileSync(join(folder, 'data.mdb'), 'PK'.repeat(length / 2));
    expect(() => new SectionFile(folder)).toThrow('its data file is no LMDB database, or is damaged');
  }
});

test('one wrong bit is found wherever it is', () => {
  const check = (edit: (bytes: Buffer) => void) => () => checkSectionFile(damage(written(), edit));
  expect(check(bytes => (bytes[bytes.indexOf(SECTIONS.get('points')!) + 5_000] ^= 1))).toThrow(
    'its section "points" is damaged',
  );
  expect(check(bytes => (bytes[bytes.indexOf(SECTIONS.get('edges')!) - 40] ^= 1))).toThrow(
    'its section "edges" is damaged',
  );
  // The leaf, where a node says how long its value is.
  expect(check(bytes => bytes.writeUInt32LE(2 ** 30, 2 * 4_096 + 24 + bytes.readUInt16LE(2 * 4_096 + 24)))).toThrow(
    'its data file is damaged at page 2',
  );
});
