// A process of its own that writes until the disk is full: node full_disk_child.ts
// stations|accounts|requests|observations FOLDER. Prints how many writes were acknowledged and the failure of the one
// that was not, each on a line, and ends with 1; a process that hangs or is left with nothing to do ends otherwise.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { AccountTable } from '../../../src/tables/accounts/accounts.ts';
import { ObservationLog } from '../../../src/tables/observations/observation_log.ts';
import { packReports } from '../../../src/tables/observations/report.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { createLogRing, LogConsumer, LogProducer } from '../../../src/tables/requests/ring.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { numberedReport } from '../../kits/radio/reports.ts';
import { uniform } from '../../kits/random.ts';
import { numberedAccount, numberedChanges, numberedRequest } from './numbered_rows.ts';

const [table, folder] = process.argv.slice(2);
let acknowledged = 0;

const WRITE_UNTIL_FULL: Record<string, () => Promise<string>> = {
  stations: async () => {
    const writer = await StationWriter.open(folder, undefined);
    const failure = await untilItFails(() => writer.apply(numberedChanges(acknowledged)));
    await writer.close();
    return failure;
  },
  accounts: async () => {
    const accounts = new AccountTable(folder);
    const failure = await untilItFails(() =>
      Promise.all(Array.from({ length: 100 }, (_, i) => accounts.create(numberedAccount(acknowledged * 100 + i)))),
    );
    await accounts.close();
    return failure;
  },
  requests: async () => {
    let failure: string | undefined;
    const log = RequestLog.open(folder, 64, error => {
      failure = error.message;
    });
    await untilItFails(async () => {
      const ring = createLogRing(2 ** 20);
      const producer = new LogProducer(ring);
      for (let i = 0; i < 100; i++) producer.push(numberedRequest(acknowledged * 100 + i));
      await log.append(new LogConsumer(ring).drain()!);
      if (failure !== undefined) throw new Error(failure);
    });
    await log.close();
    return failure!;
  },
  observations: async () => {
    const log = new ObservationLog(folder, 'flush');
    const random = uniform(31);
    let batches = 0;
    // Several at moments of their own: some wait for a flush while the transaction of another fails.
    const lane = () =>
      untilItFails(async () => {
        for (let turns = random() * 100; turns > 1; turns--) await nextTurn();
        const first = 20 * batches++;
        await log.append(packReports(Array.from({ length: 20 }, (_, i) => numberedReport(first + i))), 1);
      });
    const [failure] = await Promise.all(Array.from({ length: 16 }, lane));
    await log.close();
    return failure;
  },
};

async function untilItFails(write: () => Promise<unknown>): Promise<string> {
  for (;;) {
    try {
      await write();
      acknowledged++;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

const failure = await WRITE_UNTIL_FULL[table]();
console.log(`${acknowledged}\n${failure}`);
process.exitCode = 1;
