import { expect, test } from 'vitest';
import { pointAt, WalkLines, type WayPoint } from '../../../../src/indoor/transfer/surveys/walk_lines.ts';

const WALK: WayPoint[] = [
  [1000, 0, 0],
  [2000, 10, 0],
  [2000, 12, 0],
  [4000, 12, 8],
];

test('a walker goes straight and evenly from one way-point to the next', () => {
  expect(pointAt(WALK, 1000)).toEqual([0, 0]);
  expect(pointAt(WALK, 1250)).toEqual([2.5, 0]);
  expect(pointAt(WALK, 2000)).toEqual([10, 0]);
  expect(pointAt(WALK, 3500)).toEqual([12, 6]);
  expect(pointAt(WALK, 4000)).toEqual([12, 8]);
});

test('nobody knows where the walker was before the first way-point or after the last', () => {
  expect(pointAt(WALK, 999)).toBeUndefined();
  expect(pointAt(WALK, 4001)).toBeUndefined();
  expect(pointAt(WALK.slice(0, 1), 1000)).toBeUndefined();
});

test.each([
  ['site', { site: '../../x', floor: 'F1' }],
  ['site', { site: 'x\\y', floor: 'F1' }],
  ['floor', { site: 'x', floor: '/etc/F1' }],
])('a name that leaves the folder of the plans is refused: %s of %j', (member, names) => {
  const lines = new WalkLines(() => {
    throw new Error('A plan is read.');
  });
  expect(() => [...lines.read({ id: 'a', ...names, wp: [], wifi: [] })]).toThrow(
    `${member} must be a name without slashes`,
  );
});
