// Follows a device outdoors: the position that was found for a query becomes what the track of its device makes of it, and the next track is written.

import { readFound, writeFound } from '../radio/query/answer.ts';
import { SOURCE_GPS } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import { readTrack, writeNextTrack } from '../radio/query/track.ts';
import { followOutdoors } from '../tracking/outdoor/follow_outdoors.ts';

/** Follows the device of the query at `offset`, which `isFound` and is tracked. What a fallback found is a guess, and stays as it is. */
export function followFix(memory: QueryMemory, offset: number): void {
  const track = readTrack(memory, offset);
  const found = readFound(memory, offset);
  if (track === undefined || found.fallback !== 0) return;
  const { latitude, longitude, accuracyMetres, at95, sources } = found;
  const followed = followOutdoors(track.state, {
    timeMs: track.timeMs,
    latitude,
    longitude,
    accuracyMetres,
    at95Metres: at95 * accuracyMetres,
    isGps: (sources & SOURCE_GPS) !== 0,
    speed: Number.NaN,
    headingDegrees: Number.NaN,
    activity: track.motion.activity,
  });
  writeNextTrack(memory, offset, followed.state);
  if (!followed.isFollowed) return;
  writeFound(memory, offset, {
    ...found,
    latitude: followed.latitude,
    longitude: followed.longitude,
    accuracyMetres: Math.max(1, accuracyMetres * followed.radiusFactor),
  });
}
