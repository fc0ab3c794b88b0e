// The places for which tests are counted apart: a group of estimates in a region.

/** Region of the votes from everywhere. */
export const EVERYWHERE = 65_535;

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
