// Imports what the setting `--import` names, while the service runs: one after the other, each as the command `import`
// does it. The owner of the folder, which is a thread of this process, gets the same job. What is done stays done over
// restarts (folder/import_list.ts). What fails is tried again, each time after a longer wait.

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImportEntry } from '../../config/import_setting.ts';
import { ConfigError } from '../../config/setting.ts';
import type { ImportKind } from '../../feature.ts';
import { type ListedImport, readImportList, writeImportList } from '../../folder/import_list.ts';
import { messageOf, type Progress } from '../../jobs/job.ts';
import { askOwner } from '../../jobs/submit_job.ts';
import type { ImportSummary } from '../../transfer/import_stations.ts';
import { isAddress } from '../../transfer/web/ask.ts';
import { download } from '../../transfer/web/download.ts';
import { lockFetchFolder } from '../fetched_files.ts';
import { findKind, jobOf, kindNames } from '../import.ts';
import { describeMostlyRefused, describeProgress } from '../progress.ts';

/** Where messages for the operator go. */
interface OperatorLog {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
}

/** Kinds whose files belong together in an order, which a list of a setting does not tell. */
const NOT_HERE = ['osm-changes'];
const ID_CHARACTERS = 16;
const MEGABYTE = 1_000_000;
/** A line of the log, and a state of the list, at most so often while nothing but the progress changes. */
const TELL_MS = 5_000;
const MINUTE_MS = 60_000;
/** Whoever has named a wrong address is not asked for it more often. */
const WAIT_MS_MAX = 6 * 60 * MINUTE_MS;
/** Timers take no longer times than some days. */
const SLEEP_MS_MAX = 86_400_000;

/** An entry of the setting, as it is done. */
interface Entry {
  of: ImportEntry;
  kind: ImportKind;
  listed: ListedImport;
  /** When it is imported next, milliseconds since 1970; infinite = never again. */
  dueMs: number;
}

/** The imports of a running service. */
export class SettingImports {
  private readonly folder: string;
  private readonly entries: Entry[];
  private readonly everyMs: number | undefined;
  private readonly log: OperatorLog;
  private readonly waitMs: (failures: number) => number;
  private readonly stopping = new AbortController();
  private toldMs = 0;

  /**
   * @param folder data folder, which this process owns
   * @param everyMs how often tables are replaced; undefined = never
   * @param waitMs between tries, by the failures so far
   * @throws ConfigError for an entry of an unknown kind
   */
  constructor(
    folder: string,
    entries: readonly ImportEntry[],
    everyMs: number | undefined,
    log: OperatorLog,
    waitMs = (failures: number): number => Math.min(WAIT_MS_MAX, MINUTE_MS * 2 ** (failures - 1)),
  ) {
    this.folder = folder;
    this.everyMs = everyMs;
    this.log = log;
    this.waitMs = waitMs;
    const before = new Map(readImportList(folder).map(each => [each.id, each]));
    const byId = new Map(entries.map(of => [idOf(of), of]));
    this.entries = [...byId].map(([id, of]) => this.entryOf(id, of, before.get(id)));
  }

  /** Does what is due, until all is done or `stop`. */
  async run(): Promise<void> {
    const { signal } = this.stopping;
    this.save();
    while (!signal.aborted) {
      for (const entry of this.entries) if (entry.dueMs <= Date.now() && !signal.aborted) await this.bring(entry);
      const nextMs = Math.min(...this.entries.map(({ dueMs }) => dueMs));
      if (nextMs === Number.POSITIVE_INFINITY) return;
      const sleepMs = Math.min(SLEEP_MS_MAX, Math.max(0, nextMs - Date.now()));
      await delay(sleepMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Ends what is under way; the next start goes on with it. */
  stop(): void {
    this.stopping.abort();
  }

  private entryOf(id: string, of: ImportEntry, before: ListedImport | undefined): Entry {
    const kind = requireKind(of.kind);
    const { importedAt, failures } = before ?? {};
    const isDone = before?.state === 'done';
    const listed: ListedImport = {
      ...{ id, kind: of.kind, file: withoutToken(of.file), state: isDone ? 'done' : 'waiting' },
      ...(importedAt !== undefined && { importedAt }),
      ...(failures !== undefined && { failures }),
    };
    return { of, kind, listed, dueMs: isDone ? this.againMs(kind, Date.parse(importedAt!)) : 0 };
  }

  /** When what was imported is imported again. */
  private againMs({ replaces }: ImportKind, importedMs: number): number {
    return replaces && this.everyMs !== undefined ? importedMs + this.everyMs : Number.POSITIVE_INFINITY;
  }

  /** Imports an entry, or notes when it is tried again. */
  private async bring(entry: Entry): Promise<void> {
    try {
      await this.importOne(entry);
      entry.dueMs = this.againMs(entry.kind, Date.now());
      this.note(entry, 'done', { importedAt: new Date().toISOString() });
    } catch (error) {
      if (this.stopping.signal.aborted) {
        this.note(entry, 'waiting');
        return;
      }
      const failures = (entry.listed.failures ?? 0) + 1;
      const message = messageOf(error).replaceAll(entry.of.file, entry.listed.file);
      entry.dueMs = Date.now() + this.waitMs(failures);
      this.note(entry, 'failed', { error: message, failures });
      this.log.error(
        `The import of ${describe(entry)} failed and is tried again at ${entry.listed.nextAt}. ${message}`,
      );
    }
  }

  /** @throws Error when the file cannot be fetched or imported, or the service stops */
  private async importOne(entry: Entry): Promise<void> {
    const { of } = entry;
    if (!isAddress(of.file)) return this.importFile(entry, of.file);
    const fetched = lockFetchFolder(this.folder, of.file);
    try {
      this.note(entry, 'fetching');
      this.log.info(`Fetching ${describe(entry)}.`);
      const file = await download({
        ...{ url: of.file, folder: fetched.path, patience: { signal: this.stopping.signal } },
        onProgress: (bytesDone, bytesTotal) =>
          this.tell(entry, {
            ...{ phase: 'downloading', rows: Math.floor(bytesDone / MEGABYTE), bytesDone, bytesTotal },
          }),
      });
      // Only what a stop has kept from being imported is of use again.
      await this.importFile(entry, file).catch(error => {
        if (!this.stopping.signal.aborted) fetched.remove();
        throw error;
      });
      fetched.remove();
    } finally {
      fetched.release();
    }
  }

  private async importFile(entry: Entry, file: string): Promise<void> {
    const { of, kind } = entry;
    this.note(entry, 'importing');
    this.log.info(`Importing ${describe(entry)}.`);
    const job = jobOf(kind, [file], of.name === undefined ? {} : { source: of.name });
    const summary = await askOwner(this.folder, job, each => this.tell(entry, each), this.stopping.signal);
    this.log.info(
      `Imported ${describe(entry)}. ${(await kind.show(summary))
        .trim()
        .split(/\s*\n\s*/)
        .join(' ')}`,
    );
    const { mostlyRefused = [] } = summary as Pick<ImportSummary, 'mostlyRefused'>;
    for (const refused of mostlyRefused) this.log.warn(describeMostlyRefused(refused));
  }

  /** Says now and then how far it is. */
  private tell(entry: Entry, progress: Progress): void {
    const { listed } = entry;
    const { bytesDone, bytesTotal } = progress;
    if (bytesTotal > 0) listed.percent = Math.min(100, Math.floor((100 * bytesDone) / bytesTotal));
    else delete listed.percent;
    if (performance.now() - this.toldMs < TELL_MS) return;
    this.log.info(`${describe(entry)}: ${describeProgress(progress)}.`);
    this.save();
  }

  /** A new state of an entry. */
  private note(entry: Entry, state: ListedImport['state'], changes: Partial<ListedImport> = {}): void {
    const { id, kind, file, importedAt, failures } = entry.listed;
    const isOver = (state === 'done' || state === 'failed') && Number.isFinite(entry.dueMs);
    entry.listed = {
      ...{ id, kind, file, state },
      ...(importedAt !== undefined && { importedAt }),
      ...(failures !== undefined && state !== 'done' && { failures }),
      ...(isOver && { nextAt: new Date(entry.dueMs).toISOString() }),
      ...changes,
    };
    this.save();
  }

  /** A list that cannot be written is told, and keeps nothing from being imported. */
  private save(): void {
    this.toldMs = performance.now();
    try {
      writeImportList(
        this.folder,
        this.entries.map(({ listed }) => listed),
      );
    } catch (error) {
      this.log.error(`How far the imports of --import are cannot be written: ${(error as Error).message}.`);
    }
  }
}

/** @throws ConfigError for an entry of an unknown kind */
export function requireEntries(entries: readonly ImportEntry[]): void {
  for (const { kind } of entries) requireKind(kind);
}

function requireKind(name: string): ImportKind {
  const kind = NOT_HERE.includes(name) ? undefined : findKind(name);
  if (kind !== undefined) return kind;
  const kinds = kindNames().filter(each => !NOT_HERE.includes(each));
  throw new ConfigError(`--import names the kind "${name}"; the kinds are ${kinds.join(', ')}.`);
}

function idOf({ kind, name, file }: ImportEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, name, file]))
    .digest('hex')
    .slice(0, ID_CHARACTERS);
}

/** An address as it may be shown. */
function withoutToken(file: string): string {
  return isAddress(file) ? file.replace(/[?#].*$/, '') : file;
}

function describe({ listed: { kind, file } }: Entry): string {
  return `${kind} from ${file}`;
}
