// The rows of the calibration. The first byte of a key says what the row is:
//
//   T  contributor u32 BE, first report u64 BE       a track under way
//   B  first report of a track u64 BE, station key   a station as it was before the track
//   R  region u16 BE                                 tests in a region so far: u32
//   V  group u8, region u16 BE                       votes on the radii of the estimates; region 65535 = everywhere
//   F  group u8, region u16 BE                       the factors that follow from them: 3 f32
//   P  kind u8                                       their scale before any test: 3 f32; only for lab/unseen.ts
//   M  kind u8, country 2 bytes, month u16 BE        what tests found: measured.ts

import { Row, u8, u16Key, u32Key, u64Key } from '../environment/row.ts';
import { SHARES } from './votes.ts';

/** First bytes of keys. */
export const TRACK = 0x54;
export const BEFORE = 0x42;
export const REGION = 0x52;
export const VOTES = 0x56;
export const FACTORS = 0x46;
export const MEASURED = 0x4d;
export const PRIOR = 0x50;

const TRACK_KEY = new Row({ what: u8, contributor: u32Key, first: u64Key });
const BEFORE_KEY = new Row({ what: u8, track: u64Key });
const REGION_KEY = new Row({ what: u8, region: u16Key });
/** Key of what belongs to a group of estimates in a region. */
export const PLACE_KEY = new Row({ what: u8, group: u8, region: u16Key });

/** Bytes of a row of factors. */
const FACTORS_BYTES = 4 * SHARES.length;

/** Encodes factors of radii, or a scale of them. */
export function encodeFactors(factors: readonly number[]): Buffer {
  const row = Buffer.alloc(FACTORS_BYTES);
  for (const [i, factor] of factors.entries()) row.writeFloatLE(factor, 4 * i);
  return row;
}

/** Decodes factors of radii, or a scale of them. @throws Error when they are damaged */
export function decodeFactors(row: Buffer): readonly number[] {
  const factors = SHARES.map((_, i) => (row.length === FACTORS_BYTES ? row.readFloatLE(4 * i) : Number.NaN));
  if (!factors.every(factor => factor > 0 && Number.isFinite(factor)))
    throw new Error('A row of factors is damaged: one is no factor.');
  return factors;
}

/** The key of what tests found of a kind of station in a country and a month. @param month since January 1970 */
export function keyOfMeasured(kind: number, country: string | undefined, month: number): Buffer {
  const key = Buffer.alloc(6);
  key[0] = MEASURED;
  key[1] = kind;
  key.write((country ?? '').padEnd(2), 2, 'latin1');
  key.writeUInt16BE(month, 4);
  return key;
}

/** The key of a track under way. @param first number of its first report */
export function keyOfTrack(contributor: number, first: number): Buffer {
  return TRACK_KEY.encode({ what: TRACK, contributor, first });
}

/** The key of a station as it was before a track. @param track number of its first report */
export function keyOfBefore(track: number, station: Uint8Array): Buffer {
  return Buffer.concat([BEFORE_KEY.encode({ what: BEFORE, track }), station]);
}

/** The key of the tests in a region. */
export function keyOfRegion(region: number): Buffer {
  return REGION_KEY.encode({ what: REGION, region });
}

/** Encodes the number of tests in a region. */
export function encodeTests(count: number): Buffer {
  const row = Buffer.alloc(4);
  row.writeUInt32LE(count);
  return row;
}

/** Decodes the number of tests in a region. @throws Error when it is damaged */
export function decodeTests(row: Buffer): number {
  if (row.length !== 4) throw new Error(`The number of tests in a region is damaged: it has ${row.length} bytes.`);
  return row.readUInt32LE();
}

/** The key of what belongs to a place. @param what VOTES or FACTORS @param place from `placeOfVotes` */
export function keyOfPlace(what: number, place: number): Buffer {
  return PLACE_KEY.encode({ what, ...partsOfPlace(place) });
}

/** All keys that begin with a prefix. */
export function within(prefix: Buffer): { start: Buffer; end: Buffer } {
  return { start: prefix, end: Buffer.concat([prefix, Buffer.alloc(32, 0xff)]) };
}

// The places for which tests are counted apart: a group of estimates in a region.

/** Region of the votes from everywhere. */
export const EVERYWHERE = 65_535;

/** A group of estimates in a region, as one number. */
export function placeOfVotes(group: number, region: number): number {
  return group * 65_536 + region;
}

/** The group and the region of a place. */
export function partsOfPlace(place: number): { group: number; region: number } {
  return { group: Math.floor(place / 65_536), region: place % 65_536 };
}

/**
 * The places whose votes decide on a group in a region, the most general first. A group with an odd number is the
 * better known part of the one before, which comes before it.
 */
export function levelsOf(group: number, region: number): number[] {
  const levels = [placeOfVotes(group, EVERYWHERE)];
  if (group % 2 === 1) levels.unshift(placeOfVotes(group - 1, EVERYWHERE));
  if (region !== EVERYWHERE) levels.push(placeOfVotes(group, region));
  return levels;
}

/** The region of a position in degrees: one degree by one degree. */
export function regionAt(latitude: number, longitude: number): number {
  return Math.min(179, Math.floor(latitude + 90)) * 360 + Math.min(359, Math.floor(longitude + 180));
}
