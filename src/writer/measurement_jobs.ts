// Measurements under the name of a source: appending what an import reads, and taking all of it out again.

import type { ForgetJob, ForgetSummary } from '../jobs/job.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { ObservationImport } from '../transfer/import_observations.ts';
import type { CommitBoundary } from './commit_boundary.ts';
import type { ContributionWriter } from './contributions.ts';

/**
 * Appends reports of the operator, which belong to a source if it has a name. The source begins with the first batch.
 */
export function appendUnder(
  name: string | undefined,
  { sources }: ObservationLog,
  boundary: CommitBoundary,
  contributions: ContributionWriter,
): ObservationImport['append'] {
  let source: Promise<number> | undefined;
  return reports =>
    boundary.pass(async () => {
      if (name !== undefined) source ??= sources.begin(name, Date.now());
      return contributions.contribute(0, reports, await source);
    });
}

/**
 * Takes the reports out that a source alone has, and the source.
 * @param forget writes the log and the tables without them
 * @throws Error when the tables cannot be learned again; then nothing has changed. After a kill the source is there,
 *   and can be removed again.
 */
export async function removeMeasurements(
  { sources }: ObservationLog,
  source: number,
  forget: (job: ForgetJob) => Promise<ForgetSummary>,
): Promise<Pick<ForgetSummary, 'reports' | 'stations'>> {
  const { reports, stations } = await forget({ verb: 'forget', what: 'source', source });
  await sources.remove(source);
  return { reports, stations };
}
