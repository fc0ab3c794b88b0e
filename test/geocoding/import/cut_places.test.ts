// Parts of a layer: of a region, and what only answers points.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Box, boxOf } from '../../../src/geo/box.ts';
import { type Geometry, linesOf } from '../../../src/geo/rings.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../../src/geo/units.ts';
import { cutPlaces, placesOfRegion, type Region } from '../../../src/geocoding/import/cut_places.ts';
import {
  exportPlaces,
  importFinishedPlaces,
  type PlacesExport,
} from '../../../src/geocoding/import/finished_places.ts';
import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';
import { blocksOfPlaces, placesOfBlocks } from '../../../src/geocoding/import/point_places.ts';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { listSources } from '../../../src/jobs/sources.ts';
import { livePlaces } from '../../../src/tables/places/extract_files.ts';
import { buildLayer, currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { LayerReader } from '../../../src/tables/places/layer.ts';
import { OSM_WAY } from '../../../src/tables/places/place.ts';
import { ChangingMap } from '../../kits/places/changing_map.ts';
import { HOUSE, SquareMap, writeDrawnExtract } from '../../kits/places/extracts.ts';
import { contentsOfLayer } from '../../kits/places/layer_contents.ts';
import { withGeocoder, writeLayer } from '../../kits/places/layers.ts';
import { writeOsmPbf } from '../../kits/places/osm_pbf.ts';
import { placeOf } from '../../kits/places/place.ts';
import { uniform } from '../../kits/random.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';

const files = folderOfFile();
/** Data folders: a map of towns, and the drawn country. */
const [towns, country] = [join(files, 'towns'), join(files, 'country')];
/** Around Vaduz, degrees. */
const VADUZ = { west: 9.49, south: 47.11, east: 9.55, north: 47.17 };

beforeAll(async () => {
  const map = new ChangingMap(11, 12);
  const wall = [1, 2].map(n => ({ type: 'node' as const, id: n, lat: 47 + n / 1e4, lon: 9 }));
  const objects = map.sorted();
  const ways = objects.findIndex(({ type }) => type === 'way');
  objects.splice(ways, 0, { type: 'way', id: 3, nodes: [1, 2], tags: { man_made: 'pier', name: 'Long Pier' } });
  const path = join(files, 'towns.osm.pbf');
  writeOsmPbf(path, [...wall, ...objects], { isSorted: true });
  await importExtracts({ folder: towns, files: [path], onProgress: () => {} });
  mkdirSync(country);
  const drawn = writeDrawnExtract(join(files, 'drawn.osm.pbf'));
  await importExtracts({ folder: country, files: [drawn], onProgress: () => {} });
});

async function withReader<T>(folder: string, use: (reader: LayerReader) => T | Promise<T>): Promise<T> {
  const reader = new LayerReader(currentLayer(placesFolder(folder))!);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/** Exports places and takes them in elsewhere. @returns that data folder, and the file */
async function moved(folder: string, what: Partial<PlacesExport>): Promise<{ to: string; file: string }> {
  const scratchFolder = join(temporaryFolder(), 'cut');
  const pieces: Buffer[] = [];
  for await (const { bytes } of exportPlaces(folder, { scratchFolder, onCut: () => {}, ...what })) pieces.push(bytes);
  expect(existsSync(scratchFolder)).toBe(false);
  const [to, file] = [temporaryFolder(), join(temporaryFolder(), 'part.places')];
  writeFileSync(file, Buffer.concat(pieces));
  await importFinishedPlaces({ folder: to, files: [file], onProgress: () => {} });
  return { to, file };
}

const geocoding = <T>(folder: string, use: Parameters<typeof withGeocoder<T>>[1]) =>
  withGeocoder({ extract: currentLayer(placesFolder(folder))! }, use);
const searched = (folder: string, text: string) =>
  geocoding(folder, geocoder => geocoder.search(freeTextQuestion(text)).map(({ displayName }) => displayName));

test('a layer of all places of another one is that layer, to the last byte', async () => {
  for (const from of [towns, country]) {
    const to = temporaryFolder();
    await withReader(from, reader => buildLayer(placesFolder(to), path => cutPlaces(reader, path, {}, () => {})));
    expect(await contentsOfLayer(to)).toEqual(await contentsOfLayer(from));
    expect(livePlaces(to)).toEqual(livePlaces(from));
  }
});

describe('places of a box', () => {
  test('are there with all that their addresses name, and nothing else is', async () => {
    const { to } = await moved(country, { region: { box: VADUZ } });
    const reverse = (folder: string) =>
      geocoding(folder, geocoder =>
        geocoder.addressText({ latitude: HOUSE.lat, longitude: HOUSE.lon, zoom: 18, languages: [] }),
      );
    expect(await reverse(to)).toContain('"town":"Vaduz"');
    expect(await reverse(to)).toBe(await reverse(country));
    // The street of the house lies beside this box.
    const { lat, lon } = HOUSE;
    const small = { west: lon - 1e-4, south: lat - 1e-4, east: lon + 1e-4, north: lat + 1e-4 };
    const house = await moved(country, { region: { box: small } });
    expect(await reverse(house.to)).toBe(await reverse(country));
    expect(livePlaces(house.to)!.count).toBeLessThan(livePlaces(to)!.count);
    expect(await searched(to, 'Äulestrasse 3')).toEqual([expect.stringContaining('Vaduz')]);
    expect(await searched(country, 'Äulestrasse 3')).toHaveLength(2);
    expect(await searched(to, 'Schaan')).toEqual([]);
    expect(await searched(to, 'Liechtenstein')).toHaveLength(1);
    const [whole, part] = [livePlaces(country)!, livePlaces(to)!];
    expect(part.builtAt).toBe(whole.builtAt);
    expect(part.extracts![0].objects).toBe(Math.round((whole.extracts![0].objects * part.count) / whole.count));
  });

  test('may be none', async () => {
    await expect(moved(country, { region: { box: { west: 1, south: 1, east: 2, north: 2 } } })).rejects.toThrow(
      'There are no places in this region.',
    );
  });

  test('reach into it: a street that crosses it, an area around it', async () => {
    const random = uniform(3);
    const at = () => ({ lat: 10 + random(), lon: 20 + random() });
    const streets = Array.from({ length: 99 }, () => [at(), at()]);
    const map = new SquareMap();
    for (const [i, ends] of streets.entries()) map.street(i + 1, ends, `Street ${i}`);
    map.square(1, 8, { lat: 10.65, lon: 20.65 }, 0.45, { name: 'Around' });
    map.square(2, 8, { lat: 10.1, lon: 20.1 }, 0.05, { name: 'Beside' });
    const folder = temporaryFolder();
    await importExtracts({ folder, files: [map.write(join(folder, 'a.osm.pbf'))], onProgress: () => {} });
    const box = { west: 20.4, south: 10.4, east: 20.6, north: 10.6 };
    const [west, south, east, north] = [box.west, box.south, box.east, box.north].map(unitsOf);
    const sides = [
      [west, south, east, south],
      [east, south, east, north],
      [east, north, west, north],
      [west, north, west, south],
    ];
    const expected = streets.flatMap((ends, i) => {
      const [a, b] = ends.map(({ lat, lon }) => [unitsOf(lon), unitsOf(lat)]);
      const isIn = [a, b].some(([x, y]) => x >= west && x <= east && y >= south && y <= north);
      return isIn || sides.some(([x0, y0, x1, y1]) => cross(a, b, [x0, y0], [x1, y1])) ? [`Street ${i}`] : [];
    });
    const names = await withReader(folder, reader =>
      Array.from(
        placesOfRegion(reader, { box }, () => {}),
        ({ place }) => place.names.name,
      ),
    );
    expect(names.filter(name => name.startsWith('Street')).sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(10);
    expect(names.filter(name => !name.startsWith('Street'))).toEqual(['Around']);
  });

  test('is within an area of which nothing else is there', async () => {
    const folder = temporaryFolder();
    const map = new SquareMap();
    map.square(1, 8, { lat: 10.65, lon: 20.65 }, 0.45, { name: 'Around' });
    const corner = [
      { lat: 10.3, lon: 20.3 },
      { lat: 10.3, lon: 20.7 },
      { lat: 10.7, lon: 20.7 },
    ];
    map.street(2, corner, 'Bend around a corner of the box');
    await importExtracts({ folder, files: [map.write(join(folder, 'a.osm.pbf'))], onProgress: () => {} });
    const kept = (west: number) =>
      withReader(folder, reader =>
        Array.from(placesOfRegion(reader, { box: { west, south: 10.4, east: west + 0.1, north: 10.5 } }, () => {})),
      );
    expect(await kept(20.4)).toHaveLength(1);
    await expect(kept(21.2)).rejects.toThrow('There are no places in this region.');
  });
});

/** True if two segments cross. */
function cross(a: number[], b: number[], c: number[], d: number[]): boolean {
  const side = ([x, y]: number[], [x0, y0]: number[], [x1, y1]: number[]) =>
    Math.sign((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0));
  return side(c, a, b) !== side(d, a, b) && side(a, c, d) !== side(b, c, d);
}

test('places of a country are those that the layer has in it', async () => {
  const kept = (region: Region) => withReader(country, reader => [...placesOfRegion(reader, region, () => {})].length);
  expect(await kept({ country: 'LI' })).toBe(livePlaces(country)!.count);
  expect(await kept({ country: 'LI', box: VADUZ })).toBeLessThan(livePlaces(country)!.count);
  await expect(kept({ country: 'CH' })).rejects.toThrow('There are no places in this region.');
  const folder = temporaryFolder();
  const nodeIn = (countryCode: string, longitude: number) =>
    [placeOf({ countryCode, latitude: 47, longitude }), { kind: 'point' }] as [ReturnType<typeof placeOf>, Geometry];
  // Where the map says nothing, the borders of the world do.
  const places = [nodeIn('ch', 9.1), nodeIn('at', 9.2), nodeIn('', 8.5), nodeIn('', 11)];
  await writeLayer(join(folder, 'layer'), 'none', places);
  const reader = new LayerReader(join(folder, 'layer'));
  const found = [...placesOfRegion(reader, { country: 'CH' }, () => {})].map(({ place }) => place.longitude);
  await reader.close();
  expect(found).toEqual([9.1, 8.5]);
});

describe('places that only answer points', () => {
  test('answer each point as all places do, and no search but that of the gazetteer', async () => {
    for (const from of [towns, country]) {
      const { to, file } = await moved(from, { pointsOnly: true });
      const random = uniform(8);
      const points = Array.from({ length: 500 }, () => ({
        latitude: 46.98 + random() * 0.3,
        longitude: 8.98 + random() * 0.6,
        zoom: [18, 18, 17, 16, 14, 12, 10, 5][Math.floor(random() * 8)],
        languages: ['ru'],
      }));
      const answers = (folder: string) =>
        geocoding(folder, geocoder =>
          points.map(point => {
            const found = geocoder.reverse(point);
            return found && { ...found, geometry: found.geometry?.() };
          }),
        );
      const [all, alone] = [await answers(from), await answers(to)];
      expect(all.filter(Boolean).length).toBeGreaterThan(30);
      expect(alone).toEqual(all);
      const name = from === towns ? 'Town 1' : 'Vaduz';
      expect([(await searched(from, name)).length > 0, await searched(to, name)]).toEqual([true, []]);
      const objects = [1, 2, 3].map(id => ({ type: OSM_WAY, id }) as const);
      expect(await geocoding(to, geocoder => geocoder.lookup(objects, []))).toEqual([]);
      expect(await listSources(to)).toMatchObject([{ name: 'part', kind: 'osm', pointsOnly: true }]);
      expect(livePlaces(to)).toMatchObject({ builtAt: livePlaces(from)!.builtAt, count: livePlaces(from)!.count });
      // What was taken in is exported as the same again.
      const again = await moved(to, {});
      expect(bodyOf(again.file)).toEqual(bodyOf(file));
    }
  });

  test('leave searches to the gazetteer, also in a country whose borders they have', async () => {
    const world = join(temporaryFolder(), 'world');
    const said = { latitude: 47.2, longitude: 9.53, countryCode: 'li', searchRank: 16, addressRank: 16 };
    const schaan = placeOf({ ...said, category: 'place', type: 'town', names: { name: 'Schellenberg' } });
    await writeLayer(world, 'none', [[schaan, { kind: 'point' }]]);
    const { to } = await moved(country, { pointsOnly: true });
    const found = (folder: string) =>
      withGeocoder({ world, extract: currentLayer(placesFolder(folder))! }, geocoder =>
        geocoder.search(freeTextQuestion('Schellenberg')).map(({ displayName }) => displayName),
      );
    expect([(await found(country)).length, (await found(to)).length]).toEqual([0, 1]);
    const explained = await withGeocoder({ world, extract: currentLayer(placesFolder(to))! }, geocoder =>
      geocoder.explainSearch(freeTextQuestion('Schellenberg')),
    );
    expect(explained.explained.candidates).toMatchObject([{ layer: 'world', outcome: 'answered' }]);
  });

  test('of a region are a part of those of all', async () => {
    const { to } = await moved(country, { pointsOnly: true, region: { box: VADUZ } });
    expect(livePlaces(to)!.pointsOnly).toBe(true);
    expect(livePlaces(to)!.count).toBeLessThan(livePlaces(country)!.count);
    expect(await contentsOfLayer(to)).not.toEqual(await contentsOfLayer(country));
  });

  test('are refused where the file is damaged, and nothing of it stays', async () => {
    const { file } = await moved(country, { pointsOnly: true });
    const whole = readFileSync(file);
    const { begin, header, body } = partsOf(whole);
    const packed = (head: object, bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, ...head })}\n`), zstdCompressSync(bytes)]);
    const flipped = Buffer.from(whole);
    flipped[begin + ((whole.length - begin) >> 1)] ^= 1;
    const long = Buffer.from(body);
    long.writeUInt32LE(0xffffffff);
    const cases: [Buffer, RegExp][] = [
      [flipped, /is damaged/],
      [whole.subarray(0, -1), /is damaged/],
      [packed({}, body.subarray(0, -1)), /is damaged: it ends within a block/],
      [packed({}, long), /is damaged: a block of 4294967295 bytes/],
      [packed({}, Buffer.alloc(0)), /is damaged: 0 places are in it, and \d+ should be/],
      [packed({ places: header.places + 1 }, body), /is damaged: \d+ places are in it/],
      [packed({}, Buffer.from([1, 0, 0, 0, 9])), /is damaged: Data end inside of a field/],
    ];
    const folder = temporaryFolder();
    for (const [bytes, problem] of cases) {
      writeFileSync(join(folder, 'part.places'), bytes);
      const taking = importFinishedPlaces({ folder, files: [join(folder, 'part.places')], onProgress: () => {} });
      await expect(taking).rejects.toThrow(problem);
      expect(livePlaces(folder)).toBeUndefined();
    }
    writeFileSync(join(folder, 'part.places'), whole);
    const ended = () => {
      throw new Error('The import was cancelled');
    };
    const taking = importFinishedPlaces({ folder, files: [join(folder, 'part.places')], onProgress: ended });
    await expect(taking).rejects.toThrow('The places could not be imported: The import was cancelled.');
  });
});

function partsOf(file: Buffer) {
  const begin = file.indexOf('\n') + 1;
  return { begin, header: JSON.parse(file.toString('utf8', 0, begin)), body: zstdDecompressSync(file.subarray(begin)) };
}

function degreesOf({ west, south, east, north }: Box): Box {
  const [w, s, e, n] = [west, south, east, north].map(side => side / UNITS_PER_DEGREE);
  return { west: w, south: s, east: e, north: n };
}

function boxIn({ west, south, east, north }: Box): number[] {
  return [west, south, east, north].map(unitsOf);
}

function bodyOf(path: string): string {
  return partsOf(readFileSync(path)).body.toString('hex');
}

test('shapes of all kinds and sizes come through in pieces of any size', async () => {
  const random = uniform(21);
  const number = (below: number) => Math.floor(random() * below);
  const line = (points: number) => Int32Array.from({ length: 2 * points }, () => number(2 ** 31) - 2 ** 30);
  const shapes: Geometry[] = Array.from({ length: 300 }, (_, i) => {
    if (i % 3 === 0) return { kind: 'point' };
    if (i % 3 === 1) return { kind: 'line', coordinates: line(2 + number(5)) };
    return { kind: 'area', rings: Array.from({ length: 1 + number(3) }, () => line(i === 200 ? 200_000 : 4)) };
  });
  const places = shapes.map((geometry, i) => ({
    geometry,
    // Of every second one the box is that of the shape.
    place: placeOf({
      ...{ latitude: random() * 180 - 90, longitude: random() * 360 - 180, names: { name: `Place ${i}` } },
      ...(geometry.kind !== 'point' && i % 2 === 0 && degreesOf(boxOf(linesOf(geometry)))),
    }),
  }));
  const all = Buffer.concat([...blocksOfPlaces(places)]);
  for (const size of [7_919, 1_000_003, all.length]) {
    const pieces = async function* () {
      for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
    };
    const read = [];
    for await (const block of placesOfBlocks(pieces())) read.push(...block);
    expect(read.map(({ geometry }) => geometry)).toEqual(shapes);
    expect(read.map(({ place }) => place.names.name)).toEqual(places.map(({ place }) => place.names.name));
    expect(read.map(({ place }) => boxIn(place))).toEqual(places.map(({ place }) => boxIn(place)));
  }
});
