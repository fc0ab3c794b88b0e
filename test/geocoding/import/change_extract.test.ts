// Changes of the map: an extract with its changes gives the places of a later extract, to the last byte.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';
import { importPlaces } from '../../../src/jobs/import_places.ts';
import { livePlaces, removeUnusedExtracts } from '../../../src/tables/places/extract_files.ts';
import { currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { CHANGE_KINDS, ChangingMap } from '../../kits/places/changing_map.ts';
import { contentsOfLayer } from '../../kits/places/layer_contents.ts';
import { withGeocoder } from '../../kits/places/layers.ts';
import { type DrawnChange, writeOsmChanges } from '../../kits/places/osm_changes.ts';
import { type DrawnObject, type PbfSettings, writeOsmPbf } from '../../kits/places/osm_pbf.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';

const files = folderOfFile();
const bring = (folder: string, ...paths: string[]) => importExtracts({ folder, files: paths, onProgress: () => {} });
const apply = (folder: string, paths: string[], options: { source?: string; force?: true } = {}) =>
  importPlaces({ verb: 'import', kind: 'osm-changes', files: paths, ...options }, folder, () => {});
const listOf = (folder: string) =>
  livePlaces(folder)?.extracts?.map(({ name, changes, sequence, upTo }) => ({ name, changes, sequence, upTo }));
const copiesIn = (folder: string) => readdirSync(join(folder, 'extracts')).sort();

function extract(name: string, objects: Iterable<DrawnObject>, settings: PbfSettings = {}): string {
  const path = join(files, `${name}.osm.pbf`);
  writeOsmPbf(path, objects, { isSorted: true, ...settings });
  return path;
}

test('a hundred changes of each kind give the places of a later extract', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  const [rounds, each] = [2, 50];
  const map = new ChangingMap(33, 36);
  await bring(folder, extract('map', map.sorted()));
  let before = await contentsOfLayer(folder);
  for (let round = 0; round < rounds; round++) {
    const changes: DrawnChange[] = [];
    for (let i = 0; i < each; i++) for (const kind of CHANGE_KINDS) changes.push(...map.change(kind));
    const path = writeOsmChanges(join(files, `${round}.osc.gz`), changes, `2026-11-0${round + 1}T00:00:00Z`);
    await apply(folder, [path]);
    await importExtracts({
      folder: other,
      files: [extract('map', map.sorted())],
      source: 'map',
      onProgress: () => {},
    });
    const [changed, later] = [await contentsOfLayer(folder), await contentsOfLayer(other)];
    expect(changed).not.toEqual(before);
    expect(changed.filter((row, i) => row !== later[i])).toEqual([]);
    expect(changed).toHaveLength(later.length);
    before = changed;
  }
});

/** A map of one town, and a folder that has it. */
async function townIn(folder: string, settings: PbfSettings = {}): Promise<ChangingMap> {
  const map = new ChangingMap(5, 1);
  await bring(folder, extract('town', map.sorted(), settings));
  return map;
}

/** A numbered file of changes, as its publisher names it. */
function numbered(map: ChangingMap, sequence: number): string {
  const folder = join(files, 'updates', '000', '001');
  mkdirSync(folder, { recursive: true });
  return writeOsmChanges(join(folder, `${sequence - 1_000}.osc.gz`), map.change('house moved'));
}

test('numbered files are applied one after the other', async () => {
  const folder = temporaryFolder();
  const map = await townIn(folder, { sequence: 1_110 });
  expect(listOf(folder)).toMatchObject([{ sequence: 1_110 }]);
  const [next, after, later] = [1_111, 1_112, 1_114].map(sequence => numbered(map, sequence));
  await expect(apply(folder, [after])).rejects.toThrow(
    `${after} is file 1112 of the changes, and "town" has them up to 1110: apply those between first, or go on ` +
      'without them with --force.',
  );
  await expect(apply(folder, [after, next])).rejects.toThrow('--force');
  expect(await apply(folder, [next, after])).toMatchObject({
    objectsRead: 2,
    changed: { name: 'town', sequence: 1_112 },
  });
  await expect(apply(folder, [next])).rejects.toThrow(
    `${next} is file 1111 of the changes, and "town" has them up to 1112 already.`,
  );
  await expect(apply(folder, [after])).rejects.toThrow('up to 1112 already.');
  await expect(apply(folder, [later])).rejects.toThrow('--force');
  const before = await contentsOfLayer(folder);
  await apply(folder, [next], { force: true });
  expect(await contentsOfLayer(folder)).toEqual(before);
  await apply(folder, [later], { force: true });
  expect(listOf(folder)).toMatchObject([{ sequence: 1_114 }]);
  // A state file counts before the path.
  const other = writeOsmChanges(join(files, 'minute.osc'), map.change('house moved'));
  writeFileSync(
    join(files, 'minute.state.txt'),
    '#Thu Nov 26\nsequenceNumber=1115\ntimestamp=2026-11-26T20\\:00\\:00Z\n',
  );
  expect(await apply(folder, [other])).toMatchObject({ changed: { sequence: 1_115 } });
  await expect(apply(folder, [other])).rejects.toThrow('up to 1115 already.');
});

test('files without a number are told by the time of their last change', async () => {
  const folder = temporaryFolder();
  const map = await townIn(folder, { timestamp: Date.parse('2026-11-01T00:00:00Z') / 1_000 });
  const at = (day: number) =>
    writeOsmChanges(join(files, `day${day}.osc`), map.change('node created'), `2026-11-0${day}T00:00:00Z`);
  const [first, second, third] = [at(1), at(2), at(3)];
  await expect(apply(folder, [first])).rejects.toThrow(
    `The last change in ${first} is of 2026-11-01T00:00:00.000Z, and "town" has the changes up to ` +
      '2026-11-01T00:00:00.000Z already.',
  );
  await apply(folder, [second, third]);
  expect(listOf(folder)).toMatchObject([{ changes: { objects: 2 }, upTo: '2026-11-03T00:00:00.000Z' }]);
  const layers = { extract: currentLayer(placesFolder(folder))! };
  expect(await withGeocoder(layers, geocoder => geocoder.updatedAt())).toBe('2026-11-03T00:00:00.000Z');
  await expect(apply(folder, [second])).rejects.toThrow('already');
});

test('changes after days that are missing are refused, with both dates', async () => {
  const folder = temporaryFolder();
  const map = await townIn(folder, { timestamp: Date.parse('2026-11-01T00:00:00Z') / 1_000 });
  const late = writeOsmChanges(join(files, 'late.osc'), map.change('node created'), '2026-11-04T00:00:00Z');
  const before = await contentsOfLayer(folder);
  await expect(apply(folder, [late])).rejects.toThrow(
    `The first change in ${late} is of 2026-11-04T00:00:00.000Z, and "town" has the changes up to ` +
      '2026-11-01T00:00:00.000Z: apply those between first, or go on without them with --force.',
  );
  expect(await contentsOfLayer(folder)).toEqual(before);
  await apply(folder, [late], { force: true });
  expect(listOf(folder)).toMatchObject([{ upTo: '2026-11-04T00:00:00.000Z' }]);
});

test('changes of another region are refused, with both boxes and dates', async () => {
  const folder = temporaryFolder();
  const box = { west: 9, south: 47, east: 9.5, north: 47.5 };
  await bring(
    folder,
    extract('region', new ChangingMap(5, 1).sorted(), { box, sequence: 1_000, timestamp: 1_790_000_000 }),
  );
  const created = (id: number, lat: number, lon: number): DrawnChange => ({
    action: 'create',
    object: { type: 'node', id, lat, lon, version: 1, tags: { shop: 'bakery' } },
  });
  const [inside, edge, outside] = [created(90_001, 47.2, 9.2), created(90_002, 46.9, 8.9), created(90_003, 48.2, 16.3)];
  const file = (sequence: number, changes: DrawnChange[]) => {
    mkdirSync(join(files, 'region', '000', '001'), { recursive: true });
    const path = join(files, 'region', '000', '001', `${String(sequence).padStart(3, '0')}.osc`);
    return writeOsmChanges(path, changes, '2026-09-22T00:00:00Z');
  };
  const other = file(1, [outside, created(90_004, 48.4, 16.5), inside]);
  const before = await contentsOfLayer(folder);
  await expect(apply(folder, [other])).rejects.toThrow(
    `${other} has changes of another region: 47.20,9.20 to 48.40,16.50, from 2026-09-22T00:00:00.000Z to ` +
      '2026-09-22T00:00:00.000Z; "region" is of 47.00,9.00 to 47.50,9.50, up to 2026-09-21T14:13:20.000Z, and has 1 of ' +
      'the 3 nodes. With --force they are applied nevertheless.',
  );
  expect(await contentsOfLayer(folder)).toEqual(before);
  // What lies around the edge comes with the region, and so does something from afar.
  await apply(folder, [file(1, [inside, edge, outside])]);
  await apply(folder, [file(2, [{ action: 'delete', object: { ...outside.object, version: 2 } }])]);
  await apply(folder, [file(3, [{ ...outside, object: { ...outside.object, version: 3 } }])], { force: true });
  expect(listOf(folder)).toMatchObject([{ sequence: 1_003 }]);
});

test('changes stay with their extract while others come and go', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  // Extracts are read in the order of their times, in which the changed one comes after the other.
  const [first, second, third] = [1, 2, 3].map(day => ({ timestamp: Date.parse(`2026-11-0${day}T00:00:00Z`) / 1_000 }));
  const map = await townIn(folder, first);
  const node = { type: 'node', id: 1, lat: 47.2, lon: 9.2, tags: { place: 'town', name: 'Beside' } } as const;
  const beside = extract('beside', [node], second);
  const changes = CHANGE_KINDS.flatMap(kind => map.change(kind));
  await apply(folder, [writeOsmChanges(join(files, 'town.osc'), changes, '2026-11-03T00:00:00Z')], { force: true });
  await bring(folder, beside);
  await bring(other, extract('later', map.sorted(), third), beside);
  expect(await contentsOfLayer(folder)).toEqual(await contentsOfLayer(other));
  expect(copiesIn(folder)).toEqual(['1.osm.pbf', '2.changes', '3.osm.pbf']);
  const path = writeOsmChanges(join(files, 'which.osc'), map.change('street renamed'));
  await expect(apply(folder, [path])).rejects.toThrow(
    'There are several extracts; say with --source which is changed: "town", "beside".',
  );
  await expect(apply(folder, [path], { source: 'north' })).rejects.toThrow('There is no extract "north"');
  await apply(folder, [path], { source: 'town' });
  expect(copiesIn(folder)).toEqual(['1.osm.pbf', '3.osm.pbf', '4.changes']);
  // A newer extract has the changes already.
  await bring(folder, extract('town', map.sorted()));
  expect(listOf(folder)).toMatchObject([{ changes: undefined }, { changes: undefined }]);
  expect(copiesIn(folder)).toEqual(['3.osm.pbf', '5.osm.pbf']);
});

test('an object of the extract that is newer than its change stays', async () => {
  const folder = temporaryFolder();
  const map = await townIn(folder);
  const before = await contentsOfLayer(folder);
  const [{ object }] = map.change('house moved');
  const path = writeOsmChanges(join(files, 'older.osc'), [{ action: 'delete', object: { ...object, version: 1 } }]);
  const newer = extract('newer', [{ type: 'node', id: 7, lat: 47, lon: 9, version: 9, tags: { shop: 'bakery' } }]);
  await bring(folder, newer);
  const older: DrawnChange = { action: 'delete', object: { type: 'node', id: 7, lat: 0, lon: 0, version: 8 } };
  const held = await contentsOfLayer(folder);
  await apply(folder, [writeOsmChanges(join(files, 'seven.osc'), [older])], { source: 'newer' });
  expect(await contentsOfLayer(folder)).toEqual(held);
  // Of the same version it counts: so is an object whose deletion was not counted.
  await apply(folder, [path], { source: 'town' });
  expect(await contentsOfLayer(folder)).not.toEqual(before);
});

const folderWithTown = folderOfFile();
beforeAll(() => townIn(folderWithTown));

test.each([
  ['<osm version="0.6"></osm>', 'line 1: <osm> stands where <osmChange> must.'],
  ['<osmChange>\n<node id="1" version="1"/></osmChange>', 'line 2: <node> is none of create, modify, delete.'],
  ['<osmChange>\n<create>\n<area/></create></osmChange>', 'line 3: <area> is none of node, way, relation.'],
  [
    '<osmChange><create>\n<node version="1" lat="1" lon="1"/></create></osmChange>',
    'line 2: the attribute id is missing.',
  ],
  ['<osmChange><create><node id="x" version="1"/></create></osmChange>', 'line 1: id="x" is no whole number.'],
  ['<osmChange><create><node id="1" version="0"/></create></osmChange>', 'line 1: version="0" is no version'],
  [
    '<osmChange><create><node id="1" version="1" lon="1"/></create></osmChange>',
    'line 1: the attribute lat is missing.',
  ],
  [
    '<osmChange><create><node id="1" version="1" lat="91" lon="1"/></create></osmChange>',
    'lat="91" is not from -90 to 90.',
  ],
  [
    '<osmChange><create><way id="1" version="1"><nd/></way></create></osmChange>',
    'line 1: the attribute ref is missing.',
  ],
  [
    '<osmChange><modify><relation id="1" version="1"><member type="area" ref="1"/></relation></modify></osmChange>',
    'type="area" is no type',
  ],
  ['<osmChange>\n<create>\n<node id="1" version="1" lat="1" lon="1">\n', 'the file ends within the element <node>.'],
  ['<osmChange>\n<create>\n</modify>\n', 'line 3: it is no XML: Unexpected close tag.'],
  ['no map', 'line 1: it is no XML: '],
  [
    `<osmChange><create><way id="1" version="1">${'<nd ref="1"/>'.repeat(100_001)}</way></create></osmChange>`,
    'more than 100000 parts',
  ],
])('a file that is none is a sentence with its name and line, and changes nothing (%#)', async (text, sentence) => {
  const folder = folderWithTown;
  const held = [await contentsOfLayer(folder), listOf(folder), copiesIn(folder)];
  const path = join(files, 'bad.osc');
  writeFileSync(path, text);
  await expect(apply(folder, [path])).rejects.toThrow(`The places could not be imported: ${path}, `);
  await expect(apply(folder, [path])).rejects.toThrow(sentence);
  expect([await contentsOfLayer(folder), listOf(folder), copiesIn(folder)]).toEqual(held);
});

test('changes that fail in any phase, or were cut off, leave all as it was', async () => {
  const folder = temporaryFolder();
  const map = await townIn(folder);
  await apply(folder, [writeOsmChanges(join(files, 'first.osc'), map.change('house moved'))]);
  const held = [await contentsOfLayer(folder), listOf(folder), copiesIn(folder)];
  const path = writeOsmChanges(join(files, 'second.osc.gz'), map.change('street renamed'));
  const job = { verb: 'import', kind: 'osm-changes', files: [path] } as const;
  for (const end of ['changes', 'nodes', 'places', 'index']) {
    const onProgress = ({ phase }: { phase: string }): void => {
      if (phase === end) throw new Error('The service is stopping.');
    };
    await expect(importPlaces({ ...job, files: [path] }, folder, onProgress)).rejects.toThrow('is stopping');
    expect([await contentsOfLayer(folder), listOf(folder), copiesIn(folder)]).toEqual(held);
  }
  // A kill leaves files that no list names; the owner removes them when it starts.
  for (const name of ['7.changes', '8.changes.partial']) writeFileSync(join(folder, 'extracts', name), 'cut');
  removeUnusedExtracts(folder, livePlaces(folder));
  expect(copiesIn(folder)).toEqual(held[2]);
  // What the disk has damaged is told.
  const kept = join(folder, 'extracts', '2.changes');
  const bytes = readFileSync(kept);
  bytes[30] ^= 1;
  writeFileSync(kept, bytes);
  await expect(apply(folder, [path])).rejects.toThrow(`The changes of an extract in ${kept} are damaged`);
});

test('an extract that cannot be changed is a sentence', async () => {
  const folder = temporaryFolder();
  const path = writeOsmChanges(join(files, 'none.osc'), []);
  await expect(apply(folder, [path])).rejects.toThrow('There is no extract whose copy was kept');
  const objects = new ChangingMap(5, 1).sorted();
  await bring(folder, extract('unsorted', objects, { isSorted: false }));
  await expect(apply(folder, [path])).rejects.toThrow('"unsorted" does not say that its objects are sorted');
  const parts = [extract('a', objects), extract('b', objects)];
  await importExtracts({ folder, files: parts, source: 'both', onProgress: () => {} });
  await expect(apply(folder, [path], { source: 'both' })).rejects.toThrow('"both" has 2 files');
});
