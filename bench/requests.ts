// Draws positioning requests of devices in the seeded world. A device stands somewhere in a town and names 8 to 20 of
// the access points within 80 m, strongest first, a tenth of them unknown to the tables, and 1 to 6 cells, serving cell
// first. Levels follow the path loss of the world with log-normal shadowing. Request k is a pure function of (seed, k),
// so a load generator and a check of the answers agree on it. A body may also name only access points, or only cells.

import { writeFileSync } from 'node:fs';
import { formatMac } from '../src/radio/mac.ts';
import { hash32, normal, uniform } from '../test/kits/random.ts';
import {
  ACCESS_POINTS_A_BLOCK,
  accessPointPosition,
  BLOCK_METRES,
  COUNTRY_CODE,
  cellIdentity,
  degreesOf,
  EXPONENT,
  firstAccessPoint,
  macOf,
  NETWORK_CODE,
  REFERENCE_DBM,
  SECTORS,
  sectorPosition,
  siteAt,
  TOWN_BLOCKS,
  TOWN_SITES,
  type TownPosition,
  unknownMac,
  type World,
} from './world.ts';

/** Access points farther away are not heard. */
export const RANGE_METRES = 80;
/** Number of access points in a request. */
export const ACCESS_POINTS_MIN = 8;
export const ACCESS_POINTS_MAX = 20;
const CELLS_MAX = 6;
const UNKNOWN_SHARE = 0.1;
const SHADOWING_DB = 5;
const CHANNELS = [1, 6, 11, 36, 44, 100];

export interface SeenAccessPoint {
  /** Address, 0..2^48-1. */
  mac: number;
  /** dBm, -95..-25. */
  signalDbm: number;
  channel: number;
  /** True if the tables hold it. */
  known: boolean;
}

export interface SeenCell {
  area: number;
  cell: number;
  /** Physical cell id, 0..503. */
  code: number;
  /** dBm, -135..-50. */
  signalDbm: number;
}

/** A device at its true position, and what it hears, strongest first. */
export interface Scan {
  latitude: number;
  longitude: number;
  accessPoints: SeenAccessPoint[];
  cells: SeenCell[];
}

/** The scan of request `number` in the world. */
export function scanAt(world: World, number: number): Scan {
  const random = uniform(hash32(world.seed, number, 99));
  for (;;) {
    const near = accessPointPosition(world, Math.floor(random() * world.accessPoints));
    const position: TownPosition = {
      town: near.town,
      east: near.east + (random() - 0.5) * 40,
      north: near.north + (random() - 0.5) * 40,
    };
    const scan = scanFrom(world, position, random);
    if (scan !== undefined) return scan;
  }
}

/** What a device hears at a position; undefined where that are fewer access points than a request names. */
export function scanFrom(world: World, position: TownPosition, random: () => number): Scan | undefined {
  const inRange = accessPointsAround(world, position, random);
  if (inRange.length < ACCESS_POINTS_MIN) return undefined;
  const count = ACCESS_POINTS_MIN + Math.floor(random() * (ACCESS_POINTS_MAX - ACCESS_POINTS_MIN + 1));
  const cells = cellsAround(world, position, random).slice(0, 1 + Math.floor(random() * CELLS_MAX));
  return { ...degreesOf(world, position), accessPoints: inRange.slice(0, count), cells };
}

/** The stations of a scan that a body names. */
export type Named = 'access points and cells' | 'access points' | 'cells';

/** Members of a body that ask for more than a position. */
export type Asked = Readonly<Partial<Record<'geoname' | 'address', 1>>>;

/** The body that the device posts. */
export function renderBody(scan: Scan, named: Named = 'access points and cells', asked: Asked = {}): string {
  const cellTowers = scan.cells.map(cell => ({
    mobileCountryCode: COUNTRY_CODE,
    mobileNetworkCode: NETWORK_CODE,
    locationAreaCode: cell.area,
    cellId: cell.cell,
    primaryScramblingCode: cell.code,
    signalStrength: cell.signalDbm,
  }));
  const wifiAccessPoints = scan.accessPoints.map(seen => ({
    macAddress: formatMac(seen.mac),
    signalStrength: seen.signalDbm,
    channel: seen.channel,
  }));
  return JSON.stringify({
    radioType: 'lte',
    ...(named === 'access points' ? {} : { cellTowers }),
    ...(named === 'cells' ? {} : { wifiAccessPoints }),
    ...asked,
  });
}

/** The whole HTTP/1.1 request: a POST of JSON, or a GET if there is no body. */
export function renderRequest(target: string, body: string | undefined): Buffer {
  if (body === undefined) return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const head =
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ` +
    `${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

/**
 * Writes the requests of a world as a file for the load generator.
 * @returns mean bytes of a body
 */
export function writeRequestFile(path: string, world: World, count: number, key: string, named?: Named): number {
  let bodyBytes = 0;
  const requests = Array.from({ length: count }, (_, number) => {
    const body = renderBody(scanAt(world, number), named);
    bodyBytes += Buffer.byteLength(body);
    return renderRequest(`/?key=${key}`, body);
  });
  writeRequests(path, requests);
  return bodyBytes / count;
}

/**
 * Writes the file that the load generator maps: the number of requests, their lengths (32 bits each, little-endian),
 * then their bytes.
 */
export function writeRequests(path: string, requests: readonly Buffer[]): void {
  const lengths = Uint32Array.from([requests.length, ...requests.map(({ length }) => length)]);
  writeFileSync(path, Buffer.concat([new Uint8Array(lengths.buffer), ...requests]));
}

/**
 * An access point of the world as a device hears it at a distance, or an unknown one with a neighbouring address.
 * @param index number of the access point
 */
export function hearAccessPoint(world: World, index: number, metres: number, random: () => number): SeenAccessPoint {
  const level = REFERENCE_DBM - 10 * EXPONENT * Math.log10(Math.max(metres, 1)) + SHADOWING_DB * normal(random)();
  const known = random() >= UNKNOWN_SHARE;
  const mac = known ? macOf(world, index) : unknownMac(world, index);
  return {
    mac,
    signalDbm: Math.round(Math.min(Math.max(level, -95), -25)),
    channel: CHANNELS[index % CHANNELS.length],
    known,
  };
}

function accessPointsAround(world: World, position: TownPosition, random: () => number): SeenAccessPoint[] {
  const seen: SeenAccessPoint[] = [];
  const reach = Math.ceil(RANGE_METRES / BLOCK_METRES);
  const column = Math.floor(position.east / BLOCK_METRES);
  const row = Math.floor(position.north / BLOCK_METRES);
  for (let y = Math.max(row - reach, 0); y <= Math.min(row + reach, TOWN_BLOCKS - 1); y++) {
    for (let x = Math.max(column - reach, 0); x <= Math.min(column + reach, TOWN_BLOCKS - 1); x++) {
      const first = firstAccessPoint(world, position.town, x, y);
      if (first < 0) continue;
      for (let index = first; index < Math.min(first + ACCESS_POINTS_A_BLOCK, world.accessPoints); index++) {
        const stands = accessPointPosition(world, index);
        const metres = Math.hypot(stands.east - position.east, stands.north - position.north);
        if (metres > RANGE_METRES) continue;
        seen.push(hearAccessPoint(world, index, metres, random));
      }
    }
  }
  return seen.sort((a, b) => b.signalDbm - a.signalDbm);
}

function cellsAround(world: World, position: TownPosition, random: () => number): SeenCell[] {
  const siteMetres = (TOWN_BLOCKS / TOWN_SITES) * BLOCK_METRES;
  const column = Math.min(Math.max(Math.floor(position.east / siteMetres), 0), TOWN_SITES - 1);
  const row = Math.min(Math.max(Math.floor(position.north / siteMetres), 0), TOWN_SITES - 1);
  const seen: SeenCell[] = [];
  for (let y = row - 1; y <= row + 1; y++) {
    for (let x = column - 1; x <= column + 1; x++) {
      const site = siteAt(position.town, x, y);
      if (site < 0) continue;
      for (let sector = 0; sector < SECTORS; sector++) {
        const heard = sectorPosition(world, site, sector);
        const metres = Math.hypot(heard.east - position.east, heard.north - position.north);
        const level = -62 - 35 * Math.log10(Math.max(metres, 100) / 100) + SHADOWING_DB * normal(random)();
        seen.push({
          ...cellIdentity(world, site, sector),
          signalDbm: Math.round(Math.min(Math.max(level, -135), -50)),
        });
      }
    }
  }
  return seen.sort((a, b) => b.signalDbm - a.signalDbm);
}
