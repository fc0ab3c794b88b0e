// What a data folder holds of what contributors sent, read while nobody has it open: the reports of the log, as their
// senders know them, and the tables that were learned from them.

import { isDeepStrictEqual } from 'node:util';
import { isCell } from '../../src/radio/kind.ts';
import { OBSERVATION_BYTES, OBSERVATION_SIGNAL } from '../../src/radio/query/layout.ts';
import { cellOfKey, macOfKey } from '../../src/radio/station_key.ts';
import type { LoggedReport } from '../../src/tables/observations/log_row.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import { runSextant } from '../kits/service_process.ts';
import { type Contributor, heardOf, placeOf, type SentReport, staysInTown } from './contributor.ts';

/** The tables of a generation. */
export const TABLES = ['stations', 'areas', 'learned', 'tracks', 'stale'] as const;

/** All of the log, which nobody has open. */
export async function readLog(folder: string): Promise<{ rows: LoggedReport[]; lastSequence: number }> {
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

/**
 * Every row of the live tables, and reports behind each access point that stays where it is; nobody has the tables
 * open.
 */
export async function readTables(
  folder: string,
): Promise<{ number: number; progress: number; rows: string[]; reports: Map<number, number> }> {
  const number = currentGeneration(folder)!;
  const generation = openGeneration(generationPath(folder, number));
  const rows = TABLES.flatMap(table =>
    [...generation[table].getRange()].map(
      ({ key, value }) => `${table} ${key.toString('hex')} ${value.toString('hex')}`,
    ),
  );
  const knowledge = new KnowledgeTables(generation);
  const learned = knowledge
    .learnedAfter(undefined, 1_000_000)
    .filter(({ key }) => !isCell(key[0]) && staysInTown(macOfKey(key, 0)));
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

/**
 * Holds the log of a folder against what was sent, all of which must have been acknowledged. @returns a sentence for
 * each kind of difference
 */
export async function holdAgainstSent(folder: string, contributors: readonly Contributor[]): Promise<string[]> {
  const { rows, lastSequence } = await readLog(folder);
  const sent = new Map(contributors.flatMap(contributor => [...contributor.sent]));
  const logged = new Map(rows.map(row => [placeOf(row.report.latitude, row.report.longitude), asSent(row)]));
  const lost = [...sent.keys()].filter(place => !logged.has(place));
  const changed = [...sent].filter(
    ([place, report]) => logged.has(place) && !isDeepStrictEqual(logged.get(place), report),
  );
  const found: string[] = [];
  if (lost.length > 0) found.push(`${lost.length} acknowledged reports are lost, such as that of ${lost[0]}.`);
  if (rows.length > logged.size)
    found.push(`${rows.length - logged.size} reports are there twice, such as ${describeTwice(rows)}.`);
  if (logged.size + lost.length > sent.size)
    found.push(`${logged.size + lost.length - sent.size} reports were never sent.`);
  if (changed.length > 0)
    found.push(`${changed.length} reports are others than were sent, such as that of ${changed[0][0]}.`);
  if (rows.some(({ sequence }, i) => sequence !== i + 1) || lastSequence !== rows.length)
    found.push('The numbers of the log have gaps.');
  return found;
}

/** Names a report that is there twice. */
function describeTwice(rows: readonly LoggedReport[]): string {
  const seen = new Map<string, LoggedReport>();
  for (const row of rows) {
    const place = placeOf(row.report.latitude, row.report.longitude);
    const before = seen.get(place);
    if (before !== undefined) {
      const [one, other] = [before, row].map(
        ({ sequence, report }) => `${sequence} of ${new Date(report.timeMs).toISOString()}`,
      );
      return `${one} and ${other}, ${row.report.isTimed ? 'with' : 'without'} a time of its own`;
    }
    seen.set(place, row);
  }
  return 'none';
}

/**
 * Holds the tables of a folder against its log: how often each access point was counted, and what learning everything
 * again gives. @returns a sentence for each kind of difference
 */
export async function holdAgainstLog(folder: string): Promise<string[]> {
  const { rows, lastSequence } = await readLog(folder);
  const live = await readTables(folder);
  const found: string[] = [];
  if (live.progress !== lastSequence)
    found.push(`Reports are learned up to ${live.progress}, and the log ends at ${lastSequence}.`);
  if (!isDeepStrictEqual([...live.reports].sort(), [...countReports(rows)].sort()))
    found.push('Access points were not learned from exactly the reports of the log.');
  const { code, stderr } = await runSextant('aggregate', '--rebuild', '--data', folder);
  if (code !== 0) return [...found, `The tables cannot be learned anew: ${stderr}`];
  const replayed = await readTables(folder);
  if (replayed.number <= live.number) found.push('Learning anew made no generation of tables.');
  if (replayed.progress !== lastSequence)
    found.push(`After learning anew, reports are learned up to ${replayed.progress} of ${lastSequence}.`);
  const before = new Set(live.rows);
  const after = new Set(replayed.rows);
  const differing = [...live.rows.filter(row => !after.has(row)), ...replayed.rows.filter(row => !before.has(row))];
  if (differing.length > 0 || live.rows.length !== replayed.rows.length)
    found.push(
      `${differing.length} rows differ from those that learning anew gives, such as ${differing[0]?.slice(0, 200)}.`,
    );
  return found;
}
