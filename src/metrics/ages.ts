// What grows old in a service: its last backup, keys and a certificate that end, what was imported, and the database of
// addresses. Everything is read from the folder and from files of the operator, and nothing is written.

import { X509Certificate } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
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

/** Networks change hands: of such a database a new one appears every week or month. */
const ADDRESSES_DAYS = 90;

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

/** Files of the operator that grow old, as the configuration names them. */
export interface AgingFiles {
  tlsCertificateFile?: string | undefined;
  geoipFile?: string | undefined;
}

/** Milliseconds since 1970; undefined without a file, and where it is not what it should be. */
export interface FileAges {
  /** When the certificate ends. */
  certificateEndMs?: number | undefined;
  /** When the database of addresses was built. */
  addressesBuiltMs?: number | undefined;
}

/** Reads how old the files are. */
export function readFileAges({ tlsCertificateFile, geoipFile }: AgingFiles): FileAges {
  return { certificateEndMs: certificateEndMs(tlsCertificateFile), addressesBuiltMs: databaseBuiltMs(geoipFile) };
}

/** By the first of its chain, which clients see. */
function certificateEndMs(file: string | undefined): number | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  try {
    return new X509Certificate(readFileSync(file)).validToDate.getTime();
  } catch {
    return undefined; // the service goes on with the one that it has, and has said so
  }
}

/** The metadata are within this many bytes of the end of a database in the form of MaxMind. */
const METADATA_BYTES = 131_072;
const BUILD_EPOCH = Buffer.from('build_epoch');
/** Its type in those metadata, a whole number of 64 bits: the first byte holds its length, the second this. */
const TYPE_UINT64 = 2;
const LENGTH_BITS = 0x1f;

/** Reads the metadata alone: the file is large. */
function databaseBuiltMs(path: string | undefined): number | undefined {
  if (path === undefined || !existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  const tail = Buffer.alloc(METADATA_BYTES);
  const { size } = statSync(path);
  readSync(file, tail, 0, METADATA_BYTES, Math.max(0, size - METADATA_BYTES));
  closeSync(file);
  const at = tail.lastIndexOf(BUILD_EPOCH) + BUILD_EPOCH.length;
  const bytes = tail[at] & LENGTH_BITS;
  if (at < BUILD_EPOCH.length || tail[at + 1] !== TYPE_UINT64 || bytes === 0 || bytes > 6) return undefined;
  return tail.readUIntBE(at + 2, bytes) * 1000;
}

/** What has grown old. */
export function problemsOfAge(ages: Ages, files: FileAges, nowMs: number): Problem[] {
  const problems = [backupProblem(ages, nowMs), keyProblem(ages.keys, nowMs), sourceProblem(ages.sources, nowMs)];
  const { certificateEndMs: endMs, addressesBuiltMs: builtMs } = files;
  if (endMs !== undefined) problems.push(certificateProblem(endMs, nowMs));
  if (builtMs !== undefined) problems.push(addressesProblem(builtMs, nowMs));
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

function addressesProblem(builtMs: number, nowMs: number): Problem | undefined {
  if (daysBetween(builtMs, nowMs) < ADDRESSES_DAYS) return undefined;
  return {
    id: 'addressesOld',
    what: `The database of --geoip was built on ${dayOf(builtMs)}.`,
    remedy: 'Put a new one in its place: the service reads changed files by itself.',
  };
}

const daysBetween = (fromMs: number, toMs: number): number => Math.floor((toMs - fromMs) / DAY_MS);
const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);
