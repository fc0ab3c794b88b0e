// A process of its own that opens tables, which may kill it: node open_child.ts stations|accounts|requests FOLDER...
// Reads and writes a little in each data folder, and prints for each the error message, or "used".

import { AccountTable } from '../../../src/tables/accounts/accounts.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';

const USE: Record<string, (folder: string) => Promise<unknown>> = {
  stations: async folder => {
    const writer = await StationWriter.open(folder, undefined);
    await writer.apply([{ key: Buffer.from('01000000000001', 'hex'), record: undefined }]);
    await writer.close();
  },
  accounts: async folder => {
    const table = new AccountTable(folder);
    table.list();
    await table.create({ keyHash: 'ab'.repeat(32), createdMs: 1 });
    await table.close();
  },
  requests: async folder => {
    const log = RequestLog.open(folder, 1, error => {
      throw error;
    });
    await log.allocateBlock();
    await log.prune(0);
    await log.close();
  },
};

const [table, ...folders] = process.argv.slice(2);
for (const folder of folders) {
  try {
    await USE[table](folder);
    console.log('used');
  } catch (error) {
    console.log((error as Error).message);
  }
}
