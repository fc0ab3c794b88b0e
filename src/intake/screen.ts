// Turns a draft into a report by applying the rules of intake (rules.ts): first those that refuse the whole report by
// its position and time, then those for each kind of station (screen_stations.ts, screen_cells.ts). The remaining
// entries are read like those of a positioning request, into observations of the same layout, so a station is learned
// under the same key under which it is looked up.

import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../geo/floor.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import { GPS_RANGES, isIn, isNoPosition } from '../radio/ranges.ts';
import type { Report } from '../tables/observations/report.ts';
import type { Origin, ReportDraft } from './draft.ts';
import {
  ACCURACY_BLUETOOTH_MAX,
  ACCURACY_CELL_MAX,
  ACCURACY_WIFI_MAX,
  ALTITUDE_MAX,
  ALTITUDE_MIN,
  ENTRIES_MAX,
  FUTURE_MS_MAX,
  NULL_ISLAND_DEGREES,
  POSITION_AGE_MS_MAX,
  type RuleName,
  SPEED_MAX,
  TIME_MS_MIN,
} from './rules.ts';
import { screenCells } from './screen_cells.ts';
import { keepDistinct, screenAccessPoints, screenBeacons } from './screen_stations.ts';
import type { Tally } from './tally.ts';

const NOTHING: readonly unknown[] = [];

/** Number of entries in all lists of a draft: the cost of screening it. */
export function countEntries({ wifiAccessPoints, bluetoothBeacons, cellTowers }: ReportDraft): number {
  return (wifiAccessPoints?.length ?? 0) + (bluetoothBeacons?.length ?? 0) + (cellTowers?.length ?? 0);
}

/**
 * Applies the rules to a draft and counts refusals. Entries may be any values: a bad one is counted, and nothing is
 * thrown.
 * @returns the report, or undefined when it is refused as a whole
 */
export function screenReport(draft: ReportDraft, origin: Origin, tally: Tally): Report | undefined {
  const entries = countEntries(draft);
  tally.countReport(entries);
  const rule = entries > ENTRIES_MAX ? 'too many stations' : refusePositionAndTime(draft, origin.receivedMs);
  if (rule !== undefined) {
    tally.refuse(rule);
    return undefined;
  }
  // A beacon may have two identities.
  const observationsMax = entries + (draft.bluetoothBeacons?.length ?? 0);
  const writer = new QueryWriter(new QueryMemory(new ArrayBuffer(queryBytes(observationsMax))));
  writer.begin(0);
  screenStations(draft, writer, tally);
  writer.end();
  const observations = keepDistinct(writer, tally);
  if (observations.length === 0) {
    tally.refuse('nothing left');
    return undefined;
  }
  return reportOf(draft, origin, observations);
}

function refusePositionAndTime(draft: ReportDraft, receivedMs: number): RuleName | undefined {
  const {
    timeMs = receivedMs,
    latitude,
    longitude,
    accuracyMetres,
    positionAgeMs = 0,
    speed = 0,
    altitude = 0,
  } = draft;
  if (isNoPosition(latitude, longitude, accuracyMetres)) return 'position';
  if (draft.source === 'query') return 'position source';
  if (Math.abs(latitude) <= NULL_ISLAND_DEGREES && Math.abs(longitude) <= NULL_ISLAND_DEGREES) return 'null island';
  if (timeMs < TIME_MS_MIN || timeMs > receivedMs + FUTURE_MS_MAX) return 'time';
  if (Math.abs(positionAgeMs) > POSITION_AGE_MS_MAX) return 'position age';
  if (speed > SPEED_MAX) return 'speed';
  return altitude < ALTITUDE_MIN || altitude > ALTITUDE_MAX ? 'altitude' : undefined;
}

function screenStations(draft: ReportDraft, writer: QueryWriter, tally: Tally): void {
  const { wifiAccessPoints = NOTHING, bluetoothBeacons = NOTHING, cellTowers = NOTHING, accuracyMetres = 0 } = draft;
  const positionAgeMs = statedOr(draft.positionAgeMs, 0);
  const isAccurate = (entries: readonly unknown[], metres: number): boolean => {
    if (entries.length === 0) return false;
    if (!(accuracyMetres < 0 || accuracyMetres > metres)) return true;
    tally.refuse('accuracy', entries.length);
    return false;
  };
  if (isAccurate(wifiAccessPoints, ACCURACY_WIFI_MAX))
    screenAccessPoints(wifiAccessPoints, positionAgeMs, writer, tally);
  if (isAccurate(bluetoothBeacons, ACCURACY_BLUETOOTH_MAX))
    screenBeacons(bluetoothBeacons, positionAgeMs, writer, tally);
  if (isAccurate(cellTowers, ACCURACY_CELL_MAX)) screenCells(cellTowers, draft, positionAgeMs, writer, tally);
}

function reportOf(
  draft: ReportDraft,
  { contributor, isTrusted, track, receivedMs }: Origin,
  observations: Uint8Array,
): Report {
  const timeMs = statedOr(draft.timeMs, receivedMs);
  const { latitude, longitude, accuracyMetres = Number.NaN, speed = Number.NaN, heading = Number.NaN } = draft;
  return {
    timeMs,
    isTimed: timeMs === draft.timeMs,
    latitude,
    longitude,
    // No position is exact: software writes accuracy 0 when it knows none. Speeds below 0 mean "unknown" on phones.
    accuracyMetres: accuracyMetres > 0 ? accuracyMetres : Number.NaN,
    positionAgeMs: statedOr(draft.positionAgeMs, Number.NaN),
    altitude: statedOr(draft.altitude, Number.NaN),
    floor: floorOf(draft.floor),
    heading: isIn(heading, GPS_RANGES.heading) ? heading : Number.NaN,
    speed: speed >= 0 ? speed : Number.NaN,
    contributor,
    isTrusted,
    track,
    observations,
  };
}

/** The index of a floor; NaN for anything else, such as the -99 that some programs write for an unknown one. */
function floorOf(floor = Number.NaN): number {
  return Number.isInteger(floor) && floor >= FLOOR_INDEX_MIN && floor <= FLOOR_INDEX_MAX ? floor : Number.NaN;
}

/** A value, or its replacement when it is not stated; readers of files may write NaN for that. */
function statedOr(value: number | undefined, absent: number): number {
  return value === undefined || Number.isNaN(value) ? absent : value;
}
