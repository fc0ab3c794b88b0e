// The scale on which levels are compared: ((dBm + 105) / 105)^2.2, which is 0 for what is not heard, so a radio that is
// missing is one that is very weak. The exponent decides how much the strong radios outweigh the weak. It was fitted on
// folds of training data: with 1.7 to 2.7 errors are within 3 % of the least.

const NOTHING_BELOW_DBM = 105;
const EXPONENT = 2.2;
/** Levels are looked up in steps of half a decibel, from 0 dBm down. */
const STEPS_PER_DB = 2;
const STEPS = NOTHING_BELOW_DBM * STEPS_PER_DB + 1;
/** Stored strengths are squares of these steps, so that the relative error of weak radios is bounded. */
const STORED_MAX = 255;

const BY_STEP = Float64Array.from({ length: STEPS }, (_, step) => strength(-step / STEPS_PER_DB));
/** The strength of each stored byte. */
export const STORED_STRENGTH: Float64Array = Float64Array.from(
  { length: STORED_MAX + 1 },
  (_, stored) => (stored / STORED_MAX) ** 2,
);

/** The level of each stored byte, dBm: -105..0. */
export const LEVEL_OF_STORED: Float64Array = STORED_STRENGTH.map(
  value => NOTHING_BELOW_DBM * (levelOfStrength(value) - 1),
);

/** The strength of a level. @param levelDbm any; above 0 dBm as 0 @returns 0..1, 0 at -105 dBm and below */
export function strengthOf(levelDbm: number): number {
  if (levelDbm >= 0) return 1;
  const step = Math.round(-levelDbm * STEPS_PER_DB);
  return step < STEPS ? BY_STEP[step] : 0;
}

/**
 * The level that a strength stands for, on a scale that is linear in decibels: 0 is -105 dBm, 1 is 0 dBm. @param value
 * 0..1
 */
export function levelOfStrength(value: number): number {
  return value ** (1 / EXPONENT);
}

/** The strength of a level on that scale. @param level any; below 0 as 0, above 1 as 1 */
export function strengthOfLevel(level: number): number {
  return Math.min(1, Math.max(0, level)) ** EXPONENT;
}

/**
 * The byte that stands for a strength. @param value 0..1 @returns 0..255; the same for what is stored and read again
 */
export function storedOf(value: number): number {
  return Math.round(Math.sqrt(value) * STORED_MAX);
}

function strength(levelDbm: number): number {
  return strengthOfLevel((levelDbm + NOTHING_BELOW_DBM) / NOTHING_BELOW_DBM);
}
