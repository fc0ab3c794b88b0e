// Reads the sensor values of a body, for indoor tracking, which needs the step count and the air pressure of the floor.

import { SENSOR_RANGES } from '../../radio/ranges.ts';
import { decimalIn } from '../../radio/read_value.ts';

/** Activities that a device may detect, as the specification spells them. */
export const ACTIVITIES = ['IN_VEHICLE', 'ON_BICYCLE', 'ON_FOOT', 'RUNNING', 'STILL', 'TILTING', 'UNKNOWN', 'WALKING'] as const;

/** Detected activity, as the specification spells it. */
type Activity = (typeof ACTIVITIES)[number];

/** One entry. Undefined members were not sent, or were out of range. */
export interface SensorReading {
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

function decimalOrNone(value: unknown, allowed: (typeof SENSOR_RANGES)[keyof typeof SENSOR_RANGES]): number | undefined {
  const number = decimalIn(value, allowed, Number.NaN);
  return Number.isNaN(number) ? undefined : number;
}
