// What the owner of a data folder is told at its start: settings, and who runs imports for it.

import type { RewardTerms } from '../accounts/earnings.ts';
import type { Retention } from '../config/values.ts';
import type { Config, Durability } from '../config.ts';
import type { StationSummary } from '../jobs/change_stations.ts';
import type {
  BuildingsJob,
  ExtractRemovalJob,
  FingerprintsJob,
  JobContext,
  ObservationImportJob,
  PlacesImportJob,
  SourceRemovalJob,
  StationImportJob,
} from '../jobs/job.ts';
import type { BuiltMaps } from '../learning/fingerprints/build_maps.ts';
import type { ObservationImport, ObservationSummary } from '../transfer/import_observations.ts';

/** Settings that can change while the owner runs. */
export interface OwnerLimits {
  logMegabytes: number;
  /** How long raw observations are kept while serving. */
  keepObservations: Retention;
  /** What prepaid contributors earn; undefined = as under the last service. */
  rewards?: RewardTerms | undefined;
}

/** The part of the configuration that can change while the owner runs. */
export function limitsOf({ logMegabytes, keepObservations, contributionCredits, maxContributionCredits }: Config): OwnerLimits {
  return { logMegabytes, keepObservations, rewards: { credits: contributionCredits, mostADay: maxContributionCredits } };
}

/** See `Owner`. */
export interface OwnerOptions extends OwnerLimits {
  /** Absolute path of the data folder, which this process owns. */
  folder: string;
  /** When a write counts as done. */
  sync: Durability;
  /** Reports are tested before they are learned; undefined = if they were before. */
  calibrates?: boolean | undefined;
  /** Called for failures that fail no request, such as those of the request log. */
  onError: (error: Error) => void;
  /** Called with a sentence about what the operator should look at; commands, which serve nobody, have none. */
  onWarning?: (message: string) => void;
  /** Runs an import of stations or the removal of a source, while serving in its own thread. Resolves to a summary. */
  runImport: (job: StationImportJob | SourceRemovalJob, context: JobContext) => Promise<StationSummary>;
  /** The same for measurements. `append` stores packed reports in the observation log and resolves when they are acknowledged. */
  runObservationImport: (
    job: ObservationImportJob,
    context: JobContext,
    append: ObservationImport['append'],
  ) => Promise<ObservationSummary>;
  /** The same for places and extracts. When it resolves, they are the live ones on disk. */
  runPlacesImport: (job: PlacesImportJob | ExtractRemovalJob, context: JobContext) => Promise<unknown>;
  /** The same for fingerprints. When it resolves, readers can find the maps on disk. */
  runFingerprintsJob: (job: FingerprintsJob, context: JobContext) => Promise<BuiltMaps>;
  /** The same for building models. */
  runBuildingsJob: (job: BuildingsJob, context: JobContext) => Promise<unknown>;
}
