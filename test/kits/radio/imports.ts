// What an import needs to know of the rest of the program, as the jobs give it.

import { withoutImport } from '../../../src/learning/publish.ts';
import { StationSet } from '../../../src/radio/query/station_set.ts';

/** For folders without the demo town. */
export const IMPORT_PARTS = { withoutImport, optedOut: new StationSet() };
