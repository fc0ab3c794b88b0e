// A backup is a folder with the files of a data folder as they were at one moment. It is made beside its place and
// takes its name at the end, so a backup that was broken off has another name, and no `FORMAT`: nothing starts in it,
// and `restore` refuses it.
//
//   DIR/            the backup: the files of a data folder, and BACKUP, which lists them
//   DIR.partial/    one being made
//   DIR.replaced/   the one before, for the moment in which the new one takes its name
//
// Files that have not changed since the backup before in the same place are taken over from it as links, which cost
// neither time nor space. `BACKUP` says by which file each was made, and by which state of it.

import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import { readRegularFile } from '../config/regular_file.ts';
import { replaceFile, syncFolder } from '../tables/environment/durable_file.ts';
import { FORMAT_FILE, folderInUse, giveToOwner } from './data_folder.ts';
import { LOCK_FILE, tryOwnerLock } from './owner_lock.ts';

const BACKUP_FILE = 'BACKUP';
const BACKUP_FORMAT = 1;
/** A list of hundreds of thousands of files. */
const LIST_BYTES_MAX = 67_108_864;

/** One file of a backup. */
interface BackupEntry {
  bytes: number;
  /** State of the file that it was made of, and of itself; see `stateOf`. */
  source: string;
  copy: string;
}

/** In the data folder: when its last backup was complete. No backup holds it. */
export const LAST_BACKUP_FILE = 'last_backup';

/** Notes that a backup of a data folder is complete. */
export function noteBackup(dataFolder: string, timeMs: number): void {
  replaceFile(join(dataFolder, LAST_BACKUP_FILE), `${new Date(timeMs).toISOString()}\n`);
}

/** When the last backup of a data folder was complete, milliseconds since 1970; undefined before the first one. */
export function lastBackupMs(dataFolder: string): number | undefined {
  const path = join(dataFolder, LAST_BACKUP_FILE);
  const time = existsSync(path) ? Date.parse(readRegularFile(path, 100).toString().trim()) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** What a backup says of itself. */
interface BackupList {
  application: 'sextant';
  format: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** By path within the folder. */
  files: Record<string, BackupEntry>;
}

/** A backup that is being made. */
export class BackupDraft {
  /** Where the files go. */
  readonly path: string;
  private readonly target: string;
  private readonly before: BackupList | undefined;
  private readonly sources = new Map<string, string>();

  /**
   * Begins a backup.
   * @param target absolute path of the backup
   * @param dataFolder absolute path of what is backed up
   * @throws Error when something else stands there, or the backup would be part of the data folder
   */
  constructor(target: string, dataFolder: string) {
    if (`${target}${sep}`.startsWith(`${dataFolder}${sep}`))
      throw new Error(`The backup ${target} would lie in the data folder ${dataFolder}; name a folder outside of it.`);
    if (!existsSync(dirname(target)))
      throw new Error(`There is no folder ${dirname(target)} for the backup; make it, or mount its disk.`);
    this.target = target;
    this.path = `${target}.partial`;
    // A kill may have come between the two renames of `finish`.
    if (!existsSync(target) && existsSync(this.replaced)) renameSync(this.replaced, target);
    this.before = readEarlier(target);
    try {
      for (const left of [this.path, this.replaced]) rmSync(left, { recursive: true, force: true });
      mkdirSync(this.path, { mode: 0o700 });
    } catch (error) {
      throw notWritable(error as NodeJS.ErrnoException, dirname(target));
    }
  }

  private get replaced(): string {
    return `${this.target}.replaced`;
  }

  /**
   * Notes that a file is made of another one, in the state of this moment, and takes it over from the backup before if
   * that was made of the same state.
   * @param name path within the backup
   * @returns true when it was taken over, and must not be written
   */
  takeOver(name: string, source: string): boolean {
    mkdirSync(dirname(join(this.path, name)), { recursive: true, mode: 0o700 });
    const state = stateOf(source);
    this.sources.set(name, state);
    const entry = this.before?.files[name];
    const old = join(this.target, name);
    if (entry?.source !== state || !existsSync(old) || stateOfCopy(old) !== entry.copy) return false;
    try {
      linkSync(old, join(this.path, name));
    } catch (error) {
      // Some file systems have no links.
      if (!['EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return false;
    }
    return true;
  }

  /**
   * Waits until everything is on disk, and gives the backup its name. @param format the file FORMAT of the data folder
   * @returns bytes of all files
   */
  async finish(format: string): Promise<number> {
    const names = filesIn(this.path);
    const files: BackupList['files'] = {};
    for (const name of names) {
      const path = join(this.path, name);
      await flushFile(path);
      files[name] = { bytes: statSync(path).size, source: this.sources.get(name) ?? '', copy: stateOfCopy(path) };
    }
    const list: BackupList = {
      application: 'sextant',
      format: BACKUP_FORMAT,
      createdAt: new Date().toISOString(),
      files,
    };
    await this.write(BACKUP_FILE, `${JSON.stringify(list)}\n`);
    for (const folder of foldersOf(names)) syncFolder(join(this.path, folder));
    // From here on it is complete.
    await this.write(FORMAT_FILE, format);
    syncFolder(this.path);
    if (existsSync(this.target)) renameSync(this.target, this.replaced);
    renameSync(this.path, this.target);
    syncFolder(dirname(this.target));
    rmSync(this.replaced, { recursive: true, force: true });
    return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Removes what was written. */
  discard(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  private async write(name: string, text: string): Promise<void> {
    writeFileSync(join(this.path, name), text, { mode: 0o600 });
    await flushFile(join(this.path, name));
  }
}

/** Who writes: the service, or the command where none runs. */
export function writerName(): string {
  const uid = process.geteuid?.();
  try {
    return `user ${userInfo().username} (process ${process.pid})`;
  } catch {
    return `user ${uid} (process ${process.pid})`; // a user without a name, as in containers
  }
}

/** The error of a folder into which this process may not write; others pass. */
function notWritable(error: NodeJS.ErrnoException, folder: string): Error {
  const { code = '' } = error;
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) return error;
  const remedy =
    code === 'EROFS'
      ? 'Its file system is read-only for it; where systemd runs the service, the unit must name the folder in ' +
        'ReadWritePaths='
      : 'Let it write there (chown), or name a folder of its own';
  return new Error(`The backup is written by ${writerName()}, who may not write into ${folder}. ${remedy}.`);
}

/** The list of a complete backup. @throws Error when the folder is none, or files of it are missing or cut short */
export function readBackup(path: string): BackupList {
  const list = existsSync(join(path, FORMAT_FILE)) ? readList(path) : undefined;
  if (list === undefined)
    throw new Error(`${path} is no complete backup of Sextant: it has no ${BACKUP_FILE} and ${FORMAT_FILE}.`);
  if (list.format !== BACKUP_FORMAT)
    throw new Error(`The backup ${path} has format ${list.format}, and this version reads format ${BACKUP_FORMAT}.`);
  for (const [name, { bytes }] of Object.entries(list.files)) {
    const found = statSync(join(path, name), { throwIfNoEntry: false })?.size;
    if (found !== bytes)
      throw new Error(`The backup ${path} is damaged: ${name} has ${found ?? 'no'} bytes instead of ${bytes}.`);
  }
  return list;
}

/** A backup among others. */
interface ListedBackup {
  /** Of its folder. */
  name: string;
  createdAt?: string;
  bytes?: number;
  /** Why it cannot be restored. */
  error?: string;
}

/** The backups in a folder, the latest name first. @throws Error when the folder cannot be read */
export function listBackups(folder: string): ListedBackup[] {
  const names = readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() && !/\.(partial|replaced)$/.test(entry.name) ? [entry.name] : [],
  );
  return names
    .sort()
    .reverse()
    .map(name => describeBackup(join(folder, name), name));
}

function describeBackup(path: string, name: string): ListedBackup {
  try {
    const { createdAt, files } = readBackup(path);
    return { name, createdAt, bytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0) };
  } catch (error) {
    return { name, error: (error as Error).message };
  }
}

/**
 * The backup that stands where a new one shall be; undefined where there is none. @throws Error when something else
 * stands there
 */
function readEarlier(target: string): BackupList | undefined {
  if (!existsSync(target)) return undefined;
  const list = readList(target);
  if (list !== undefined) return list;
  if (!statSync(target).isDirectory() || readdirSync(target).length > 0)
    throw new Error(
      `${target} is neither empty nor a backup of Sextant; name a new folder, or one of an earlier backup, ` +
        `which is replaced.`,
    );
  rmdirSync(target);
  return undefined;
}

function readList(path: string): BackupList | undefined {
  const file = join(path, BACKUP_FILE);
  if (!existsSync(file)) return undefined;
  try {
    const list = JSON.parse(readRegularFile(file, LIST_BYTES_MAX).toString()) as BackupList;
    return list.application === 'sextant' && typeof list.files === 'object' && list.files !== null ? list : undefined;
  } catch {
    return undefined; // no backup of ours
  }
}

/** Tells one state of a file from every other: any write changes the time of its last change. */
function stateOf(path: string): string {
  const { ino, size, ctimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${ctimeNs}`;
}

/** The same for a file of a backup, which links do not change. */
function stateOfCopy(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

/** Paths of all files below a folder, in order. */
function filesIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter(name => statSync(join(path, name)).isFile()).sort();
}

function foldersOf(names: readonly string[]): Set<string> {
  return new Set(names.flatMap(name => foldersAbove(name)));
}

function foldersAbove(name: string): string[] {
  const folder = dirname(name);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** Waits until a file is on disk. */
async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

// Makes a data folder from a backup. `FORMAT` comes last, as in a new folder, so one that was broken off is no data
// folder, and may be restored into again: the file `RESTORING` says that everything in it came from here.

const MARK_FILE = 'RESTORING';
/** What an empty folder may hold: a lock that was left, and what a new file system puts into its root. */
const EMPTY = [LOCK_FILE, 'lost+found'];

/** What was restored. */
interface Restored {
  bytes: number;
  /** When the backup was made, ISO 8601, UTC. */
  createdAt: string;
  /** Gives the folder free for a service. */
  release(): void;
}

/**
 * Copies a backup into a folder that is new or empty, and owns it.
 * @param backup absolute path
 * @param folder absolute path
 * @throws Error when the backup is not complete or the folder holds anything
 */
export async function restoreBackup(
  backup: string,
  folder: string,
  onProgress: (done: number, total: number) => void,
): Promise<Restored> {
  const { files, createdAt } = readBackup(backup);
  const names = Object.keys(files);
  const outside = names.find(name => name.startsWith('..') || normalize(name) !== name);
  if (outside !== undefined)
    throw new Error(`The backup ${backup} is damaged: it lists ${outside}, which is no file of it.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = tryOwnerLock(folder);
  if (lock === undefined) throw folderInUse(folder);
  try {
    empty(folder);
    if (statSync(folder).uid === process.getuid?.()) chmodSync(folder, 0o700);
    writeFileSync(join(folder, MARK_FILE), '');
    const total = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const name of names) {
      await copyOne(join(backup, name), join(folder, name));
      done += files[name].bytes;
      onProgress(done, total);
    }
    for (const name of names) syncFolder(dirname(join(folder, name)));
    await copyOne(join(backup, FORMAT_FILE), join(folder, FORMAT_FILE));
    rmSync(join(folder, MARK_FILE));
    giveToOwner(folder);
    syncFolder(folder);
    return { bytes: total, createdAt, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Removes what an earlier restore has left. @throws Error when the folder holds anything else */
function empty(folder: string): void {
  const names = readdirSync(folder).filter(name => !EMPTY.includes(name));
  const isLeft = names.includes(MARK_FILE) && !existsSync(join(folder, FORMAT_FILE));
  if (names.length > 0 && !isLeft)
    throw new Error(
      `${folder} is not empty: it holds "${names[0]}". Restore into a new or an empty folder, named by --data.`,
    );
  for (const name of names) rmSync(join(folder, name), { recursive: true });
}

/** Copies a file, readable only by its user, and waits until it is on disk. */
async function copyOne(from: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  chmodSync(to, 0o600);
  await flushFile(to);
}
