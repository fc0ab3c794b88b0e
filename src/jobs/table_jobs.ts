// Jobs that bring files into tables, or take out what files have brought: for each group of tables how they run, and
// which others they wait for. While serving, they run in a thread of their own (import_thread.ts), because they take
// seconds to minutes; a command that owns the folder runs them itself, but for those of places, which take much memory.
// What a job needs is loaded with it: imports of stations do not read maps.

import type { FeatureJob as FeatureJobOf, FeatureSummary } from '../feature.ts';
import { FEATURE_GROUPS, FEATURE_TABLES, type FeatureGroup } from '../features.ts';
import type { ObservationImport, ObservationSummary } from '../transfer/import_observations.ts';
import type {
  ExtractRemovalJob,
  ImportJob,
  JobContext,
  ObservationImportJob,
  PlacesImportJob,
  SourceRemovalJob,
  StationImportJob,
} from './job.ts';

/** The jobs on each group of tables. */
export type TableJobs = {
  stations: StationImportJob | SourceRemovalJob;
  measurements: ObservationImportJob;
  places: PlacesImportJob | ExtractRemovalJob;
} & { [G in FeatureGroup]: FeatureJobOf<G> };

/** What they resolve to. The new tables are the live ones on disk then. */
export type TableSummaries = {
  stations: Result<typeof import('./change_tables.ts').changeStations>;
  measurements: ObservationSummary;
  places: Result<typeof import('./import_places.ts').importPlaces>;
} & { [G in FeatureGroup]: FeatureSummary };

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
  ...(Object.fromEntries(FEATURE_TABLES.map(tables => [tables.name, jobsOf(tables)])) as Pick<Groups, FeatureGroup>),
};

/** The jobs on tables of a feature. They run beside those on places, and one of both at a time. */
function jobsOf(tables: (typeof FEATURE_TABLES)[number]): Groups[FeatureGroup] {
  return {
    queue: 'places',
    run: async (job: FeatureJobOf<FeatureGroup>, { folder, onProgress }: TableContext) =>
      job.verb !== 'import' && job.action === 'take'
        ? (await import('./take_tables.ts')).takeTables(tables, job, folder)
        : tables.change(job, folder, onProgress),
  };
}

/** The group of each kind of import, and of each verb that takes out what an import has brought. */
const GROUP_OF: Readonly<Record<ImportJob['kind'] | 'sources', TableGroup>> = {
  cells: 'stations',
  wifi: 'stations',
  sources: 'stations',
  observations: 'measurements',
  osm: 'places',
  'osm-changes': 'places',
  importance: 'places',
  places: 'places',
  addresses: 'places',
  postcodes: 'places',
  ...(Object.fromEntries(FEATURE_GROUPS.map(name => [name, name])) as { [G in FeatureGroup]: G }),
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
