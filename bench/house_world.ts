// A world with access points in the houses of a real country, so that devices are where people have addresses.
// Everything is as in the seeded world (world.ts), except the positions of the access points: two in every house, a few
// metres from its middle. A device stands near a house and names 8 to 20 of the access points within 80 m, strongest
// first. Where there are fewer, there is no device.

import KDBush from 'kdbush';
import { KIND_WIFI } from '../src/radio/kind.ts';
import { writeMacKey } from '../src/radio/station_key.ts';
import { encodeStation } from '../src/tables/stations/station.ts';
import { METRES_A_DEGREE, moved } from '../test/kits/radio/ground.ts';
import { hash32, hashFraction, uniform } from '../test/kits/random.ts';
import { ACCESS_POINTS_MAX, ACCESS_POINTS_MIN, hearAccessPoint, RANGE_METRES, type Scan } from './requests.ts';
import { createWorld, ENTRY_BYTES, heardStation, KEY_BYTES, macOf, type World } from './world.ts';

const ACCESS_POINTS_A_HOUSE = 2;
/** Distance of an access point from the middle of its house, metres at most, each way. */
const INDOORS_METRES = 8;
/** Distance of a device from its house, metres at most, each way. */
const AWAY_METRES = 20;
const SALT_EAST = 20;
const SALT_NORTH = 21;
const SALT_SCAN = 22;

/** Degrees. */
export interface Point {
  latitude: number;
  longitude: number;
}

/**
 * Houses and their access points. Metres are east and north of the first house, on a plane that is exact enough within
 * some tens of kilometres.
 */
export interface HouseWorld {
  /** Gives the access points their addresses. */
  readonly world: World;
  readonly houses: number;
  readonly origin: Point;
  /** East and north of each access point in turn, metres. */
  readonly metres: Float64Array;
  /** The same points as a tree. */
  readonly tree: KDBush;
}

/** Puts access points into houses. @throws Error for fewer than 500 houses */
export function createHouseWorld(houses: readonly Point[], seed: number): HouseWorld {
  const world = createWorld(houses.length * ACCESS_POINTS_A_HOUSE, seed);
  const origin = houses[0];
  const metres = new Float64Array(2 * world.accessPoints);
  const tree = new KDBush(world.accessPoints);
  for (let index = 0; index < world.accessPoints; index++) {
    const { latitude, longitude } = houses[Math.floor(index / ACCESS_POINTS_A_HOUSE)];
    const indoors = (salt: number) => (hashFraction(seed, index, salt) - 0.5) * 2 * INDOORS_METRES;
    const east = (longitude - origin.longitude) * metresEast(origin) + indoors(SALT_EAST);
    const north = (latitude - origin.latitude) * METRES_A_DEGREE + indoors(SALT_NORTH);
    metres.set([east, north], 2 * index);
    tree.add(east, north);
  }
  tree.finish();
  return { world, houses: houses.length, origin, metres, tree };
}

/** The stations in the order of their keys, in the form of `stationBatches`. */
export function houseWorldStations({ world, origin, metres }: HouseWorld): { bytes: Uint8Array; count: number } {
  const bytes = new Uint8Array(world.accessPoints * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  const addresses = Array.from({ length: world.accessPoints }, (_, index) => ({ index, mac: macOf(world, index) }));
  addresses.sort((a, b) => a.mac - b.mac);
  for (const [i, { index, mac }] of addresses.entries()) {
    const position = pointAt(origin, metres[2 * index], metres[2 * index + 1]);
    writeMacKey(bytes, i * ENTRY_BYTES, KIND_WIFI, mac);
    encodeStation(view, i * ENTRY_BYTES + KEY_BYTES, heardStation(world, index, position));
  }
  return { bytes, count: world.accessPoints };
}

/** The scan of device `number`, without cells. Never returns if no house has enough neighbours. */
export function houseWorldScan({ world, origin, metres, tree }: HouseWorld, number: number): Scan {
  const random = uniform(hash32(world.seed, number, SALT_SCAN));
  for (;;) {
    const near = Math.floor(random() * world.accessPoints);
    const east = metres[2 * near] + (random() - 0.5) * 2 * AWAY_METRES;
    const north = metres[2 * near + 1] + (random() - 0.5) * 2 * AWAY_METRES;
    const inRange = tree.within(east, north, RANGE_METRES);
    if (inRange.length < ACCESS_POINTS_MIN) continue;
    const heard = inRange.map(index =>
      hearAccessPoint(world, index, Math.hypot(metres[2 * index] - east, metres[2 * index + 1] - north), random),
    );
    const count = ACCESS_POINTS_MIN + Math.floor(random() * (ACCESS_POINTS_MAX - ACCESS_POINTS_MIN + 1));
    const accessPoints = heard.sort((a, b) => b.signalDbm - a.signalDbm).slice(0, count);
    return { ...pointAt(origin, east, north), accessPoints, cells: [] };
  }
}

function pointAt(origin: Point, east: number, north: number): Point {
  const [latitude, longitude] = moved([origin.latitude, origin.longitude], east, north);
  return { latitude, longitude };
}

/** Metres of a degree of longitude. */
function metresEast({ latitude }: Point): number {
  return METRES_A_DEGREE * Math.cos((latitude * Math.PI) / 180);
}
