// A sound data folder with something in every table, for tests of the check: imported cells and access points, stations
// learned from reports of two accounts, reports that were dropped, devices, logged requests, and a checkpoint.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { runTableJob } from '../../src/jobs/table_jobs.ts';
import { KIND_LTE } from '../../src/radio/kind.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports, type Report } from '../../src/tables/observations/report.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { createLogRing, LOG_BLOCK_IDS, LogConsumer, LogProducer } from '../../src/tables/requests/ring.ts';
import { Owner } from '../../src/writer/owner.ts';
import { report } from '../kits/radio/reports.ts';
import { cellKey, macKey } from '../kits/radio/stations.ts';

export const REPORTS = 400;
/** Reports that were dropped: the oldest. */
export const DROPPED = 5;
/** Access points that were imported: 02:00:00:01:00:00 and up. */
export const IMPORTED = 6_000;
const IMPORTED_MAC = 0x020000010000;
/** An access point that was learned from trusted reports alone. */
export const LEARNED_MAC = 0x020000020000;
/** An access point that one account alone has seen, so that it does not count. */
export const UNBACKED_MAC = 0x020000030000;
const DAY_MS = 86_400_000;

/** Fills an empty folder. */
export async function makeSoundFolder(folder: string): Promise<void> {
  takeFolder(folder, true)!.release();
  const owner = await Owner.open({
    folder,
    sync: 'commit',
    logMegabytes: 16,
    keepObservations: 'forever',
    rewards: { credits: 1, mostADay: 1_000 },
    onError: error => {
      throw error;
    },
    runTableJob,
  });
  const context = { folder, sync: 'commit' as const, onProgress: () => {} };
  const files = writeLists(folder);
  await owner.createDemo();
  await owner.run(
    { verb: 'keys', action: 'create', settings: { credits: 1_000, contributor: true, devices: 5 } },
    context,
  );
  await owner.run({ verb: 'keys', action: 'create', settings: { contributor: true, trusted: true } }, context);
  await owner.run({ verb: 'import', kind: 'cells', files: [files.cells] }, context);
  await owner.run({ verb: 'import', kind: 'wifi', files: [files.wifi] }, context);
  for (const device of ['00', '01', '02']) {
    await owner.answer({
      n: 1,
      name: 'device',
      ask: { account: 2, month: 665, device: `${device}34567890abcdef`, limit: 5 },
    });
  }
  await owner.contribute(2, packReports(Array.from({ length: REPORTS }, (_, n) => reportNumber(n))));
  await owner.run({ verb: 'aggregate', action: 'all' }, context);
  await owner.run({ verb: 'aggregate', action: 'checkpoint' }, context);
  await owner.close();
  await dropReports(folder);
  await logRequests(folder);
}

function writeLists(folder: string): { cells: string; wifi: string } {
  const cells = join(folder, '..', 'cells.csv');
  const wifi = join(folder, '..', 'wifi.csv');
  const cellRows = Array.from(
    { length: 60 },
    (_, i) => `LTE,206,1,${1 + (i % 3)},${1000 + i},0,${4 + i / 1000},50.1,500,9,1,1600000000,1700000000,0`,
  );
  writeFileSync(cells, `${cellRows.join('\n')}\n`);
  const wifiRows = Array.from(
    { length: IMPORTED },
    (_, i) => `${(IMPORTED_MAC + i).toString(16).padStart(12, '0')},${50 + i / 1e5},4`,
  );
  writeFileSync(wifi, `bssid,lat,lon\n${wifiRows.join('\n')}\n`);
  return { cells, wifi };
}

/** A walk eastwards past access points and cells; even reports are of the trusted account 3, odd ones of account 2. */
function reportNumber(n: number): Report {
  const isTrusted = n % 2 === 0;
  const macs = [IMPORTED_MAC + n, LEARNED_MAC + 1 + (n >> 3), isTrusted ? LEARNED_MAC : UNBACKED_MAC];
  const cell = cellKey(KIND_LTE, 206, 1, 1 + (n % 3), 1000 + (n % 80));
  const heard = [...macs.map(mac => ({ key: macKey(mac), code: 2412 })), { key: cell }];
  return report(
    isTrusted ? 3 : 2,
    [50 + n / 1e5, 4],
    n,
    heard.map((station, i) => ({ ...station, dbm: -60 - ((n + i) % 30) })),
    { isTimed: n % 10 !== 0, accuracyMetres: 5, speed: 1, isTrusted, track: 77 + (n % 2) },
  );
}

/** Two reports are in a file too. The first ones are taken for a day old, and go; what identified them stays. */
async function dropReports(folder: string): Promise<void> {
  const log = new ObservationLog(folder, 'commit');
  const source = await log.sources.begin('walk', Date.now());
  await log.append(packReports([200, 201].map(reportNumber)), Date.now(), source);
  await log.prune(1, DROPPED, Date.now() + 2 * DAY_MS);
  await log.close();
}

async function logRequests(folder: string): Promise<void> {
  const log = RequestLog.open(folder, 16, error => {
    throw error;
  });
  const ring = createLogRing(1_048_576);
  const producer = new LogProducer(ring);
  const first = await log.allocateBlock();
  for (let i = 0; i < 100; i++) {
    const request = Buffer.from(`{"n":${i}}`);
    const entry = {
      logId: first + i,
      timeMs: Date.now(),
      latencyUs: 300,
      status: 200,
      route: 1,
      accountId: 2,
      nr: 1,
      deviceId: 'd',
    };
    producer.push({ ...entry, query: '', request, response: '{}' });
  }
  await log.append(new LogConsumer(ring).drain()!);
  await log.close();
  if (first !== LOG_BLOCK_IDS) throw new Error(`The first request has the id ${first}.`);
}
