import { expect, test } from 'vitest';
import { createHouseWorld, houseWorldScan, houseWorldStations } from '../../bench/house_world.ts';
import { ENTRY_BYTES, KEY_BYTES } from '../../bench/world.ts';
import { macOfKey } from '../../src/radio/station_key.ts';
import { decodeStation } from '../../src/tables/stations/station.ts';
import { METRES_A_DEGREE, metresTo } from '../kits/radio/ground.ts';

// Thirty rows of thirty houses, 30 m apart, and far away one house alone.
const SOUTH = 47;
const WEST = 9;
const METRES_EAST = METRES_A_DEGREE * Math.cos((SOUTH * Math.PI) / 180);
const grid = Array.from({ length: 900 }, (_, i) => ({
  latitude: SOUTH + ((i % 30) * 30) / METRES_A_DEGREE,
  longitude: WEST + (Math.floor(i / 30) * 30) / METRES_EAST,
}));
const lonely = { latitude: SOUTH + 0.2, longitude: WEST };
const houseWorld = createHouseWorld([...grid, lonely], 5);
const scans = Array.from({ length: 500 }, (_, number) => houseWorldScan(houseWorld, number));
const stations = readStations();

test('every house has two access points, which are stored in rising order of their keys at most 12 m from its middle', () => {
  expect([...stations.keys()]).toEqual([...stations.keys()].sort((a, b) => a - b));
  for (const house of [...grid, lonely]) {
    const near = [...stations.values()].filter(station => metresTo(station, house) < 12);
    expect(near).toHaveLength(2);
  }
  expect(stations.size).toBe(2 * 901);
});

test('a device reports 8 to 20 different access points, strongest first, those that the tables know from within 80 m', () => {
  for (const scan of scans) {
    const { accessPoints } = scan;
    expect(accessPoints.length).toBeGreaterThanOrEqual(8);
    expect(accessPoints.length).toBeLessThanOrEqual(20);
    expect(new Set(accessPoints.map(seen => seen.mac)).size).toBe(accessPoints.length);
    const levels = accessPoints.map(seen => seen.signalDbm);
    expect(levels).toEqual([...levels].sort((a, b) => b - a));
    for (const { mac, known } of accessPoints) {
      expect(stations.has(mac)).toBe(known);
      if (known) expect(metresTo(stations.get(mac)!, scan)).toBeLessThan(80.1);
    }
  }
});

test('devices stand all over the land, but not at a house without neighbours', () => {
  const nearest = scans.map(scan => grid.findIndex(house => metresTo(house, scan) < 60));
  expect(nearest).not.toContain(-1);
  expect(new Set(nearest).size).toBeGreaterThan(200);
});

test('the same number is the same device, another seed places others', () => {
  expect(houseWorldScan(houseWorld, 7)).toEqual(scans[7]);
  expect(houseWorldScan(createHouseWorld([...grid, lonely], 6), 7)).not.toEqual(scans[7]);
});

function readStations() {
  const { bytes, count } = houseWorldStations(houseWorld);
  const view = new DataView(bytes.buffer);
  return new Map(
    Array.from({ length: count }, (_, i) => [
      macOfKey(bytes, i * ENTRY_BYTES),
      decodeStation(view, i * ENTRY_BYTES + KEY_BYTES),
    ]),
  );
}
