// Jobs that bring files into tables, or take out what files have brought: for each group of tables how they run, and
// which others they wait for. While serving, they run in a thread of their own (import_thread.ts), because they take
// seconds to minutes; a command that owns the folder runs them itself. What a job needs is loaded with it: imports of
// stations do not read maps.

import type { ObservationImport, ObservationSummary } from '../transfer/import_observations.ts';
import type {
  BuildingsJob,
  ExtractRemovalJob,
  FingerprintsJob,
  ImportJob,
  JobContext,
  ObservationImportJob,
  PlacesImportJob,
  SourceRemovalJob,
  StationImportJob,
} from './job.ts';

/** The jobs on each group of tables. */
export interface TableJobs {
  stations: StationImportJob | SourceRemovalJob;
  measurements: ObservationImportJob;
  places: PlacesImportJob | ExtractRemovalJob;
  fingerprints: FingerprintsJob;
  buildings: BuildingsJob;
}

/** What they resolve to. The new tables are the live ones on disk then. */
export interface TableSummaries {
  stations: Result<typeof import('./change_tables.ts').changeStations>;
  measurements: ObservationSummary;
  places: Result<typeof import('./import_places.ts').importPlaces>;
  fingerprints: Result<typeof import('./change_fingerprints.ts').changeFingerprints>;
  buildings: Result<typeof import('./change_tables.ts').changeBuildings>;
}

type Result<Run extends (...args: never[]) => unknown> = Awaited<ReturnType<Run>>;

export type TableGroup = keyof TableJobs;
export type TableJob = TableJobs[TableGroup];

/** Stores packed reports in the observation log and resolves when they are acknowledged. */
type Append = ObservationImport['append'];
type TableContext = Pick<JobContext, 'folder' | 'onProgress'>;

/**
 * Runs a job on a group of tables. `append` goes with measurements.
 * @throws Error when the job fails; tables stay as they were, but measurements that were appended stay
 */
export type RunTableJob = <G extends TableGroup>(
  group: G,
  job: TableJobs[G],
  context: JobContext,
  append?: Append,
) => Promise<TableSummaries[G]>;

/** Jobs of one queue run one after another. */
export type Queue = 'stations' | 'places' | 'others';

type Groups = {
  readonly [G in TableGroup]: {
    queue: Queue;
    run(job: TableJobs[G], context: TableContext, append?: Append): Promise<TableSummaries[G]>;
  };
};

const GROUPS: Groups = {
  stations: {
    queue: 'stations',
    run: async (job, { folder, onProgress }) =>
      (await import('./change_tables.ts')).changeStations(job, folder, onProgress),
  },
  measurements: {
    queue: 'stations',
    run: async (job, { folder, onProgress }, append) => {
      if (job.source !== undefined)
        await (await import('./sources.ts')).requireKind(folder, job.source, 'observations');
      return (await import('../transfer/import_observations.ts')).importObservations({
        ...job,
        stdin: process.stdin,
        append: append!,
        onProgress,
      });
    },
  },
  places: {
    queue: 'places',
    run: async (job, { folder, onProgress }) =>
      (await import('./import_places.ts')).importPlaces(job, folder, onProgress),
  },
  fingerprints: {
    queue: 'places',
    run: async (job, { folder, onProgress }) =>
      (await import('./change_fingerprints.ts')).changeFingerprints(job, folder, onProgress),
  },
  buildings: {
    queue: 'places',
    run: async (job, { folder, onProgress }) =>
      (await import('./change_tables.ts')).changeBuildings(job, folder, onProgress),
  },
};

/** The group of each kind of import, and of each verb that takes out what an import has brought. */
const GROUP_OF: Readonly<Record<ImportJob['kind'] | 'sources' | 'buildings' | 'fingerprints', TableGroup>> = {
  cells: 'stations',
  wifi: 'stations',
  sources: 'stations',
  observations: 'measurements',
  osm: 'places',
  'osm-changes': 'places',
  importance: 'places',
  places: 'places',
  fingerprints: 'fingerprints',
  buildings: 'buildings',
};

/** Kinds of imports. */
export const IMPORT_KINDS: readonly string[] = Object.keys(GROUP_OF).filter(name => name !== 'sources');

/** A job with its group. */
type GroupedJob = { [G in TableGroup]: { group: G; job: TableJobs[G] } }[TableGroup];

/** Finds the group of a job. */
export function groupedJob(job: TableJob): GroupedJob {
  return { group: GROUP_OF['kind' in job ? job.kind : job.verb], job } as GroupedJob;
}

/** The queue of a job. */
export function queueOf(job: TableJob): Queue {
  return GROUPS[groupedJob(job).group].queue;
}

/** Runs a job in this thread, with `process.stdin` where a file is `-`. */
export async function runTableJob<G extends TableGroup>(
  group: G,
  job: TableJobs[G],
  context: TableContext,
  append?: Append,
): Promise<TableSummaries[G]> {
  return GROUPS[group].run(job, context, append);
}
