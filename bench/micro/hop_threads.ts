// The helper threads of hop.ts: one paces the queries, one is woken for no real work.

import { parentPort, workerData } from 'node:worker_threads';
import { Doorbell } from '../../src/pool/doorbell.ts';
import type { QueryChannel } from '../../src/pool/messages.ts';
import { RunQueue } from '../../src/pool/run_queue.ts';
import { uniform } from '../../test/kits/random.ts';

/** What a helper does: sends a message for each query, or finishes each run after some time of the processor. */
export type HelperSetup = { role: 'pacer' } | { role: 'echo'; channel: QueryChannel; workMicroseconds: number };

/** To the pacer: so many messages, as independent clients would send them. */
export interface Pace {
  perSecond: number;
  count: number;
  seed: number;
}

/** The pacer sleeps for what is left until the next message, unless it is less than this. */
const SLEEP_MILLISECONDS = 0.02;

const setup: HelperSetup = workerData;
if (setup.role === 'pacer') parentPort!.on('message', pace);
else echo(setup.channel, setup.workMicroseconds);

function pace({ perSecond, count, seed }: Pace): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const random = uniform(seed);
  let next = performance.now();
  for (let sent = 0; sent < count; sent++) {
    next += (-Math.log(1 - random()) * 1000) / perSecond;
    const left = next - performance.now();
    if (left > SLEEP_MILLISECONDS) Atomics.wait(nothing, 0, 0, left);
    parentPort!.postMessage(sent);
  }
}

function echo({ runs, bell }: QueryChannel, workMicroseconds: number): void {
  const queue = new RunQueue(runs);
  const doorbell = new Doorbell(bell);
  while (!doorbell.isClosed) {
    const heard = doorbell.rings;
    const slot = queue.claim(0);
    if (slot < 0) doorbell.sleep(heard, Number.POSITIVE_INFINITY);
    else {
      const endMs = performance.now() + workMicroseconds / 1000;
      while (performance.now() < endMs);
      queue.finish(slot);
    }
  }
}
