// Drawn buildings: radios on floors, the levels that are heard anywhere, surveys and scans with noise. Floors and walls
// are plain losses.

import type { Fingerprint, Reading, Scan } from '../../../src/indoor/fingerprints/fingerprint.ts';
import { normal } from '../random.ts';

/** A radio of a drawn building. */
export interface DrawnRadio {
  radio: number;
  floor: number;
  east: number;
  north: number;
}

const NOT_HEARD_DBM = -95;

/** What is heard at a point. @param floorDb loss of a floor @param noiseDb standard deviation */
export function heardAt(
  radios: readonly DrawnRadio[],
  [floor, east, north]: readonly [floor: number, east: number, north: number],
  floorDb: number,
  noiseDb: number,
  random: () => number,
): Reading[] {
  const readings: Reading[] = [];
  const noise = normal(random);
  for (const radio of radios) {
    const metres = Math.hypot(east - radio.east, north - radio.north, 3 * (floor - radio.floor));
    const mean = -35 - 30 * Math.log10(1 + metres) - floorDb * Math.abs(floor - radio.floor);
    const levelDbm = Math.min(0, mean + noiseDb * noise());
    if (levelDbm > NOT_HEARD_DBM) readings.push({ radio: radio.radio, levelDbm });
  }
  return readings;
}

/** Fingerprints at each point. */
export function survey(
  radios: readonly DrawnRadio[],
  points: readonly (readonly [floor: number, east: number, north: number])[],
  floorDb: number,
  noiseDb: number,
  random: () => number,
): Fingerprint[] {
  return points.map(point => ({
    floor: point[0],
    eastMetres: point[1],
    northMetres: point[2],
    readings: heardAt(radios, point, floorDb, noiseDb, random),
  }));
}

/** Readings as columns, without ages. */
export function scanOf(readings: readonly Reading[], ageMs = Number.NaN): Scan {
  return {
    count: readings.length,
    radio: Float64Array.from(readings, ({ radio }) => radio),
    levelDbm: Float64Array.from(readings, ({ levelDbm }) => levelDbm),
    ageMs: new Float64Array(readings.length).fill(ageMs),
  };
}
