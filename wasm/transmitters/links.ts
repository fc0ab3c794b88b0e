// Decides which of the selected stations belong together, so that no single device chooses the place.
//
//   - Devices. Vendors give one device several addresses: of its bands, of its networks, of its wired side.
//     `isSameDevice` in src/radio/mac.ts says which; of a chain of addresses each is of one device with the next. A
//     device votes where the tables have its strongest address, wherever they have the others.
//   - Heard at one place. A station is heard within its 95 % radius, bounded because young radii are too small, and
//     those that untrusted accounts alone vouch for may be false. Two stations are near each other if these discs
//     overlap. That depends on these two alone, not on where the frame of the others is.
//   - Votes. A station has the votes of the devices that are near it, with its own. It wins with those of more than
//     half of all devices, at least three, if another device that is near it wins as well. So the place wins without
//     any single one. Of two devices both are needed.
//   - Blocks. Devices that share their first four octets were bought together and stand near each other. Whoever knows
//     the number of one can count to the others, so a place has devices of two blocks.
//
// Those take part that are near a station of another device that wins at the place with most votes. A station that is
// near no other device of the scan has one vote wherever it stands, so nothing that is answered tells where that is.
// Who guesses where a station is can be counted (src/positioning/transmitters/guesser.ts).
//
// Levels do not count here: how far they reach is another matter in each town, and whoever asks can choose them.

import { RADIANS_PER_DEGREE } from '../earth_constants';
import {
  MODEL_REACH_METRES,
  MODEL_REACH_METRES_MAX,
  MODEL_REACH_METRES_UNTRUSTED,
  OUT_NEEDED,
  ROLE_ABSENT,
  ROLE_GUEST,
  ROLE_VOTER,
  SELECTED_ALONE,
  SELECTED_COSINE,
  SELECTED_DEVICE,
  SELECTED_EAST,
  SELECTED_LINKED,
  SELECTED_NORTH,
  SELECTED_PAYLOAD,
  SELECTED_RADIO,
  SELECTED_REACH,
  SELECTED_ROLE,
  SELECTED_VOTER,
  SELECTED_VOTES,
  SELECTED_WINS,
} from '../memory';
import {
  PACKED_LATITUDE,
  PACKED_LONGITUDE,
  PACKED_RADII,
  PACKED_STATE,
  UNTRUSTED_BIT,
} from '../packed_station_constants';
import { radiusOf } from './gather';

/** Set in the numbers of iBeacons. */
const BEACON_BIT: i64 = 52;
/** First octets of the addresses that no vendor numbered. */
const DOCUMENTS_RADIO: i64 = 0x5e;
const CARRY_MAX: i64 = 255;
const SURVEY_RADIO: i64 = 0x554a49;

/** Metres of 1e-7 degrees of a great circle. */
const METRES_PER_STEP: f64 = 6371008.8 * RADIANS_PER_DEGREE * 1e-7;
const STEPS_OF_A_TURN: i64 = 3600000000;
const STEPS_OF_HALF_A_TURN: i64 = 1800000000;

/** Devices that are needed where there are more than two. */
const NEEDED_MIN: i32 = 3;

/**
 * Writes which of the placed stations `0..count-1` belong with others, of which device each is, and how many devices a
 * place needs.
 * @returns how many belong with others
 */
export function linkSelected(count: i32, model: i32): i32 {
  const least = writeReaches(count, model);
  const devices = writeDevices(count);
  if (devices < 2 || !hasTwoBlocks(0, count, true)) {
    // No place can win, wherever they are.
    store<i32>(OUT_NEEDED, 0);
    return unlinkAll(count);
  }
  // The usual scan: all are near each other, so all have all votes.
  if (areAllVoters(count) && areAllNear(count, 2 * least)) {
    for (let s = 0; s < count; s++) store<i32>(s << 2, 1, SELECTED_LINKED);
    return count;
  }
  return linkByVotes(count, devices);
}

/** Takes back that stations belong together. @returns 0 */
export function unlinkAll(count: i32): i32 {
  for (let s = 0; s < count; s++) store<i32>(s << 2, 0, SELECTED_LINKED);
  return 0;
}

/** Has the strongest station take part that may place a device by itself. @returns false if there is none */
export function linkAlone(count: i32): bool {
  for (let s = 0; s < count; s++) {
    if (load<i32>(s << 2, SELECTED_ALONE) === 0) continue;
    store<i32>(s << 2, 1, SELECTED_LINKED);
    return true;
  }
  return false;
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

/** True if one place hears both stations. */
function areNear(a: i32, b: i32): bool {
  const both = load<f64>(a << 3, SELECTED_REACH) + load<f64>(b << 3, SELECTED_REACH);
  const dy = METRES_PER_STEP * <f64>(latitudeOf(a) - latitudeOf(b));
  if (Math.abs(dy) > both) return false;
  let steps = abs(longitudeOf(a) - longitudeOf(b));
  if (steps > STEPS_OF_HALF_A_TURN) steps = STEPS_OF_A_TURN - steps;
  const cosine = 0.5 * (load<f64>(a << 3, SELECTED_COSINE) + load<f64>(b << 3, SELECTED_COSINE));
  const dx = METRES_PER_STEP * cosine * <f64>steps;
  return dx * dx + dy * dy <= both * both;
}

function latitudeOf(s: i32): i64 {
  return <i64>load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_LATITUDE << 2));
}

function longitudeOf(s: i32): i64 {
  return <i64>load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_LONGITUDE << 2));
}

/** Links those that are near a winning station. */
function linkByVotes(count: i32, devices: i32): i32 {
  writeVotes(count);
  const centre = chooseCentre(count);
  if (centre < 0) return unlinkAll(count);
  let linked = 0;
  for (let s = 0; s < count; s++) {
    const role = load<i32>(s << 2, SELECTED_ROLE);
    const mayTakePart = role === ROLE_VOTER || (role === ROLE_GUEST && devices > 2);
    const takesPart = mayTakePart && isNearWinner(s, count, centre) ? 1 : 0;
    store<i32>(s << 2, takesPart, SELECTED_LINKED);
    linked += takesPart;
  }
  return linked;
}

/** Writes the votes of each station, and which have as many as are needed. */
function writeVotes(count: i32): void {
  const needed = load<i32>(OUT_NEEDED);
  for (let s = 0; s < count; s++) {
    store<f64>(s << 3, Math.cos(<f64>latitudeOf(s) * 1e-7 * RADIANS_PER_DEGREE), SELECTED_COSINE);
  }
  for (let s = 0; s < count; s++) {
    const votes = votesOf(s, count);
    store<i32>(s << 2, votes, SELECTED_VOTES);
    store<i32>(s << 2, votes >= needed && hasTwoBlocks(s, count, false) ? 1 : 0, SELECTED_WINS);
  }
}

/** Devices near a station. */
function votesOf(s: i32, count: i32): i32 {
  if (load<i32>(s << 2, SELECTED_ROLE) !== ROLE_VOTER) return 0;
  let votes = 0;
  for (let other = 0; other < count; other++)
    if (load<i32>(other << 2, SELECTED_VOTER) === 1 && areNear(s, other)) votes++;
  return votes;
}

/**
 * The station with most votes among those that win: another device near it has enough votes as well. @returns -1 if
 * none wins
 */
function chooseCentre(count: i32): i32 {
  let centre = -1;
  for (let s = 0; s < count; s++) {
    if (load<i32>(s << 2, SELECTED_WINS) === 0 || !hasPartner(s, count)) continue;
    if (centre < 0 || load<i32>(s << 2, SELECTED_VOTES) > load<i32>(centre << 2, SELECTED_VOTES)) centre = s;
  }
  return centre;
}

/** True if a station of another device that has enough votes is near. */
function hasPartner(s: i32, count: i32): bool {
  for (let other = 0; other < count; other++)
    if (load<i32>(other << 2, SELECTED_WINS) === 1 && !isOneDevice(s, other) && areNear(s, other)) return true;
  return false;
}

/** True if a station is near one of another device that has enough votes at the centre. */
function isNearWinner(s: i32, count: i32, centre: i32): bool {
  for (let other = 0; other < count; other++) {
    if (load<i32>(other << 2, SELECTED_WINS) === 0 || isOneDevice(s, other) || !areNear(s, other)) continue;
    if (areNear(other, centre)) return true;
  }
  return false;
}

/** True if the voters near a station, or all voters, are of two blocks. */
function hasTwoBlocks(s: i32, count: i32, isOfAll: bool): bool {
  let first = -1;
  for (let other = 0; other < count; other++) {
    if (load<i32>(other << 2, SELECTED_VOTER) === 0 || !(isOfAll || areNear(s, other))) continue;
    if (first < 0) first = other;
    else if (!isSameBlock(first, other)) return true;
  }
  return false;
}

function areAllVoters(count: i32): bool {
  for (let s = 0; s < count; s++) if (load<i32>(s << 2, SELECTED_ROLE) !== ROLE_VOTER) return false;
  return true;
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

/**
 * Writes by one of its stations of which device each is, and how many votes are needed.
 * @returns devices with a vote
 */
function writeDevices(count: i32): i32 {
  for (let s = 0; s < count; s++) {
    store<i32>(s << 2, s, SELECTED_DEVICE);
    if (load<i32>(s << 2, SELECTED_ROLE) === ROLE_ABSENT) continue;
    for (let other = 0; other < s; other++)
      if (load<i32>(other << 2, SELECTED_ROLE) !== ROLE_ABSENT && isSameDevice(s, other)) merge(s, other);
  }
  let devices = 0;
  for (let s = 0; s < count; s++) store<i32>(s << 2, rootOf(s), SELECTED_DEVICE);
  for (let s = 0; s < count; s++) {
    const isFirst = load<i32>(s << 2, SELECTED_ROLE) === ROLE_VOTER && isFirstOfDevice(s) ? 1 : 0;
    store<i32>(s << 2, isFirst, SELECTED_VOTER);
    devices += isFirst;
  }
  store<i32>(OUT_NEEDED, devices === 2 ? 2 : max(NEEDED_MIN, (devices >> 1) + 1));
  return devices;
}

/** True for the strongest voter of a device. */
function isFirstOfDevice(s: i32): bool {
  for (let other = 0; other < s; other++)
    if (load<i32>(other << 2, SELECTED_ROLE) === ROLE_VOTER && isOneDevice(s, other)) return false;
  return true;
}

function merge(a: i32, b: i32): void {
  const first = rootOf(a);
  const second = rootOf(b);
  store<i32>(max(first, second) << 2, min(first, second), SELECTED_DEVICE);
}

function rootOf(s: i32): i32 {
  let root = s;
  let next = load<i32>(root << 2, SELECTED_DEVICE);
  while (next !== root) {
    root = next;
    next = load<i32>(root << 2, SELECTED_DEVICE);
  }
  return root;
}

function isOneDevice(a: i32, b: i32): bool {
  return load<i32>(a << 2, SELECTED_DEVICE) === load<i32>(b << 2, SELECTED_DEVICE);
}

/**
 * True for radios that stand for themselves alone: iBeacons, those that no vendor numbered, and beacons of an
 * operator.
 */
function isByItself(s: i32): bool {
  if (load<i32>(s << 2, SELECTED_ALONE) === 1) return true;
  const radio = load<i64>(s << 3, SELECTED_RADIO);
  return radio >>> BEACON_BIT !== 0 || radio >>> 24 === DOCUMENTS_RADIO || radio >>> 16 === SURVEY_RADIO;
}

/** See `isSameDevice` in src/radio/mac.ts. */
function isSameDevice(a: i32, b: i32): bool {
  const first = load<i64>(a << 3, SELECTED_RADIO);
  const second = load<i64>(b << 3, SELECTED_RADIO);
  // Clears the octet of the lowest bit that differs, twice.
  const differing = first ^ second;
  const others = differing & ~((<i64>255) << (ctz(differing) & 56));
  if (others !== 0) {
    if ((others & ~((<i64>255) << (ctz(others) & 56))) !== 0) return false;
    const apart = first - second;
    if (differing >>> 16 === 0 && (apart > CARRY_MAX || apart < -CARRY_MAX)) return false;
  }
  return !isByItself(a) && !isByItself(b);
}

/** True if two addresses have their first four octets in common, but for the first, which differs between networks. */
function isSameBlock(a: i32, b: i32): bool {
  if (load<i64>(a << 3, SELECTED_RADIO) >>> 16 !== load<i64>(b << 3, SELECTED_RADIO) >>> 16) return false;
  return !isByItself(a) && !isByItself(b);
}
