// What an import needs to know of the rest of the program, as the jobs give it.

import { withoutImport } from '../../../src/learning/publish.ts';

/** For folders without the demo town. */
export const IMPORT_PARTS = { withoutImport, isNoImport: () => false };
