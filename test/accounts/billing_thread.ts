// One thread of a race: charges account 1 until it is refused, or `most` times. With `output`, a file descriptor, it
// tells each charge as it happens:
// `t` before it is tried and `p` after it is paid, in writes that a kill of the process does not lose.

import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Billing } from '../../src/accounts/billing.ts';
import { AccountCounters } from '../../src/accounts/counters.ts';

const { memory, prices, most, output }: { memory: SharedArrayBuffer; prices: number[]; most: number; output: number } =
  workerData;

// One account has one question under way at a time, so the next answer belongs to it.
const billing = new Billing(
  new AccountCounters(memory),
  (_, credits) =>
    new Promise(resolve => {
      parentPort!.once('message', resolve);
      parentPort!.postMessage({ credits });
    }),
  () => parentPort!.postMessage({ credits: 1, hint: true }),
  () => {},
);

let spent = 0;
for (let charge = 0; charge < most; charge++) {
  tell('t');
  const price = prices[charge % prices.length];
  if (!(await billing.charge(1, price))) break;
  tell('p');
  spent += price;
}
parentPort!.postMessage({ spent });

function tell(letter: string): void {
  let told = output < 0;
  while (!told) {
    try {
      told = writeSync(output, letter) === 1;
    } catch (error) {
      // The pipe is full: its reader is behind.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
