// Compares a scan with all places of a fingerprint map, four offsets of the phone's levels at once
// (src/indoor/fingerprints/fingerprint_map.ts).
//
// The lists of the map are by radio. For each radio of the scan, each place that hears it gets what both have in
// common, in whole steps, so that the lesser of the two is one instruction for all offsets, and what the difference of
// the levels says, which is looked up. Then each place is weighed by its sums.

import { exponentials4 } from '../exponential';
import {
  ONLY_PLACE,
  ONLY_SCAN,
  ONLY_SCAN_BETWEEN,
  POWER_BETWEEN,
  WEIGHT_FAR,
  WEIGHT_NEAR,
} from '../fingerprint_constants';
import { logarithms4 } from '../logarithm';
import {
  LEVEL_STEPS,
  MAP_COMMON,
  MAP_DIFFERENCE,
  MAP_LEVELS,
  MAP_LIKELIHOOD,
  MAP_LIST_PLACE,
  MAP_LIST_STRENGTH,
  MAP_PRIOR,
  MAP_SHARES,
  MAP_STRENGTH,
  MAP_STRENGTH_LEVEL,
  MAP_STRENGTH_SINGLES,
  MAP_TOTAL,
  MAX_MAP_PLACES,
  OUT_BEST,
  OUT_EXPLAINED,
  OUT_SIMILARITY,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';

/**
 * Similarities are at least so much of the largest: powers of less would be denormal numbers, which take a hundred
 * times as long.
 */
const LEAST: f32 = 0.01;
/**
 * Places that are less likely than the best by this much, as a logarithm, take part in no answer, so their offsets are
 * not summed over.
 */
const FAR: f32 = 9;

/** See `FingerprintMatcher.begin` (src/indoor/core/fingerprint_matcher.ts). */
export function beginMatch(places: i32): i32 {
  if (places < 0) return STATUS_TOO_FEW;
  if (places > MAX_MAP_PLACES) return STATUS_TOO_MANY;
  memory.fill(MAP_COMMON, 0, places << 4);
  memory.fill(MAP_SHARES, 0, places << 4);
  memory.fill(MAP_LEVELS, 0, places << 4);
  return STATUS_OK;
}

/** See `FingerprintMatcher.addRadio`. */
export function matchRadio(
  levels: i32,
  steps0: i32,
  steps1: i32,
  steps2: i32,
  steps3: i32,
  scale: f64,
  weight: f64,
  scanned: f64,
  level: i32,
): i32 {
  if (levels < 0) return STATUS_TOO_FEW;
  if (levels > MAX_MAP_PLACES) return STATUS_TOO_MANY;
  if (level <= -LEVEL_STEPS || level > 0) return STATUS_NOT_FINITE;
  let scan = i32x4.splat(steps0);
  scan = i32x4.replace_lane(scan, 1, steps1);
  scan = i32x4.replace_lane(scan, 2, steps2);
  scan = i32x4.replace_lane(scan, 3, steps3);
  const scales = f32x4.splat(<f32>scale);
  const half = f32x4.splat(0.5);
  // Lane 0 is the place's share, lane 1 the scan's. In doubles, since of a place that hears no more than the scan
  // nearly nothing is left of it.
  const shares = f64x2(weight - ONLY_PLACE, 0);
  const own = f64x2(0, scanned);
  // Twice by age: where a device has moved on, the level is another one, and the radio may still be the same.
  const trust = f32x4.splat(<f32>(weight * weight));
  const differences = MAP_DIFFERENCE + ((LEVEL_STEPS + level) << 4);
  for (let i = 0; i < levels; i++) {
    const at = (<i32>load<u16>(i << 1, MAP_LIST_PLACE)) << 4;
    const stored = <i32>load<u8>(i, MAP_LIST_STRENGTH);
    const steps = i32x4.trunc_sat_f32x4_s(
      f32x4.add(f32x4.mul(scales, v128.load32_splat(stored << 2, MAP_STRENGTH_SINGLES)), half),
    );
    v128.store(at, i32x4.add(v128.load(at, MAP_COMMON), i32x4.min_s(scan, steps)), MAP_COMMON);
    const share = f64x2.add(own, f64x2.mul(shares, v128.load64_splat(stored << 3, MAP_STRENGTH)));
    v128.store(at, f64x2.add(v128.load(at, MAP_SHARES), share), MAP_SHARES);
    const says = v128.load(differences - (load<i32>(stored << 2, MAP_STRENGTH_LEVEL) << 4));
    v128.store(at, f32x4.add(v128.load(at, MAP_LEVELS), f32x4.mul(trust, says)), MAP_LEVELS);
  }
  return STATUS_OK;
}

/** See `FingerprintMatcher.explain`. */
export function explainMatch(
  places: i32,
  scanned: f64,
  scan0: f64,
  scan1: f64,
  scan2: f64,
  scan3: f64,
  scale: f64,
): i32 {
  const status = refused(places, scanned, scan0, scan3, scale);
  if (status !== STATUS_OK) return status;
  const scans = stepsOf(scan0, scan1, scan2, scan3, scale);
  const perScan = (ONLY_SCAN_BETWEEN - 1) / scanned;
  const power = f32x4.splat(<f32>POWER_BETWEEN);
  let explained = f32x4.splat(-Infinity);
  for (let p = 0; p < places; p++) {
    const known = load<f64>(p << 4, MAP_SHARES + 8);
    if (known === 0) continue;
    const alike = alikeAt(p, <f32>(ONLY_SCAN_BETWEEN - perScan * known), scans, scale);
    explained = f32x4.max(explained, f32x4.add(f32x4.mul(power, logarithms4(alike)), v128.load(p << 4, MAP_LEVELS)));
  }
  store<f32>(OUT_EXPLAINED, highest(explained));
  return STATUS_OK;
}

/** See `FingerprintMatcher.weigh`. */
export function weighMatch(
  places: i32,
  scanned: f64,
  scan0: f64,
  scan1: f64,
  scan2: f64,
  scan3: f64,
  scale: f64,
  power: f64,
): i32 {
  const status = refused(places, scanned, scan0, scan3, scale);
  if (status !== STATUS_OK) return status;
  if (!(power >= 0 && power < 1e3)) return STATUS_NOT_FINITE;
  const scans = stepsOf(scan0, scan1, scan2, scan3, scale);
  const perScan = (ONLY_SCAN - 1) / scanned;
  let similarities = f32x4.splat(0);
  for (let p = 0; p < places; p++) {
    const known = load<f64>(p << 4, MAP_SHARES + 8);
    if (known === 0) continue;
    const alike = alikeAt(p, <f32>(ONLY_SCAN - perScan * known), scans, scale);
    v128.store(p << 4, alike, MAP_COMMON);
    similarities = f32x4.max(similarities, alike);
  }
  const similarity = highest(similarities);
  store<f32>(OUT_SIMILARITY, similarity);
  store<f32>(OUT_BEST, -Infinity);
  if (!(similarity > 0)) return STATUS_OK;
  weighPlaces(places, similarity, <f32>power);
  return STATUS_OK;
}

function refused(places: i32, scanned: f64, scan0: f64, scan3: f64, scale: f64): i32 {
  if (places < 1) return STATUS_TOO_FEW;
  if (places > MAX_MAP_PLACES) return STATUS_TOO_MANY;
  if (!(scanned > 0 && scanned < 1e9 && scan0 >= 0 && scan3 < 1e9 && scale > 0 && Number.isFinite(scale)))
    return STATUS_NOT_FINITE;
  return STATUS_OK;
}

/**
 * The strengths of the scan by offset, in steps: a scan so old that its strengths are next to nothing has as many as
 * any other.
 */
function stepsOf(scan0: f64, scan1: f64, scan2: f64, scan3: f64, scale: f64): v128 {
  let scans = f32x4.splat(<f32>(scale * scan0));
  scans = f32x4.replace_lane(scans, 1, <f32>(scale * scan1));
  scans = f32x4.replace_lane(scans, 2, <f32>(scale * scan2));
  return f32x4.replace_lane(scans, 3, <f32>(scale * scan3));
}

/** How alike the scan and a place are, by offset. @param scanShare what the scan counts, all of it together */
function alikeAt(p: i32, scanShare: f32, scans: v128, scale: f64): v128 {
  const place = <f32>(scale * (ONLY_PLACE * load<f64>(p << 3, MAP_TOTAL) + load<f64>(p << 4, MAP_SHARES)));
  const common = f32x4.mul(f32x4.splat(2), f32x4.convert_i32x4_s(v128.load(p << 4, MAP_COMMON)));
  return f32x4.div(common, f32x4.add(f32x4.mul(f32x4.splat(scanShare), scans), f32x4.splat(place)));
}

/**
 * Writes the logarithms of the likelihoods. Similarities are taken relative to the largest, so that their powers stay
 * numbers.
 */
function weighPlaces(places: i32, largest: f32, power: f32): void {
  const weights = f32x4(<f32>WEIGHT_FAR, <f32>WEIGHT_NEAR, <f32>WEIGHT_NEAR, <f32>WEIGHT_FAR);
  const parts = f32x4.splat(1 / largest);
  const least = f32x4.splat(LEAST);
  for (let p = 0; p < places; p++) {
    const part = f32x4.max(least, f32x4.mul(parts, v128.load(p << 4, MAP_COMMON)));
    const second = f32x4.mul(part, part);
    const fourth = f32x4.mul(second, second);
    const eighth = f32x4.mul(fourth, fourth);
    store<f32>(p << 2, sumOf(f32x4.mul(f32x4.mul(eighth, eighth), weights)), MAP_LIKELIHOOD);
  }
  for (let at = 0; at < places << 2; at += 16)
    v128.store(at, logarithms4(v128.load(at, MAP_LIKELIHOOD)), MAP_LIKELIHOOD);
  let best: f32 = -Infinity;
  for (let p = 0; p < places; p++) {
    const at = p << 2;
    let likelihood: f32 = -Infinity;
    if (load<f64>(p << 4, MAP_SHARES + 8) !== 0)
      likelihood =
        load<f32>(at, MAP_LIKELIHOOD) + power * highest(v128.load(p << 4, MAP_LEVELS)) + load<f32>(at, MAP_PRIOR);
    store<f32>(at, likelihood, MAP_LIKELIHOOD);
    best = max(best, likelihood);
  }
  store<f32>(OUT_BEST, addOffsets(places, weights, power, best));
}

/**
 * Sums what the levels say over the offsets, where it matters: far below the best, the likeliest of them stands for the
 * sum. @returns the new best
 */
function addOffsets(places: i32, weights: v128, power: f32, best: f32): f32 {
  const powers = f32x4.splat(power);
  let highestOfAll: f32 = -Infinity;
  for (let p = 0; p < places; p++) {
    let likelihood = load<f32>(p << 2, MAP_LIKELIHOOD);
    if (!(likelihood >= best - FAR)) continue;
    const levels = f32x4.mul(powers, v128.load(p << 4, MAP_LEVELS));
    const relative = exponentials4(f32x4.sub(levels, f32x4.splat(highest(levels))));
    const sum = sumOf(f32x4.mul(relative, weights));
    likelihood += f32x4.extract_lane(logarithms4(f32x4.splat(sum)), 0);
    store<f32>(p << 2, likelihood, MAP_LIKELIHOOD);
    highestOfAll = max(highestOfAll, likelihood);
  }
  return highestOfAll;
}

function sumOf(four: v128): f32 {
  const two = f32x4.add(four, v128.shuffle<f32>(four, four, 2, 3, 0, 1));
  return f32x4.extract_lane(two, 0) + f32x4.extract_lane(two, 1);
}

function highest(four: v128): f32 {
  const two = f32x4.max(four, v128.shuffle<f32>(four, four, 2, 3, 0, 1));
  return max(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1));
}
