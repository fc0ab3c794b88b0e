// Writes the stations of the live tables as CSV: cells in the fourteen columns of the Mozilla Location Service and
// OpenCelliD, access points and beacons as lists. Only stations that take part in lookups are written, with position,
// radius and counts, but without radio maps and path loss.
//
// For publishing, positions can be blurred: each moves to the middle of its square of a grid, which is the same at
// every export. So several exports together reveal no more than one; random shifts would.

import { WHOLE_METRES_PER_DEGREE } from '../../wasm/earth_constants.ts';
import {
  KIND_BEACON,
  KIND_BLUETOOTH,
  KIND_CDMA,
  KIND_GSM,
  KIND_NR,
  KIND_WCDMA,
  KIND_WIFI,
  radioOfKind,
} from '../radio/kind.ts';
import { formatMac } from '../radio/mac.ts';
import { CODE_ABSENT } from '../radio/query/layout.ts';
import { areaOfKey, beaconOfKey, cellOfKey, macOfKey, mccOfKey, mncOfKey } from '../radio/station_key.ts';
import { AREA_NONE } from '../radio/unknown_cell.ts';
import { type Generation, openLiveGeneration } from '../tables/stations/generation.ts';
import { decodeStation, STATE_ACTIVE, type Station, stationView } from '../tables/stations/station.ts';
import type { ExportedLines } from './export_observations.ts';

/** Stations to export, and their precision. */
export interface StationExport {
  kind: StationKind;
  /** Side of the grid's squares, metres; 0 for exact positions. */
  blurMetres: number;
  /** Leaves out stations with fewer observations. */
  minSamples: number;
}

export const STATION_KINDS = ['cells', 'wifi', 'bluetooth'] as const;
export type StationKind = (typeof STATION_KINDS)[number];

interface Table {
  header: string;
  /** First and last kind byte of the keys. */
  kinds: [first: number, last: number];
  rowOf(key: Uint8Array, station: Station): string;
}

const TABLES: Record<StationKind, Table> = {
  cells: {
    header: 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal',
    kinds: [KIND_GSM, KIND_NR],
    rowOf: cellRow,
  },
  wifi: {
    header: 'bssid,latitude,longitude,radius,samples,firstseen,lastseen',
    kinds: [KIND_WIFI, KIND_WIFI],
    rowOf: accessPointRow,
  },
  bluetooth: {
    header: 'address,uuid,major,minor,latitude,longitude,radius,samples,firstseen,lastseen',
    kinds: [KIND_BLUETOOTH, KIND_BEACON],
    rowOf: beaconRow,
  },
};

const SLICE_STATIONS = 2_000;
const DEGREES_PER_METRE = 1 / WHOLE_METRES_PER_DEGREE;
/** Mean distance of the points of a square from its middle, in sides. */
const SQUARE_MEAN = 0.38;
const DAY_SECONDS = 86_400;
/** Radii are written in whole metres from here on; below, half a metre would be more than 2 %. */
const WHOLE_METRES_MIN = 25;

/**
 * The stations of the live tables in key order. Each slice is read in a transaction of its own; imports and aggregation
 * may go on meanwhile, and tables that are replaced meanwhile are still read to their end.
 * @param folder data folder
 * @throws Error when the tables are damaged
 */
export async function* exportStations(
  folder: string,
  { kind, blurMetres, minSamples }: StationExport,
): AsyncGenerator<ExportedLines> {
  const { header, kinds, rowOf } = TABLES[kind];
  yield { text: `${header}\n`, count: 0, done: 0, total: 0 };
  const generation = openLiveGeneration(folder);
  if (generation === undefined) return;
  try {
    const end = Buffer.of(kinds[1] + 1);
    let done = 0;
    for (let start = Buffer.of(kinds[0]); ; ) {
      const slice = readSlice(generation, start, end);
      if (slice.length === 0) return;
      start = Buffer.concat([slice[slice.length - 1].key, Buffer.of(0)]);
      done += slice.length;
      const chosen = slice.filter(({ station }) => station.state === STATE_ACTIVE && station.samples >= minSamples);
      const rows = chosen.map(
        ({ key, station }) => `${rowOf(key, blurMetres > 0 ? blur(station, blurMetres) : station)}\n`,
      );
      yield { text: rows.join(''), count: rows.length, done, total: 0 };
    }
  } finally {
    await generation.root.close();
  }
}

function readSlice({ root, stations }: Generation, start: Buffer, end: Buffer): { key: Buffer; station: Station }[] {
  root.resetReadTxn();
  try {
    const slice: { key: Buffer; station: Station }[] = [];
    for (const { key, value } of stations.getRange({ start, end, limit: SLICE_STATIONS }))
      slice.push({ key: Buffer.from(key), station: decodeStation(stationView(value), 0) });
    return slice;
  } finally {
    root.resetReadTxn();
  }
}

/** Moves a station to the middle of its square; the radius grows by the error of that. */
function blur(station: Station, metres: number): Station {
  const latitude = Math.max(-90, Math.min(90, middle(station.latitude, metres * DEGREES_PER_METRE)));
  // The squares in one row of latitude are equally wide; at the poles one square goes all around.
  const width = (metres * DEGREES_PER_METRE) / Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6);
  const longitude = width >= 360 ? 0 : Math.max(-180, Math.min(180, middle(station.longitude, width)));
  return { ...station, latitude, longitude, r50Metres: Math.hypot(station.r50Metres, SQUARE_MEAN * metres) };
}

function middle(degrees: number, side: number): number {
  return (Math.floor(degrees / side) + 0.5) * side;
}

/**
 * `unit` is the scrambling code or physical cell id. It is empty when unknown, and so is the area code. Keys of cdma
 * hold no country.
 */
function cellRow(key: Uint8Array, station: Station): string {
  const kind = key[0];
  const radio = kind === KIND_WCDMA ? 'UMTS' : radioOfKind(kind)!.toUpperCase();
  const country = kind === KIND_CDMA ? 0 : mccOfKey(key, 0);
  const area = areaOfKey(key, 0) === AREA_NONE ? '' : areaOfKey(key, 0);
  const unit = station.code === CODE_ABSENT ? '' : station.code;
  const range = station.r50Metres < WHOLE_METRES_MIN ? radiusOf(station) : Math.round(station.r50Metres);
  const seen = `${station.firstSeenDay * DAY_SECONDS},${station.lastSeenDay * DAY_SECONDS}`;
  return `${radio},${country},${mncOfKey(key, 0)},${area},${cellOfKey(key, 0)},${unit},${degrees(station.longitude)},${degrees(station.latitude)},${range},${station.samples},1,${seen},0`;
}

function accessPointRow(key: Uint8Array, station: Station): string {
  return `${formatMac(macOfKey(key, 0))},${positionColumns(station)}`;
}

function beaconRow(key: Uint8Array, station: Station): string {
  if (key[0] === KIND_BLUETOOTH) return `${formatMac(macOfKey(key, 0))},,,,${positionColumns(station)}`;
  const { uuid, major, minor } = beaconOfKey(key, 0);
  return `,${uuid},${major},${minor},${positionColumns(station)}`;
}

function positionColumns(station: Station): string {
  const { latitude, longitude, samples, firstSeenDay, lastSeenDay } = station;
  return `${degrees(latitude)},${degrees(longitude)},${radiusOf(station)},${samples},${dateOf(firstSeenDay)},${dateOf(lastSeenDay)}`;
}

/** Metres to one decimal; never 0, which readers take for unknown. */
function radiusOf({ r50Metres }: Station): number {
  return Math.max(Math.round(r50Metres * 10) / 10, 0.1);
}

/** As many decimals as the tables keep, never an exponent. */
function degrees(value: number): string {
  return value.toFixed(7).replace(/\.?0+$/, '');
}

function dateOf(day: number): string {
  return day === 0 ? '' : new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}
