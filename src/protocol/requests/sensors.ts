// Reads the sensor values of a body, for tracking. A request may have several entries: each is a leg of the way since
// the last request, or names one value.

import { RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import type { Motion } from '../../radio/query/answer.ts';
import { SENSOR_RANGES } from '../../radio/ranges.ts';
import { decimalIn } from '../../radio/read_value.ts';

/** Activities that a device may detect, as the specification spells them. */
export const ACTIVITIES = [
  'IN_VEHICLE',
  'ON_BICYCLE',
  'ON_FOOT',
  'RUNNING',
  'STILL',
  'TILTING',
  'UNKNOWN',
  'WALKING',
] as const;

/** Detected activity, as the specification spells it. */
type Activity = (typeof ACTIVITIES)[number];

/** One entry. Undefined members were not sent, or were out of range. */
interface SensorReading {
  /** hPa, with its fraction, because one hPa is eight metres of height. */
  pressure: number | undefined;
  /** Effective steps since the last request. */
  steps: number | undefined;
  /** Degrees from north, 0..359. */
  heading: number | undefined;
  activity: Activity | undefined;
}

interface SensorEntry {
  pressure?: unknown;
  steps?: unknown;
  heading?: unknown;
  activity?: unknown;
}

/** Reads the entries that have at least one valid value. */
export function readSensors(entries: readonly unknown[]): SensorReading[] {
  const readings: SensorReading[] = [];
  for (const entry of entries as readonly (SensorEntry | null)[]) {
    if (typeof entry !== 'object' || entry === null) continue;
    const reading = {
      pressure: decimalOrNone(entry.pressure, SENSOR_RANGES.pressure),
      steps: decimalOrNone(entry.steps, SENSOR_RANGES.steps),
      heading: decimalOrNone(entry.heading, SENSOR_RANGES.heading),
      activity: ACTIVITIES.find(activity => activity === entry.activity),
    };
    if (Object.values(reading).some(value => value !== undefined)) readings.push(reading);
  }
  return readings;
}

/**
 * What entries say together. Steps with a heading are legs, which add up to a straight line and its direction. Where
 * not all legs have one, the steps are added, and the last heading counts; so do the last pressure and the last
 * activity.
 */
export function motionOf(readings: readonly SensorReading[]): Motion {
  const motion = { pressureHpa: Number.NaN, steps: Number.NaN, headingDegrees: Number.NaN, activity: -1 };
  let east = 0;
  let north = 0;
  let isStraight = true;
  for (const { pressure, steps, heading, activity } of readings) {
    if (pressure !== undefined) motion.pressureHpa = pressure;
    if (heading !== undefined) motion.headingDegrees = heading;
    if (activity !== undefined) motion.activity = ACTIVITIES.indexOf(activity);
    if (steps === undefined) continue;
    motion.steps = (Number.isNaN(motion.steps) ? 0 : motion.steps) + steps;
    if (heading === undefined) isStraight = false;
    else {
      east += steps * Math.sin(heading * RADIANS_PER_DEGREE);
      north += steps * Math.cos(heading * RADIANS_PER_DEGREE);
    }
  }
  if (!isStraight || !(motion.steps > 0)) return motion;
  const heading = Math.atan2(east, north) / RADIANS_PER_DEGREE;
  return { ...motion, steps: Math.hypot(east, north), headingDegrees: heading < 0 ? heading + 360 : heading };
}

function decimalOrNone(
  value: unknown,
  allowed: (typeof SENSOR_RANGES)[keyof typeof SENSOR_RANGES],
): number | undefined {
  const number = decimalIn(value, allowed, Number.NaN);
  return Number.isNaN(number) ? undefined : number;
}
