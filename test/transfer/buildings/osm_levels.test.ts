import { expect, test } from 'vitest';
import { floorsOfLevel } from '../../../src/transfer/buildings/osm_levels.ts';

test.each([
  ['0', [0]],
  ['-1', [-1]],
  ['0;1', [0, 1]],
  ['0-2', [0, 1, 2]],
  ['-2--1', [-2, -1]],
  ['-1-1', [-1, 0, 1]],
  ['3; 0 - 1 ;3', [3, 0, 1]],
  ['0.5', []],
  ['0;0.5;1', [0, 1]],
  ['2-1', []],
  ['G', []],
  ['', []],
  [undefined, []],
  ['-99', []],
  ['199-999', [199, 200]],
])('the level %s is on the floors %j', (level, floors) => {
  expect(floorsOfLevel(level)).toEqual(floors);
});
