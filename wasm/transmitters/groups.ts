// Chooses between groups of stations that cannot be heard at one place: the one with the most stations, unless a coarse position says that it is foreign.

import { weightedCentroid } from '../centroid';
import { distanceMetres, latitudeOf, longitudeOf } from '../geodesy';
import { pow } from '../host';
import {
  GROUP_MEMBERS,
  GROUP_STRENGTH,
  MODEL_MINIMUM,
  OUT_COUNT,
  OUT_EAST,
  OUT_NORTH,
  POSITION_CLUSTER,
  POSITION_WEIGHT,
  SELECTED_LEVEL,
  STATUS_OK,
} from '../memory';

/** The anchor, a coarse position of the device in degrees; a latitude of NaN = none. A group farther from it than `anchorMetres` has its score divided. */
let anchorLatitude: f64 = NaN;
let anchorLongitude: f64 = NaN;
let anchorMetres: f64 = 0;
let anchorDivisor: f64 = 1;

/** Sets the anchor of the next fix. */
export function setAnchor(latitude: f64, longitude: f64, metres: f64, divisor: f64): void {
  anchorLatitude = latitude;
  anchorLongitude = longitude;
  anchorMetres = metres;
  anchorDivisor = divisor;
}

/** The group with the most members; amplitude decides between equals. @returns its number, -1 if none has the model's minimum */
export function chooseGroup(count: i32, model: i32): i32 {
  const groups = load<i32>(OUT_COUNT);
  if (groups === 1) return 0;
  memory.fill(GROUP_MEMBERS, 0, groups << 3);
  memory.fill(GROUP_STRENGTH, 0, groups << 3);
  let total: f64 = 0;
  for (let s = 0; s < count; s++) {
    const group = load<i32>(s << 2, POSITION_CLUSTER) << 3;
    const amplitude = pow(10, load<f64>(s << 3, SELECTED_LEVEL) / 20);
    store<f64>(s << 3, amplitude, POSITION_WEIGHT);
    store<i32>(group, load<i32>(group, GROUP_MEMBERS) + 1, GROUP_MEMBERS);
    store<f64>(group, load<f64>(group, GROUP_STRENGTH) + amplitude, GROUP_STRENGTH);
    total += amplitude;
  }
  const minimum = load<f64>(model, MODEL_MINIMUM);
  let best = -1;
  let bestScore: f64 = 0;
  for (let group = 0; group < groups; group++) {
    const members = <f64>load<i32>(group << 3, GROUP_MEMBERS);
    if (members < minimum) continue;
    let score = members + load<f64>(group << 3, GROUP_STRENGTH) / total;
    if (!Number.isNaN(anchorLatitude) && weightedCentroid(count, group) === STATUS_OK) {
      const latitude = latitudeOf(load<f64>(OUT_NORTH));
      const away = distanceMetres(anchorLatitude, anchorLongitude, latitude, longitudeOf(load<f64>(OUT_EAST)));
      if (away > anchorMetres) score /= anchorDivisor;
    }
    if (score > bestScore) {
      best = group;
      bestScore = score;
    }
  }
  return best;
}

/** The first member of a group, which is the strongest. */
export function strongestOf(group: i32): i32 {
  let s = 0;
  while (load<i32>(s << 2, POSITION_CLUSTER) !== group) s++;
  return s;
}
