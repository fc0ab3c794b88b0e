// Where in its coverage a cell is heard like this. A cell's radio map has reference points: positions where it was
// observed, with its own level there and those of the cells heard with it. How well a reference point explains what the
// device hears is its likelihood:
//
//   - cells heard here and there: the differences of their levels, Gaussian, with a limit, as any one reading may be
//     anything; what all of them have in
//     common may be the device's, whose antenna and casing are unknown, and is integrated out;
//   - a cell heard here and not there, or there and not here: a penalty that grows with its level, as a weak cell is
//     easily missed, and with the share of the observations there that had it: devices name few of the cells around.
//
// Reference points count by the root of their observations: one passed daily is likelier, but how often it was passed
// says more of who contributed than of who asks. Cells heard together share their shadows, so their joint log
// likelihood is divided by a temperature.
//
// The answer is not the mean of what is likely: on a road through two valleys the mean is on the hill between them. It
// is the point with most around it, as a Cauchy kernel weighs it, the width of which falls with the eighth power of the
// spread: what fits into a block is averaged, of what lies kilometres apart one part is chosen. Against the mean this
// has a quarter less median error on single large cells. Small cells tell streets apart, so their kernel is narrower.

import type { SelectedStations } from '../../../core/selected_stations.ts';
import type { QueryReader } from '../../../radio/query/reader.ts';
import { MAP_POINTS, type RadioMap } from '../../../tables/stations/radio_map.ts';
import type { Selection } from '../../transmitters/selection.ts';
import { centre, type Middle } from './centre.ts';
import { COMPARED, costsOfPoints, LEVEL_SIGMA_DB, readNeighbours, TEMPERATURE } from './compare.ts';
import type { MapMatch } from './map_radii.ts';

/** Candidates whose log likelihood is this far below the best one have no weight. */
const BEHIND_MAX = 16;
/** Width of the kernel where the spread is as large; its least, and its largest by the cell's 50 % radius. */
const KERNEL_METRES = 285;
const KERNEL_METRES_MIN = 50;
const KERNEL_MAX_R50 = 1.5;
/** A map with fewer observations than the imported samples, up to this many, is not used. */
const IMPORTED_SAMPLES_MAX = 50;

/**
 * By candidate: its reference point in the map, where it is in the frame, how much it was observed, its cost, its
 * likelihood, and how far it is from the fix.
 */
const pointOf = new Int32Array(MAP_POINTS);
const pointEast = new Float64Array(MAP_POINTS);
const pointNorth = new Float64Array(MAP_POINTS);
const prior = new Float64Array(MAP_POINTS);
const cost = new Float64Array(MAP_POINTS);
const weight = new Float64Array(MAP_POINTS);
const squaredDistance = new Float64Array(MAP_POINTS);

/**
 * Locates in the radio map of selected cell `own`, in the frame.
 * @param r50Metres of the cell
 * @param r95Metres of the cell; points beyond it that only one contributor observed are ignored
 * @returns how well the map matches, valid until the next call; undefined if the map says nothing
 */
export function locateInMap(
  query: QueryReader,
  selection: Selection,
  own: number,
  map: RadioMap,
  r50Metres: number,
  r95Metres: number,
): MapMatch | undefined {
  if (map.observations < Math.min(map.importedSamples, IMPORTED_SAMPLES_MAX)) return undefined;
  const candidates = placeCandidates(map, selection.selected, own, r95Metres);
  if (candidates === 0) return undefined;
  const misfit = weigh(query, selection, own, map, candidates);
  const kernelMetres = kernelOf(candidates, KERNEL_MAX_R50 * r50Metres);
  const middle = centre({ count: candidates, east: pointEast, north: pointNorth, weight }, kernelMetres);
  for (let c = 0; c < candidates; c++) squaredDistance[c] = squaredMetres(c, middle);
  const { observations } = map;
  const cells = Math.min(selection.count, COMPARED);
  const unknownShare = 1 - selection.count / query.cells;
  return { candidates, middle, squaredDistance, weight, prior, misfit, cells, unknownShare, observations };
}

/** Writes the reference points that count into the frame. @returns how many they are */
function placeCandidates(
  map: RadioMap,
  { frame, east, north }: SelectedStations,
  own: number,
  r95Metres: number,
): number {
  let candidates = 0;
  for (let p = 0; p < map.points; p++) {
    const candidateEast = frame.eastOf(map.longitudeE7[p] / 1e7);
    const candidateNorth = frame.northOf(map.latitudeE7[p] / 1e7);
    if (Number.isNaN(candidateEast + candidateNorth)) continue;
    const dx = candidateEast - east[own];
    const dy = candidateNorth - north[own];
    if (map.slot[p] !== 0 && dx * dx + dy * dy > r95Metres * r95Metres) continue;
    pointOf[candidates] = p;
    pointEast[candidates] = candidateEast;
    pointNorth[candidates] = candidateNorth;
    prior[candidates] = Math.sqrt(map.count[p]);
    candidates++;
  }
  return candidates;
}

/** Sets the candidates' weights to their likelihoods, which sum to 1. @returns the cost of the best one */
function weigh(query: QueryReader, selection: Selection, own: number, map: RadioMap, candidates: number): number {
  const missing = readNeighbours(query, selection, own, map);
  const compared = { own, map, missing, points: pointOf, count: candidates };
  const least = costsOfPoints(selection, compared, LEVEL_SIGMA_DB, cost);
  let sum = 0;
  for (let c = 0; c < candidates; c++) {
    const behind = (cost[c] - least) / TEMPERATURE;
    weight[c] = behind > BEHIND_MAX ? 0 : prior[c] * Math.exp(-behind);
    sum += weight[c];
  }
  for (let c = 0; c < candidates; c++) weight[c] /= sum;
  return least;
}

/** The width of the kernel for candidates that spread so far, and its largest, metres. */
function kernelOf(candidates: number, mostMetres: number): number {
  let east = 0;
  let north = 0;
  for (let c = 0; c < candidates; c++) {
    east += weight[c] * pointEast[c];
    north += weight[c] * pointNorth[c];
  }
  let spread2 = 0;
  for (let c = 0; c < candidates; c++) spread2 += weight[c] * squaredMetres(c, { east, north });
  return Math.max(KERNEL_METRES_MIN, Math.min(mostMetres, KERNEL_METRES * (KERNEL_METRES ** 2 / spread2) ** 4));
}

/** Squared distance of a candidate from a point. */
function squaredMetres(c: number, { east, north }: Middle): number {
  const dx = pointEast[c] - east;
  const dy = pointNorth[c] - north;
  return dx * dx + dy * dy;
}
