// A seeded world of stations that never exists as objects: where access point i stands and what its address is are pure
// functions of (seed, i).
//
//   extent of the world (inland, so that country checks run as they do for real cells)
//   +--------+--------+       town: 100 x 100 blocks of 60 m         block: 12 access points
//   |  town  |  town  |       +--+--+--+--+                          +--------+
//   |        |        |       |  |  |  |  |  ...                     | .  . . |
//   +--------+--------+       +--+--+--+--+                          |. . .  .|
//   |  town  |  ...   |       one site of three sectors              +--------+
//   +--------+--------+       every 10 x 10 blocks
//
// Access points are numbered block by block, so neighbours on the ground are found by arithmetic. A bijection gives
// each one a rank, scattering neighbours over all manufacturers, and addresses rise with the rank. So the world streams
// out sorted by key, and one request touches as many distant parts of a table as a real one does. Addresses cluster in
// manufacturer prefixes and, within one, in runs.

import { KIND_LTE, KIND_WIFI } from '../src/radio/kind.ts';
import { KEY_BYTES_CELL, networkNumber, writeCellKey, writeMacKey } from '../src/radio/station_key.ts';
import { encodeStation, RECORD_BYTES, type Station, stationAt } from '../src/tables/stations/station.ts';
import { METRES_A_DEGREE } from '../test/kits/radio/ground.ts';
import { hash32, hashFraction } from '../test/kits/random.ts';

/** Edge of a block in metres, and blocks along the edge of a town. */
export const BLOCK_METRES = 60;
export const TOWN_BLOCKS = 100;
export const ACCESS_POINTS_A_BLOCK = 12;
const BLOCKS_A_TOWN = TOWN_BLOCKS * TOWN_BLOCKS;
const ACCESS_POINTS_A_PREFIX = 500;
/** Blocks between two cell sites, and cell sites along the edge of a town. */
const SITE_BLOCKS = 10;
export const TOWN_SITES = TOWN_BLOCKS / SITE_BLOCKS;
const SITES_A_TOWN = TOWN_SITES * TOWN_SITES;
export const SECTORS = 3;
const BATCH_ENTRIES = 20_000;

const SOUTH = 48.6;
const WEST = 8.8;
const EXTENT_DEGREES = 3;
export const COUNTRY_CODE = 262;
export const NETWORK_CODE = 1;

const SALT_EAST = 1;
const SALT_NORTH = 2;
const SALT_SUFFIX = 3;
const SALT_PREFIX = 4;
const SALT_RUN = 5;
const SALT_SITE_EAST = 6;
const SALT_SITE_NORTH = 7;
const SALT_SAMPLES = 8;

/** Level at one metre in dBm and path-loss exponent of every access point. */
export const REFERENCE_DBM = -38;
export const EXPONENT = 2.8;

export interface World {
  readonly seed: number;
  /** Number of access points, at least 1,000. */
  readonly accessPoints: number;
  readonly towns: number;
  readonly sites: number;
  /** Rank of access point i = (i * multiplier + offset) mod accessPoints. */
  readonly multiplier: number;
  readonly offset: number;
  readonly inverse: number;
  readonly prefixes: number;
}

/** A position in a town: metres east and north of its south-west corner. */
export interface TownPosition {
  town: number;
  east: number;
  north: number;
}

/**
 * The world of this size and seed.
 * @throws Error below 1,000 access points or above 130 million (the sum in `productModulo` must stay exact).
 */
export function createWorld(accessPoints: number, seed: number): World {
  if (!Number.isInteger(accessPoints) || accessPoints < 1000 || accessPoints > 130_000_000) {
    throw new Error(`A benchmark world has 1,000 to 130,000,000 access points, not ${accessPoints}.`);
  }
  let multiplier = Math.round(accessPoints * 0.6180339887) | 1;
  while (commonDivisor(multiplier, accessPoints) !== 1) multiplier += 2;
  const towns = Math.ceil(accessPoints / (BLOCKS_A_TOWN * ACCESS_POINTS_A_BLOCK));
  return {
    seed,
    accessPoints,
    towns,
    sites: towns * SITES_A_TOWN,
    multiplier: multiplier % accessPoints,
    offset: hash32(seed, 0, 0) % accessPoints,
    inverse: modularInverse(multiplier % accessPoints, accessPoints),
    prefixes: Math.ceil(accessPoints / ACCESS_POINTS_A_PREFIX),
  };
}

/** Where access point `index` stands. */
export function accessPointPosition(world: World, index: number): TownPosition {
  const block = Math.floor(index / ACCESS_POINTS_A_BLOCK);
  const inTown = block % BLOCKS_A_TOWN;
  return {
    town: Math.floor(block / BLOCKS_A_TOWN),
    east: ((inTown % TOWN_BLOCKS) + hashFraction(world.seed, index, SALT_EAST)) * BLOCK_METRES,
    north: (Math.floor(inTown / TOWN_BLOCKS) + hashFraction(world.seed, index, SALT_NORTH)) * BLOCK_METRES,
  };
}

/** Number of the first access point of a block, or -1 where the town or the world has no such block. */
export function firstAccessPoint(world: World, town: number, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= TOWN_BLOCKS || row >= TOWN_BLOCKS) return -1;
  const first = (town * BLOCKS_A_TOWN + row * TOWN_BLOCKS + column) * ACCESS_POINTS_A_BLOCK;
  return first < world.accessPoints ? first : -1;
}

/** Where a cell site stands; `site` is 0..sites-1. */
function sitePosition(world: World, site: number): TownPosition {
  const inTown = site % SITES_A_TOWN;
  const edge = SITE_BLOCKS * BLOCK_METRES;
  return {
    town: Math.floor(site / SITES_A_TOWN),
    east: ((inTown % TOWN_SITES) + hashFraction(world.seed, site, SALT_SITE_EAST)) * edge,
    north: (Math.floor(inTown / TOWN_SITES) + hashFraction(world.seed, site, SALT_SITE_NORTH)) * edge,
  };
}

/** Number of a cell site in the grid of its town, or -1 outside it. */
export function siteAt(town: number, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= TOWN_SITES || row >= TOWN_SITES) return -1;
  return town * SITES_A_TOWN + row * TOWN_SITES + column;
}

/** Degrees of a position. */
export function degreesOf(world: World, position: TownPosition): { latitude: number; longitude: number } {
  const columns = Math.ceil(Math.sqrt(world.towns));
  const step = EXTENT_DEGREES / columns;
  const south = SOUTH + Math.floor(position.town / columns) * step;
  const latitude = south + position.north / METRES_A_DEGREE;
  const longitude =
    WEST + (position.town % columns) * step + position.east / (METRES_A_DEGREE * Math.cos((south * Math.PI) / 180));
  return { latitude, longitude };
}

/** Address of access point `index`. */
export function macOf(world: World, index: number): number {
  return macOfRank(world, rankOf(world, index), 0);
}

/** An unused address that follows that of access point `index` in the order of keys. */
export function unknownMac(world: World, index: number): number {
  return macOfRank(world, rankOf(world, index), 32);
}

/** eNodeB-based cell id and tracking area of a sector, 0..2. */
export function cellIdentity(world: World, site: number, sector: number): { area: number; cell: number; code: number } {
  const area = 1000 + Math.floor(site / SITES_A_TOWN);
  return {
    area: Math.min(area, 65_533),
    cell: (1000 + site) * 256 + sector + 1,
    code: (hash32(world.seed, site, SALT_RUN) % 168) * 3 + sector,
  };
}

/** Where a sector is likely to be heard: 250 metres from its site. */
export function sectorPosition(world: World, site: number, sector: number): TownPosition {
  const position = sitePosition(world, site);
  const bearing = (sector * 2 * Math.PI) / SECTORS;
  return {
    town: position.town,
    east: position.east + 250 * Math.sin(bearing),
    north: position.north + 250 * Math.cos(bearing),
  };
}

/** Bytes of each entry of `stationBatches`: a key padded to KEY_BYTES, then a station record. */
export const KEY_BYTES = KEY_BYTES_CELL;
export const ENTRY_BYTES = KEY_BYTES + RECORD_BYTES;

/** What the tables know about access point `index` if it is heard around this position, in degrees. */
export function heardStation(
  world: World,
  index: number,
  { latitude, longitude }: { latitude: number; longitude: number },
): Station {
  return {
    ...stationAt(latitude, longitude, 30, 80),
    samples: 3 + (hash32(world.seed, index, SALT_SAMPLES) % 60),
    firstSeenDay: 19_000,
    lastSeenDay: 20_000,
    referenceDbm: REFERENCE_DBM,
    exponent: EXPONENT,
  };
}

/**
 * All stations in the order of their keys, access points then cells, in batches. `bytes` is reused for the next batch.
 */
export function* stationBatches(world: World): Generator<{ bytes: Uint8Array; count: number }> {
  const bytes = new Uint8Array(BATCH_ENTRIES * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (let start = 0; start < world.accessPoints; start += BATCH_ENTRIES) {
    const count = Math.min(BATCH_ENTRIES, world.accessPoints - start);
    for (let i = 0; i < count; i++) {
      writeMacKey(bytes, i * ENTRY_BYTES, KIND_WIFI, macOfRank(world, start + i, 0));
      encodeStation(view, i * ENTRY_BYTES + KEY_BYTES, accessPointStation(world, indexOfRank(world, start + i)));
    }
    yield { bytes, count };
  }
  // The longer keys of cells overwrite the keys of access points completely.
  for (let site = 0; site < world.sites; site++) {
    for (let sector = 0; sector < SECTORS; sector++) {
      const { area, cell, code } = cellIdentity(world, site, sector);
      const { latitude, longitude } = degreesOf(world, sectorPosition(world, site, sector));
      writeCellKey(
        bytes,
        sector * ENTRY_BYTES,
        KIND_LTE,
        networkNumber(KIND_LTE, COUNTRY_CODE, NETWORK_CODE),
        area,
        cell,
      );
      encodeStation(view, sector * ENTRY_BYTES + KEY_BYTES, {
        ...stationAt(latitude, longitude, 350, 900),
        code,
        samples: 100,
      });
    }
    yield { bytes, count: SECTORS };
  }
}

function accessPointStation(world: World, index: number): Station {
  return heardStation(world, index, degreesOf(world, accessPointPosition(world, index)));
}

function rankOf(world: World, index: number): number {
  return (productModulo(index, world.multiplier, world.accessPoints) + world.offset) % world.accessPoints;
}

function indexOfRank(world: World, rank: number): number {
  const { accessPoints, offset, inverse } = world;
  return productModulo((rank - offset + accessPoints) % accessPoints, inverse, accessPoints);
}

/** a * b mod m, whose product a double may not hold. */
function productModulo(a: number, b: number, m: number): number {
  const low = a % 65_536;
  return (((((a - low) / 65_536) * b) % m) * 65_536 + low * b) % m;
}

/** Rises with the rank. Each rank has 64 consecutive addresses: 0..31 for the access point, 32..63 unused. */
function macOfRank(world: World, rank: number, shift: number): number {
  const prefix = Math.floor(rank / ACCESS_POINTS_A_PREFIX);
  const spacing = Math.floor(4_194_000 / world.prefixes);
  const manufacturer = 1 + prefix * spacing + (hash32(world.seed, prefix, SALT_PREFIX) % spacing);
  // Group and local bit stay clear: the upper six of the first octet's bits, then sixteen more.
  const prefixBits = Math.floor(manufacturer / 65_536) * 262_144 + (manufacturer % 65_536);
  const runStart = hash32(world.seed, prefix, SALT_RUN) % (16_777_216 - ACCESS_POINTS_A_PREFIX * 64);
  const suffix = runStart + (rank % ACCESS_POINTS_A_PREFIX) * 64 + shift + (hash32(world.seed, rank, SALT_SUFFIX) % 32);
  return prefixBits * 16_777_216 + suffix;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function modularInverse(value: number, modulus: number): number {
  let [r, nextR, t, nextT] = [modulus, value, 0, 1];
  while (nextR !== 0) {
    const quotient = Math.floor(r / nextR);
    [r, nextR] = [nextR, r - quotient * nextR];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  return t < 0 ? t + modulus : t;
}
