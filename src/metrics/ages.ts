// What grows old in a service: its last backup, keys and a certificate that end, and what was imported. Everything is
// read from the folder and from the file of the certificate, and nothing is written.

import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lastBackupMs } from '../folder/backup_folder.ts';
import { FORMAT_FILE } from '../folder/data_folder.ts';
import { listSources } from '../jobs/sources.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import type { Problem } from './problems.ts';

/** How old things are, and when they end; milliseconds since 1970. */
export interface Ages {
  /** When the folder was made or restored. */
  madeMs: number;
  /** When the last backup was complete; undefined before the first one. */
  backupMs: number | undefined;
  /** Ends of the keys that are valid now and end, the first one first. */
  keys: { id: number; name?: string | undefined; endMs: number }[];
  /** Sources, the oldest one first. */
  sources: { name: string; kind: string; importedMs: number }[];
}

const DAY_MS = 86_400_000;
/** A backup each night is at most two days old; a week without one is a failure that nobody has seen. */
const BACKUP_DAYS = 7;
/** Time to make another certificate, or to ask a holder whether he goes on. */
const WARNING_DAYS = 14;
/** Cells move, and access points more so. */
const SOURCE_DAYS = 365;

/** Ages are at most so old, however many ask. */
const READ_MILLISECONDS = 60_000;

/** Reads the ages of a folder for those who ask often. */
export class AgeReader {
  private readonly folder: string;
  private last: { atMs: number; ages: Promise<Ages> } | undefined;

  /** @param folder absolute path of the data folder */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** The ages, at most a minute old. @throws Error when a table cannot be used */
  read(): Promise<Ages> {
    if (this.last === undefined || performance.now() - this.last.atMs > READ_MILLISECONDS)
      this.last = { atMs: performance.now(), ages: readAges(this.folder, Date.now()) };
    return this.last.ages;
  }
}

/** Reads the ages of a data folder. @throws Error when a table cannot be used */
export async function readAges(folder: string, nowMs: number): Promise<Ages> {
  const sources = (await listSources(folder)).map(({ name, kind, importedAt }) => ({
    name,
    kind,
    importedMs: Date.parse(importedAt),
  }));
  return {
    madeMs: statSync(join(folder, FORMAT_FILE)).mtimeMs,
    backupMs: lastBackupMs(folder),
    keys: await endingKeys(folder, nowMs),
    sources: sources.sort((a, b) => a.importedMs - b.importedMs),
  };
}

async function endingKeys(folder: string, nowMs: number): Promise<Ages['keys']> {
  if (!existsSync(join(folder, 'accounts', DATA_FILE))) return [];
  const accounts = new AccountTable(folder, { readOnly: true });
  try {
    const ending: Ages['keys'] = [];
    for (const { id, name, expires, revoked } of accounts.list()) {
      const endMs = expires === undefined || revoked ? 0 : Date.parse(expires) + DAY_MS;
      if (endMs > nowMs) ending.push({ id, name, endMs });
    }
    return ending.sort((a, b) => a.endMs - b.endMs);
  } finally {
    await accounts.close();
  }
}

/**
 * When the certificate of a file ends: the first of its chain, which clients see.
 * @returns milliseconds since 1970; undefined without a file, or where it holds no certificate
 */
export function certificateEndMs(file: string | undefined): number | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  try {
    return new X509Certificate(readFileSync(file)).validToDate.getTime();
  } catch {
    return undefined; // the service goes on with the one that it has, and has said so
  }
}

/** What has grown old. @param certificateMs when the certificate ends; undefined where there is none */
export function problemsOfAge(ages: Ages, certificateMs: number | undefined, nowMs: number): Problem[] {
  const problems = [backupProblem(ages, nowMs), keyProblem(ages.keys, nowMs), sourceProblem(ages.sources, nowMs)];
  if (certificateMs !== undefined) problems.push(certificateProblem(certificateMs, nowMs));
  return problems.filter(problem => problem !== undefined);
}

function backupProblem({ madeMs, backupMs }: Ages, nowMs: number): Problem | undefined {
  const days = daysBetween(backupMs ?? madeMs, nowMs);
  if (days < BACKUP_DAYS) return undefined;
  return {
    id: 'backupOld',
    what:
      backupMs === undefined
        ? `There has been no backup for the ${days} days since the data folder was made.`
        : `The last backup was made ${days} days ago.`,
    remedy: 'Make one each night: "sextant backup FOLDER".',
    command: 'sextant backup FOLDER',
  };
}

function keyProblem(keys: Ages['keys'], nowMs: number): Problem | undefined {
  const soon = keys.filter(({ endMs }) => endMs - nowMs < WARNING_DAYS * DAY_MS);
  if (soon.length === 0) return undefined;
  const [{ id, name, endMs }] = soon;
  const first = `key ${id}${name === undefined ? '' : ` (${name})`} after ${dayOf(endMs - DAY_MS)}`;
  return {
    id: 'keyEnds',
    what:
      soon.length === 1
        ? `A key ends within ${WARNING_DAYS} days: ${first}.`
        : `${soon.length} keys end within ${WARNING_DAYS} days, the first one, ${first}.`,
    remedy: `Ask the holder; "sextant keys update ${id} --expires DAY" lets it go on.`,
    command: `sextant keys update ${id} --expires DAY`,
  };
}

function certificateProblem(endMs: number, nowMs: number): Problem | undefined {
  if (endMs - nowMs >= WARNING_DAYS * DAY_MS) return undefined;
  return {
    id: 'certificateEnds',
    what: `The certificate ${endMs <= nowMs ? 'has ended' : 'ends'} on ${dayOf(endMs)}.`,
    remedy: 'Renew it: the service reads changed files by itself.',
  };
}

function sourceProblem(sources: Ages['sources'], nowMs: number): Problem | undefined {
  const old = sources.filter(({ importedMs }) => daysBetween(importedMs, nowMs) >= SOURCE_DAYS);
  if (old.length === 0) return undefined;
  const [{ name, kind, importedMs }] = old;
  const others = old.length === 1 ? '' : `, and ${old.length - 1} others are older than a year`;
  return {
    id: 'sourceOld',
    what: `The source "${name}" of ${kind} was imported on ${dayOf(importedMs)}${others}.`,
    remedy: 'Import what its publisher has now under the same name.',
  };
}

const daysBetween = (fromMs: number, toMs: number): number => Math.floor((toMs - fromMs) / DAY_MS);
const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);
