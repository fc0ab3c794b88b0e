// Decides which of the selected stations belong together. Whoever knows one address must not learn where it stands, so
// a station takes part in a fix only if it is plausible with at least half of the stations of other devices in the
// scan, and so is one of these that is near it, the centre of the place:
//
//   - Other devices. Vendors give one device several addresses: of its bands, of its networks, of its wired side.
//     `isSameDevice` in src/radio/mac.ts says which.
//   - Heard at one place. A station is heard within its 95 % radius, bounded because young radii are too small, and
//     those that untrusted accounts alone vouch
//     for may be false. Two stations are plausible together if these discs overlap.
//
// The centre is what makes guesses countable (src/positioning/transmitters/stray_places.ts): without it, a station
// between groups that do not hear each other would be placed, and nobody would have asked for it at a place. What takes
// part must be of two devices.
//
// So stations that have moved drop out, and so does a list of stations from all over a town that somebody sends beside
// the one that he is after. Levels do not count here: how far they reach is another matter in each town, and whoever
// asks can choose them.

import {
  MODEL_REACH_METRES,
  MODEL_REACH_METRES_MAX,
  MODEL_REACH_METRES_UNTRUSTED,
  SELECTED_ALONE,
  SELECTED_AROUND,
  SELECTED_EAST,
  SELECTED_LINKED,
  SELECTED_NEAR,
  SELECTED_NORTH,
  SELECTED_OWN,
  SELECTED_PAYLOAD,
  SELECTED_RADIO,
  SELECTED_REACH,
} from '../memory';
import { PACKED_RADII, PACKED_STATE, UNTRUSTED_BIT } from '../packed_station_constants';
import { radiusOf } from './gather';

/** Set in the numbers of iBeacons. */
const BEACON_BIT: i64 = 52;
/** First octets of the addresses that no vendor numbered. */
const DOCUMENTS_RADIO: i64 = 0x5e;
const CARRY_MAX: i64 = 255;
const SURVEY_RADIO: i64 = 0x554a49;

/** Writes which of the placed stations `0..count-1` belong with others. @returns how many do */
export function linkSelected(count: i32, model: i32): i32 {
  if (areAllNear(count, 2 * writeReaches(count, model))) {
    // Then two devices are enough. A device with many addresses may have half of the stations.
    const linked = hasTwoDevices(count) ? 1 : 0;
    for (let s = 0; s < count; s++) store<i32>(s << 2, linked, SELECTED_LINKED);
    return linked * count;
  }
  return linkAmong(count, false);
}

/**
 * The same among the stations within so many metres of the origin of the frame, and no others. A list of another town,
 * replayed, is outvoted so by what else is known of the device.
 */
export function linkNear(count: i32, metres: f64): i32 {
  for (let s = 0; s < count; s++) {
    const dx = load<f64>(s << 3, SELECTED_EAST);
    const dy = load<f64>(s << 3, SELECTED_NORTH);
    store<i32>(s << 2, dx * dx + dy * dy <= metres * metres ? 1 : 0, SELECTED_NEAR);
  }
  return linkAmong(count, true);
}

/**
 * Links all stations, or those near the position alone.
 * @returns how many belong with others; none where they are all of one device
 */
function linkAmong(count: i32, isNearOnly: bool): i32 {
  countAround(count, isNearOnly);
  let all = 0;
  let first = -1;
  let areTwo = false;
  for (let s = 0; s < count; s++) {
    const linked = belongs(s, count, isNearOnly) ? 1 : 0;
    store<i32>(s << 2, linked, SELECTED_LINKED);
    if (linked === 0) continue;
    all++;
    if (first < 0) first = s;
    else if (!isSameDevice(first, s)) areTwo = true;
  }
  return areTwo || all === 0 ? all : unlinkAll(count);
}

/** Takes back that stations belong together. @returns 0 */
export function unlinkAll(count: i32): i32 {
  for (let s = 0; s < count; s++) store<i32>(s << 2, 0, SELECTED_LINKED);
  return 0;
}

/** True if one of those that belong together is no untrusted accounts' alone, or may place a device by itself. */
export function areVouchedFor(count: i32): bool {
  for (let s = 0; s < count; s++) {
    if (load<i32>(s << 2, SELECTED_LINKED) === 0) continue;
    if (
      load<i32>(s << 2, SELECTED_ALONE) === 1 ||
      (load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_STATE << 2)) & UNTRUSTED_BIT) === 0
    )
      return true;
  }
  return false;
}

/** Writes how many stations may be heard where each of them is, with itself. */
function countAround(count: i32, isNearOnly: bool): void {
  for (let s = 0; s < count; s++) {
    let around = 0;
    if (isAsked(s, isNearOnly))
      for (let other = 0; other < count; other++) if (isAsked(other, isNearOnly) && areNear(s, other)) around++;
    store<i32>(s << 2, around, SELECTED_AROUND);
  }
}

function isAsked(s: i32, isNearOnly: bool): bool {
  return !isNearOnly || load<i32>(s << 2, SELECTED_NEAR) === 1;
}

/** True if one place hears both stations. */
function areNear(a: i32, b: i32): bool {
  const dx = load<f64>(a << 3, SELECTED_EAST) - load<f64>(b << 3, SELECTED_EAST);
  const dy = load<f64>(a << 3, SELECTED_NORTH) - load<f64>(b << 3, SELECTED_NORTH);
  const both = load<f64>(a << 3, SELECTED_REACH) + load<f64>(b << 3, SELECTED_REACH);
  return dx * dx + dy * dy <= both * both;
}

/** Writes how far from its position each station is heard. @returns the least of them, metres */
function writeReaches(count: i32, model: i32): f64 {
  const least = load<f64>(model, MODEL_REACH_METRES);
  const most = load<f64>(model, MODEL_REACH_METRES_MAX);
  const mostUntrusted = load<f64>(model, MODEL_REACH_METRES_UNTRUSTED);
  let smallest = most;
  for (let s = 0; s < count; s++) {
    const isUntrusted = (load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_STATE << 2)) & UNTRUSTED_BIT) !== 0;
    const bound = isUntrusted ? mostUntrusted : most;
    const reach = Math.min(
      Math.max(radiusOf(load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_RADII << 2)) >>> 16), least),
      bound,
    );
    store<f64>(s << 3, reach, SELECTED_REACH);
    smallest = Math.min(smallest, reach);
  }
  return smallest;
}

/** True if the box around all positions is no wider than this from corner to corner. */
function areAllNear(count: i32, metres: f64): bool {
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  for (let at = 0; at < count << 3; at += 8) {
    const x = load<f64>(at, SELECTED_EAST);
    const y = load<f64>(at, SELECTED_NORTH);
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return (east - west) * (east - west) + (north - south) * (north - south) <= metres * metres;
}

function hasTwoDevices(count: i32): bool {
  for (let s = 1; s < count; s++) if (!isSameDevice(0, s)) return true;
  return false;
}

/**
 * True if at least half of the stations of other devices may be heard where this one is, and as many at one of them
 * that is near it.
 */
function belongs(s: i32, count: i32, isNearOnly: bool): bool {
  if (!isAsked(s, isNearOnly)) return false;
  let own = 0;
  let near = 0;
  let others = 0;
  for (let other = 0; other < count; other++) {
    if (!isAsked(other, isNearOnly)) continue;
    if (isSameDevice(s, other)) {
      store<i32>(own++ << 2, other, SELECTED_OWN);
      continue;
    }
    others++;
    if (areNear(s, other)) near++;
  }
  if (near === 0 || 2 * near < others) return false;
  for (let other = 0; other < count; other++) {
    if (!isAsked(other, isNearOnly) || 2 * load<i32>(other << 2, SELECTED_AROUND) < others) continue;
    if (!isSameDevice(s, other) && areNear(s, other) && isCentreFor(other, own, others)) return true;
  }
  return false;
}

/** True if at least half of so many stations may be heard where this one is, without `own` listed ones. */
function isCentreFor(s: i32, own: i32, others: i32): bool {
  let around = load<i32>(s << 2, SELECTED_AROUND);
  for (let i = 0; i < own; i++) if (areNear(s, load<i32>(i << 2, SELECTED_OWN))) around--;
  return 2 * around >= others;
}

/** See `isSameDevice` in src/radio/mac.ts. A station that may place a device by itself is one by itself. */
function isSameDevice(a: i32, b: i32): bool {
  if (load<i32>(a << 2, SELECTED_ALONE) === 1) return a === b;
  const first = load<i64>(a << 3, SELECTED_RADIO);
  const second = load<i64>(b << 3, SELECTED_RADIO);
  if (first >>> BEACON_BIT !== 0 || first >>> 24 === DOCUMENTS_RADIO || first >>> 16 === SURVEY_RADIO)
    return first === second;
  // Clears the octet of the lowest bit that differs, twice.
  const differing = first ^ second;
  const others = differing & ~((<i64>255) << (ctz(differing) & 56));
  if (others === 0) return true;
  if ((others & ~((<i64>255) << (ctz(others) & 56))) !== 0) return false;
  const apart = first - second;
  return differing >>> 16 !== 0 || (apart <= CARRY_MAX && apart >= -CARRY_MAX);
}
