import { cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { LayerReader, LayerWriter } from '../../../src/tables/places/layer.ts';
import { checkIndex } from '../../../src/tables/places/layer_index.ts';
import {
  COUNTRY,
  drawnPlace,
  drawnWorld,
  FIRST_HOUSE,
  ROAD,
  TOWN,
  writeDrawnLayer,
} from '../../kits/places/numbered_houses.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const HOUSES = 3_000;

function reader(folder: string): LayerReader {
  const layer = new LayerReader(folder);
  onTestFinished(() => layer.close());
  return layer;
}

test('places are read under the ids that they were given, in any order', async () => {
  const layer = reader(await writeDrawnLayer(join(temporaryFolder(), 'layer'), HOUSES));
  const drawn = [...drawnWorld(HOUSES)];
  expect(layer.meta).toMatchObject({ format: 4, count: HOUSES + 3, licence: 'ODbL', sources: ['drawn'] });
  for (const id of [FIRST_HOUSE + 2_000, COUNTRY, TOWN, ROAD, FIRST_HOUSE, HOUSES + 3, TOWN])
    expect(layer.place(id)).toEqual(drawn[id - 1]);
  layer.release();
  expect([layer.place(0), layer.place(HOUSES + 4), layer.place(4_294_967_295)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a place that is kept is the right one, also where another took its room', async () => {
  const layer = reader(await writeDrawnLayer(join(temporaryFolder(), 'layer'), HOUSES));
  const drawn = [...drawnWorld(HOUSES)];
  const kept = layer.place(TOWN);
  expect(layer.place(TOWN)).toBe(kept);
  for (let id = 1; id <= HOUSES + 3; id++) expect(layer.place(id)?.osmId).toBe(drawn[id - 1].osmId);
  // Houses do not drive out areas and roads.
  expect(layer.place(TOWN)).toBe(kept);
});

test('entries of search by words are read by key and in order', async () => {
  const folder = join(temporaryFolder(), 'layer');
  const writer = new LayerWriter(folder);
  for (const word of ['gasse', 'strasse', 'weg'])
    writer.append('tokens', Buffer.from(word), Uint8Array.of(word.length));
  writer.append('houses', Uint8Array.of(0, 1), Buffer.alloc(100_000, 5));
  await writer.finish({ licence: '', sources: [] });
  const layer = reader(folder);
  expect([...layer.get('tokens', Buffer.from('weg'))!]).toEqual([3]);
  expect(layer.get('tokens', Buffer.from('wege'))).toBeUndefined();
  expect(layer.get('houses', Uint8Array.of(0, 1))).toHaveLength(100_000);
  expect([...layer.range('tokens', Buffer.from('h'), 5)].map(({ key, value }) => [String(key), value[0]])).toEqual([
    ['strasse', 7],
    ['weg', 3],
  ]);
});

test('more than one transaction holds is written in order', async () => {
  const folder = join(temporaryFolder(), 'layer');
  const writer = new LayerWriter(folder);
  const value = Buffer.alloc(3_000_000);
  for (let i = 0; i < 12; i++) {
    value.writeUInt32LE(i);
    writer.append('deletes', Uint8Array.of(i), value);
    writer.put(drawnPlace({ osmId: i }));
  }
  await writer.finish({ licence: '', sources: [] });
  const layer = reader(folder);
  for (let i = 0; i < 12; i++) {
    expect(Buffer.from(layer.get('deletes', Uint8Array.of(i))!).readUInt32LE()).toBe(i);
    expect(layer.place(i + 1)?.osmId).toBe(i);
  }
});

test('an entry out of order is a fault of the caller', async () => {
  const writer = new LayerWriter(join(temporaryFolder(), 'layer'));
  writer.append('tokens', Buffer.from('b'), Buffer.from('1'));
  writer.append('tokens', Buffer.from('a'), Buffer.from('1'));
  await expect(writer.finish({ licence: '', sources: [] })).rejects.toThrow(
    'The key 61 of a layer of places stands out of order.',
  );
  await writer.abandon();
});

test('the index is checked, and read in place', async () => {
  const folder = await writeDrawnLayer(join(temporaryFolder(), 'layer'), 1, 'Vaduz', 9);
  expect(checkIndex(folder)).toBeUndefined();
  expect([...reader(folder).sections.get('points')!]).toEqual([9, 2, 3]);
});

test('what is no layer, damaged, unfinished or of another format is refused with an error', async () => {
  const base = temporaryFolder();
  const sound = await writeDrawnLayer(join(base, 'sound'), HOUSES);
  const copy = (name: string): string => {
    cpSync(sound, join(base, name), { recursive: true });
    return join(base, name);
  };
  const refusals: [string, RegExp][] = [];
  const refused = (folder: string, reason: RegExp) => refusals.push([folder, reason]);

  refused(join(base, 'nowhere'), /it has no data file/);
  const cut = copy('cut');
  truncateSync(join(cut, 'data.mdb'), 100_000);
  refused(cut, /its data file has lost its end/);
  const foreign = copy('foreign');
  writeFileSync(join(foreign, 'data.mdb'), 'a text\n'.repeat(5_000));
  refused(foreign, /its data file is no LMDB database, or is damaged/);
  const other = join(base, 'other');
  await open({ path: other, noSubdir: false, maxDbs: 2 }).openDB('stations', {}).put('a', 1);
  refused(other, /it is no layer of places/);
  const unfinished = join(base, 'unfinished');
  const writer = new LayerWriter(unfinished);
  writer.put(drawnPlace({}));
  await writer.abandon();
  refused(unfinished, /it is no layer of places/);
  for (const format of [3, 5]) {
    const another = copy(`format ${format}`);
    const root = open({ path: another, noSubdir: false, maxDbs: 8 });
    await root.openDB('meta', { encoding: 'json', keyEncoding: 'ordered-binary' }).put('layer', { format });
    await root.close();
    refused(another, new RegExp(`it has format ${format}, and this version reads format 4`));
  }

  for (const [folder, reason] of refusals) {
    expect(() => new LayerReader(folder)).toThrow(reason);
    expect(() => new LayerReader(folder)).toThrow(`The places in ${folder} cannot be used: `);
  }
  const lost = copy('lost');
  rmSync(join(lost, 'index'), { recursive: true });
  for (const read of [() => checkIndex(lost), () => reader(lost).sections])
    expect(read).toThrow(/^The places in .*lost cannot be used: .* Import them again: /s);
  expect(reader(sound).sections.size).toBeGreaterThan(0);
});

test('a damaged record is an error', async () => {
  const folder = await writeDrawnLayer(join(temporaryFolder(), 'layer'), 5);
  const root = open({ path: folder, noSubdir: false, maxDbs: 8 });
  await root
    .openDB('places', { encoding: 'binary', keyEncoding: 'binary' })
    .put(Buffer.of(0, 0, 0, 2), Buffer.of(1, 2, 3));
  await root.close();
  const layer = reader(folder);
  expect(() => layer.place(TOWN)).toThrow('The record of a place is damaged');
  expect(layer.place(ROAD)?.category).toBe('highway');
});
