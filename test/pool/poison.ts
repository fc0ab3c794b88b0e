/** Latitudes at which test/pool/poisoned_worker.ts dies. */
export const POISON = { exit: 66.0001, trap: 66.0002, hang: 66.0003 };
/** Latitude at which it works for SLOW_MILLISECONDS, which is more than half of what counts as a hang. */
export const SLOW = 66.0004;
export const SLOW_MILLISECONDS = 3000;
