// Imports fingerprints, takes a source of them out, or learns those of reports, in any thread or process; and builds
// the maps of the buildings that have changed. Running threads see the maps when the owner has announced them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FeatureJob, FeatureProgress, Forgettable } from '../../feature.ts';
import { readOptedOut, stationsOf } from '../../folder/opted_out.ts';
import { requireKind } from '../../jobs/sources.ts';
import { KEY_BYTES_MAX, radioNumber } from '../../radio/station_key.ts';
import { closeEnvironment } from '../../tables/environment/commit.ts';
import { DATA_FILE } from '../../tables/environment/environment_file.ts';
import { ObservationLog } from '../../tables/observations/observation_log.ts';
import { type BuiltMaps, buildMaps, NOTHING_BUILT } from '../learning/build_maps.ts';
import { takeReports } from '../learning/take_reports.ts';
import {
  type ForgottenFingerprints,
  forgetFingerprints,
  removeFingerprintSource,
} from '../tables/fingerprints/change_fingerprints.ts';
import { type FingerprintTables, openFingerprints } from '../tables/fingerprints/fingerprint_tables.ts';
import { type FingerprintSummary, importFingerprints } from '../transfer/fingerprints/import_fingerprints.ts';

type Job = FeatureJob<'fingerprints'>;

const FORGETTING: FeatureProgress = { phase: 'rewriting', rows: 0, bytesDone: 0, bytesTotal: 0 };

/** The summary of an import, of a removal or of learning. */
type FingerprintsSummary = (FingerprintSummary & BuiltMaps) | ({ removed: number } & BuiltMaps) | BuiltMaps;

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the job
 * @throws Error when the job fails; the fingerprints stay as they were, or are changed and their maps are built later
 */
export async function changeFingerprints(
  job: Job,
  folder: string,
  onProgress: (progress: FeatureProgress) => void,
): Promise<FingerprintsSummary> {
  const summary = await change(job, folder, onProgress);
  const built = await withTables(folder, NOTHING_BUILT, tables =>
    buildMaps(tables, (done, total) => onProgress({ phase: 'maps', rows: done, bytesDone: done, bytesTotal: total })),
  );
  return { ...summary, ...built };
}

async function change(
  job: Job,
  folder: string,
  onProgress: (progress: FeatureProgress) => void,
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
  if (job.action === 'forget') {
    const forgotten = forgottenBy(job);
    await withTables(folder, 0, tables => forgetFingerprints(tables, forgotten, () => onProgress(FORGETTING)));
  }
  if (job.action !== 'remove') {
    await takeLogged(folder, onProgress);
    return undefined;
  }
  const removed = await withTables(folder, undefined, tables => removeFingerprintSource(tables, job.name));
  if (removed === undefined)
    throw new Error(`There are no fingerprints "${job.name}"; "sextant sources list" names all.`);
  return { removed };
}

function forgottenBy({ contributor, tracks, identities, stations }: Forgettable): ForgottenFingerprints {
  const [devices, reports] = [new Set(tracks), new Set(identities)];
  return {
    isFingerprint: fingerprint =>
      (fingerprint.contributor !== 0 && fingerprint.contributor === contributor) ||
      (fingerprint.track !== 0 && devices.has(fingerprint.track)) ||
      (reports.size > 0 && reports.has(Buffer.from(fingerprint.identity).toString('hex'))),
    radios: new Set(
      stationsOf(stations ?? [])
        .keys.map(radioOf)
        .filter(radio => radio >= 0),
    ),
  };
}

function radioOf(key: Buffer): number {
  const bytes = new Uint8Array(KEY_BYTES_MAX);
  bytes.set(key);
  return radioNumber(bytes, new Int32Array(bytes.buffer), 0);
}

/** Takes the reports that name their floor, if the folder has a log. */
async function takeLogged(folder: string, onProgress: (progress: FeatureProgress) => void): Promise<void> {
  if (!existsSync(join(folder, 'observations', DATA_FILE))) return;
  const log = new ObservationLog(folder, 'commit');
  try {
    await takeReports(folder, log, (done, total) =>
      onProgress({ phase: 'floors', rows: done, bytesDone: done, bytesTotal: total }),
    );
  } finally {
    await log.close();
  }
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
