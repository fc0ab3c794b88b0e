import { expect, test } from 'vitest';
import {
  accessPointPosition,
  createWorld,
  degreesOf,
  ENTRY_BYTES,
  KEY_BYTES,
  macOf,
  stationBatches,
  unknownMac,
} from '../../bench/world.ts';
import { KIND_WIFI } from '../../src/radio/kind.ts';
import { isGroupOrNullMac } from '../../src/radio/mac.ts';
import { macOfKey } from '../../src/radio/station_key.ts';
import { decodeStation } from '../../src/tables/stations/station.ts';

const world = createWorld(20_011, 7);

test('the stations stream in strictly rising order of their keys, each once', () => {
  let before = Buffer.alloc(0);
  let stations = 0;
  for (const { key } of entries()) {
    expect(Buffer.compare(before, key)).toBe(-1);
    before = Buffer.from(key);
    stations++;
  }
  expect(stations).toBe(world.accessPoints + world.sites * 3);
});

test('the stream holds every access point at its place and no unknown address', () => {
  const places = new Map<number, [number, number]>();
  for (const { key, station } of entries()) {
    if (key[0] === KIND_WIFI) places.set(macOfKey(key, 0), [station.latitude, station.longitude]);
  }
  for (let index = 0; index < world.accessPoints; index++) {
    const { latitude, longitude } = degreesOf(world, accessPointPosition(world, index));
    const stored = places.get(macOf(world, index))!;
    expect(Math.abs(stored[0] - latitude)).toBeLessThan(1e-7);
    expect(Math.abs(stored[1] - longitude)).toBeLessThan(1e-7);
    expect(places.has(unknownMac(world, index))).toBe(false);
    expect(isGroupOrNullMac(macOf(world, index))).toBe(false);
  }
});

test('ten million access points keep distinct, rising addresses below 2^48', () => {
  const large = createWorld(10_000_000, 1);
  const macs = new Set<number>();
  for (let index = 0; index < 10_000_000; index += 997) {
    const mac = macOf(large, index);
    expect(mac).toBeLessThan(2 ** 48);
    macs.add(mac);
  }
  expect(macs.size).toBe(Math.ceil(10_000_000 / 997));
});

test('the largest world is exact', () => {
  const large = createWorld(130_000_000, 1);
  const [first] = stationBatches(large);
  for (let rank = 0; rank < first.count; rank += 97) {
    const shifted = BigInt(rank - large.offset + large.accessPoints);
    const index = (shifted * BigInt(large.inverse)) % BigInt(large.accessPoints);
    expect(macOf(large, Number(index))).toBe(macOfKey(first.bytes, rank * ENTRY_BYTES));
  }
});

test('a world too small for a scan or too large for exact ranks is refused', () => {
  expect(() => createWorld(999, 1)).toThrow('1,000 to 130,000,000');
  expect(() => createWorld(130_000_001, 1)).toThrow('1,000 to 130,000,000');
});

function* entries() {
  for (const { bytes, count } of stationBatches(world)) {
    for (let at = 0; at < count * ENTRY_BYTES; at += ENTRY_BYTES) {
      yield {
        key: bytes.subarray(at, at + KEY_BYTES),
        station: decodeStation(new DataView(bytes.buffer), at + KEY_BYTES),
      };
    }
  }
}
