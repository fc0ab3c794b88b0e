// Radii by priors that have not seen a set. The constants behind the radii were fitted to the shared sets, so the
// figures on these are not those of a network that is new. For each set, the radii are scaled by what holds on all
// other sets: for each share the geometric mean of the factors by which theirs would have been right, apart for cells
// and for access points with beacons. A service then starts with this scale and corrects itself by what it learns of
// the set.
//
// Only the scale has not seen the set. The form of the radii and the constants of the positions have.

import { KIND_BLUETOOTH, KIND_GSM, KIND_WIFI, RADIO_TYPES } from '../src/radio/kind.ts';
import type { SetKind } from './evaluation/scan_file.ts';

/** Factors of the radii for 50, 68 and 95 %. */
export type Scale = readonly number[];

/** The scale of the radii of each kind of station (KIND_*) before any test. */
export type Priors = ReadonlyMap<number, Scale>;

/** What would have been right for a set. */
export interface FittedSet {
  name: string;
  kind: SetKind;
  /** Undefined if nothing was answered. */
  factors: Scale | undefined;
}

const CELL_KINDS = RADIO_TYPES.map((_, i) => KIND_GSM + i);
const TRANSMITTER_KINDS = [KIND_WIFI, KIND_BLUETOOTH];

/** The scale for a set from all others of its kinds of stations; 1 without any. */
export function scaleWithout(set: Pick<FittedSet, 'name' | 'kind'>, sets: readonly FittedSet[]): Scale {
  const others = sets.filter(({ name, kind }) => name !== set.name && (kind === 'cells') === (set.kind === 'cells'));
  const known = others.flatMap(({ factors }) => (factors === undefined ? [] : [factors]));
  return [0, 1, 2].map(share =>
    known.length === 0 ? 1 : Math.exp(known.reduce((sum, factors) => sum + Math.log(factors[share]), 0) / known.length),
  );
}

/** The priors of a service that locates by the stations of a set. */
export function priorsOf({ kind }: Pick<FittedSet, 'kind'>, scale: Scale): Priors {
  return new Map((kind === 'cells' ? CELL_KINDS : TRANSMITTER_KINDS).map(each => [each, scale]));
}
