// The settings of what a service imports by itself. It is the same as the command `import` with the same files, so that
// a container has its data without one.

import { optional, optionalSecret } from './setting.ts';
import { path } from './values.ts';

/** A file to import. */
export interface ImportEntry {
  /** As the command `import` calls it. */
  kind: string;
  /** Name of the source; without, it is that of the file. */
  name?: string;
  /** Absolute path, or address (https://…). */
  file: string;
}

const ENTRY = /^([a-z-]+)(?::([^:=\p{Cc}]{1,100}))?=(.+)$/u;
const EVERY = /^([1-9]\d{0,3})([hd])$/;
const UNIT_MS = { h: 3_600_000, d: 86_400_000 };

/** Reads a list such as `osm=https://…/liechtenstein.osm.pbf cells:mine=/data/cells.csv.gz`. */
export function importEntries(text: string): ImportEntry[] {
  return text.split(/\s+/).flatMap(entry => {
    if (entry === '') return [];
    const [, kind, name, file] = ENTRY.exec(entry) ?? [];
    if (kind === undefined) throw new Error('must be entries KIND=FILE or KIND:NAME=FILE with spaces between');
    return [{ kind, ...(name !== undefined && { name }), file: /^https?:\/\//i.test(file) ? file : path(file) }];
  });
}

/** Reads a time in hours or days. @returns milliseconds */
function every(text: string): number {
  const [, number, unit] = EVERY.exec(text) ?? [];
  if (unit === undefined) throw new Error('must be hours or days, such as 24h or 7d');
  return Number(number) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** The rows. Addresses may hold a token. */
export const IMPORT_SETTINGS = {
  imports: optionalSecret(
    'import',
    '<list>',
    'files and addresses that are imported at the start, once: KIND=FILE or KIND:NAME=FILE, with spaces between',
    importEntries,
  ),
  importEvery: optional(
    'import-every',
    '<time>',
    'how often those whose import replaces the one before are imported again, such as 24h or 7d; without it, never',
    every,
  ),
};
