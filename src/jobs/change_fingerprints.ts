// Imports fingerprints, takes a source of them out, or learns those of reports, in any thread or process; and builds the maps of the buildings that have changed.
// Running threads see the maps when the owner has announced them.

import { readOptedOut, stationsOf } from '../folder/opted_out.ts';
import { type BuiltMaps, buildMaps } from '../learning/fingerprints/build_maps.ts';
import { closeEnvironment } from '../tables/environment/commit.ts';
import { removeFingerprintSource } from '../tables/fingerprints/change_fingerprints.ts';
import { type FingerprintTables, openFingerprints } from '../tables/fingerprints/fingerprint_tables.ts';
import { type FingerprintSummary, importFingerprints } from '../transfer/fingerprints/import_fingerprints.ts';
import type { FingerprintsJob, Progress } from './job.ts';
import { requireKind } from './sources.ts';

/** The summary of an import, of a removal or of learning. */
export type FingerprintsSummary = (FingerprintSummary & BuiltMaps) | ({ removed: number } & BuiltMaps) | BuiltMaps;

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the job
 * @throws Error when the job fails; the fingerprints stay as they were, or are changed and their maps are built later
 */
export async function changeFingerprints(
  job: FingerprintsJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<FingerprintsSummary> {
  const summary = await change(job, folder, onProgress);
  const built = await withTables(folder, { maps: 0, dropped: 0 }, tables =>
    buildMaps(tables, (done, total) => onProgress({ phase: 'maps', rows: done, bytesDone: done, bytesTotal: total })),
  );
  return { ...summary, ...built };
}

async function change(
  job: FingerprintsJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<FingerprintSummary | { removed: number } | undefined> {
  if (job.verb === 'import') {
    if (job.source !== undefined) await requireKind(folder, job.source, 'fingerprints');
    const optedOut = stationsOf(readOptedOut(folder));
    return importFingerprints({
      ...job,
      folder,
      stdin: process.stdin,
      optedOut,
      onProgress: ({ phase, rows, done, total }) => onProgress({ phase, rows, bytesDone: done, bytesTotal: total }),
    });
  }
  if (job.action === 'learn') return undefined;
  const removed = await withTables(folder, undefined, tables => removeFingerprintSource(tables, job.name));
  if (removed === undefined) throw new Error(`There are no fingerprints "${job.name}"; "sextant sources list" names all.`);
  return { removed };
}

async function withTables<T>(folder: string, none: T, run: (tables: FingerprintTables) => T): Promise<T> {
  const tables = openFingerprints(folder);
  if (tables === undefined) return none;
  try {
    return run(tables);
  } finally {
    await closeEnvironment(tables.root);
  }
}
