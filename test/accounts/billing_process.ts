// A process to be killed: three threads race for the credits of account 1 in the folder named, with this thread as the
// writer. With a time (milliseconds since 1970), it first fills up the quotas of its month. It does not end by itself.

import { Worker } from 'node:worker_threads';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';

const memory = allocateCounters();
const accountWriter = new AccountWriter(
  new AccountTable(process.argv[2]),
  new AccountCounters(memory),
  new Int32Array(new SharedArrayBuffer(4)),
  0,
);
if (process.argv[3] !== undefined) await accountWriter.fillQuotas(Number(process.argv[3]));
for (let i = 0; i < 3; i++) {
  const thread = new Worker(new URL('./billing_thread.ts', import.meta.url), {
    workerData: { memory, prices: [1], most: Number.POSITIVE_INFINITY, output: 1 },
  });
  thread.on('message', async message => {
    if (message.credits === undefined) return;
    const granted = await accountWriter.topUp(1, message.credits);
    if (!message.hint) thread.postMessage(granted);
  });
}
setInterval(() => {}, 2 ** 30);
