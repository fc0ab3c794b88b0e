// Waits until contributions show in the answers. A service learns in the background within seconds but does not report
// its progress. So the last training scans are located again and again until their answers stop changing.

import type { Answer } from './accuracy.ts';
import type { Scan } from './scan.ts';

const WAIT_MS_MIN = 5_000;
const REST_MS = 2_000;
const WAIT_MS_MAX = 600_000;
const PAUSE_MS = 250;

/** A clock; tests replace it by a faster one. */
export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/**
 * Resolves when at least one probe is answered and no answer has changed for two seconds, but not before five seconds
 * have passed.
 * @param probes the last training scans that were contributed
 * @throws Error if that does not happen within ten minutes
 */
export async function untilVisible(
  locate: (scan: Scan) => Promise<Answer | undefined>,
  probes: readonly Scan[],
  clock: Clock,
): Promise<void> {
  const began = clock.now();
  let before = '';
  let changed = began;
  for (;;) {
    const answers = await Promise.all(probes.map(locate));
    const now = clock.now();
    const seen = JSON.stringify(answers.map(answer => answer ?? null));
    if (seen !== before) changed = now;
    before = seen;
    const isAnswered = answers.some(answer => answer !== undefined);
    if (isAnswered && now - changed >= REST_MS && now - began >= WAIT_MS_MIN) return;
    if (now - began >= WAIT_MS_MAX) {
      const why = isAnswered ? 'its answers still change' : 'none of them is answered';
      throw new Error(`Ten minutes after the last training scans the service has not learned them: ${why}.`);
    }
    await clock.sleep(PAUSE_MS);
  }
}
