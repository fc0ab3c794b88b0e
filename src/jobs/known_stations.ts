// What is known of stations by their keys, read from the tables of a data folder, also beside a running service: for
// the command `station` and for the card of a station.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readOptedOut, stationsOf } from '../folder/opted_out.ts';
import { type DayOfStation, DaysOfStation, type KnownStation, knownStation } from '../learning/known_station.ts';
import { formatStation } from '../radio/station_name.ts';
import { ObservationLog } from '../tables/observations/observation_log.ts';
import { openLiveGeneration } from '../tables/stations/generation.ts';

/** Reports read at once. */
const SLICE = 500;

/** What the tables hold of one key. */
export interface StationOfTables {
  station: string;
  /** It is kept out (`sextant forget`). */
  isOptedOut: boolean;
  known: KnownStation | undefined;
}

/** What is known of each key. @throws Error when a table cannot be used */
export async function readStations(folder: string, keys: readonly Buffer[]): Promise<StationOfTables[]> {
  const optedOut = stationsOf(readOptedOut(folder));
  const generation = openLiveGeneration(folder);
  try {
    return keys.map(key => ({
      station: formatStation(key),
      isOptedOut: optedOut.has(key),
      known: generation && knownStation(folder, generation, key),
    }));
  } finally {
    await generation?.root.close();
  }
}

/**
 * Where each key was heard on each day, from all reports of the log.
 * @param onProgress called with the reports read, and with all that there are
 * @throws Error when the log cannot be used
 */
export async function readDaysOfStations(
  folder: string,
  keys: readonly Buffer[],
  onProgress: (done: number, total: number) => void,
): Promise<DayOfStation[][]> {
  const days = keys.map(key => new DaysOfStation(key));
  if (existsSync(join(folder, 'observations'))) {
    const log = new ObservationLog(folder, 'commit');
    try {
      const { firstSequence: first, lastSequence: last } = log;
      for (let next = first; next <= last; ) {
        const slice = log.read(next, SLICE);
        if (slice.length === 0) break;
        for (const report of slice) for (const each of days) each.add(report);
        next = slice[slice.length - 1].sequence + 1;
        onProgress(next - first, last - first + 1);
        await nextTurn();
      }
    } finally {
      await log.close();
    }
  }
  return days.map(each => each.days);
}

/** What is known, with the members that programs read. */
export function membersOfStation({ station, isOptedOut, known }: StationOfTables): object {
  if (known === undefined) return { station, ...(isOptedOut && { optedOut: true }) };
  const { isUsed, record, blocks, ...rest } = known;
  return {
    station,
    ...(isOptedOut && { optedOut: true }),
    ...rest,
    used: isUsed,
    ...(blocks > 0 && { blocks }),
    ...(record && { record }),
  };
}
