// Where in its coverage a cell is heard like this. A cell's radio map has reference points: positions where it was observed, with its own level there and those
// of the cells heard with it. How well a reference point explains what the device hears is its likelihood:
//
//   - cells heard here and there: the differences of their levels, Gaussian, with a limit, as any one reading may be anything; what all of them have in
//     common may be the device's, whose antenna and casing are unknown, and is integrated out;
//   - a cell heard here and not there, or there and not here: a penalty that grows with its level, as a weak cell is easily missed.
//
// Reference points count by the root of their observations: one passed daily is likelier, but how often it was passed says more of who contributed than of
// who asks. Cells heard together share their shadows, so their joint log likelihood is divided by a temperature.
//
// The answer is not the mean of what is likely: on a road through two valleys the mean is on the hill between them. It is the point with most around it, as a
// Cauchy kernel weighs it, the width of which falls with the eighth power of the spread: what fits into a block is averaged, of what lies kilometres
// apart one part is chosen. Against the mean this has a quarter less median error on single large cells.

import { STATUS_OK } from '../../../wasm/memory.ts';
import type { Core } from '../../core/core.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { cellNumber } from '../../radio/station_key.ts';
import { MAP_POINTS, type RadioMap } from '../../tables/stations/radio_map.ts';
import type { Selection } from '../transmitters/selection.ts';
import type { Likelihood } from './likelihood.ts';
import type { MapMatch } from './map_radii.ts';
import { type CellPast, followPlaces, PLACES_MAX, SCAN_POWER } from './past.ts';

/** dB beyond which a difference of levels says no more, and by which devices differ. */
const LEVEL_LIMIT_DB = 20;
const OFFSET_SIGMA_DB = 2;
/** Level of a cell whose absence costs nothing, and dB from there to full cost. */
const FAINT_DBM = -130;
const FULL_DB = 70;
/** Candidates whose log likelihood is this far below the best one have no weight. */
const BEHIND_MAX = 16;
/** Width of the kernel where the spread is as large, and its limits. */
const KERNEL_METRES = 285;
const KERNEL_METRES_MIN = 50;
const KERNEL_METRES_MAX = 2_000;
/** Candidates less likely than this are no start for the answer. */
const START_WEIGHT = 0.01;
const STEPS = 5;
/** A map with fewer observations than the imported samples, up to this many, is not used. */
const IMPORTED_SAMPLES_MAX = 50;
/** Number of cells compared: the strongest. */
const COMPARED = 32;

/** Width of the kernel where a track leads to the candidates, and power of what was observed there: the track says where the device goes. */
const TRACK_KERNEL_METRES = 150;
const TRACK_PRIOR_POWER = 0.5;

/** By candidate: its reference point in the map, where it is in the frame, how much it was observed, its cost, its likelihood, and how far it is from the fix. */
const pointOf = new Int32Array(MAP_POINTS);
const pointEast = new Float64Array(MAP_POINTS + PLACES_MAX);
const pointNorth = new Float64Array(MAP_POINTS + PLACES_MAX);
const prior = new Float64Array(MAP_POINTS + PLACES_MAX);
const cost = new Float64Array(MAP_POINTS);
const weight = new Float64Array(MAP_POINTS + PLACES_MAX);
const squaredDistance = new Float64Array(MAP_POINTS + PLACES_MAX);
const queryCell = new Float64Array(COMPARED);
/** By neighbour: its level in the query, 0 = not sent, and what it costs a reference point not to have it, -1 = not heard. */
const neighbourLevel = new Float64Array(256);
const neighbourCost = new Float64Array(256);

/** Where a map says that the device is; reused. */
export const mapFix = { east: 0, north: 0 };

/**
 * Locates in the radio map of selected cell `own`, in the core's frame, into `mapFix`.
 * @param r95Metres of the cell; points beyond it that only one contributor observed are ignored
 * @returns how well the map matches, valid until the next call; undefined if the map says nothing
 */
export function locateInMap(
  query: QueryReader,
  selection: Selection,
  own: number,
  map: RadioMap,
  r95Metres: number,
  likelihood: Likelihood,
  core: Core,
): MapMatch | undefined {
  if (map.observations < Math.min(map.importedSamples, IMPORTED_SAMPLES_MAX)) return undefined;
  const candidates = placeCandidates(map, own, r95Metres, core);
  if (candidates === 0) return undefined;
  const misfit = weigh(query, selection, own, map, likelihood, candidates);
  centre(candidates, kernelOf(candidates));
  return matchOf(candidates, misfit, selection, map);
}

/**
 * Locates by the last map and by where the device was, into `mapFix`, and notes where it is now.
 * @param match of `locateInMap`, which ends with this call
 */
export function followInMap(
  match: MapMatch,
  selection: Selection,
  map: RadioMap,
  { temperature }: Likelihood,
  past: CellPast,
  core: Core,
): MapMatch {
  const { candidates, misfit } = match;
  let sum = 0;
  for (let c = 0; c < candidates; c++) {
    weight[c] = prior[c] ** TRACK_PRIOR_POWER * Math.exp((-SCAN_POWER * (cost[c] - misfit)) / temperature);
    sum += weight[c];
  }
  for (let c = 0; c < candidates; c++) weight[c] /= sum;
  const all = { count: candidates, east: pointEast, north: pointNorth, weight };
  past.now = followPlaces(all, past, core);
  prior.fill(0, candidates, all.count);
  centre(all.count, TRACK_KERNEL_METRES);
  return matchOf(all.count, misfit, selection, map);
}

/** How candidates match, seen from the fix. */
function matchOf(candidates: number, misfit: number, selection: Selection, { observations }: RadioMap): MapMatch {
  for (let c = 0; c < candidates; c++) squaredDistance[c] = squaredMetres(c, mapFix.east, mapFix.north);
  return { candidates, squaredDistance, weight, prior, misfit, cells: Math.min(selection.count, COMPARED), observations };
}

/** Writes the reference points that count into the frame. @returns how many they are */
function placeCandidates(map: RadioMap, own: number, r95Metres: number, core: Core): number {
  const middleEast = core.positionEast[own];
  const middleNorth = core.positionNorth[own];
  let candidates = 0;
  for (let p = 0; p < map.points; p++) {
    if (core.toLocal(map.latitudeE7[p] / 1e7, map.longitudeE7[p] / 1e7) !== STATUS_OK) continue;
    const dx = core.east - middleEast;
    const dy = core.north - middleNorth;
    if (map.slot[p] !== 0 && dx * dx + dy * dy > r95Metres * r95Metres) continue;
    pointOf[candidates] = p;
    pointEast[candidates] = core.east;
    pointNorth[candidates] = core.north;
    prior[candidates] = Math.sqrt(map.count[p]);
    candidates++;
  }
  return candidates;
}

/** Sets the candidates' weights to their likelihoods, which sum to 1. @returns the cost of the best one */
function weigh(
  query: QueryReader,
  selection: Selection,
  own: number,
  map: RadioMap,
  { temperature, levelSigmaDb, missingCost }: Likelihood,
  candidates: number,
): number {
  const missing = readCells(query, selection, own, map, missingCost);
  const offsetRatio = (levelSigmaDb / OFFSET_SIGMA_DB) ** 2;
  const isOwnSent = selection.levelSent[own] === 1;
  const { levelDbm, heardFrom, heardNeighbour, heardShare, heardLevelDbm } = map;
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < candidates; c++) {
    const p = pointOf[c];
    let unlike = missing;
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
        const share = heardShare[h];
        unlike += costOf(heardLevelDbm[h], missingCost) * (share === 1 ? 1 : Math.sqrt(share));
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
    cost[c] = unlike;
    if (unlike < least) least = unlike;
  }
  let sum = 0;
  for (let c = 0; c < candidates; c++) {
    const behind = (cost[c] - least) / temperature;
    weight[c] = behind > BEHIND_MAX ? 0 : prior[c] * Math.exp(-behind);
    sum += weight[c];
  }
  for (let c = 0; c < candidates; c++) weight[c] /= sum;
  return least;
}

/** Finds the query's other cells among the map's neighbours. @returns what it costs a reference point to have none of them */
function readCells(
  query: QueryReader,
  { count, observation, levelDbm, levelSent }: Selection,
  own: number,
  map: RadioMap,
  missingCost: number,
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
    neighbourCost[n] = costOf(levelDbm[s], missingCost);
    missing += neighbourCost[n];
  }
  return missing;
}

function limited(db: number): number {
  return Math.min(LEVEL_LIMIT_DB, Math.max(-LEVEL_LIMIT_DB, db));
}

/** What it costs that a cell of some level is missing. @param full at full level */
function costOf(levelDbm: number, full: number): number {
  return full * Math.min(1, Math.max(0, (levelDbm - FAINT_DBM) / FULL_DB));
}

/** The width of the kernel for candidates that spread so far, metres. */
function kernelOf(candidates: number): number {
  let east = 0;
  let north = 0;
  for (let c = 0; c < candidates; c++) {
    east += weight[c] * pointEast[c];
    north += weight[c] * pointNorth[c];
  }
  let spread2 = 0;
  for (let c = 0; c < candidates; c++) spread2 += weight[c] * squaredMetres(c, east, north);
  return Math.min(KERNEL_METRES_MAX, Math.max(KERNEL_METRES_MIN, KERNEL_METRES * (KERNEL_METRES ** 2 / spread2) ** 4));
}

/** Moves the fix to where the candidates are densest. */
function centre(candidates: number, kernel: number): void {
  const kernel2 = kernel * kernel;
  let best = 0;
  for (let start = 0; start < candidates; start++) {
    if (weight[start] < START_WEIGHT) continue;
    let density = 0;
    for (let c = 0; c < candidates; c++) density += weight[c] / (kernel2 + squaredMetres(c, pointEast[start], pointNorth[start]));
    if (density <= best) continue;
    best = density;
    mapFix.east = pointEast[start];
    mapFix.north = pointNorth[start];
  }
  for (let step = 0; step < STEPS; step++) {
    let sum = 0;
    let east = 0;
    let north = 0;
    for (let c = 0; c < candidates; c++) {
      const pull = weight[c] / (kernel2 + squaredMetres(c, mapFix.east, mapFix.north));
      sum += pull;
      east += pull * pointEast[c];
      north += pull * pointNorth[c];
    }
    mapFix.east = east / sum;
    mapFix.north = north / sum;
  }
}

/** Squared distance of a candidate from a point. */
function squaredMetres(c: number, east: number, north: number): number {
  const dx = pointEast[c] - east;
  const dy = pointNorth[c] - north;
  return dx * dx + dy * dy;
}
