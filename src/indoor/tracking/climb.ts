// Floors by air pressure. It falls by 12 Pa for each metre, so by about half a hectopascal from floor to floor. A
// component of a track remembers how many floors it has climbed since the pressure of the track was measured, so that
// small changes add up instead of getting lost in the rounding to whole hectopascals.
//
// The weather changes the pressure as well, by a hectopascal in an hour when it is quick. The pressure of the track
// follows slowly what is measured, so weather is forgotten and a lift is not.

/** A change of floor and how likely it is. */
interface Climb {
  floors: number;
  probability: number;
}

/** Changes of floor, and how well a component explains the pressure. */
export interface Climbs {
  climbs: Climb[];
  likelihood: number;
}

/** Pressure from one floor to the next, 4 metres up. */
const HPA_A_FLOOR = 0.48;
/** Error of a measured difference, hPa, where pressure comes with decimals and where it comes in whole numbers. */
const SIGMA_HPA = 0.12;
const SIGMA_HPA_WHOLE = 0.42;
/** How much the weather changes, hPa a second. */
const WEATHER_HPA = 0.0003;
/** Probability that somebody changes floor within a second. */
const RATE = 0.002;
const RATE_MAX = 0.2;
/** Sum of 1 / n^2 over all floors up and down. */
const NORMALISER = Math.PI ** 2 / 3;
const PROBABILITY_MIN = 0.003;
/** The pressure of a track follows what is measured in this time, to all but a third of the difference. */
const FOLLOW_SECONDS = 50;

/**
 * How many floors the device may have changed, the likeliest first, with probabilities of sum 1; and how well this
 * explains the pressure.
 * @param climb of the component
 * @param pressureHpa measured, or NaN
 * @param before pressure of the track, or NaN
 * @param seconds since the last request
 */
export function climbsOf(climb: number, pressureHpa: number, before: number, seconds: number): Climbs {
  const rate = Math.min(RATE_MAX, RATE * seconds);
  const isMeasured = !Number.isNaN(pressureHpa - before);
  const fallen = isMeasured ? (before - pressureHpa) / HPA_A_FLOOR - climb : 0;
  const sigma = Math.hypot(isWhole(pressureHpa) ? SIGMA_HPA_WHOLE : SIGMA_HPA, WEATHER_HPA * seconds) / HPA_A_FLOOR;
  const middle = Math.round(fallen);
  const climbs: Climb[] = [];
  let total = 0;
  for (const floors of new Set([0, middle - 1, middle, middle + 1])) {
    const prior = floors === 0 ? 1 - rate : rate / (NORMALISER * floors * floors);
    const misfit = isMeasured ? (fallen - floors) / sigma : 0;
    const probability = prior * Math.exp(-0.5 * Math.min(misfit * misfit, 60));
    climbs.push({ floors, probability });
    total += probability;
  }
  for (const each of climbs) each.probability /= total;
  const likely = climbs
    .filter(({ probability }) => probability >= PROBABILITY_MIN)
    .sort((a, b) => b.probability - a.probability);
  return { climbs: likely, likelihood: total };
}

/**
 * The pressure of the track after a measurement. @param climb mean climb of the components @param seconds since the
 * last request
 */
export function followedPressure(before: number, pressureHpa: number, climb: number, seconds: number): number {
  if (Number.isNaN(pressureHpa)) return before;
  if (Number.isNaN(before)) return pressureHpa;
  return before + (1 - Math.exp(-seconds / FOLLOW_SECONDS)) * (pressureHpa + HPA_A_FLOOR * climb - before);
}

/** The climb of a component that a scan suggests: what the pressure says. */
export function measuredClimb(before: number, pressureHpa: number): number {
  const fallen = (before - pressureHpa) / HPA_A_FLOOR;
  return Number.isNaN(fallen) ? 0 : Math.round(fallen);
}

function isWhole(pressureHpa: number): boolean {
  return pressureHpa === Math.round(pressureHpa);
}
