/** Latitudes at which test/pool/poisoned_worker.ts dies. */
export const POISON = { exit: 66.0001, trap: 66.0002, hang: 66.0003 };
/** What counts as a hang where something is slow. */
export const PATIENCE_MILLISECONDS = 3_000;
/** Latitude at which it works for SLOW_MILLISECONDS, which is more than half of that. */
export const SLOW = 66.0004;
export const SLOW_MILLISECONDS = 1_800;
/** What counts as a hang where something hangs. */
export const HANG_MILLISECONDS = 1_000;
