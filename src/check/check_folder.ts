// Checks a data folder from a separate process (check_process.ts), which reads the tables even while a service owns
// them. LMDB supports readers in other processes: they take no lock that a writer waits for, and damage that kills the
// reader kills nothing else. If nobody owns the folder, the check owns it meanwhile, so that no service starts in it.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_GROUPS } from '../features.ts';
import { FIGURES_FILE, takeFolder } from '../folder/data_folder.ts';
import type { Progress } from '../jobs/job.ts';
import { type CheckNews, type Finding, RESTORE, WHOLE } from '../tables/environment/check_walk.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';

/** The secret, the environments of a data folder, in the order of their creation and of the check, and the figures. */
export const PARTS: readonly string[] = [
  'secret',
  'accounts',
  'requests',
  'observations',
  'stations',
  'checkpoint',
  'places',
  ...FEATURE_GROUPS,
  FIGURES_FILE,
];
/** Messages of the process. */
export type ProcessNews = CheckNews | { done: string };

/** Signals that end a process that follows a damaged page. */
const DAMAGE_SIGNALS = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'];

/** The result of a check. */
export interface CheckResult {
  /** Records read, by table. */
  tables: Record<string, { records: number }>;
  /** Empty if everything is sound. */
  findings: Finding[];
}

/**
 * Reads every table of a data folder and writes nothing.
 * @param folder absolute path
 * @param isQuick leaves out what must be computed again
 * @throws Error when it is not a data folder, or the check itself fails
 */
export async function checkFolder(
  folder: string,
  isQuick: boolean,
  onProgress: (progress: Progress) => void,
): Promise<CheckResult> {
  const owned = takeFolder(folder, false);
  try {
    return await checkTables(folder, isQuick, onProgress);
  } finally {
    owned?.release();
  }
}

/**
 * The same for the process that owns the folder.
 * @param signal ends the check, which then fails
 */
export async function checkTables(
  folder: string,
  isQuick: boolean,
  onProgress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<CheckResult> {
  const run = new CheckRun(folder, onProgress, signal);
  for (let left: readonly string[] = PARTS; left.length > 0; ) left = await run.check(left, isQuick);
  return run.result;
}

class CheckRun {
  readonly result: CheckResult = { tables: {}, findings: [] };
  private readonly folder: string;
  private readonly onProgress: (progress: Progress) => void;
  private readonly bytes: Record<string, number>;
  private readonly bytesTotal: number;
  private bytesBefore = 0;
  /** Of the part that is being checked. */
  private records = 0;
  private walked = 0;
  private rows = 0;
  private table: string | undefined;
  private readonly signal: AbortSignal | undefined;

  constructor(folder: string, onProgress: (progress: Progress) => void, signal: AbortSignal | undefined) {
    this.folder = folder;
    this.onProgress = onProgress;
    this.signal = signal;
    this.bytes = Object.fromEntries(PARTS.map(part => [part, dataBytes(join(folder, part))]));
    this.bytesTotal = Object.values(this.bytes).reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Checks parts in a new process. @returns the parts after a damaged one, which remain to be checked */
  async check(parts: readonly string[], isQuick: boolean): Promise<readonly string[]> {
    let left = parts;
    const found = this.result.findings;
    let foundBefore = found.length;
    let endsItself = false;
    let complaint = '';
    const program = new URL('./check_process.ts', import.meta.url);
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as ('ignore' | 'pipe' | 'ipc')[];
    const options = { execArgv: [], stdio, ...(this.signal && { signal: this.signal }) };
    const child = fork(program, [this.folder, isQuick ? 'quick' : 'full', ...parts], options);
    child.stderr!.setEncoding('utf8').on('data', text => {
      complaint += text;
    });
    child.on('message', (news: ProcessNews) => {
      if ('done' in news) {
        left = left.slice(1);
        endsItself = left.length === 0 || found.length > foundBefore;
        foundBefore = found.length;
      }
      this.take(news, left[0] ?? parts[parts.length - 1]);
    });
    // The last messages may come after the end of the process, but before its channel closes.
    const [[code, signal]] = (await Promise.all([once(child, 'close'), once(child, 'disconnect')])) as [
      [number | null, NodeJS.Signals | null],
      unknown,
    ];
    // After a part with findings the process ends itself. How it ends does not matter, because it may have followed a
    // bad page.
    if (endsItself) return left;
    if (signal === null || !DAMAGE_SIGNALS.includes(signal))
      throw new Error(
        `The check of ${left[0]} ended with ${signal ?? `code ${code}`} before it was ` +
          `done.${complaint && ` ${complaint.trim()}`}`,
      );
    found.push({
      kind: 'file',
      table: this.table ?? left[0],
      key: WHOLE,
      what: `reading it ended the process that read it (${signal}), because a page of the data file is damaged`,
      remedy: RESTORE,
    });
    this.endPart(left[0]);
    return left.slice(1);
  }

  private take(news: ProcessNews, part: string): void {
    if ('finding' in news) this.result.findings.push(news.finding);
    else if ('done' in news) this.endPart(news.done);
    else if ('records' in news) this.records = news.records;
    else this.read(news, part);
  }

  private read(news: { table: string; walked?: number }, part: string): void {
    this.table = news.table;
    this.result.tables[news.table] ??= { records: 0 };
    const walked = news.walked ?? 0;
    if (walked === 0) return;
    this.result.tables[news.table].records += walked;
    this.walked += walked;
    this.rows += walked;
    this.report(this.bytes[part] * Math.min(1, this.walked / Math.max(1, this.records)));
  }

  private endPart(part: string): void {
    this.bytesBefore += this.bytes[part];
    this.records = this.walked = 0;
    this.table = undefined;
    this.report(0);
  }

  private report(bytesOfPart: number): void {
    const bytesDone = Math.round(this.bytesBefore + bytesOfPart);
    this.onProgress({ phase: 'checking', rows: this.rows, bytesDone, bytesTotal: this.bytesTotal });
  }
}

/** Bytes of the data files in a folder and in those below it. */
function dataBytes(path: string): number {
  if (!existsSync(path) || !statSync(path).isDirectory()) return 0;
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith(DATA_FILE));
  return files.reduce((sum, name) => sum + (statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
