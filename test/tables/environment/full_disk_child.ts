// A process of its own that writes until the disk is full: node full_disk_child.ts stations|accounts|requests|observations FOLDER. Prints how many writes were
// acknowledged and the sentence of the one that was not, each on a line, and ends with 1; a process that hangs or is left with nothing to do ends otherwise.

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
    const sentence = await untilItFails(() => writer.apply(numberedChanges(acknowledged)));
    await writer.close();
    return sentence;
  },
  accounts: async () => {
    const accounts = new AccountTable(folder);
    const sentence = await untilItFails(() =>
      Promise.all(Array.from({ length: 100 }, (_, i) => accounts.create(numberedAccount(acknowledged * 100 + i)))),
    );
    await accounts.close();
    return sentence;
  },
  requests: async () => {
    let sentence: string | undefined;
    const log = RequestLog.open(folder, 64, error => {
      sentence = error.message;
    });
    await untilItFails(async () => {
      const ring = createLogRing(2 ** 20);
      const producer = new LogProducer(ring);
      for (let i = 0; i < 100; i++) producer.push(numberedRequest(acknowledged * 100 + i));
      await log.append(new LogConsumer(ring).drain()!);
      if (sentence !== undefined) throw new Error(sentence);
    });
    await log.close();
    return sentence!;
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
    const [sentence] = await Promise.all(Array.from({ length: 16 }, lane));
    await log.close();
    return sentence;
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

const sentence = await WRITE_UNTIL_FULL[table]();
console.log(`${acknowledged}\n${sentence}`);
process.exitCode = 1;
