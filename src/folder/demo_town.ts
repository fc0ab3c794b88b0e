// The demo town: a small synthetic town for the first requests to a new data folder. Nothing in it exists. Its network
// is the test network 001-01, its addresses are locally administered, and it lies in the sea off Null Island. It is the
// same on every machine, so the documented requests have the documented answers.

import { WHOLE_METRES_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { KIND_BLUETOOTH, KIND_LTE, KIND_WIFI } from '../radio/kind.ts';
import { keyBytesOfKind, networkNumber, writeCellKey, writeMacKey } from '../radio/station_key.ts';
import type { StationChange } from '../tables/stations/knowledge.ts';
import { encodeStation, RECORD_BYTES, stationAt } from '../tables/stations/station.ts';

/** Middle of the town, in degrees. */
const LATITUDE = 1.25;
const LONGITUDE = -2.5;
const DEGREES_PER_METRE = 1 / WHOLE_METRES_PER_DEGREE;
/** Access points stand on a jittered grid with this many rows and columns, this far apart. */
const GRID = 20;
const SPACING_METRES = 40;
/**
 * Address of the first access point, 02:00:5e:00:00:01, counted up row by row. Beacons begin at 00:00:5e:00:53:01,
 * which is reserved for documents (RFC 9542).
 */
const FIRST_MAC = 0x02005e000001;
const FIRST_BEACON_MAC = 0x00005e005301;
const BEACONS = 40;
/** LTE cells of eNodeB 1000 in 001-01, area 1, on a circle around the middle. */
const CELLS = 9;
const FIRST_CELL = 256_001;
const CELL_CIRCLE_METRES = 500;

/** An access point of the town. */
export interface DemoAccessPoint {
  /** 48 bits. */
  mac: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

/** The access points of the town. */
export function demoAccessPoints(): DemoAccessPoint[] {
  return accessPoints(seededJitter());
}

/** A test for the stations of the town by their keys. */
export function isOfDemo(): (key: Buffer) => boolean {
  const keys = new Set(demoChanges('put').map(({ key }) => Buffer.from(key).toString('hex')));
  return key => keys.has(key.toString('hex'));
}

/** The stations of the town, as changes that put or delete them. */
export function demoChanges(action: 'put' | 'delete'): StationChange[] {
  const changes: StationChange[] = [];
  const add = (
    kind: number,
    writeKey: (key: Uint8Array) => void,
    eastMetres: number,
    northMetres: number,
    r50Metres: number,
  ) => {
    const key = new Uint8Array(24);
    writeKey(key);
    const record = new Uint8Array(RECORD_BYTES);
    const { latitude, longitude } = degreesOf(eastMetres, northMetres);
    const station = stationAt(latitude, longitude, r50Metres, r50Metres * 2);
    encodeStation(new DataView(record.buffer), 0, { ...station, samples: 20 });
    changes.push({ key: key.subarray(0, keyBytesOfKind(kind)), record: action === 'put' ? record : undefined });
  };
  const jitter = seededJitter();
  for (const { mac, east, north } of accessPoints(jitter)) {
    add(KIND_WIFI, key => writeMacKey(key, 0, KIND_WIFI, mac), east, north, 25);
  }
  for (let i = 0; i < BEACONS; i++) {
    add(
      KIND_BLUETOOTH,
      key => writeMacKey(key, 0, KIND_BLUETOOTH, FIRST_BEACON_MAC + i),
      jitter() * 350,
      jitter() * 350,
      5,
    );
  }
  for (let i = 0; i < CELLS; i++) {
    const angle = (i / CELLS) * 2 * Math.PI;
    const east = Math.sin(angle) * CELL_CIRCLE_METRES;
    add(
      KIND_LTE,
      key => writeCellKey(key, 0, KIND_LTE, networkNumber(KIND_LTE, 1, 1), 1, FIRST_CELL + i),
      east,
      Math.cos(angle) * CELL_CIRCLE_METRES,
      400,
    );
  }
  return changes;
}

/** Also in metres east and north of the middle. */
function accessPoints(jitter: () => number): (DemoAccessPoint & { east: number; north: number })[] {
  return Array.from({ length: GRID * GRID }, (_, i) => {
    const east = ((i % GRID) - (GRID - 1) / 2) * SPACING_METRES + jitter() * 10;
    const north = (Math.floor(i / GRID) - (GRID - 1) / 2) * SPACING_METRES + jitter() * 10;
    return { mac: FIRST_MAC + i, east, north, ...degreesOf(east, north) };
  });
}

/** Near the equator a degree of longitude is taken to be as long as one of latitude. */
function degreesOf(eastMetres: number, northMetres: number): { latitude: number; longitude: number } {
  return {
    latitude: LATITUDE + northMetres * DEGREES_PER_METRE,
    longitude: LONGITUDE + eastMetres * DEGREES_PER_METRE,
  };
}

/** Numbers in -1..1, the same each time (linear congruential generator of Numerical Recipes). */
function seededJitter(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2147483648 - 1;
  };
}
