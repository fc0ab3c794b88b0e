// Waits until what was contributed is in the answers. A service learns in the background and promises its new knowledge within seconds, but says nowhere how
// far it is; so the last training scans are located again and again until their answers rest.

import type { Answer } from './accuracy.ts';
import type { Scan } from './scan.ts';

const WAIT_MS_MIN = 5_000;
const REST_MS = 2_000;
const WAIT_MS_MAX = 600_000;
const PAUSE_MS = 250;

/** Time, which tests let pass quicker. */
export interface Clock {
  /** Milliseconds that never go back. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/**
 * Resolves when at least one of some training scans is answered and no answer has changed for two seconds, after five seconds at least.
 * @param probes training scans that were contributed last
 * @throws Error when that has not come to pass within ten minutes
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
