// The uncertainty of a position from the statistics of cells. With many observations a cell's radius is right: half of
// the truths lie within it. Few observations have not shown all of the cell, which makes the tail: the next one is
// where none was. Several cells that agree are somewhat better than one.
//
// One formula is fitted to four sets of tracks held back, without their radio maps. Truths within the radii for 50, 68
// and 95 %, in percent: 51, 66 and 96 (siping), 49, 66 and 99 (jiading), 50, 66 and 91 (cork), 54, 75 and 100
// (belgium).

import type { Tail } from '../estimates/estimate.ts';
import type { PositionRecorder } from '../estimates/recorder.ts';
import { CELL_REACH_METRES } from './map/map_radii.ts';

/**
 * Terms for a share: parts of the 50 % and 95 % radii; metres and a part of the 95 % radius, both over the number of
 * samples; a factor for several cells.
 */
interface Share {
  r50Part: number;
  r95Part: number;
  unseenMetres: number;
  unseenPart: number;
  severalFactor: number;
}
const HALF: Share = { r50Part: 1, r95Part: 0, unseenMetres: 1_000, unseenPart: 10, severalFactor: 0.9 };
const AT_68: Share = { r50Part: 1, r95Part: 0.2, unseenMetres: 3_000, unseenPart: 23, severalFactor: 1 };
const AT_95: Share = { r50Part: 1, r95Part: 0.85, unseenMetres: 17_000, unseenPart: 80, severalFactor: 1 };
/** Samples that a cell's own statistics count for. */
const SAMPLES_BEFORE = 16;

/** Weighted means over the cells of a position, and their number. */
interface CellStatistics {
  r50Metres: number;
  r95Metres: number;
  samples: number;
  cells: number;
}

/** The radius that holds half of the truths, and the tail beyond. */
export function radiiOfCells(
  statistics: CellStatistics,
  recorder?: PositionRecorder,
): { r50Metres: number; tail: Tail } {
  const r50Metres = radiusOf(HALF, statistics, recorder);
  const at68 = Math.max(1, radiusOf(AT_68, statistics) / r50Metres);
  return { r50Metres, tail: { at68, at95: Math.max(at68, radiusOf(AT_95, statistics) / r50Metres) } };
}

function radiusOf(
  { r50Part, r95Part, unseenMetres, unseenPart, severalFactor }: Share,
  { r50Metres, r95Metres, samples, cells }: CellStatistics,
  recorder?: PositionRecorder,
): number {
  const unseen = Math.min(CELL_REACH_METRES, (unseenMetres + unseenPart * r95Metres) / (samples + SAMPLES_BEFORE));
  recorder?.note({ coverage: (r50Part * r50Metres) ** 2 + (r95Part * r95Metres) ** 2, unseen: unseen ** 2 });
  return Math.hypot(r50Part * r50Metres, r95Part * r95Metres, unseen) * (cells > 1 ? severalFactor : 1);
}
