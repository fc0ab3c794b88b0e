import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  COMPONENTS_MAX,
  type Component,
  decodeTrack,
  encodeTrack,
  FARTHEST_METRES,
  type Track,
} from '../../../src/indoor/tracking/track.ts';

const COMPONENT: Component = {
  east: 12.3,
  north: -4.5,
  floor: -2,
  weight: 1,
  sigma: 1.5,
  bias: 0.25,
  stride: 1.1,
  climb: 3,
};
const TRACK: Track = {
  timeMs: 1_700_000_000_123,
  building: 2 ** 40,
  pressureHpa: 1013.25,
  biasSigma: 0.1,
  strideSigma: 0.05,
  components: [COMPONENT],
};

test('a track survives its bytes to the decimetre', () => {
  const metres = fc.double({ min: -FARTHEST_METRES, max: FARTHEST_METRES, noNaN: true });
  const component = fc.record({
    east: metres,
    north: metres,
    floor: fc.integer({ min: -128, max: 254 }),
    weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
    sigma: fc.double({ min: 0, max: 6, noNaN: true }),
    bias: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
    stride: fc.double({ min: 0.5, max: 1.5, noNaN: true }),
    climb: fc.integer({ min: -100, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: COMPONENTS_MAX }), components => {
      const total = components.reduce((sum, { weight }) => sum + weight, 0);
      const most = components.reduce((largest, { weight }) => Math.max(largest, weight), 0);
      const bytes = encodeTrack({ ...TRACK, components });
      expect(bytes.length).toBeLessThanOrEqual(376);
      const decoded = decodeTrack(bytes)!;
      expect(decoded.components.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
      for (const [i, { weight, ...rest }] of decoded.components.entries()) {
        for (const [name, step] of [
          ['east', 0.1],
          ['north', 0.1],
          ['floor', 0],
          ['sigma', 0.05],
          ['bias', 1 / 80],
          ['stride', 0.005],
          ['climb', 0],
        ] as const)
          expect(Math.abs(rest[name] - components[i][name]), name).toBeLessThanOrEqual(step / 2 + 1e-9);
        expect(Math.abs(weight - components[i].weight / total)).toBeLessThan((components.length * most) / total / 100);
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('the rest of a track survives too, with and without pressure', () => {
  const { components: _, ...rest } = decodeTrack(encodeTrack(TRACK))!;
  expect(rest).toEqual({
    timeMs: TRACK.timeMs,
    building: TRACK.building,
    pressureHpa: 1013.25,
    biasSigma: 0.1,
    strideSigma: 0.05,
  });
  expect(decodeTrack(encodeTrack({ ...TRACK, pressureHpa: Number.NaN }))!.pressureHpa).toBeNaN();
});

test('what is out of range is clipped', () => {
  const wild = { ...COMPONENT, east: 1e9, north: -1e9, sigma: 100, bias: 9, stride: -9, climb: 1000 };
  const [component] = decodeTrack(encodeTrack({ ...TRACK, components: [wild] }))!.components;
  expect(component).toEqual({
    east: 3276.7,
    north: -3276.8,
    floor: -2,
    weight: 1,
    sigma: 12.75,
    bias: 127 / 80,
    stride: 1 - 128 / 200,
    climb: 127,
  });
});

test.each([
  ['no bytes', () => new Uint8Array()],
  ['another version', () => changed(0, 2)],
  ['no component', () => encodeTrack({ ...TRACK, components: [] })],
  ['more components than there are bytes', () => changed(1, 2)],
  ['too many components', () => encodeTrack({ ...TRACK, components: Array(COMPONENTS_MAX + 1).fill(COMPONENT) })],
  ['a byte too many', () => Uint8Array.from([...encodeTrack(TRACK), 0])],
  ['a building that is no number', () => encodeTrack({ ...TRACK, building: 0.5 })],
  ['a time that is no number', () => encodeTrack({ ...TRACK, timeMs: Number.NaN })],
  ['a pressure in space', () => encodeTrack({ ...TRACK, pressureHpa: 1 })],
  ['a component without weight', () => changed(24 + 6, 0)],
])('%s is no track', (_, bytes) => {
  expect(decodeTrack(bytes())).toBeUndefined();
});

function changed(at: number, value: number): Uint8Array {
  const bytes = encodeTrack(TRACK);
  bytes[at] = value;
  return bytes;
}
