// The service's own accuracy, measured on reports before they are learned: by kind of station, country and month, and
// for each kind as a whole.

import { KIND_WIFI, radioOfKind } from '../../radio/kind.ts';
import { CalibrationTables } from '../../tables/calibration/calibration_tables.ts';
import { addMeasured, errorQuantile, type Measured, newMeasured } from '../../tables/calibration/measured.ts';
import { openLiveGeneration } from '../../tables/stations/generation.ts';

/** Figures of one kind of station in one country and month. */
export interface MeasuredAccuracy {
  /** `wifi`, `bluetooth`, or the radio type of cells. */
  radio: string;
  /** ISO 3166-1 alpha-2, "" for the open sea, "any" for all. */
  country: string;
  /** YYYY-MM, "any" for all. */
  month: string;
  /** Reports that were tested before they were learned. */
  tested: number;
  /** Metres. */
  median: number;
  p95: number;
  /** Shares of the truths inside the radii for 50, 68 and 95 %, 0..1. */
  insideShare: number;
  inside68Share: number;
  inside95Share: number;
}

/** The country and month of the figures of a kind as a whole. */
const ALL = 'any';
const WIFI = 'wifi';
const BLUETOOTH = 'bluetooth';

/**
 * Reads the figures from the tables of a data folder, also while a service uses it. @throws Error when the tables
 * cannot be used
 */
export async function readMeasuredAccuracy(dataFolder: string): Promise<MeasuredAccuracy[]> {
  const found = await readAllMeasured(dataFolder);
  return [...new Set(found.map(({ kind }) => kind))]
    .sort((a, b) => a - b)
    .flatMap(kind => {
      const ofKind = found.filter(each => each.kind === kind);
      const together = newMeasured();
      for (const { measured } of ofKind) addMeasured(together, measured);
      const rows = ofKind.map(({ country, month, measured }) => figuresOf(kind, country, nameOfMonth(month), measured));
      return [figuresOf(kind, ALL, ALL, together), ...rows];
    });
}

async function readAllMeasured(dataFolder: string) {
  const generation = openLiveGeneration(dataFolder);
  if (generation === undefined) return [];
  try {
    return [...new CalibrationTables(generation.calibration).allMeasured()];
  } finally {
    await generation.root.close();
  }
}

function figuresOf(kind: number, country: string, month: string, measured: Measured): MeasuredAccuracy {
  const { tests, inside } = measured;
  return {
    radio: radioOfKind(kind) ?? (kind === KIND_WIFI ? WIFI : BLUETOOTH),
    country,
    month,
    tested: tests,
    median: errorQuantile(measured, 0.5),
    p95: errorQuantile(measured, 0.95),
    insideShare: inside[0] / tests,
    inside68Share: inside[1] / tests,
    inside95Share: inside[2] / tests,
  };
}

/** @param month since January 1970 */
function nameOfMonth(month: number): string {
  return `${1970 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}
