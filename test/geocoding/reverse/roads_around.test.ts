import { expect, test } from 'vitest';
import { roadsAround } from '../../../src/geocoding/reverse/roads_around.ts';
import { box, DrawnPlaces } from '../../kits/places/spots.ts';

/** Metres of a step to the north, and to the east at 47 degrees. */
const NORTH = 11.1195;
const EAST = NORTH * Math.cos((47 * Math.PI) / 180);

function drawn(): DrawnPlaces {
  const map = new DrawnPlaces();
  map.road([0, 0, 10, 0, 10, 20], 'road');
  map.road([0, 5, 10, 5], 'path', { searchRank: 27, addressRank: 27 });
  map.area([box(2, 2, 4, 4)], {
    category: 'highway',
    type: 'pedestrian',
    searchRank: 26,
    addressRank: 26,
    names: { name: 'square' },
  });
  map.building(5, 5, 7, 7, '1', 1);
  map.road([5_000, 5_000, 5_010, 5_000], 'far away');
  return map;
}

test('roads come as straight pieces, in metres from the point', () => {
  const pieces = roadsAround(drawn().spatialIndex(), 47, 9.5, 300, false);
  const expected = [0, 0, 10 * EAST, 0, 10 * EAST, 0, 10 * EAST, 20 * NORTH];
  expect(pieces.map(metres => Math.round(metres))).toEqual(expected.map(metres => Math.round(metres)));
});

test('paths come where they are wanted; squares and houses never do', () => {
  const index = drawn().spatialIndex();
  expect(roadsAround(index, 47, 9.5, 300, true)).toHaveLength(12);
  expect(roadsAround(index, 47, 9.5, 300, false)).toHaveLength(8);
  expect(roadsAround(index, 48, 9.5, 300, true)).toEqual([]);
});

test('of more than 2,048 pieces none come', () => {
  const map = new DrawnPlaces();
  const zigzag = (pieces: number) => Array.from({ length: pieces + 1 }, (_, i) => [i % 2, i / 1000]).flat();
  map.road(zigzag(2_048), 'zigzag');
  expect(roadsAround(map.spatialIndex(), 47, 9.5, 300, false)).toHaveLength(4 * 2_048);
  const more = new DrawnPlaces();
  more.road(zigzag(2_049), 'zigzag');
  expect(roadsAround(more.spatialIndex(), 47, 9.5, 300, false)).toEqual([]);
});
