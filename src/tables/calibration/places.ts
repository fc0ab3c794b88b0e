// The places for which tests are counted apart: a group of estimates in a region. Where a method comes in variants that
// differ by their constants, each has groups of its own, since each has other errors.

/** Region of the votes from everywhere. */
export const EVERYWHERE = 65_535;

/** Number of groups of estimates by a method as the source has it. Those of each further variant follow. */
export const GROUPS = 64;
/** Variants of a method. 0 is as the source has it. */
export const VARIANTS = 4;

/** A group of estimates by a variant of their method. @param group below `GROUPS` */
export function groupOfVariant(group: number, variant: number): number {
  return group + GROUPS * variant;
}

/** A group of estimates in a region, as one number. */
export function placeOfVotes(group: number, region: number): number {
  return group * 65_536 + region;
}

/** The group and the region of a place. */
export function partsOfPlace(place: number): { group: number; region: number } {
  return { group: Math.floor(place / 65_536), region: place % 65_536 };
}

/**
 * The places whose votes decide on a group in a region, the most general first. A group with an odd number is the
 * better known part of the one before, which comes before it.
 */
export function levelsOf(group: number, region: number): number[] {
  const levels = [placeOfVotes(group, EVERYWHERE)];
  if (group % 2 === 1) levels.unshift(placeOfVotes(group - 1, EVERYWHERE));
  if (region !== EVERYWHERE) levels.push(placeOfVotes(group, region));
  return levels;
}

/** The region of a position in degrees: one degree by one degree. */
export function regionAt(latitude: number, longitude: number): number {
  return Math.min(179, Math.floor(latitude + 90)) * 360 + Math.min(359, Math.floor(longitude + 180));
}

/** The south-western corner of a region in degrees. */
export function cornerOf(region: number): { latitude: number; longitude: number } {
  return { latitude: Math.floor(region / 360) - 90, longitude: (region % 360) - 180 };
}
