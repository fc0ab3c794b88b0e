import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { expect, test } from 'vitest';
import { signedArea } from '../../src/geo/rings.ts';
import { TileLayer, tileOf } from '../../src/tiles/vector_tile.ts';
import { uniform } from '../kits/random.ts';

/** A layer as another reader of the format sees it. */
function read(layer: TileLayer): { properties: unknown; kind: number; lines: number[][] }[] {
  const { layers } = new VectorTile(new PbfReader(tileOf([layer])));
  const [found] = Object.values(layers);
  return Array.from({ length: found.length }, (_, i) => {
    const feature = found.feature(i);
    const lines = feature.loadGeometry().map(line => line.flatMap(({ x, y }) => [x, y]));
    return { properties: feature.properties, kind: feature.type, lines };
  });
}

test('points, lines and areas are read back with their attributes', () => {
  const layer = new TileLayer('all', 10_000);
  layer.addPoint(5, 4_090, { name: 'Äulestrasse', rank: 16, importance: 0.25 });
  layer.addLines(
    [
      [0, 0, 10, -5],
      [20, 20, 30, 30, 40, 20],
    ],
    { class: 'primary', rank: 16 },
  );
  const square = [0, 0, 100, 0, 100, 100, 0, 100, 0, 0];
  layer.addArea([square], {});
  expect(read(layer)).toEqual([
    { properties: { name: 'Äulestrasse', rank: 16, importance: 0.25 }, kind: 1, lines: [[5, 4_090]] },
    {
      properties: { class: 'primary', rank: 16 },
      kind: 2,
      lines: [
        [0, 0, 10, -5],
        [20, 20, 30, 30, 40, 20],
      ],
    },
    { properties: {}, kind: 3, lines: [square] },
  ]);
});

test('outlines run clockwise on the screen and holes the other way, however they came', () => {
  const random = uniform(1);
  const square = (at: number, side: number) => [at, at, at + side, at, at + side, at + side, at, at + side, at, at];
  const turned = (ring: number[]) =>
    random() < 0.5
      ? ring
      : Array.from({ length: ring.length / 2 }, (_, i) => ring.slice(ring.length - 2 * i - 2).slice(0, 2)).flat();
  for (let n = 0; n < 20; n++) {
    const layer = new TileLayer('area', 10_000);
    layer.addArea([turned(square(0, 100)), turned(square(20, 10)), turned(square(50, 10))], {});
    expect(read(layer)[0].lines.map(ring => signedArea(ring))).toEqual([10_000, -100, -100]);
  }
});

test('a layer takes no more than it has room for, and says so', () => {
  const layer = new TileLayer('full', 2_000);
  for (let n = 0; n < 10_000; n++) layer.addPoint(n, n, { name: `place number ${n}` });
  expect(layer.isFull).toBe(true);
  const names = read(layer).map(({ properties }) => (properties as { name: string }).name);
  expect(names.length).toBeLessThan(200);
  expect(names).toEqual(names.map((_, n) => `place number ${n}`));
  expect(tileOf([layer]).length).toBeLessThan(3_000);
});

test('a layer without features is not in the tile', () => {
  expect(tileOf([new TileLayer('none', 100)]).length).toBe(0);
});
