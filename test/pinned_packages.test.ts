// Packages of which more is read than they promise. Each is pinned to one version, and the tests below hold what is
// read of it.

import { readFileSync } from 'node:fs';
import Flatbush from 'flatbush';
import KDBush from 'kdbush';
import { expect, test } from 'vitest';
import { uniform } from './kits/random.ts';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

test.each([
  [
    '@rapideditor/country-coder',
    '5.6.1',
    'src/geo/borders.ts reads its file src/data/borders.json, which it does not export',
  ],
  ['flatbush', '4.7.0', 'src/geocoding/index/boxes.ts walks its private arrays _boxes, _indices and _levelBounds'],
  ['kdbush', '4.1.0', 'src/geocoding/index/points.ts relies on the order in which it keeps its points'],
])('%s is pinned to %s', (name, version, use) => {
  const sentence =
    `${name} must be version ${version} exactly: ${use}. Make sure that the new version keeps that before you ` +
    `move the pin.`;
  const installed = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  expect(dependencies[name], sentence).toBe(version);
  expect(installed.version, sentence).toBe(version);
});

test('the borders of country-coder are multipolygons with codes, in degrees', () => {
  const { features } = JSON.parse(
    readFileSync('node_modules/@rapideditor/country-coder/src/data/borders.json', 'utf8'),
  );
  const polygons: [number, number][][][] = [];
  for (const { properties, geometry } of features) {
    expect(properties.wikidata, JSON.stringify(properties)).toMatch(/^Q\d+$/);
    expect([undefined, 'official', 'usrAssn', 'excRes']).toContain(properties.isoStatus);
    expect(properties.iso1A2 ?? 'XX').toMatch(/^[A-Z]{2}$/);
    expect(Array.isArray(properties.groups ?? [])).toBe(true);
    if (geometry === null) continue;
    expect(geometry.type).toBe('MultiPolygon');
    polygons.push(...geometry.coordinates);
  }
  expect(polygons).toHaveLength(340);
  for (const ring of polygons.flat()) {
    expect(ring.length).toBeGreaterThan(3);
    expect(ring.at(-1)).toEqual(ring[0]);
    expect(ring.every(([longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)).toBe(true);
  }
});

test('a tree of flatbush has its items first, then each level of nodes, and nodes name where their children begin', () => {
  const random = uniform(20261122);
  const items = Array.from({ length: 500 }, () => Math.round(random() * 10_000));
  const tree = new Flatbush(items.length, undefined, Int32Array);
  for (const at of items) tree.add(at, -at, at + 5, 5 - at);
  tree.finish();
  const { _boxes: boxes, _indices: indices, _levelBounds: ends, nodeSize } = Flatbush.from(tree.data);
  expect(boxes).toBeInstanceOf(Int32Array);
  expect(ends).toEqual([4 * 500, 4 * (500 + 32), 4 * (500 + 32 + 2), 4 * (500 + 32 + 2 + 1)]);
  expect(ends.at(-1)).toBe(boxes.length);

  const seen: number[] = [];
  const visit = (start: number, parent: ArrayLike<number>) => {
    const end = Math.min(start + 4 * nodeSize, ends.find(each => each > start)!);
    for (let at = start; at < end; at += 4) {
      const [west, south, east, north] = boxes.subarray(at, at + 4);
      expect(west >= parent[0] && south >= parent[1] && east <= parent[2] && north <= parent[3]).toBe(true);
      if (start >= ends[0]) visit(indices[at >> 2], boxes.subarray(at, at + 4));
      else {
        const item = indices[at >> 2];
        expect([west, south, east, north]).toEqual([items[item], -items[item], items[item] + 5, 5 - items[item]]);
        seen.push(item);
      }
    }
  };
  visit(boxes.length - 4, boxes.subarray(boxes.length - 4));
  expect(seen.sort((a, b) => a - b)).toEqual(items.map((_, item) => item));
});

test('kdbush keeps the middle point of each range between its halves, by longitude and latitude in turns', () => {
  const random = uniform(20261122);
  const points = Array.from({ length: 2 * 500 }, () => Math.round(random() * 10_000));
  const leafPoints = 8;
  const tree = new KDBush(points.length / 2, leafPoints, Int32Array);
  for (let i = 0; i < points.length; i += 2) tree.add(points[i], points[i + 1]);
  tree.finish();
  const { ids, coords } = tree;
  expect([...ids].sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, id) => id));
  expect([...ids].flatMap(id => [points[2 * id], points[2 * id + 1]])).toEqual([...coords]);

  const check = (left: number, right: number, axis: number) => {
    if (right - left <= leafPoints) return;
    const middle = (left + right) >> 1;
    const split = coords[2 * middle + axis];
    for (let i = left; i < middle; i++) expect(coords[2 * i + axis]).toBeLessThanOrEqual(split);
    for (let i = middle + 1; i <= right; i++) expect(coords[2 * i + axis]).toBeGreaterThanOrEqual(split);
    check(left, middle - 1, 1 - axis);
    check(middle + 1, right, 1 - axis);
  };
  check(0, 499, 0);
});
