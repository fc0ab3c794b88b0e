// What is wrong with a service and its data folder, and what to do about it, as far as figures show it. `sextant check`
// looks into the tables.

import type { ListedImport } from '../folder/import_list.ts';
import { READY_BYTES } from '../tables/environment/commit.ts';
import { weekEndMs } from '../tables/requests/guess_entry.ts';
import type { FolderFigures } from './folder_figures.ts';

/** Something that the operator should know. */
export interface Problem {
  /** Never changes. */
  id: string;
  /** A sentence. */
  what: string;
  /** Another. */
  remedy: string;
  /** What helps, as it is typed; capitals stand for what the operator knows. */
  command?: string;
}

/** What helps where the disk is nearly full. */
export const DISK_REMEDY = 'Make room on it, or serve with a lower --log-mb or --keep-observations.';

const MEGABYTE = 1_048_576;
/** More reports than a service learns in some minutes. */
const BACKLOG_REPORTS = 100_000;
const DAY_MS = 86_400_000;
/** Share of the memory of guesses from which on it is nearly full. */
const GUESSES_SHARE = 0.9;

/** @param figures of the folder @param validKeys keys that requests may use @param isRunning a service runs */
export function findProblems(
  { freeBytes, reports, stations }: FolderFigures,
  validKeys: number,
  isRunning: boolean,
): Problem[] {
  const problems: Problem[] = [];
  const backlog = reports.stored - reports.learned;
  if (freeBytes < READY_BYTES) {
    problems.push({
      id: 'diskFull',
      what:
        `The disk of the data folder has ${Math.floor(freeBytes / MEGABYTE)} MB left, and the service is ready ` +
        `only with ${READY_BYTES / MEGABYTE}.`,
      remedy: DISK_REMEDY,
    });
  }
  if (backlog > 0 && !isRunning) {
    problems.push({
      id: 'notLearned',
      what: `Reports are stored that have not taken effect: ${backlog.toLocaleString('en')}.`,
      remedy: 'A running service learns them; so does "sextant aggregate".',
      command: 'sextant aggregate',
    });
  }
  if (backlog > BACKLOG_REPORTS && isRunning) {
    problems.push({
      id: 'backlog',
      what: `${backlog.toLocaleString('en')} reports wait to be learned.`,
      remedy: 'Nothing is lost. If the number grows for long, the machine is too slow for what it is sent.',
    });
  }
  if (stations.total === 0) {
    problems.push({
      id: 'noStations',
      what: 'There are no stations, so no position can be found.',
      remedy: 'Import some: "sextant import cells FILE".',
      command: 'sextant import cells FILE',
    });
  }
  if (validKeys === 0) {
    problems.push({
      id: 'noKey',
      what: 'No key is valid, so every request is refused.',
      remedy: 'Make one: "sextant keys create --name NAME".',
      command: 'sextant keys create --name NAME',
    });
  }
  return problems;
}

/**
 * Says where the clock of the machine is a day or more away from the time by which old records are dropped: either it
 * has jumped, or the service has not run.
 * @param nowMs what the clock says, milliseconds since 1970 @param trustedMs that time
 */
export function clockProblem(nowMs: number, trustedMs: number): Problem | undefined {
  const days = Math.floor(Math.abs(nowMs - trustedMs) / DAY_MS);
  if (days === 0) return undefined;
  const isAhead = nowMs > trustedMs;
  const away = `${days} ${days === 1 ? 'day' : 'days'} ${isAhead ? 'ahead of' : 'behind'}`;
  const times = `it says ${new Date(nowMs).toISOString()}, that ${new Date(trustedMs).toISOString()}`;
  return {
    id: 'clock',
    what: `The clock is ${away} the time by which old records are dropped: ${times}.`,
    remedy: `${
      isAhead
        ? 'If the clock is wrong, set it soon: a week of records is dropped by it for each day that the service runs,' +
          ' and after a week it is believed.'
        : 'If the clock is wrong, set it: no record is dropped by it until it is believed after a week.'
    } If it is right, nothing need be done.`,
  };
}

/** Says that the memory of guesses is nearly full. @param share that is in use, 0..1 @param nowMs since 1970 */
export function guessesProblem(share: number, nowMs: number): Problem | undefined {
  if (share <= GUESSES_SHARE) return undefined;
  const end = new Date(weekEndMs(nowMs)).toISOString();
  return {
    id: 'guessesFull',
    what:
      `The memory of wrong guesses is ${Math.min(100, Math.floor(100 * share))} % full; full, it refuses positions ` +
      `by access points and beacons until its week ends, at ${end}.`,
    remedy:
      'Nothing in it is forgotten before. See which keys have most requests refused ("sextant usage"), and revoke ' +
      'those that search for people.',
    command: 'sextant usage',
  };
}

/** Says that an import of the setting `--import` has failed. */
export function importProblem({ state, kind, file, error, nextAt }: ListedImport): Problem[] {
  if (state !== 'failed') return [];
  return [
    {
      id: 'importFailed',
      what: `The import of ${kind} from ${file} failed: ${error}`,
      remedy: `It is tried again at ${nextAt}, and when the service starts.`,
    },
  ];
}
