// How badly the reference points of a cell's map explain what a device hears: minus the log likelihood, up to a
// constant (map.ts has the model).

import type { QueryReader } from '../../../radio/query/reader.ts';
import { cellNumber } from '../../../radio/station_key.ts';
import { MAP_NEIGHBOURS, type RadioMap } from '../../../tables/stations/radio_map.ts';
import type { Selection } from '../../transmitters/selection.ts';

/** Number of cells compared: the strongest. */
export const COMPARED = 32;
/**
 * How much levels differ, how much cells share their shadows and how often one is missed are properties of a network,
 * not of physics: these were fitted to four networks. By the first the joint log likelihood is divided, by the second
 * readings at one position differ.
 */
export const TEMPERATURE = 1.3;
export const LEVEL_SIGMA_DB = 4;
/** Cost of a cell that is missing on one side, at full level. */
const MISSING_COST = 3.5;
/** dB beyond which a difference of levels says no more, and by which devices differ. */
const LEVEL_LIMIT_DB = 20;
const OFFSET_SIGMA_DB = 2;
/** Level of a cell whose absence costs nothing, and dB from there to full cost. */
const FAINT_DBM = -130;
const FULL_DB = 70;

const queryCell = new Float64Array(COMPARED);
/**
 * By neighbour: its level in the query, 0 = not sent, and what it costs a reference point not to have it, -1 = not
 * heard.
 */
const neighbourLevel = new Float64Array(MAP_NEIGHBOURS);
const neighbourCost = new Float64Array(MAP_NEIGHBOURS);

/**
 * Finds the query's other cells among the neighbours of a map, which `costsOfPoints` then compares.
 * @param own index of the map's cell among the selected ones; -1 if the device does not hear it
 * @returns what it costs a reference point to have none of them
 */
export function readNeighbours(
  query: QueryReader,
  { count, observation, levelDbm, levelSent }: Selection,
  own: number,
  map: RadioMap,
): number {
  const cells = Math.min(count, COMPARED);
  for (let s = 0; s < cells; s++) queryCell[s] = s === own ? -1 : cellNumber(query.memory.u8, query.at(observation[s]));
  let missing = 0;
  for (let n = 0; n < map.neighbours; n++) {
    neighbourCost[n] = -1;
    let s = 0;
    while (s < cells && queryCell[s] !== map.neighbour[n]) s++;
    if (s === cells) continue;
    neighbourLevel[n] = levelSent[s] === 1 ? levelDbm[s] : 0;
    neighbourCost[n] = costOf(levelDbm[s]);
    missing += neighbourCost[n];
  }
  return missing;
}

/** What it costs that no reference point of a map has all cells of the query but its own. */
export function costOfAll({ count, levelDbm }: Selection, own: number): number {
  const cells = Math.min(count, COMPARED);
  let all = 0;
  for (let s = 0; s < cells; s++) if (s !== own) all += costOf(levelDbm[s]);
  return all;
}

/** Some points of the map of a cell that are compared with what is heard. */
interface ComparedPoints {
  /** Index of the map's cell among the selected ones; -1 if the device does not hear it. */
  own: number;
  map: RadioMap;
  /** What a point costs that has none of the query's other cells. */
  missing: number;
  /** Indices in the map, the first `count`. */
  points: Int32Array;
  count: number;
}

/**
 * Writes the costs of some reference points.
 * @param levelSigmaDb by which readings at one position differ
 * @param from where in `cost` the first one goes
 * @param isMissedByRoot a cell is missed by the root of the share of the observations that had it, not by the share
 * @returns the least
 */
export function costsOfPoints(
  selection: Selection,
  { own, map, missing, points, count }: ComparedPoints,
  levelSigmaDb: number,
  cost: Float64Array,
  from = 0,
  isMissedByRoot = false,
): number {
  const offsetRatio = (levelSigmaDb / OFFSET_SIGMA_DB) ** 2;
  const isOwnSent = own >= 0 && selection.levelSent[own] === 1;
  const { levelDbm, heardFrom, heardNeighbour, heardShare, heardLevelDbm } = map;
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < count; c++) {
    const p = points[c];
    let unlike = own < 0 ? missing + costOf(levelDbm[p]) : missing;
    let compared = 0;
    let sum = 0;
    let squares = 0;
    if (isOwnSent) {
      const db = limited(selection.levelDbm[own] - levelDbm[p]);
      compared = 1;
      sum = db;
      squares = db * db;
    }
    for (let h = heardFrom[p]; h < heardFrom[p + 1]; h++) {
      const n = heardNeighbour[h];
      if (neighbourCost[n] < 0) {
        unlike += costOf(heardLevelDbm[h]) * (isMissedByRoot ? Math.sqrt(heardShare[h]) : heardShare[h]);
        continue;
      }
      unlike -= neighbourCost[n];
      if (neighbourLevel[n] === 0) continue;
      const db = limited(neighbourLevel[n] - heardLevelDbm[h]);
      compared++;
      sum += db;
      squares += db * db;
    }
    // The device's offset is integrated out: a difference common to all levels costs little.
    unlike += (squares - (sum * sum) / (compared + offsetRatio)) / (2 * levelSigmaDb * levelSigmaDb);
    cost[from + c] = unlike;
    if (unlike < least) least = unlike;
  }
  return least;
}

function limited(db: number): number {
  return Math.min(LEVEL_LIMIT_DB, Math.max(-LEVEL_LIMIT_DB, db));
}

/** What it costs that a cell of some level is missing. */
function costOf(levelDbm: number): number {
  return MISSING_COST * Math.min(1, Math.max(0, (levelDbm - FAINT_DBM) / FULL_DB));
}
