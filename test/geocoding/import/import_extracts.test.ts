import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';
import { livePlaces, removeUnusedExtracts } from '../../../src/tables/places/extract_files.ts';
import { currentLayer, placesFolder, removeReplacedLayers } from '../../../src/tables/places/generations.ts';
import { LayerReader } from '../../../src/tables/places/layer.ts';
import { OSM_NODE } from '../../../src/tables/places/place.ts';
import { removeLeftovers } from '../../../src/tables/stations/generation.ts';
import { PLACES_BESIDE_HOUSES, writeTown } from '../../kits/places/extracts.ts';
import { writeOsmPbf } from '../../kits/places/osm_pbf.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

function importFiles(folder: string, ...files: string[]) {
  return importExtracts({ folder, files, onProgress: () => {} });
}

/** Houses in the live layer, and the town's name, all read. */
async function liveTown(folder: string): Promise<{ town: string; houses: number }> {
  const path = currentLayer(placesFolder(folder))!;
  const layer = new LayerReader(path);
  expect(layer.sections.size).toBeGreaterThan(0);
  let [town, houses] = ['', 0];
  for (let id = 1; id <= layer.meta.count; id++) {
    const place = layer.place(id)!;
    if (place.type === 'town') town = place.names.name;
    if (place.houseNumber !== '') houses++;
    if (place.houseNumber !== '') expect(layer.place(place.parent)?.category).toBe('highway');
  }
  await layer.close();
  return { town, houses };
}

test('places of an extract are the live layer, and an import under its name replaces them', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const summary = await importFiles(folder, writeTown(join(files, 'vaduz.osm.pbf'), 100));
  expect(summary).toMatchObject({
    areas: 1,
    roads: 1,
    houses: 100,
    pois: 0,
    postcodes: 0,
    skipped: [],
    places: 100 + PLACES_BESIDE_HOUSES,
  });
  expect(await liveTown(folder)).toEqual({ town: 'Vaduz', houses: 100 });
  const layer = new LayerReader(currentLayer(placesFolder(folder))!);
  expect(layer.meta).toMatchObject({
    sources: ['vaduz'],
    licence: expect.stringContaining('OpenStreetMap contributors, ODbL'),
  });
  expect(layer.place(1)).toMatchObject({ osmType: OSM_NODE, osmId: 1 });
  await layer.close();
  await importExtracts({
    folder,
    files: [writeTown(join(files, 'vaduz.osm.pbf'), 30, 'Schaan')],
    replace: true,
    onProgress: () => {},
  });
  expect(await liveTown(folder)).toEqual({ town: 'Schaan', houses: 30 });
  expect(readdirSync(folder)).toEqual(['extracts', 'places']);
  expect(readdirSync(join(folder, 'extracts'))).toEqual(['2.osm.pbf']);
});

test('what the border cuts off is told of the extract that is imported, and not again of others', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const cutOff = (name: string, id: number) => {
    const boundary = { boundary: 'administrative', admin_level: '8', name };
    const path = join(files, `${name}.osm.pbf`);
    writeOsmPbf(path, [
      { type: 'node', id, lat: 47, lon: 9, tags: { place: 'town', name } },
      {
        type: 'relation',
        id,
        members: [{ type: 'way', ref: 99, role: 'outer' }],
        tags: { type: 'boundary', ...boundary },
      },
    ]);
    return path;
  };
  const skipped = async (path: string) =>
    (await importFiles(folder, path)).skipped.map(({ id, isCutOff, file }) => [id, isCutOff, file]);
  expect(await skipped(cutOff('north', 7))).toEqual([[7, true, undefined]]);
  expect(await skipped(cutOff('south', 8))).toEqual([[8, true, undefined]]);
  expect(await skipped(cutOff('north', 7))).toEqual([[7, true, undefined]]);
});

test('what cannot be read is a sentence, and changes and leaves nothing', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const town = writeTown(join(files, 'town.osm.pbf'), 20_000);
  await importFiles(folder, town);
  const before = readFileSync(join(currentLayer(placesFolder(folder))!, 'index', 'data.mdb'));
  const cut = writeTown(join(files, 'cut.osm.pbf'), 20_000);
  truncateSync(cut, statSync(cut).size - 1_000);
  const foreign = join(files, 'foreign.osm.pbf');
  writeFileSync(foreign, '<osm version="0.6"></osm>\n'.repeat(1_000));
  const empty = join(files, 'empty.osm.pbf');
  writeFileSync(empty, '');
  await expect(importFiles(folder, join(files, 'none.osm.pbf'))).rejects.toThrow(
    `There is no file ${join(files, 'none.osm.pbf')}.`,
  );
  await expect(importFiles(folder, files)).rejects.toThrow(`${files} is no file.`);
  for (const file of [cut, foreign, empty]) {
    await expect(importFiles(folder, town, file)).rejects.toThrow(
      /^The places could not be imported: .*\. They are as they were before\.$/s,
    );
    await expect(importFiles(folder, town, file)).rejects.toThrow(file);
  }
  expect(readdirSync(folder)).toEqual(['extracts', 'places']);
  expect(readdirSync(join(folder, 'extracts'))).toEqual(['1.osm.pbf']);
  expect(readdirSync(placesFolder(folder)).sort()).toEqual(['1', 'CURRENT']);
  expect(readFileSync(join(currentLayer(placesFolder(folder))!, 'index', 'data.mdb')).equals(before)).toBe(true);
});

test('an extract without places is refused', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const { writeOsmPbf } = await import('../../kits/places/osm_pbf.ts');
  const path = join(files, 'sea.osm.pbf');
  writeOsmPbf(path, [{ type: 'node', id: 1, lat: 0, lon: 0 }]);
  await expect(importFiles(folder, path)).rejects.toThrow(`There are no places in ${path}.`);
  expect(currentLayer(placesFolder(folder))).toBeUndefined();
});

test('an import that is told to end gives up in any phase', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const town = writeTown(join(files, 'town.osm.pbf'), 6_000);
  const phases = new Set<string>();
  await importExtracts({ folder, files: [town], onProgress: ({ phase }) => phases.add(phase) });
  expect(phases.size).toBeGreaterThan(7);
  for (const end of phases) {
    const onProgress = ({ phase }: { phase: string }): void => {
      if (phase === end) throw new Error('The service is stopping.');
    };
    await expect(importExtracts({ folder, files: [town], onProgress })).rejects.toThrow(
      'The places could not be imported: The service is stopping. They are as they were before.',
    );
  }
  expect(readdirSync(folder)).toEqual(['extracts', 'places']);
  expect(readdirSync(join(folder, 'extracts'))).toEqual(['1.osm.pbf']);
  expect(readdirSync(placesFolder(folder)).sort()).toEqual(['1', 'CURRENT']);
});

test('an import may be told to end before it copies an extract, and often while it writes the indexes', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const town = writeTown(join(files, 'town.osm.pbf'), 6_000);
  const copies: string[][] = [];
  const steps: number[] = [];
  const onProgress = ({ phase, done }: { phase: string; done: number }): void => {
    const extracts = join(folder, 'extracts');
    copies.push(existsSync(extracts) ? readdirSync(extracts) : []);
    if (phase === 'index') steps.push(done);
  };
  await importExtracts({ folder, files: [town], onProgress });
  expect([copies[0], copies.at(-1)]).toEqual([[], ['1.osm.pbf']]);
  expect(new Set(steps)).toEqual(new Set([0, 1, 2, 3]));
  expect(steps.length).toBeGreaterThan(10);
});

/** Runs an import in a process of its own and kills it when `isTime`. @returns false when it came to its end before */
async function importUntil(folder: string, file: string, isTime: () => boolean): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, ['test/geocoding/import/import_child.ts', folder, file], {
    stdio: 'ignore',
  });
  let signal: NodeJS.Signals | null | undefined;
  const ended = new Promise<void>(resolve => {
    child.on('exit', (_, by) => {
      signal = by;
      resolve();
    });
  });
  while (signal === undefined && !isTime()) await nextTurn();
  child.kill('SIGKILL');
  await ended;
  return signal === 'SIGKILL';
}

test('a kill at any moment leaves the places before it or those after it, and nothing else', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  await importFiles(folder, writeTown(join(files, 'first.osm.pbf'), 100, 'Town 0'));
  let kills = 0;
  let last = { town: 'Town 0', houses: 100 };
  const moments = [
    () => readdirSync(folder).some(name => name.startsWith('import-')),
    (partial: string) => existsSync(join(partial, 'data.mdb')),
    (partial: string) => (statSync(join(partial, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0) > 500_000,
    (partial: string) => existsSync(join(partial, 'index', 'data.mdb')),
    (partial: string) => existsSync(partial.replace('.partial', '')),
  ];
  for (const [round, isTime] of moments.entries()) {
    const town = { town: `Town ${round + 1}`, houses: 15_000 };
    const file = writeTown(join(files, 'first.osm.pbf'), town.houses, town.town);
    const n = Number(readFileSync(join(placesFolder(folder), 'CURRENT'), 'utf8')) + 1;
    if (await importUntil(folder, file, () => isTime(`${placesFolder(folder)}/${n}.partial`))) kills++;
    // What the owner of a data folder does at its start.
    removeLeftovers(folder);
    removeReplacedLayers(placesFolder(folder));
    removeUnusedExtracts(folder, livePlaces(folder));
    const live = await liveTown(folder);
    expect([last, town]).toContainEqual(live);
    last = live;
    expect(readdirSync(folder)).toEqual(['extracts', 'places']);
    expect(readdirSync(join(folder, 'extracts'))).toHaveLength(1);
    expect(readdirSync(placesFolder(folder))).toHaveLength(2);
  }
  expect(kills).toBeGreaterThan(2);
});
