// A drawn place as tiles: a country with two towns, roads of several classes, houses and a shop. What another reader of
// the format finds in the tiles is held against the drawing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unitsOf } from '../../../src/geo/units.ts';
import { worldMap } from '../../../src/tiles/map/land.ts';
import { drawMapTile, mapRevision } from '../../../src/tiles/map/map_tile.ts';
import { EXTENT, type TileNumbers, TilePlane } from '../../../src/tiles/tile_plane.ts';
import { DrawnMap } from '../../kits/places/drawn_map.ts';
import { drawLayer, openGeocoder } from '../../kits/places/layers.ts';
import { uniform } from '../../kits/random.ts';

type Point = readonly [latitude: number, longitude: number];

/** A bend of a motorway, with more points than anybody sees from afar. */
const MOTORWAY = Array.from({ length: 60 }, (_, i): Point => [47.1 + i / 1_000, 9.5 + Math.sin(i / 10) / 100]);
const STREET: Point[] = [
  [47.14, 9.51],
  [47.1405, 9.515],
  [47.14, 9.53],
];
const random = uniform(1);
const HOUSES = Array.from({ length: 120 }, (_, i): [string, Point] => [
  String(i + 1),
  [47.139 + random() / 500, 9.51 + random() / 50],
]);
const SHOP: Point = [47.1402, 9.52];

const folder = mkdtempSync(join(tmpdir(), 'sextant-tiles-'));
let opened: Awaited<ReturnType<typeof openGeocoder>>;
let world: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const administrative = (lat: number, half: number, level: number, name: string, tags = {}) =>
    map.boundary(level, [lat, 9.52], half, { name, ...tags });
  administrative(47.16, 0.12, 2, 'Liechtenstein', { 'ISO3166-1': 'LI' });
  administrative(47.14, 0.03, 8, 'Vaduz');
  administrative(47.2, 0.03, 8, 'Schaan');
  map.node([47.141, 9.521], { place: 'town', name: 'Vaduz' });
  map.node([47.201, 9.521], { place: 'town', name: '<b>Schaan</b>' });
  map.node([47.18, 9.45], { place: 'hamlet', name: 'وادي' });
  administrative(47.26, 0.015, 8, 'Dorf');
  map.node([47.26, 9.52], { place: 'village', name: 'Dorf' });
  map.way(MOTORWAY, { highway: 'motorway', ref: 'A13', name: 'Rheintalautobahn' });
  map.way(STREET, { highway: 'residential', name: 'Äulestrasse' });
  for (const [number, point] of HOUSES)
    map.node(point, { 'addr:housenumber': number, 'addr:street': 'Äulestrasse', 'addr:city': 'Vaduz' });
  map.rectangle(47.1396, 47.1399, 9.5201, 9.5206, {
    building: 'house',
    'addr:housenumber': '200',
    'addr:street': 'Äulestrasse',
  });
  map.rectangle(47.17, 47.175, 9.5, 9.51, { natural: 'water', name: 'Gampriner Seele' });
  map.rectangle(47.18, 47.19, 9.5, 9.51, { natural: 'wood', name: 'Schaaner Wald' });
  map.rectangle(47.1411, 47.1412, 9.52, 9.5202, { leisure: 'park', name: 'Stadtpark' });
  map.node(SHOP, { shop: 'bakery', name: 'Brot', 'addr:housenumber': '300', 'addr:street': 'Äulestrasse' });
  world = await drawLayer('public domain', [
    {
      said: {
        names: { name: 'Vaduz' },
        tags: { capital: 'yes' },
        latitude: 47.142,
        longitude: 9.523,
        searchRank: 18,
        addressRank: 16,
        category: 'place',
        type: 'town',
      },
    },
    {
      said: {
        names: { name: 'Buchs' },
        latitude: 47.17,
        longitude: 9.47,
        searchRank: 18,
        addressRank: 16,
        category: 'place',
        type: 'town',
      },
    },
  ]);
  opened = await openGeocoder({ extract: await map.importInto(folder), world: join(world, 'layer') });
});

afterAll(async () => {
  await opened.close();
  for (const each of [folder, world]) rmSync(each, { recursive: true });
});

interface Read {
  properties: Record<string, string | number>;
  /** In degrees would be too exact: in the coordinates of the tile. */
  lines: number[][];
}

/** The layers of a tile, as another reader of the format sees them. */
function tile(numbers: TileNumbers): Record<string, Read[]> {
  const { layers } = new VectorTile(new PbfReader(drawMapTile(opened.geocoder.layers, numbers)));
  opened.geocoder.release();
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => {
        const feature = layer.feature(i);
        const lines = feature.loadGeometry().map(line => line.flatMap(({ x, y }) => [x, y]));
        return { properties: feature.properties as Read['properties'], lines };
      }),
    ]),
  );
}

function tileAround([latitude, longitude]: Point, z: number): TileNumbers {
  const plane = new TilePlane({ z: 0, x: 0, y: 0 });
  const [x, y] = [plane.x(unitsOf(longitude)), plane.y(unitsOf(latitude))].map(at =>
    Math.floor((at / EXTENT) * 2 ** z),
  );
  return { z, x, y };
}

/** All tiles of a zoom that hold one of the points. */
function tilesOf(points: readonly Point[], z: number): TileNumbers[] {
  const keys = new Map(points.map(point => [JSON.stringify(tileAround(point, z)), tileAround(point, z)]));
  return [...keys.values()];
}

function seenAt(numbers: TileNumbers, [latitude, longitude]: Point): [number, number] {
  const plane = new TilePlane(numbers);
  return [plane.x(unitsOf(longitude)), plane.y(unitsOf(latitude))];
}

/** Distance of a point to lines, by brute force. */
function distanceTo(lines: readonly number[][], [x, y]: readonly [number, number]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines)
    for (let i = 2; i < line.length; i += 2) {
      const [dx, dy] = [line[i] - line[i - 2], line[i + 1] - line[i - 1]];
      const length = dx * dx + dy * dy;
      const share = length === 0 ? 0 : ((x - line[i - 2]) * dx + (y - line[i - 1]) * dy) / length;
      const along = Math.min(1, Math.max(0, share));
      least = Math.min(least, Math.hypot(x - line[i - 2] - along * dx, y - line[i - 1] - along * dy));
    }
  return least;
}

test('every house is in exactly one tile, with its number, where it stands', () => {
  for (const z of [16, 17, 18]) {
    const found = new Map<string, number[][]>();
    for (const numbers of tilesOf(
      HOUSES.map(([, point]) => point),
      z,
    ))
      for (const { properties, lines } of tile(numbers).house ?? []) {
        const number = String(properties.number);
        const house = HOUSES.find(([own]) => own === number);
        if (house === undefined) continue;
        const [x, y] = seenAt(numbers, house[1]);
        expect(Math.abs(lines[0][0] - x)).toBeLessThan(1.6);
        expect(Math.abs(lines[0][1] - y)).toBeLessThan(1.6);
        found.set(number, [...(found.get(number) ?? []), lines[0]]);
      }
    expect([...found.keys()].sort()).toEqual(HOUSES.map(([number]) => number).sort());
    expect([...found.values()].every(({ length }) => length === 1)).toBe(true);
  }
  expect(tile(tileAround(SHOP, 15)).house).toBeUndefined();
});

test.each([5, 8, 11, 14, 16])('at zoom %i the motorway runs where it is drawn, within half a pixel', z => {
  for (const numbers of tilesOf(MOTORWAY, z)) {
    const lines = tile(numbers)
      .road!.filter(({ properties }) => properties.class === 'motorway')
      .flatMap(({ lines }) => lines);
    const seen = MOTORWAY.map(point => seenAt(numbers, point)).filter(
      ([x, y]) => Math.min(x, y) >= 0 && Math.max(x, y) <= EXTENT,
    );
    for (const point of seen) expect(distanceTo(lines, point)).toBeLessThan(4.5);
    // Nothing is drawn elsewhere.
    const drawn = [MOTORWAY.flatMap(point => seenAt(numbers, point))];
    for (const line of lines)
      for (let i = 0; i < line.length; i += 2) expect(distanceTo(drawn, [line[i], line[i + 1]])).toBeLessThan(1.6);
  }
});

test('roads appear by their class, and near by with their names', () => {
  const roads = (z: number) => (tile(tileAround(STREET[1], z)).road ?? []).map(({ properties }) => properties);
  expect(roads(4)).toEqual([]);
  expect(roads(6)).toEqual([{ class: 'motorway' }]);
  expect(roads(12)).toEqual([{ class: 'motorway' }, { class: 'residential' }]);
  expect(roads(13)).toEqual([
    { class: 'motorway', name: 'Rheintalautobahn', ref: 'A13' },
    { class: 'residential', name: 'Äulestrasse' },
  ]);
});

test('names are text as it is, and the gazetteer names only what the extract does not', () => {
  const names = (z: number) => (tile(tileAround([47.18, 9.46], z)).place ?? []).map(({ properties }) => properties);
  expect(names(0)).toMatchObject([{ name: 'Liechtenstein', class: 'country', rank: 4 }]);
  expect(
    names(8)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['<b>Schaan</b>', 'Buchs', 'Schaan', 'Vaduz']);
  expect(names(12).map(({ name }) => name)).toContain('وادي');
});

test('a town is named once, also where the gazetteer has it in the next tile', () => {
  const gazetteer: Point = [47.142, 9.523];
  for (const z of [15, 16, 17]) {
    const tiles = tilesOf([gazetteer, [47.141, 9.521], [47.14, 9.52]], z).map(numbers => tile(numbers).place ?? []);
    const named = tiles.flat().filter(({ properties }) => properties.name === 'Vaduz');
    expect([z, named.length]).toEqual([z, 1]);
  }
});

test('a capital comes before all other towns, and a municipality is as large as its village', () => {
  const names = (z: number) => (tile(tileAround([47.18, 9.46], z)).place ?? []).map(({ properties }) => properties);
  expect(names(8)[0]).toMatchObject({ name: 'Vaduz', rank: 16 });
  expect(names(8).map(({ name }) => name)).not.toContain('Dorf');
  const near = [...names(9), ...(tile(tileAround([47.26, 9.52], 9)).place ?? []).map(({ properties }) => properties)];
  expect(near.find(({ name }) => name === 'Dorf')).toMatchObject({ class: 'village', rank: 19 });
});

test('borders of the world end where an extract has its country, and others go on beside it', () => {
  const borders = worldMap().borders.map(({ shape }) => shape);
  const near = (line: Int32Array, numbers: TileNumbers) =>
    Array.from({ length: line.length / 2 }, (_, i) =>
      seenAt(numbers, [line[2 * i + 1] / 1e7, line[2 * i] / 1e7]),
    ).filter(at => at.every(each => each >= 0 && each <= EXTENT));
  let others = 0;
  for (const z of [7, 9, 11])
    for (const numbers of tilesOf(
      [
        [47.16, 9.52],
        [47.05, 9.45],
        [47.3, 9.6],
        [47.02, 9.62],
      ],
      z,
    )) {
      const lines = (tile(numbers).boundary ?? [])
        .filter(({ properties }) => properties.rank === 4)
        .flatMap(({ lines }) => lines);
      for (const { line, countries } of borders) {
        if (countries.includes('LI') || !countries.includes('CH')) continue;
        for (const point of near(line, numbers)) {
          others++;
          expect(distanceTo(lines, point)).toBeLessThan(4.5);
        }
      }
    }
  expect(others).toBeGreaterThan(20);
});

test('a border between two areas is drawn once, for the larger one', () => {
  const borders = tile(tileAround([47.17, 9.52], 10)).boundary!;
  expect(borders.filter(({ properties }) => properties.rank === 16).length).toBe(3);
  // The middle of each side of Vaduz.
  const sides: Point[] = [
    [47.11, 9.52],
    [47.17, 9.52],
    [47.14, 9.49],
    [47.14, 9.55],
  ];
  const numbers = tileAround([47.17, 9.52], 10);
  for (const side of sides) {
    const point = seenAt(numbers, side);
    if (point.some(at => at < 0 || at > EXTENT)) continue;
    const near = borders.filter(({ lines }) => distanceTo(lines, point) < 4.5);
    expect(near.length).toBe(1);
  }
});

test('outlines of houses are areas, and what has a name beside them has a class', () => {
  const { building, poi, land } = tile(tileAround(SHOP, 16));
  expect(building!.length).toBe(1);
  expect(building![0].lines[0].length).toBe(10);
  expect(poi!.map(({ properties }) => properties)).toMatchObject([{ name: 'Brot', class: 'bakery' }]);
  // Inland, all is land.
  expect(land!.map(({ lines }) => lines.length)).toEqual([1]);
  expect(new Set(land![0].lines[0])).toEqual(new Set([-64, EXTENT + 64]));
});

test('water, woods and parks are areas by class, and none so small that nobody sees it', () => {
  const classes = (numbers: TileNumbers) =>
    (tile(numbers).ground ?? []).map(({ properties, lines }) => `${properties.class} ${lines.length}`).sort();
  expect(classes(tileAround([47.18, 9.505], 11))).toEqual(['water 1', 'wood 1']);
  expect(classes(tileAround([47.1411, 9.5201], 17))).toEqual(['park 1']);
  expect(classes(tileAround([47.18, 9.505], 6))).toEqual([]);
});

test('out at sea and at the ends of the world tiles are empty or small', () => {
  const sea = [-64, -64, EXTENT + 64, -64, EXTENT + 64, EXTENT + 64, -64, EXTENT + 64, -64, -64];
  expect(tile({ z: 10, x: 400, y: 400 })).toEqual({ sea: [{ properties: {}, lines: [sea] }] });
  for (const numbers of [
    { z: 3, x: 0, y: 0 },
    { z: 3, x: 7, y: 7 },
    { z: 18, x: 2 ** 18 - 1, y: 2 ** 18 - 1 },
  ])
    expect(drawMapTile(opened.geocoder.layers, numbers).length).toBeLessThan(100_000);
});

test('the revision is that of the layers', () => {
  const { extract, world: gazetteer } = opened.geocoder.layers;
  const revision = mapRevision({ extract, world: gazetteer });
  expect(mapRevision({ extract: undefined, world: gazetteer })).not.toBe(revision);
  expect(revision).toContain(extract!.places.meta.builtAt);
});
