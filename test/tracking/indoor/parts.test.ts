import { expect, test } from 'vitest';
import { climbed, groupsOf } from '../../../src/tracking/indoor/parts.ts';
import type { Component } from '../../../src/tracking/indoor/track.ts';

const component = (weight: number, climb = 0): Component => ({ east: 0, north: 0, floor: 2, weight, sigma: 1, bias: 0, stride: 1, climb });
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
