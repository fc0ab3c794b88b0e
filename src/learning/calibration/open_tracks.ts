// Which track a report belongs to: the way of one device, whose reports lie so close together that one would be the
// answer to another. A device that has a name is one track until it was silent for half a day. Most have none, and many
// share a key; a track is then what is continuous in time and place under the key, and several are under way at once.
// Items of a batch without times of their own are a track. A report joins the nearest track that it may continue.

import { distanceMetres } from '../../geo/distance.ts';
import { OPEN_REPORTS } from '../../tables/calibration/calibration_tables.ts';
import type { OpenTrack } from '../../tables/calibration/tracks.ts';
import { isBatchTrack, type Report } from '../../tables/observations/report.ts';

/** A device with a name that was silent for this long begins a new track. */
export const DEVICE_MS = 12 * 3_600_000;
/** What comes later than this after a track's last report is another one. */
const GAP_MS = 15 * 60_000;
/** How far the next report of a track may be: fixes differ by the first part, cars drive the second. */
const NEAR_METRES = 300;
const METRES_PER_SECOND = 40;

/** True if a report names its device. */
export function isNamed({ track }: Pick<Report, 'track'>): boolean {
  return track !== 0 && !isBatchTrack(track);
}

/**
 * The open track that a report continues.
 * @param open tracks of the report's contributor
 * @param sequence of the report
 * @returns its index, -1 = none
 */
export function continuedTrack(open: readonly OpenTrack[], sequence: number, report: Report): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < open.length; i++) {
    const metres = isOver(open[i], sequence, report) ? Number.POSITIVE_INFINITY : metresBehind(open[i], report);
    if (metres >= least) continue;
    best = i;
    least = metres;
  }
  return best;
}

/** True if a track ended before a report was made. */
export function isOver(track: OpenTrack, sequence: number, { timeMs }: Report): boolean {
  if (sequence - track.sequence > OPEN_REPORTS) return true;
  return Math.abs(timeMs - track.timeMs) > (isNamed({ track: track.device }) ? DEVICE_MS : GAP_MS);
}

/** Metres from a track's last report; infinite if the report cannot continue it. */
function metresBehind(track: OpenTrack, report: Report): number {
  // Without a time of their own, the items of a batch have nothing else in common.
  if (isNamed(report) || isNamed({ track: track.device }) || (report.track !== 0 && !report.isTimed))
    return track.device === report.track ? 0 : Number.POSITIVE_INFINITY;
  const metres = distanceMetres(track.latitude, track.longitude, report.latitude, report.longitude);
  const seconds = Math.abs(report.timeMs - track.timeMs) / 1_000;
  return metres <= NEAR_METRES + METRES_PER_SECOND * seconds ? metres : Number.POSITIVE_INFINITY;
}
