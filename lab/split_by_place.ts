// Splits a set by place: a service learns what lies west of the median meridian and locates what lies east of it, and
// the other way round. What lies near the meridian is left out, so that no scan is answered by its neighbour. A split
// by track asks on roads that others have reported; this one asks where nobody has been, by stations that reach there.

import { distanceMetres } from '../src/geo/distance.ts';
import { quantile } from './evaluation/quantile.ts';
import type { ScanSet, SetKind } from './evaluation/scan_file.ts';

/** The scans east of the gap, and those west of it. */
export const FOLDS_BY_PLACE = { east: 1, west: 2 } as const;

/** Width of the gap, metres: in a building, which is small, it is narrower. */
export function gapMetres(kind: SetKind): number {
  return kind === 'walks' ? 10 : 100;
}

/** The same set, with the folds of `FOLDS_BY_PLACE`. Its file is read once more. */
export async function splitByPlace(set: ScanSet): Promise<ScanSet> {
  const longitudes: number[] = [];
  for await (const { longitude } of set.scans()) longitudes.push(longitude);
  const meridian = quantile(longitudes, 0.5);
  const half = gapMetres(set.kind) / 2;
  return {
    ...set,
    name: `${set.name}, by place`,
    foldOf({ latitude, longitude }) {
      if (distanceMetres(latitude, longitude, latitude, meridian) < half) return undefined;
      return longitude > meridian ? FOLDS_BY_PLACE.east : FOLDS_BY_PLACE.west;
    },
  };
}
