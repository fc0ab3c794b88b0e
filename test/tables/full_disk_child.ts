// A process of its own that writes until the disk is full: node full_disk_child.ts stations|accounts|requests|observations FOLDER. Prints how many writes were
// acknowledged and the sentence of the one that was not, each on a line, and ends with 1; a process that hangs or is left with nothing to do ends otherwise.

import { AccountTable } from '../../src/tables/accounts.ts';
import { createLogRing, LogConsumer, LogProducer } from '../../src/tables/log_ring.ts';
import { ObservationLog } from '../../src/tables/observation_log.ts';
import { packReports } from '../../src/tables/report.ts';
import { RequestLog } from '../../src/tables/request_log.ts';
import { StationWriter } from '../../src/tables/station_writer.ts';
import { numberedReport } from './drawn_reports.ts';
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
    // Two batches wait together, so that one transaction is refused to both.
    const append = async (half: number) => {
      const numbers = Array.from({ length: 50 }, (_, i) => acknowledged * 100 + half * 50 + i);
      await log.append(packReports(numbers.map(n => numberedReport(n))), 1);
    };
    const sentence = await untilItFails(async () => {
      const halves = await Promise.allSettled([append(0), append(1)]);
      for (const half of halves) if (half.status === 'rejected') throw half.reason;
    });
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
