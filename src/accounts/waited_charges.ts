// Tells the operator when charges waited for the writer (billing.ts). Such a request is answered later than others: its
// account spends faster than its blocks are refilled. The first charge of an account after a start always waits.

import type { AccountCounters } from './counters.ts';

/** How often the count is looked at. */
const LOOK_MILLISECONDS = 1_000;

/**
 * Looks at the count once a second until the watch ends, and once more then.
 * @param tell gets a sentence with the count since the start, after each second in which it rose
 * @returns ends the watch
 */
export function watchWaitedCharges(counters: AccountCounters, tell: (message: string) => void): () => void {
  let told = 0;
  const look = (): void => {
    const waited = counters.waitedCharges();
    if (waited === told) return;
    told = waited;
    tell(`Charges that waited for the writer since the start: ${waited}.`);
  };
  const looks = setInterval(look, LOOK_MILLISECONDS).unref();
  return () => {
    clearInterval(looks);
    look();
  };
}
