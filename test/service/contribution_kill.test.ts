// Kills the service twenty times while contributors send to it. What was acknowledged is in the observation log, nothing is there twice although clients
// send again whatever was not, and the tables are those that follow from the log.

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { isCell } from '../../src/radio/kind.ts';
import { OBSERVATION_BYTES, OBSERVATION_SIGNAL } from '../../src/radio/query/layout.ts';
import { cellOfKey, macOfKey } from '../../src/radio/station_key.ts';
import { type LoggedReport, ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import { uniform } from '../kits/random.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { type Account, Contributor, heardOf, placeOf, type SentReport, staysInTown } from './contributor.ts';

const ROUNDS = 20;
const FLAGS = ['--http-threads', '1', '--contribution-credits', '1'];
const CREDITS = 1000;
const TABLES = ['stations', 'areas', 'learned', 'tracks', 'stale'] as const;

const folder = folderOfFile();
let service: ServiceProcess | undefined;

afterAll(async () => {
  await service?.stop();
});

/** Two contributors of one untrusted key, one of another that is prepaid, and two trusted ones, of which one wanders. */
async function makeContributors(started: ServiceProcess): Promise<{ contributors: Contributor[]; prepaid: Account }> {
  const account = async (settings: { trusted?: boolean; credits?: number }): Promise<Account> => ({
    ...(await started.key({ contributor: true, ...settings })),
    isTrusted: settings.trusted === true,
  });
  const [plain, prepaid, trusted] = [await account({}), await account({ credits: CREDITS }), await account({ trusted: true })];
  const contributors = [plain, plain, prepaid, trusted].map((account, seed) => new Contributor(account, false, seed));
  return { contributors: [...contributors, new Contributor(trusted, true, 99)], prepaid };
}

/** Contributes until so many requests are acknowledged and some milliseconds have passed, while the tables are perhaps learned anew; then kills the service. */
async function contributeAndKill(
  started: ServiceProcess,
  contributors: Contributor[],
  { requests, milliseconds, rebuilds }: { requests: number; milliseconds: number; rebuilds: boolean },
): Promise<void> {
  let left = requests;
  let reached: () => void;
  const enough = new Promise<void>(resolve => {
    reached = resolve;
  });
  const all = contributors.map(contributor =>
    contributor.contribute(started.url, () => {
      left--;
      if (left === 0) reached();
      return true;
    }),
  );
  await Promise.race([enough, ...all]);
  // The rebuild may end before the kill, or with it.
  if (rebuilds) started.job({ verb: 'aggregate', action: 'rebuild' }).catch(() => undefined);
  await delay(milliseconds);
  expect(await started.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  await Promise.all(all);
}

/** All of the log, which nobody has open. */
async function readLog(): Promise<{ rows: LoggedReport[]; lastSequence: number }> {
  const log = new ObservationLog(folder, 'commit');
  const rows = log.read(1, 1_000_000);
  const { lastSequence } = log;
  await log.close();
  return { rows, lastSequence };
}

/** A report of the log as its sender knows it. */
function asSent({ report }: LoggedReport): SentReport {
  const { observations, contributor, isTrusted, isTimed, timeMs } = report;
  const view = new DataView(observations.buffer, observations.byteOffset, observations.byteLength);
  const heard: string[] = [];
  for (let at = 0; at < observations.length; at += OBSERVATION_BYTES) {
    const station = isCell(observations[at]) ? cellOfKey(observations, at) : macOfKey(observations, at);
    heard.push(heardOf(station, view.getInt16(at + OBSERVATION_SIGNAL, true)));
  }
  return { contributor, isTrusted, timeMs: isTimed ? timeMs : undefined, heard: heard.sort() };
}

/** Every row of the live tables, and reports behind each access point that stays where it is; nobody has the tables open. */
async function readTables(): Promise<{ number: number; progress: number; rows: string[]; reports: Map<number, number> }> {
  const number = currentGeneration(folder)!;
  const generation = openGeneration(generationPath(folder, number));
  const rows = TABLES.flatMap(table =>
    [...generation[table].getRange()].map(({ key, value }) => `${table} ${key.toString('hex')} ${value.toString('hex')}`),
  );
  const knowledge = new KnowledgeTables(generation);
  const learned = knowledge.learnedAfter(undefined, 1_000_000).filter(({ key }) => !isCell(key[0]) && staysInTown(macOfKey(key, 0)));
  const reports = new Map(
    learned.map(({ key, learned: { candidates } }) => [
      macOfKey(key, 0),
      candidates.reduce((sum, candidate) => sum + candidate.reports, 0),
    ]),
  );
  const { progress } = knowledge;
  await generation.root.close();
  return { number, progress, rows, reports };
}

/** Reports of the log in which each access point of the town was heard. */
function countReports(rows: readonly LoggedReport[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { report } of rows) {
    for (let at = 0; at < report.observations.length; at += OBSERVATION_BYTES) {
      if (isCell(report.observations[at])) continue;
      const mac = macOfKey(report.observations, at);
      if (staysInTown(mac)) counts.set(mac, (counts.get(mac) ?? 0) + 1);
    }
  }
  return counts;
}

test('twenty kills lose no acknowledged report, count none twice, and leave the tables that follow from the log', async () => {
  const random = uniform(3);
  service = await ServiceProcess.start(folder, ...FLAGS);
  const { contributors, prepaid } = await makeContributors(service);
  for (let round = 0; round < ROUNDS; round++) {
    const requests = 1 + Math.floor(random() * 40);
    await contributeAndKill(service, contributors, { requests, milliseconds: random() * 60, rebuilds: round % 4 === 3 });
    service = await ServiceProcess.start(folder, ...FLAGS);
  }
  for (const contributor of contributors) await contributor.settle(service.url);
  const { progress } = await service.job<{ progress: number }>({ verb: 'aggregate', action: 'all' });
  const { credits } = await service.job<{ credits: number }>({ verb: 'keys', action: 'show', id: prepaid.id });
  expect(await service.stop()).toMatchObject({ code: 0 });

  // Everything was acknowledged in the end, so the log holds exactly what was ever sent.
  const { rows, lastSequence } = await readLog();
  const sent = new Map(contributors.flatMap(contributor => [...contributor.sent]));
  const logged = new Map(rows.map(row => [placeOf(row.report.latitude, row.report.longitude), asSent(row)]));
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, i) => i + 1));
  expect([rows.length, lastSequence, progress]).toEqual([sent.size, sent.size, sent.size]);
  expect([...sent.keys()].filter(place => !logged.has(place))).toEqual([]);
  for (const [place, report] of sent) expect(logged.get(place)).toEqual(report);
  // A kill may forfeit credits; none are earned twice.
  expect(credits).toBeGreaterThan(CREDITS);
  expect(credits).toBeLessThanOrEqual(CREDITS + rows.filter(({ report }) => report.contributor === prepaid.id).length);

  // What stands on the disk while nobody serves.
  const checked = await runSextant('check', '--data', folder);
  expect(checked.stdout).toContain('all is sound');
  expect(checked.code).toBe(0);
  const live = await readTables();
  expect(live.progress).toBe(lastSequence);
  expect([...live.reports].sort()).toEqual([...countReports(rows)].sort());
  expect(TABLES.filter(table => !live.rows.some(row => row.startsWith(`${table} `)))).toEqual(['stale']);
  expect(await runSextant('aggregate', '--rebuild', '--data', folder)).toMatchObject({ code: 0 });
  const replayed = await readTables();
  expect(replayed.number).toBeGreaterThan(live.number);
  expect(replayed.progress).toBe(lastSequence);
  expect(replayed.rows).toEqual(live.rows);
});
