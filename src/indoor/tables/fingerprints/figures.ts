// What a data folder holds of fingerprints, for lists and for the status.

import { readFingerprintSources } from './change_fingerprints.ts';
import { type FingerprintTables, openFingerprints } from './fingerprint_tables.ts';

/** How much there is. */
export interface FingerprintFigures {
  /** Fingerprints that are kept. */
  kept: number;
  /** Buildings that have a map made of them. */
  maps: number;
}

/** Counts. @throws Error when the tables cannot be used */
export function countFingerprints(folder: string): Promise<FingerprintFigures> {
  return withTables(folder, { kept: 0, maps: 0 }, ({ fingerprints, maps }) => {
    const count = (rows: typeof maps): number => (rows.getStats() as { entryCount: number }).entryCount;
    return { kept: count(fingerprints), maps: count(maps) };
  });
}

/** What imports have brought, by their names. @throws Error when the tables cannot be used */
export function listFingerprintSources(folder: string): Promise<{ name: string; rows: number; importedAt: string }[]> {
  return withTables(folder, [], tables =>
    readFingerprintSources(tables).map(({ name, fingerprints: rows, importedAt }) => ({ name, rows, importedAt })),
  );
}

async function withTables<T>(folder: string, none: T, read: (tables: FingerprintTables) => T): Promise<T> {
  const tables = openFingerprints(folder);
  if (tables === undefined) return none;
  try {
    return read(tables);
  } finally {
    await tables.root.close();
  }
}
