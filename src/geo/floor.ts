// The range of floors, by their index: 0 is the ground level.

/** Deeper than any building, and above the -99 that some programs write for an unknown floor. */
export const FLOOR_INDEX_MIN = -50;
/** Above the highest building. */
export const FLOOR_INDEX_MAX = 200;
