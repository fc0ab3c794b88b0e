// What an import or learning makes of the same input grows with versions of the program, also where the format stays.
// So each part of a data folder keeps by which revision it was made. Versions up to 0.6.0 kept none, which counts as 0.
//
// A change by which a part must be made again raises its number, and gets a row in src/metrics/upgrade.ts.

/** The present revisions. */
export const REVISIONS = { places: 1, cells: 1, wifi: 1, learned: 1 } as const;
