// A position from cells with a direct match. A cell's record says where it is observed, so each known cell is a Gaussian around that place; several
// are weighted by received amplitude over the area they cover, 10^(s/20) / r50^2, which on the reference's six-cell scans has a third less median error than
// the serving cell alone. A cell far outside the serving cell's reach is a mistaken or reused identity and is left out.

import { FLAG_SERVING, OBSERVATION_BYTES, OBSERVATION_FLAGS, OBSERVATION_SIGNAL, SIGNAL_ABSENT, SOURCE_CELL } from '../../wasm/layout.ts';
import { wrapDegrees } from '../geo/angle.ts';
import { distanceMetres } from '../geo/distance.ts';
import type { StationReader } from '../tables/stations.ts';
import { circularEstimate, type Estimate } from './estimate.ts';
import type { QueryMemory } from './query.ts';

/** Level of a cell sent without one: a median reading. */
const LEVEL_DBM_UNKNOWN = -95;
/** Least 50 % radius of a cell: no cell is smaller than its own position's uncertainty. */
const R50_METRES_FLOOR = 25;
/** Cells further apart than the sum of their 95 % radii and this are not heard at once. */
const REACH_MARGIN_METRES = 3_000;
/** Cells used at most: the strongest tell all there is to know. */
const CELLS_LIMIT = 512;
/** Share of the weighted mean radius that half of the truths lie within, for one cell and, falling towards it, for many. */
const MANY_CELLS_FACTOR = 0.75;

/** Locates by the cells among the observations `first`..`first + count`. */
export function locateByCells(
  memory: QueryMemory,
  start: number,
  first: number,
  count: number,
  stations: StationReader,
): Estimate | undefined {
  const serving = servingCell(memory, start, first, count, stations);
  if (serving < 0) return undefined;
  const latitude = stations.latitude(serving);
  const longitude = stations.longitude(serving);
  const reach = stations.r95Metres(serving) + REACH_MARGIN_METRES;
  let weights = 0;
  let north = 0;
  let east = 0;
  let radius = 0;
  let used = 0;
  for (let i = first; i < first + count && used < CELLS_LIMIT; i++) {
    if (!stations.isKnown(i) || repeats(memory, start, first, i)) continue;
    if (i !== serving) {
      const away = distanceMetres(latitude, longitude, stations.latitude(i), stations.longitude(i));
      if (away > reach + stations.r95Metres(i)) continue;
    }
    const r50 = Math.max(stations.r50Metres(i), R50_METRES_FLOOR);
    const weight = 10 ** (levelAt(memory, start + i * OBSERVATION_BYTES) / 20) / (r50 * r50);
    weights += weight;
    north += weight * (stations.latitude(i) - latitude);
    east += weight * wrapDegrees(stations.longitude(i) - longitude);
    radius += weight * r50;
    used++;
  }
  const factor = MANY_CELLS_FACTOR + (1 - MANY_CELLS_FACTOR) / used;
  return circularEstimate(
    SOURCE_CELL,
    latitude + north / weights,
    wrapDegrees(longitude + east / weights),
    (radius / weights) * factor,
    used,
  );
}

/** The known cell that anchors the others: one marked serving, else the first that is known. -1 when none is. */
function servingCell(memory: QueryMemory, start: number, first: number, count: number, stations: StationReader): number {
  let known = -1;
  for (let i = first; i < first + count; i++) {
    if (!stations.isKnown(i)) continue;
    if ((memory.u16[(start + i * OBSERVATION_BYTES + OBSERVATION_FLAGS) >> 1] & FLAG_SERVING) !== 0) return i;
    if (known < 0) known = i;
  }
  return known;
}

/** True when an earlier observation has the same key: a cell counts once. Long lists are not compared in full. */
function repeats(memory: QueryMemory, start: number, first: number, i: number): boolean {
  const from = Math.max(first, i - 64);
  const words = memory.i32;
  const at = (start + i * OBSERVATION_BYTES) >> 2;
  for (let j = from; j < i; j++) {
    const other = (start + j * OBSERVATION_BYTES) >> 2;
    if (words[at] === words[other] && words[at + 1] === words[other + 1] && words[at + 2] === words[other + 2]) return true;
  }
  return false;
}

function levelAt(memory: QueryMemory, at: number): number {
  const level = memory.i16[(at + OBSERVATION_SIGNAL) >> 1];
  return level === SIGNAL_ABSENT ? LEVEL_DBM_UNKNOWN : level;
}
