// Tells names that may be of access points that travel (data/moving_hotspots.csv), by four of their bytes: what the
// name begins with, or what stands anywhere in it. The bytes lie in a hash table, which src/core/body_scanner.ts fills.
// A name that has any of them declines, and src/radio/wifi.ts reads it.

import { BODY_MOVING, MAX_MOVING, MOVING_SHIFT } from '../memory';

const SMALL: u32 = 0x20202020; // makes letters small
const ANYWHERE: u32 = 0xffffffdf; // takes the bit 0x20, which all have, from what stands anywhere
const MULTIPLIER: u32 = 0x9e3779b1;

/** True if a name may begin with these four bytes. @param bytes the first one lowest */
export function mayStart(bytes: u32): bool {
  return isListed(bytes | SMALL) || mayContain(bytes);
}

/** True if a name may contain these four bytes. */
export function mayContain(bytes: u32): bool {
  return isListed((bytes | SMALL) & ANYWHERE);
}

function isListed(bytes: u32): bool {
  let slot = (bytes * MULTIPLIER) >> <u32>MOVING_SHIFT;
  while (true) {
    const found = load<u32>(<u32>BODY_MOVING + (slot << 2));
    if (found === bytes) return true;
    if (found === 0) return false;
    slot = (slot + 1) & <u32>(MAX_MOVING - 1);
  }
}
