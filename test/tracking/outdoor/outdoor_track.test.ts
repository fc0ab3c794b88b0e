import { expect, test } from 'vitest';
import { KIND_LTE } from '../../../src/radio/kind.ts';
import { KEY_BYTES_CELL } from '../../../src/radio/station_key.ts';
import {
  decodeOutdoorTrack,
  encodeOutdoorTrack,
  type OutdoorTrack,
} from '../../../src/tracking/outdoor/outdoor_track.ts';

const TRACK: OutdoorTrack = {
  timeMs: 1_700_000_000_123,
  latitude: 51.5,
  longitude: -0.125,
  east: { position: 12.5, velocity: -3, bias: 40 },
  north: { position: -7.25, velocity: 1.5, bias: 0 },
  covariance: { pp: 400, pv: 10, pb: -100, vv: 64, vb: -2, bb: 900 },
  contradictions: 2,
  cells: undefined,
};
const PLACE = {
  latitude: 51.5,
  longitude: -0.125,
  weight: 1,
  eastSpeed: 3.25,
  northSpeed: -30,
  sigmaMetres: 16,
  speedSigma: 0.25,
};
const CELL = Uint8Array.from({ length: KEY_BYTES_CELL }, () => KIND_LTE);
const WITH_CELLS: OutdoorTrack = { ...TRACK, cells: { timeMs: 1_700_000_000_100, places: [PLACE], cells: [CELL] } };

test('a track survives its bytes', () => {
  const bytes = encodeOutdoorTrack(TRACK);
  expect(bytes.length).toBe(74);
  expect(decodeOutdoorTrack(bytes)).toEqual(TRACK);
  expect(decodeOutdoorTrack(encodeOutdoorTrack(WITH_CELLS))).toEqual(WITH_CELLS);
});

test.each([
  ['no bytes', new Uint8Array()],
  ['a byte too many', Uint8Array.from([...encodeOutdoorTrack(TRACK), 0])],
  ['a byte less than a place by cells', encodeOutdoorTrack(WITH_CELLS).subarray(0, -1)],
  ['the version of a track in a building', Uint8Array.from([1, ...encodeOutdoorTrack(TRACK).subarray(1)])],
  ['a time that is no number', encodeOutdoorTrack({ ...TRACK, timeMs: Number.NaN })],
  ['a latitude beyond the pole', encodeOutdoorTrack({ ...TRACK, latitude: 90.1 })],
  ['a longitude beyond the date line', encodeOutdoorTrack({ ...TRACK, longitude: -180.1 })],
  ['a position farther than any', encodeOutdoorTrack({ ...TRACK, east: { ...TRACK.east, position: 1.1e6 } })],
  ['a velocity that is no number', encodeOutdoorTrack({ ...TRACK, north: { ...TRACK.north, velocity: Number.NaN } })],
  ['a variance below zero', encodeOutdoorTrack({ ...TRACK, covariance: { ...TRACK.covariance, pp: -1 } })],
  [
    'a covariance that is no number',
    encodeOutdoorTrack({ ...TRACK, covariance: { ...TRACK.covariance, vb: Number.NaN } }),
  ],
])('%s is no track', (_, bytes) => {
  expect(decodeOutdoorTrack(bytes)).toBeUndefined();
});

test('the poles and the date line are positions', () => {
  expect(decodeOutdoorTrack(encodeOutdoorTrack({ ...TRACK, latitude: -90, longitude: 180 }))).toMatchObject({
    latitude: -90,
    longitude: 180,
  });
});
