// What answers take from the tests: the factors of their radii, and the variant of their method.

import type { CalibrationRules } from '../../tables/calibration/calibration_tables.ts';
import { chosenVariant } from './chosen_variant.ts';
import { factorsOfVotes } from './factors_of_votes.ts';

/** The rules of the calibration. */
export const CALIBRATION_RULES: CalibrationRules = { factorsOf: factorsOfVotes, variantOf: chosenVariant };
