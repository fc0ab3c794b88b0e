// Stations of the demo town that the tests of dialects ask for.

/** Access points, 60 m apart. */
export const ACCESS_POINTS = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4'] as const;
/** Where both are, degrees. */
export const BETWEEN = { latitude: 1.25, longitude: -2.4997 };
/** A cell of radio type lte. */
export const CELL = { mcc: 1, mnc: 1, area: 1, id: 256_001 };
