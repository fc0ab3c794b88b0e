import { expect, test } from 'vitest';
import { BoxTree, packBoxes } from '../../../src/geocoding/index/boxes.ts';
import { uniform } from '../../kits/random.ts';

test('boxes that meet a box are those that brute force finds, also where they only touch', () => {
  const random = uniform(5);
  const numbers = Array.from({ length: 2_000 }, () => {
    const [west, south] = [Math.floor(random() * 1_000), Math.floor(random() * 1_000)];
    return [west, south, west + Math.floor(random() * 30), south + Math.floor(random() * 30)];
  });
  const tree = new BoxTree(packBoxes(4 * numbers.length, [Int32Array.from(numbers.flat())]));
  for (let n = 0; n < 200; n++) {
    const [west, south] = [Math.floor(random() * 1_000), Math.floor(random() * 1_000)];
    const box = { west, south, east: west + Math.floor(random() * 200), north: south + Math.floor(random() * 200) };
    const found: number[] = [];
    tree.within(box, item => found.push(item));
    const meeting = numbers.flatMap(([w, s, e, n], i) =>
      w <= box.east && e >= box.west && s <= box.north && n >= box.south ? [i] : [],
    );
    expect(found.sort((a, b) => a - b)).toEqual(meeting);
  }
  const sides = [0, 1, 2, 3].map(side => numbers.map(each => each[side]));
  expect(tree.extent).toEqual({
    west: Math.min(...sides[0]),
    south: Math.min(...sides[1]),
    east: Math.max(...sides[2]),
    north: Math.max(...sides[3]),
  });
  expect(new BoxTree(undefined).extent).toBeUndefined();
});
