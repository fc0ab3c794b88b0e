// Where a device may be by the cells that it hears now and by those that it heard before. What it heard before left places, each with a weight and a speed: the
// reference points of the radio map by which it was located (map.ts). The device has moved on from one of them, at about its speed, so a reference point that
// none of them leads to is less likely now. It is a forward pass over a hidden Markov model, whose states are the reference points:
//
//   - the likelihood of a reference point is flattened, as successive scans err alike: they hear the same cells, and are compared with the same map;
//   - the way from a place to a reference point is weighed by a Cauchy kernel around where its speed leads, as wide as a vehicle can turn or stop meanwhile;
//   - no reference point is impossible, as the device may have been elsewhere than its places say;
//   - the places themselves are candidates too, moved by their speed: the device may be where its cell was never observed;
//   - each candidate has the mean speed of those that lead to it, drawn towards what it takes to come from them.
//
// The constants were compared on drives and walks with cells alone (cork, jiading and belgium). Halving or doubling one of them changes the medians by a few per
// cent; without speeds the median of Cork, the fastest of them, gains half as much.

import { STATUS_OK } from '../../../wasm/memory.ts';
import type { Core } from '../../core/core.ts';

/** A place where the device may have been. */
export interface PastPlace {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Share of the likelihood of all places, above 0. */
  weight: number;
  /** m/s. */
  eastSpeed: number;
  northSpeed: number;
}

/** Where a device was. Locating by a radio map notes where it is now. */
export interface CellPast {
  /** Places at the last request that a map located; none for a device that begins. At most `PLACES_MAX` are used. */
  places: readonly PastPlace[];
  /** Seconds from then until now, above 0. */
  seconds: number;
  /** m/s by which its speed may change, of a vehicle, of somebody who walks, or of a device at rest. */
  speedSpread: number;
  /** Places now; undefined where no map located the device. */
  now: PastPlace[] | undefined;
  /** True if the answer rests on the places. */
  isFollowed: boolean;
}

/** The frame of the candidates: metres from somewhere near. */
type Frame = Pick<Core, 'toLocal' | 'east' | 'north' | 'latitudeOf' | 'longitudeOf'>;

/** Candidates in a frame, in arrays with room for `PLACES_MAX` more. */
interface Candidates {
  count: number;
  /** Metres. */
  east: Float64Array;
  north: Float64Array;
  /** Likelihoods; their sum is 1. */
  weight: Float64Array;
}

/** Places that are remembered. */
export const PLACES_MAX = 24;
/** By what the log likelihood of a scan is multiplied, and what is left of that of the track: successive scans err alike. */
export const SCAN_POWER = 0.7;
const TRACK_POWER = 0.9;
/** Width of the kernel at once, metres; for each second the spread of speed is added. */
const KERNEL_METRES = 60;
/** Likelihood of a candidate to which no place leads, where 1 is that of one in the middle of all. */
const ELSEWHERE = 0.002;
/** Likelihood of all places together to be where the map has no reference point. */
const UNOBSERVED = 0.03;
/** How fast a speed follows, and after how many seconds; how long it is kept; m/s of the fastest that are followed. */
const SPEED_GAIN = 0.6;
const SPEED_SECONDS = 15;
const SPEED_KEPT_SECONDS = 120;
const SPEED_MAX = 30;

/** By place of the track: where it was, where its speed leads, and its weight. */
const placeEast = new Float64Array(PLACES_MAX);
const placeNorth = new Float64Array(PLACES_MAX);
const leadsEast = new Float64Array(PLACES_MAX);
const leadsNorth = new Float64Array(PLACES_MAX);
const placeEastSpeed = new Float64Array(PLACES_MAX);
const placeNorthSpeed = new Float64Array(PLACES_MAX);
const placeWeight = new Float64Array(PLACES_MAX);

/**
 * Weighs candidates by the track that leads to them, and adds the places of the track to them, moved by their speed. Without places nothing changes.
 * @returns the likeliest candidates, as places for the next request
 */
export function followPlaces(candidates: Candidates, past: CellPast, frame: Frame): PastPlace[] {
  const { east, north, weight } = candidates;
  const { seconds, speedSpread } = past;
  const count = readPlaces(past, frame);
  for (let p = 0; p < count; p++) {
    const c = candidates.count++;
    east[c] = leadsEast[p];
    north[c] = leadsNorth[p];
    weight[c] = UNOBSERVED / count;
  }
  const eastSpeed = new Float64Array(candidates.count);
  const northSpeed = new Float64Array(candidates.count);
  if (count > 0) {
    const width = KERNEL_METRES + speedSpread * seconds;
    const gain = SPEED_GAIN * Math.min(1, seconds / SPEED_SECONDS);
    const kept = Math.exp(-seconds / SPEED_KEPT_SECONDS);
    let sum = 0;
    for (let c = 0; c < candidates.count; c++) {
      let led = 0;
      let eastward = 0;
      let northward = 0;
      for (let p = 0; p < count; p++) {
        const dx = east[c] - leadsEast[p];
        const dy = north[c] - leadsNorth[p];
        const kernel = 1 + (dx * dx + dy * dy) / (width * width);
        const likely = placeWeight[p] / (kernel * kernel);
        led += likely;
        eastward += likely * drawn(placeEastSpeed[p], (east[c] - placeEast[p]) / Math.max(1, seconds), gain);
        northward += likely * drawn(placeNorthSpeed[p], (north[c] - placeNorth[p]) / Math.max(1, seconds), gain);
      }
      // Where hardly anything leads, no speed is known.
      const known = kept / (led + ELSEWHERE);
      const limited = (known * SPEED_MAX) / Math.max(SPEED_MAX, known * Math.hypot(eastward, northward));
      eastSpeed[c] = limited * eastward;
      northSpeed[c] = limited * northward;
      weight[c] *= (led + ELSEWHERE) ** TRACK_POWER;
      sum += weight[c];
    }
    for (let c = 0; c < candidates.count; c++) weight[c] /= sum;
  }
  return likeliest(candidates).map(c => ({
    latitude: frame.latitudeOf(north[c]),
    longitude: frame.longitudeOf(east[c]),
    weight: weight[c],
    eastSpeed: eastSpeed[c],
    northSpeed: northSpeed[c],
  }));
}

function drawn(speed: number, towards: number, gain: number): number {
  return speed + gain * (towards - speed);
}

/** Brings the places into the frame. @returns the number of those that can be in it */
function readPlaces({ places, seconds }: CellPast, frame: Frame): number {
  let count = 0;
  let sum = 0;
  for (const { latitude, longitude, weight, eastSpeed, northSpeed } of places) {
    if (count === PLACES_MAX || frame.toLocal(latitude, longitude) !== STATUS_OK) continue;
    placeEast[count] = frame.east;
    placeNorth[count] = frame.north;
    leadsEast[count] = frame.east + eastSpeed * seconds;
    leadsNorth[count] = frame.north + northSpeed * seconds;
    placeEastSpeed[count] = eastSpeed;
    placeNorthSpeed[count] = northSpeed;
    placeWeight[count] = weight;
    sum += weight;
    count++;
  }
  for (let p = 0; p < count; p++) placeWeight[p] /= sum;
  return count;
}

/** The candidates with most weight, the likeliest first. */
function likeliest({ count, weight }: Candidates): number[] {
  const first: number[] = [];
  for (let c = 0; c < count; c++) {
    if (!(weight[c] > 0) || (first.length === PLACES_MAX && weight[c] <= weight[first[PLACES_MAX - 1]])) continue;
    let to = first.length;
    while (to > 0 && weight[first[to - 1]] < weight[c]) to--;
    first.splice(to, 0, c);
    if (first.length > PLACES_MAX) first.pop();
  }
  return first;
}
