// Follows a device outdoors. What its state says of the cells that it heard before goes into the location of its query;
// the position that was found becomes what the track of the device makes of it, and the next track is written.

import { distanceMetres } from '../geo/distance.ts';
import type { CellPast } from '../positioning/cells/followed/past.ts';
import type { PositionRecorder } from '../positioning/estimates/recorder.ts';
import { readFound, readTrack, writeFound, writeNextTrack } from '../radio/query/answer.ts';
import { SOURCE_CELL, SOURCE_GPS } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import { cellsBefore, followOutdoors, type RoadsAround, usualSpeedOf } from '../tracking/outdoor/follow_outdoors.ts';
import type { OutdoorFix } from '../tracking/outdoor/outdoor_filter.ts';

/** Where the device of the query at `offset` was, for `Locator.locate`; undefined if it is not tracked. */
export function pastOf(memory: QueryMemory, offset: number): CellPast | undefined {
  const track = readTrack(memory, offset);
  if (track === undefined) return undefined;
  const { timeMs, motion, state } = track;
  const cells = cellsBefore(state, timeMs);
  return {
    places: cells?.places ?? [],
    cells: cells?.cells ?? [],
    seconds: cells === undefined ? 0 : (timeMs - cells.timeMs) / 1000,
    usualSpeed: usualSpeedOf(motion.activity),
    seed: timeMs | 0,
    now: undefined,
    isFollowed: false,
  };
}

/**
 * Follows the device of the query at `offset`, which `isFound` and is tracked. What a fallback found is a guess, and
 * stays as it is.
 * @param past after the query was located
 * @param roads asked for vehicles and bicycles
 * @param recorder for an explanation
 */
export function followFix(
  memory: QueryMemory,
  offset: number,
  past: CellPast,
  roads: RoadsAround,
  recorder?: PositionRecorder,
): void {
  const track = readTrack(memory, offset);
  const found = readFound(memory, offset);
  if (track === undefined || found.fallback !== 0) return;
  const { timeMs, state, motion } = track;
  const { latitude, longitude, accuracyMetres, at95, sources } = found;
  const fix: OutdoorFix = {
    timeMs,
    latitude,
    longitude,
    accuracyMetres,
    at95Metres: at95 * accuracyMetres,
    isGps: (sources & SOURCE_GPS) !== 0,
    speed: Number.NaN,
    headingDegrees: Number.NaN,
    activity: motion.activity,
    isByPast: past.isFollowed && (sources & SOURCE_CELL) !== 0,
    cells: past.now === undefined ? cellsBefore(state, timeMs) : { timeMs, ...past.now },
  };
  const followed = followOutdoors(state, fix, roads);
  writeNextTrack(memory, offset, followed.state);
  if (!followed.isFollowed) return;
  if (recorder !== undefined) {
    const movedMetres = distanceMetres(latitude, longitude, followed.latitude, followed.longitude);
    recorder.track = { movedMetres, radiusFactor: followed.radiusFactor };
  }
  writeFound(memory, offset, {
    ...found,
    latitude: followed.latitude,
    longitude: followed.longitude,
    accuracyMetres: Math.max(1, accuracyMetres * followed.radiusFactor),
  });
}
