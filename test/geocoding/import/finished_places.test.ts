import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { changeExtract } from '../../../src/geocoding/import/change_extract.ts';
import {
  areFinished,
  exportPlaces,
  importFinishedPlaces,
  type PlacesExport,
} from '../../../src/geocoding/import/finished_places.ts';
import { importAddresses } from '../../../src/geocoding/import/import_addresses.ts';
import { importExtracts, removeExtract } from '../../../src/geocoding/import/import_extracts.ts';
import { listSources } from '../../../src/jobs/sources.ts';
import { livePlaces } from '../../../src/tables/places/extract_files.ts';
import { currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { LayerReader } from '../../../src/tables/places/layer.ts';
import { licenceOf, licencesOf } from '../../../src/tables/places/licences.ts';
import { ReplacementRefused } from '../../../src/tables/sources/source_name.ts';
import { writeTown } from '../../kits/places/extracts.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';

const HOUSES = 100;
const files = folderOfFile();
let source: string;
let extract: string;
let file: string;

beforeAll(async () => {
  [source, extract] = [join(files, 'source'), writeTown(join(files, 'vaduz.osm.pbf'), HOUSES)];
  await importExtracts({ folder: source, files: [extract], onProgress: () => {} });
  file = await write('vaduz.places', await bytesOf(source));
});

async function bytesOf(folder: string, what: Partial<PlacesExport> = {}): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let last = { done: 0, total: 1 };
  for await (const { bytes, ...progress } of exportPlaces(folder, {
    ...{ scratchFolder: join(files, 'cut'), onCut: () => {} },
    ...what,
  })) {
    pieces.push(bytes);
    last = progress;
  }
  expect(last.done).toBe(last.total);
  return Buffer.concat(pieces);
}

async function write(name: string, bytes: Buffer): Promise<string> {
  const path = join(files, name);
  writeFileSync(path, bytes);
  return path;
}

const take = (folder: string, path: string, more = {}) =>
  importFinishedPlaces({ folder, files: [path], onProgress: () => {}, ...more });

/** All that a layer holds, but for what it says of its extracts. */
async function contentOf(folder: string): Promise<unknown> {
  const layer = new LayerReader(currentLayer(placesFolder(folder))!);
  const places = Array.from({ length: layer.meta.count }, (_, i) => layer.place(i + 1));
  const words = [...layer.range('tokens', Buffer.alloc(1), 10_000)];
  const sections = [...layer.sections].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const { extracts: _, ...meta } = layer.meta;
  await layer.close();
  expect(words.length).toBeGreaterThan(0);
  return { places, words, sections, meta };
}

test('finished places are the same in another folder, under the name of their file', async () => {
  const folder = temporaryFolder();
  const told: [number, number][] = [];
  const summary = await take(folder, file, { onProgress: (done: number, total: number) => told.push([done, total]) });
  expect(await contentOf(folder)).toEqual(await contentOf(source));
  expect(summary).toEqual({ places: livePlaces(source)!.count, builtAt: livePlaces(source)!.builtAt });
  const { objects } = livePlaces(source)!.extracts![0];
  expect(livePlaces(folder)!.extracts).toEqual([
    { name: 'vaduz', files: [], objects, importedAt: expect.stringMatching(/^20.*Z$/) },
  ]);
  expect(told.at(-1)![0]).toBe(told.at(-1)![1]);
  expect([areFinished(file), areFinished(extract), areFinished(join(folder, 'none'))]).toEqual([true, false, false]);
});

test('a folder without places has none to export', async () => {
  await expect(bytesOf(temporaryFolder())).rejects.toThrow(/^There are no places in .*sextant import osm\.$/);
});

test('they take the place of those of their name, unless too much would go', async () => {
  const folder = temporaryFolder();
  const large = writeTown(join(temporaryFolder(), 'vaduz.osm.pbf'), 3 * HOUSES);
  await importExtracts({ folder, files: [large], onProgress: () => {} });
  const before = await contentOf(folder);
  await expect(take(folder, file)).rejects.toThrow(ReplacementRefused);
  expect(await contentOf(folder)).toEqual(before);
  await take(folder, file, { replace: true });
  expect(await contentOf(folder)).toEqual(await contentOf(source));
  expect(readdirSync(join(folder, 'extracts'))).toEqual([]);
});

test('they are joined with no others, and take no changes', async () => {
  const folder = temporaryFolder();
  const other = writeTown(join(temporaryFolder(), 'schaan.osm.pbf'), 10, 'Schaan');
  await take(folder, file);
  const parts = { folder, onProgress: () => {} };
  const finished = 'The places of "vaduz" came finished, without the extract that they were built from.';
  await expect(importExtracts({ ...parts, files: [other] })).rejects.toThrow(finished);
  await expect(
    changeExtract({ ...parts, files: [], read: async () => ({ newestMs: 0, oldestMs: 0 }) }),
  ).rejects.toThrow(finished);
  await expect(take(folder, file, { source: 'other' })).rejects.toThrow(/this folder has those of "vaduz"/);
  await expect(importFinishedPlaces({ ...parts, files: [file, other] })).rejects.toThrow(/imported alone/);
  expect(await contentOf(folder)).toEqual(await contentOf(source));
  await importExtracts({ ...parts, files: [extract] });
  expect(livePlaces(folder)!.extracts).toMatchObject([{ name: 'vaduz', files: [1] }]);
  await take(folder, file);
  expect(await removeExtract({ ...parts, name: 'vaduz' })).toEqual({ places: 0 });
  expect(livePlaces(folder)).toBeUndefined();
});

test('registers keep their licences: in the file, in the list of sources, in answers, and in what is written again', async () => {
  const MAP = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';
  const from = temporaryFolder();
  await importExtracts({ folder: from, files: [extract], source: 'map', onProgress: () => {} });
  for (const [name, licence] of [
    ['register', 'CC BY 4.0'],
    ['vaduz', undefined],
  ] as const)
    await importAddresses({
      ...{ folder: from, kind: 'addresses', source: name, licence, onProgress: () => {} },
      read: async give => {
        const texts = { number: name, street: 'Landstrasse', city: 'Vaduz', postcode: '' };
        give({ ...texts, latitude: 47.14, longitude: 9.52 });
        return {};
      },
    });
  const licences = [MAP, 'register: CC BY 4.0', 'vaduz'];
  const registers = [{ name: 'register', licence: 'CC BY 4.0' }, { name: 'vaduz' }];
  let folder = from;
  for (const name of ['vaduz', 'again']) {
    const written = await bytesOf(folder);
    expect(JSON.parse(written.toString('utf8', 0, written.indexOf('\n')))).toMatchObject({ licence: MAP, registers });
    folder = temporaryFolder();
    await take(folder, await write(`${name}.places`, written));
    const meta = livePlaces(folder)!;
    expect(licencesOf(meta)).toEqual(licences);
    expect(licenceOf(meta, { tags: { source: 'register; OpenStreetMap; vaduz' } })).toBe(
      `register: CC BY 4.0; ${MAP}; vaduz`,
    );
    expect(await listSources(folder)).toEqual([
      { name, kind: 'osm', rows: expect.any(Number), importedAt: expect.any(String), registers },
    ]);
  }
  expect(await listSources(from)).toMatchObject([{ name: 'map' }, { ...registers[0] }, { name: 'vaduz' }]);
});

test('a file that is not as it was written is refused, and nothing of it stays', async () => {
  const whole = readFileSync(file);
  const begin = whole.indexOf('\n') + 1;
  const header = JSON.parse(whole.toString('utf8', 0, begin));
  const [last] = header.sizes.slice(-1);
  const changed = (change: object, rest = whole.subarray(begin)) =>
    Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, ...change })}\n`), rest]);
  const flipped = Buffer.from(whole);
  flipped[begin + ((whole.length - begin) >> 1)] ^= 1;
  const cases: [Buffer, RegExp][] = [
    [flipped, /is damaged/],
    [whole.subarray(0, -1), /is damaged/],
    [whole.subarray(0, whole.length >> 1), /is damaged/],
    [whole.subarray(0, begin), /is damaged/],
    [whole.subarray(0, begin - 1), /its first line does not say what it is/],
    [changed({ sizes: [1] }), /its first line does not say what it is/],
    [changed({ sizes: [-1, last] }), /its first line does not say what it is/],
    [changed({ sizes: [header.sizes[0], last - 1] }), /it holds more than it says/],
    [changed({ sizes: [header.sizes[0], last + 1] }), /it ends too early/],
    [changed({ format: header.format + 1 }), /was written by another version/],
    [changed({ layer: header.layer + 1 }), /was written by another version/],
    [changed({ sizes: [5, 5] }, zstdCompressSync(Buffer.alloc(10))), /could not be imported/],
  ];
  const folder = temporaryFolder();
  for (const [bytes, problem] of cases) {
    await expect(take(folder, await write('vaduz.places', bytes))).rejects.toThrow(problem);
    const left = existsSync(placesFolder(folder)) ? readdirSync(placesFolder(folder)) : [];
    expect([left, livePlaces(folder)]).toEqual([[], undefined]);
  }
});
