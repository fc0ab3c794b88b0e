// A thread that only reads: answers the balance of the account it is asked for, and ends at 0.

import { parentPort, workerData } from 'node:worker_threads';
import { AccountTable } from '../../../src/tables/accounts/accounts.ts';

const table = new AccountTable(workerData.folder, { readOnly: true });
parentPort!.on('message', async (id: number) => {
  if (id === 0) {
    await table.close();
    parentPort!.close();
  } else parentPort!.postMessage(table.get(id)?.credits);
});
