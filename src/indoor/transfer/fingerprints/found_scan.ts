// A scan at a known point of a known floor, as the readers of all forms of fingerprints give it.

import type { ReportDraft } from '../../../intake/draft.ts';
import type { NamedBuilding } from '../../building_at.ts';

/** One scan of a file. */
export interface FoundScan {
  /** FLOOR_INDEX_MIN..FLOOR_INDEX_MAX. */
  floor: number;
  /** The building that the file names; undefined = that whose footprint contains the position. */
  building: NamedBuilding | undefined;
  /**
   * What it is called where no footprint contains the position: the file has a name for it that only its makers know.
   */
  otherwise: NamedBuilding | undefined;
  draft: ReportDraft;
}
