import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openBuildings, readSources } from '../../../../src/indoor/tables/buildings/building_tables.ts';
import {
  type BuildingSummary,
  importBuildings,
  removeBuildings,
} from '../../../../src/indoor/transfer/buildings/import_buildings.ts';
import { ReplacementRefused } from '../../../../src/tables/sources/source_name.ts';
import { corners, degreesAt } from '../../../kits/buildings/drawn.ts';
import { type DrawnObject, writeOsmPbf } from '../../../kits/places/osm_pbf.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';
import { zipOf } from '../../../transfer/formats/zip_of.ts';
import { collection, line, polygon } from './plan.ts';

let base: string;
let folder: string;
beforeEach(() => {
  base = temporaryFolder();
  folder = join(base, 'var');
});

function fileOf(name: string, content: string | Buffer): string {
  const path = join(base, name);
  writeFileSync(path, content);
  return path;
}

function run(files: string[], source?: string, replace = false): Promise<BuildingSummary> {
  return importBuildings({ folder, files, source, replace, onProgress: () => {} });
}

async function namesOfSources(): Promise<string[]> {
  const tables = openBuildings(folder)!;
  const names = readSources(tables).map(({ name }) => name);
  await tables.root.close();
  return names;
}

const PLAN = collection(
  polygon({ buildingId: 1 }, [0, 0], [40, 30]),
  polygon({ floorIndex: 0, room: 'a' }, [0, 0], [9, 9]),
  polygon({ floorIndex: 1, room: 'b' }, [0, 0], [9, 9]),
  line({ floorIndex: 0, wall: true }, [9, 0], [9, 9], [0, 9]),
  line({ floorIndex: 0, door: true }, [9, 3], [9, 4]),
);

function extract(name: string): string {
  const square = corners([200, 0], [240, 30]).slice(0, -1);
  const nodes = square.map(
    (at, i): DrawnObject => ({ type: 'node', id: i + 1, lat: degreesAt(at)[1], lon: degreesAt(at)[0] }),
  );
  const way = (id: number, tags: Record<string, string>): DrawnObject => ({
    type: 'way',
    id,
    nodes: [1, 2, 3, 4, 1],
    tags,
  });
  writeOsmPbf(join(base, name), [
    ...nodes,
    way(10, { building: 'yes' }),
    way(11, { indoor: 'room', level: '3', name: 'x' }),
  ]);
  return join(base, name);
}

test('the form of a file is told by its content, and the result says what came in', async () => {
  // The names say nothing.
  const plain = fileOf('plan.zip', PLAN);
  const imdf = fileOf(
    'archive.geojson',
    zipOf(
      { name: 'manifest.json', content: '{"language":"en"}' },
      {
        name: 'building.geojson',
        content: '{"type":"FeatureCollection","features":[{"id":"b","properties":{"name":{"en":"Mall"}}}]}',
      },
      {
        name: 'footprint.geojson',
        content: collection(polygon({ category: 'ground', building_ids: ['b'] }, [100, 0], [140, 30])),
      },
      {
        name: 'level.geojson',
        content: collection({ ...polygon({ ordinal: 0, building_ids: ['b'] }, [100, 0], [140, 30]), id: 'l' }),
      },
    ),
  );
  expect(await run([plain, imdf, extract('map')], 'all')).toEqual({
    source: 'all',
    imported: { buildings: 3, floors: 4, rooms: 3, walls: 2, doors: 1 },
    removed: 0,
    skipped: [],
    buildings: 3,
  });
});

test('a file of the same name with other buildings is refused, unless they may go', async () => {
  const office = (buildingId: number, west: number) => polygon({ buildingId }, [west, 0], [west + 40, 30]);
  const plan = (...offices: ReturnType<typeof office>[]) => fileOf('plan.geojson', collection(...offices));
  const all = [office(1, 0), office(2, 100), office(3, 200), office(4, 300)];
  await run([plan(...all)]);
  const other = plan(office(1, 1_000), office(2, 1_100), office(4, 300));
  await expect(run([other])).rejects.toThrow(ReplacementRefused);
  await expect(run([other])).rejects.toThrow('lacks 3 of the 4 buildings of the source "plan"');
  expect(await run([other], 'other')).toMatchObject({ removed: 0, buildings: 7 });
  expect(await run([other], undefined, true)).toMatchObject({ removed: 4, buildings: 6 });
  await run([plan(...all)], undefined, true);
  // Half of them, drawn anew and with other numbers.
  expect(await run([plan(office(7, 2), office(8, 98))])).toMatchObject({ removed: 4, buildings: 5 });
});

test('an import replaces one of the same name, which is that of the files unless it is named', async () => {
  const path = fileOf('campus.geojson', PLAN);
  await run([path]);
  await run([path], 'other');
  expect(await run([path])).toMatchObject({ source: 'campus', removed: 1, buildings: 2 });
  expect(await namesOfSources()).toEqual(['campus', 'other']);
  expect(await removeBuildings(folder, 'campus')).toEqual({ removed: 1, buildings: 1 });
  await expect(removeBuildings(folder, 'campus')).rejects.toThrow(
    'There are no buildings "campus"; "sextant buildings list" names all.',
  );
});

test('an import that fails changes nothing', async () => {
  await run([fileOf('campus.geojson', PLAN)]);
  const bad = fileOf(
    'bad.geojson',
    collection(polygon({ buildingId: 2 }, [0, 0], [9, 9]), polygon({ floorIndex: 'x' }, [0, 0], [5, 5])),
  );
  await expect(run([bad], 'campus')).rejects.toThrow(
    'bad.geojson, feature 2: properties.floorIndex must be a whole number',
  );
  await expect(run([fileOf('none.geojson', collection())], 'campus')).rejects.toThrow('There are no buildings in');
  expect(await namesOfSources()).toEqual(['campus']);
});

test.each([
  ['missing', undefined, 'file does not exist.'],
  ['empty', '', 'file is empty.'],
  [
    'a list',
    '[1]',
    'file is none of the forms that are known: GeoJSON, an IMDF archive (.zip), an OpenStreetMap extract (.osm.pbf).',
  ],
  ['in Latin-1', Buffer.from('{"name":"Köln"}', 'latin1'), 'file is not UTF-8, as GeoJSON is; save it so.'],
  ['binary', Buffer.from([1, 2, 3]), 'file is none of the forms that are known'],
])('a file that is %s is refused', async (_, content, message) => {
  const path = join(base, 'file');
  if (content !== undefined) writeFileSync(path, content);
  await expect(run([path])).rejects.toThrow(message);
});

test('nothing can be removed where nothing was imported', async () => {
  await expect(removeBuildings(base, 'campus')).rejects.toThrow('There are no buildings "campus"');
});

test('an import may be told to end before it parses a file, however few features that has', async () => {
  const onProgress = ({ phase }: { phase: string }): void => {
    if (phase === 'features') throw new Error('The service is stopping.');
  };
  // What is no JSON would be said if it were parsed.
  const files = [fileOf('campus.geojson', '{')];
  await expect(importBuildings({ folder, files, onProgress })).rejects.toThrow('The service is stopping.');
  await expect(run(files)).rejects.toThrow('campus.geojson');
});
