import { expect, test } from 'vitest';
import { climbed, groupsOf } from '../../../src/indoor/tracking/parts.ts';
import { StairMap } from '../../../src/indoor/tracking/stairs.ts';
import type { Component } from '../../../src/indoor/tracking/track.ts';

const component = (weight: number, climb = 0): Component => ({
  east: 0,
  north: 0,
  floor: 2,
  weight,
  sigma: 1,
  bias: 0,
  stride: 1,
  climb,
});
const track = (components: Component[], pressureHpa = Number.NaN) => ({
  timeMs: 0,
  building: 1,
  pressureHpa,
  biasSigma: 0.1,
  strideSigma: 0.1,
  components,
});
const sum = (parts: readonly Component[]) => parts.reduce((total, { weight }) => total + weight, 0);

test('every component may be a floor up or down, hardly likely; weights have the sum 1', () => {
  const parts = climbed(track([component(0.6), component(0.4)]), Number.NaN, 5);
  expect(sum(parts)).toBeCloseTo(1, 9);
  expect(parts.map(({ floor }) => floor).sort()).toEqual([1, 1, 2, 2, 3, 3]);
  expect(parts[1].floor).toBe(2);
  expect(sum(parts.filter(({ floor }) => floor !== 2))).toBeLessThan(0.01);
});

test('components that climbed as the pressure says outweigh others', () => {
  const parts = climbed(track([component(0.5, 1), component(0.5, 0)], 1000), 999.52, 5);
  expect(parts[0]).toMatchObject({ floor: 2, climb: 1 });
  expect(parts[0].weight).toBeGreaterThan(0.9);
});

test('far from stairs hardly any floor is changed, and beside them as many as where none are known', () => {
  const stairs = new StairMap([{ floor: 2, stairs: [30, 0, 32, 0] }]);
  const changed = (east: number, map?: StairMap) =>
    sum(climbed(track([{ ...component(1), east }]), Number.NaN, 5, map).filter(({ floor }) => floor !== 2));
  expect(changed(30, stairs)).toBe(changed(30));
  expect(changed(0, stairs)).toBeLessThan(0.04 * changed(0));
  expect(changed(0, new StairMap([{ floor: 1, stairs: [30, 0, 32, 0] }]))).toBe(changed(0));
});

test('of two components the one beside the lift has climbed, where the pressure says that one has', () => {
  const stairs = new StairMap([{ floor: 2, stairs: [30, 0, 30, 0] }]);
  const both = track(
    [
      { ...component(0.5), east: 30 },
      { ...component(0.5), east: 0 },
    ],
    1000,
  );
  const parts = climbed(both, 1000 - 0.48, 5, stairs);
  expect(parts[0]).toMatchObject({ floor: 3, east: 30 });
  const farther = parts.find(({ floor, east }) => floor === 3 && east === 0)!;
  expect(parts[0].weight / farther.weight).toBeCloseTo(1 / 0.03, 6);
  // Plans lack stairs: without any nearby, the pressure decides.
  expect(climbed(track([{ ...component(1), east: 0 }], 1000), 1000 - 0.96, 5, stairs)[0].floor).toBe(4);
});

test('likely components share the particles, the others get four each', () => {
  const { likely, unlikely } = groupsOf([component(0.5), component(0.49), component(0.009), component(0.001)]);
  expect(likely.parts).toHaveLength(2);
  expect(likely).toMatchObject({ first: 0, each: 224 });
  expect(unlikely).toMatchObject({ first: 448, each: 4 });
  expect(unlikely.parts.map(({ weight }) => weight)).toEqual([0.009, 0.001]);
});

test('there is room for the particles of any mixture', () => {
  for (const count of [1, 2, 29, 30, 90, 100, 120]) {
    const { likely, unlikely } = groupsOf(Array.from({ length: count }, () => component(1 / count)));
    expect(likely.each % 4).toBe(0);
    expect(likely.each).toBeGreaterThanOrEqual(4);
    expect(unlikely.first + unlikely.parts.length * unlikely.each, `${count} components`).toBeLessThanOrEqual(544);
  }
});
