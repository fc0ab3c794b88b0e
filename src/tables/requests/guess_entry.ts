// An entry of the memory of guesses (src/tables/stations/guesses.ts): eleven words of 32 bits. It is that of an account
// and a device, with the places at which the account was wrong; that of an account itself; or that of a device, with
// the number of accounts that are wrong about it.

/** An entry: account, device (two words), week and number, addresses that were found, and three places of two words. */
export const ENTRY_WORDS = 11;
export const ENTRY_DEVICE = 1;
export const ENTRY_COUNT = 3;
/** A bit for each eight of an octet, and COUNTED. */
export const ENTRY_FOUND = 4;
export const ENTRY_PLACES = 5;
/** Low bits of ENTRY_COUNT; the week is above. */
export const COUNT_BITS = 8;
export const COUNT_MASK = (1 << COUNT_BITS) - 1;
/** Bit of ENTRY_FOUND: the account counts among those that are wrong about the device. */
export const COUNTED = 1;
/** Second word of a place that is a set of devices. */
export const OF_SET = 0x7fffffff;
/** Words of the entry of an account itself: parts of what it was wrong, forgiven up to when, entries of the week. */
export const OWN_WRONG = ENTRY_PLACES;
export const OWN_SECOND = ENTRY_PLACES + 1;
export const OWN_ENTRIES = ENTRY_PLACES + 2;
/** Both words of the device of an account's own entry. */
export const OWN = -1;

/** Account words: free, being written, and the number of accounts that are wrong about a device. */
export const FREE = 0;
export const CLAIMED = -1;
export const EVERYBODY = 0x7fffffff;

/** Places nearer to each other than this are one. */
const PLACE_METRES = 200;
const METRES_PER_E7 = 0.011132;
const RADIANS_PER_E7 = Math.PI / 180 / 1e7;
const TURN_E7 = 3_600_000_000;
const WEEK_MS = 7 * 86_400_000;

/** The week of a time, milliseconds since 1970. */
export function weekAt(nowMs: number): number {
  return Math.floor(nowMs / WEEK_MS);
}

/** When the week of a time ends, milliseconds since 1970. */
export function weekEndMs(nowMs: number): number {
  return (weekAt(nowMs) + 1) * WEEK_MS;
}

/** The week of an entry. @param count its word ENTRY_COUNT */
export function weekOf(count: number): number {
  return count >>> COUNT_BITS;
}

/** The last week of an entry: that of an account itself is kept for one more. */
export function lastWeekOf(entries: Int32Array, at = 0): number {
  return weekOf(entries[at + ENTRY_COUNT]) + (isOwn(entries, at) ? 1 : 0);
}

/** True for an entry of an earlier week. A clock that is set back ends none. */
export function isOver(entries: Int32Array, at: number, nowMs: number): boolean {
  return weekAt(nowMs) > lastWeekOf(entries, at);
}

/** True for the entry of an account and a device. */
export function isOfPair(words: Int32Array): boolean {
  return words[0] !== EVERYBODY && !isOwn(words, 0);
}

function isOwn(entries: Int32Array, at: number): boolean {
  return entries[at + ENTRY_DEVICE] === OWN && entries[at + ENTRY_DEVICE + 1] === OWN;
}

/** True for two places that count as one: near each other, in degrees times 1e7, or the same set of devices. */
export function areOnePlace(latitude: number, longitude: number, latitude2: number, longitude2: number): boolean {
  if (longitude === OF_SET || longitude2 === OF_SET) return latitude === latitude2 && longitude === longitude2;
  const north = (latitude - latitude2) * METRES_PER_E7;
  const apart = Math.abs(longitude - longitude2);
  const east = Math.min(apart, TURN_E7 - apart) * METRES_PER_E7 * Math.cos(latitude2 * RADIANS_PER_E7);
  return north * north + east * east <= PLACE_METRES * PLACE_METRES;
}
