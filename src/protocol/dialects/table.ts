// All dialects, by the names that the setting `--dialects` takes.

import type { DialectName } from '../../config/dialects.ts';
import type { Dialect } from './dialect.ts';
import { GOOGLE_GEOCODING } from './google_geocoding.ts';
import { PHOTON } from './photon.ts';

/** Every dialect. */
export const DIALECT_TABLE: Readonly<Record<DialectName, Dialect>> = {
  photon: PHOTON,
  'google-geocoding': GOOGLE_GEOCODING,
};
