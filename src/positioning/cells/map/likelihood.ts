// Constants of the likelihood by which a cell's radio map locates (map.ts). How much levels differ, how much cells
// share their shadows and how often one is missed are properties of a network, not of physics. Those of the source were
// fitted to four networks. A service that tests what it learns compares them on the same tests with three others, each
// of which differs in one constant, and takes what is better for the network (src/learning/calibration/).

import type { VARIANTS } from '../../../tables/calibration/places.ts';

/** Constants of the likelihood. */
export interface Likelihood {
  /** By which the joint log likelihood is divided. */
  temperature: number;
  /** dB by which readings at one position differ. */
  levelSigmaDb: number;
  /** Cost of a cell that is missing on one side, at full level. */
  missingCost: number;
}

const AS_FITTED: Likelihood = { temperature: 1.3, levelSigmaDb: 4, missingCost: 3.5 };

/** The likelihood of each variant, the one that the source begins with first. */
export const LIKELIHOODS: readonly Likelihood[] & { length: typeof VARIANTS } = [
  AS_FITTED,
  { ...AS_FITTED, temperature: 0.5 },
  { ...AS_FITTED, levelSigmaDb: 6 },
  { ...AS_FITTED, missingCost: 6 },
];
