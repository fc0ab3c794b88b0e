// Environments that a data folder has only once something came into them: tables of plain bytes by name, in a folder of
// their own, one of which is `meta` with the format. They appear as a whole, because other threads may look for them at
// any moment.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { closeEnvironment } from './commit.ts';
import { BINARY, DATA_FILE, existing } from './environment_file.ts';
import { openEnvironment, openOrRefuse, requireFormat } from './open_environment.ts';
import { numberKey } from './row.ts';

const FORMAT_KEY = Buffer.from('format');
const NUMBER_BYTES = 4;

/** What an environment holds. */
interface TablesKind<Name extends string> {
  /** Its folder in the data folder. */
  folder: string;
  names: readonly (Name | 'meta')[];
  format: number;
  /** What it is, in an error message: `table of buildings`. */
  what: string;
  /** How its content comes again, in an error message: `import the buildings again`. */
  remedy: string;
}

/** The tables. Closing `root` closes all. */
export type NamedTables<Name extends string> = Record<Name | 'meta', Database<Buffer, Buffer>> & {
  root: RootDatabase<Buffer, Buffer>;
};

/** True if there are tables. */
export function hasNamedTables(dataFolder: string, { folder }: Pick<TablesKind<string>, 'folder'>): boolean {
  return existsSync(join(dataFolder, folder, DATA_FILE));
}

/**
 * Opens the tables.
 * @param dataFolder absolute path
 * @returns undefined when there are none
 * @throws Error when they are damaged, foreign or of another format
 */
export function openNamedTables<Name extends string>(
  dataFolder: string,
  kind: TablesKind<Name>,
): NamedTables<Name> | undefined {
  if (!hasNamedTables(dataFolder, kind)) return undefined;
  const path = join(dataFolder, kind.folder);
  const name = `The ${kind.what} ${path}`;
  const remedy = `Restore it from a backup, or remove the folder ${path} and ${kind.remedy}.`;
  return openOrRefuse({ path, name, remedy, create: false, maxDbs: kind.names.length }, root => {
    const tables = tablesOf(root, kind, false);
    requireFormat(readNumber(tables.meta.getBinary(FORMAT_KEY)), [kind.format], kind.what);
    return tables;
  });
}

/**
 * The same, and makes tables where there are none.
 * @param begin writes what new tables hold, in the transaction that makes them
 */
export async function openOrCreateNamedTables<Name extends string>(
  dataFolder: string,
  kind: TablesKind<Name>,
  begin?: (tables: NamedTables<Name>) => void,
): Promise<NamedTables<Name>> {
  const found = openNamedTables(dataFolder, kind);
  if (found !== undefined) return found;
  const path = join(dataFolder, kind.folder);
  const draft = `${path}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const root = openEnvironment(draft, { maxDbs: kind.names.length });
  root.transactionSync(() => {
    const tables = tablesOf(root, kind, true);
    tables.meta.putSync(FORMAT_KEY, numberKey(kind.format));
    begin?.(tables);
  });
  await closeEnvironment(root);
  rmSync(path, { recursive: true, force: true });
  renameSync(draft, path);
  return openNamedTables(dataFolder, kind)!;
}

/** The number in a value, or at the start of a key; undefined where there is none. */
export function readNumber(value: Buffer | undefined): number | undefined {
  return value !== undefined && value.length >= NUMBER_BYTES ? value.readUInt32BE() : undefined;
}

function tablesOf<Name extends string>(
  root: RootDatabase<Buffer, Buffer>,
  { names, what }: TablesKind<Name>,
  create: boolean,
): NamedTables<Name> {
  const open = (name: string): Database<Buffer, Buffer> =>
    existing(root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create } }), what);
  return { root, ...Object.fromEntries(names.map(name => [name, open(name)])) } as NamedTables<Name>;
}

/**
 * Rows of JSON, with the names that are their keys. @param what one is, in an error message @throws Error when one is
 * damaged
 */
export function namedRows<T extends { name: string }>(rows: Database<Buffer, Buffer>, what: string): T[] {
  return [...rows.getRange({})].map(({ key, value }) => {
    const name = key.toString();
    try {
      return { ...JSON.parse(value.toString()), name } as T;
    } catch {
      throw new Error(`The ${what} "${name}" is damaged.`);
    }
  });
}
