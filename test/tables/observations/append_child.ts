// A process of its own that appends to an observation log until it is killed: node append_child.ts FOLDER FIRST. Batch
// number b, from FIRST on, holds the reports 10 b to 10 b + 9, the last four of the batch before, and its own first one
// again. Prints each batch that is acknowledged, on a line.

import { writeSync } from 'node:fs';
import { ObservationLog } from '../../../src/tables/observations/observation_log.ts';
import { packReports } from '../../../src/tables/observations/report.ts';
import { numberedReport } from '../../kits/radio/reports.ts';

const LANES = 4;
const [folder, first] = process.argv.slice(2);
const log = new ObservationLog(folder, 'commit');
let batch = Number(first);

async function appendForEver(): Promise<never> {
  for (;;) {
    const mine = batch++;
    const numbers = [...Array.from({ length: 14 }, (_, i) => mine * 10 - 4 + i), mine * 10];
    await log.append(packReports(numbers.filter(n => n >= 0).map(n => numberedReport(n))), Date.now());
    writeSync(1, `${mine}\n`);
  }
}

await Promise.all(Array.from({ length: LANES }, appendForEver));
