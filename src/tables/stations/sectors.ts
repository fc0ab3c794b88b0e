// The sectors of one cell site. An lte or nr cell id ends with the sector and begins with the eNodeB or gNodeB, so the
// sectors of one cell site are a short range of keys. Their mean is roughly where the antennas stand.

import type { Database } from 'lmdb';
import { wrapDegrees } from '../../geo/angle.ts';
import { distanceMetres } from '../../geo/distance.ts';
import { KIND_LTE, KIND_NBIOT, KIND_NR } from '../../radio/kind.ts';
import { KEY_BYTES_CELL } from '../../radio/station_key.ts';
import { decodeStation, STATE_ACTIVE, stationView } from './station.ts';

/** Lowest byte of the cell id in a key. */
const SECTOR_AT = 8;
/** Most sectors of a cell site that are read, and the fewest that locate it. */
const SECTORS_LIMIT = 64;
const SECTORS_MIN = 3;

/** Position of a cell site. */
export interface CellSite {
  /** Degrees. */
  latitude: number;
  longitude: number;
  sectors: number;
  /** Root mean square distance of the sectors' middles from it, metres. */
  spreadMetres: number;
}

/**
 * Finds the cell site of a cell, in the open transaction.
 * @param key of the cell, at byte `at`
 * @param near degrees: sectors further than `reachMetres` from it belong elsewhere under the same id
 * @returns undefined for kinds whose ids do not name a cell site, and for fewer than three sectors
 */
export function siteOfCell(
  stations: Database<Buffer, Buffer>,
  key: Uint8Array,
  at: number,
  near: { latitude: number; longitude: number },
  reachMetres: number,
): CellSite | undefined {
  const bits = sectorBits(key[at]);
  if (bits === 0) return undefined;
  const start = Buffer.from(key.subarray(at, at + KEY_BYTES_CELL)).fill(0, SECTOR_AT);
  const end = Buffer.alloc(KEY_BYTES_CELL + 1, 0xff);
  start.copy(end, 0, 0, SECTOR_AT);
  if (bits > 8) {
    start[SECTOR_AT - 1] &= 0xf0;
    end[SECTOR_AT - 1] |= 0x0f;
  }
  const sectors: { latitude: number; longitude: number }[] = [];
  for (const { value } of stations.getRange({ start, end, limit: SECTORS_LIMIT })) {
    const { latitude, longitude, state } = decodeStation(stationView(value), 0);
    if (state !== STATE_ACTIVE || distanceMetres(near.latitude, near.longitude, latitude, longitude) > reachMetres)
      continue;
    sectors.push({ latitude, longitude });
  }
  return sectors.length < SECTORS_MIN ? undefined : middleOfSectors(sectors);
}

function middleOfSectors(sectors: readonly { latitude: number; longitude: number }[]): CellSite {
  const count = sectors.length;
  const first = sectors[0].longitude;
  const latitude = sectors.reduce((sum, sector) => sum + sector.latitude, 0) / count;
  const longitude = wrapDegrees(
    first + sectors.reduce((sum, sector) => sum + wrapDegrees(sector.longitude - first), 0) / count,
  );
  const squares = sectors.reduce(
    (sum, sector) => sum + distanceMetres(latitude, longitude, sector.latitude, sector.longitude) ** 2,
    0,
  );
  return { latitude, longitude, sectors: count, spreadMetres: Math.sqrt(squares / count) };
}

/**
 * Low bits of a cell id that name the sector, 0 = the id names no cell site. A gNodeB has 4 to 14 of them, mostly 12.
 */
function sectorBits(kind: number): number {
  if (kind === KIND_LTE || kind === KIND_NBIOT) return 8;
  return kind === KIND_NR ? 12 : 0;
}
