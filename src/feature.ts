// What a feature is to the rest of the program: what of it each part goes through. The parts know this form and the
// list of features (features.ts), and no feature by its name. So what a feature has stands in one file, its own
// `feature.ts`, which loads each part only where it is used.

import type { Command } from 'commander';
import type { Durability } from './config.ts';
import type { PositionRecorder } from './positioning/estimates/recorder.ts';
import type { IndoorEstimate } from './positioning/strategies.ts';
import type { KnownScan } from './positioning/transmitters/selection.ts';
import type { Check } from './tables/environment/check_walk.ts';
import type { NamedTables } from './tables/environment/named_tables.ts';

/** A feature. @typeParam Group names of its groups of tables */
export interface Feature<Group extends string = string> {
  /** In the order in which they are checked and copied. */
  tables: readonly FeatureTables<Group>[];
  /** Their kinds are the names of tables. */
  imports: readonly ImportKind<Group>[];
  /** What its jobs do in each phase of their progress. */
  phases: Readonly<Record<string, PhaseWords>>;
  /** Verbs of the command line, as in `COMMANDS` of cli.ts. */
  commands: readonly (readonly [verbs: string, load: () => Promise<(program: Command) => void>])[];
  /** Its part in answers, in each thread that answers. */
  loadAnswers(): Promise<new (folder: string, revision: SharedArrayBuffer) => AnswerPart>;
  /** Its routes of the admin interface, a group of `api/admin/operation.ts`. */
  loadRoutes(): Promise<object>;
  /** Outlines of what an answer names, as api/explain/surroundings.ts shows them. @throws Error when a table fails */
  outlines(folder: string, response: object): Promise<readonly object[]>;
  /** What runs its jobs in the thread that owns a data folder. */
  loadJobs(): Promise<new (parts: FeatureJobsParts<Group>) => FeatureJobs<Group>>;
}

/**
 * A group of tables: an environment in a folder of its name. Jobs on it bear the name too. They come by imports, and
 * all nodes of a cluster have the same.
 */
export interface FeatureTables<Group extends string = string> {
  name: Group;
  /**
   * Beside imports, reports are learned into them. So what is forgotten of reports goes from here too, and nothing of
   * it may come back.
   */
  isLearned?: true;
  /** Undefined where nothing ever came into them. @throws Error when they cannot be used */
  open(folder: string): Promise<NamedTables<string> | undefined>;
  /** @throws Error when they cannot be used */
  openOrCreate(folder: string): Promise<NamedTables<string>>;
  /** Checks each record. */
  check(tables: NamedTables<string>, check: Check): Promise<void>;
  /** Runs a job, in any thread or process. @throws Error when it fails */
  change(
    job: FeatureJob<Group>,
    folder: string,
    onProgress: (progress: FeatureProgress) => void,
  ): Promise<FeatureSummary>;
  /** What imports have brought. @throws Error when the tables cannot be used */
  list(folder: string): Promise<{ name: string; importedAt: string; rows: number }[]>;
  /** Where imports are sources among others; otherwise the feature has verbs of its own for them. */
  sources?: FeatureSources;
  /** What a data folder holds of them, for the status. */
  figures?: {
    read(folder: string): Promise<object>;
    /** Undefined where there is nothing to say. */
    describe(figures: object): Promise<string | undefined>;
  };
}

/** Imports as sources. */
interface FeatureSources {
  /** What they hold. */
  unit: string;
  /** What to say of a removal; undefined for that of another source. */
  describeRemoval(summary: object): Promise<string | undefined>;
}

/** A job on a group of tables: `kind` of an import, or else `verb`, is their name. It is plain data. */
export type FeatureJob<Group extends string = string> =
  | { verb: 'import'; kind: Group; files: string[]; source?: string; replace?: true }
  /** Takes out what an import of this name has brought. */
  | { verb: Group; action: 'remove'; name: string }
  /**
   * Makes the tables those of the other nodes of a cluster: of pieces (tables/environment/table_pieces.ts) with these
   * hashes. Those that are not in the tables are files in `from`, named by their hashes. For the owner itself.
   */
  | { verb: Group; action: 'take'; hashes: string[]; from: string }
  /** Learns from the reports in the log that have come since. */
  | { verb: Group; action: 'learn' }
  /**
   * Takes out what an account, devices or reports have brought, and stations by their names. Then learns. For the owner
   * itself.
   */
  | ({ verb: Group; action: 'forget' } & Forgettable);

/** A function that is loaded when it is called. @param load imports its file */
export function late<Arguments extends unknown[], Result>(
  load: () => Promise<(...given: Arguments) => Result | Promise<Result>>,
): (...given: Arguments) => Promise<Result> {
  return async (...given) => (await load())(...given);
}

/** What is to be forgotten of learned tables. */
export interface Forgettable {
  contributor?: number;
  tracks?: number[];
  identities?: string[];
  stations?: string[];
}

/** How far a job has come, as `Progress` of jobs. */
export interface FeatureProgress {
  phase: string;
  rows: number;
  bytesDone: number;
  bytesTotal: number;
}

/** How a phase is shown. */
export interface PhaseWords {
  /** What is done. */
  label: string;
  /** What is counted. */
  thing: string;
  /** It tells that it begins, so that the job can be ended there: that is no news in a log. */
  isSilentAtStart?: true;
}

/** What a job has done: plain data. */
export type FeatureSummary = object | undefined;

/** A kind of import, as a command. */
export interface ImportKind<Kind extends string = string> {
  kind: Kind;
  description: string;
  /** What its files are; a kind without takes none. */
  files?: string;
  /** The same of a kind that also works without; what is in them is imported as `osm`. */
  optionalFiles?: string;
  /** Why none of them can be standard input; undefined = one can. */
  noStdin?: string;
  formats?: readonly string[];
  /** What a source is, and what becomes of an earlier import under its name. */
  source?: string;
  /** The command names the source after the files; otherwise the import does. */
  isNamedHere?: true;
  /** An import may remove what an earlier one has brought. */
  replaces?: true;
  /** Its files are tables of addresses, of which more may be said. */
  isAddresses?: true;
  /** What `--force` allows. */
  forces?: string;
  examples: readonly string[];
  show(summary: unknown): string | Promise<string>;
}

/** What a source is where its import replaces that before. */
export const REPLACED_SOURCE =
  'name of this source; what was imported under it before is replaced (default: that of the files)';

/** Where a feature has a device, before anything else is asked. */
export interface PartFix {
  estimate: IndoorEstimate;
}

/** The part of a feature in the answers of one thread. A batch of answers ends with `release`. */
export interface AnswerPart {
  /** Where the device of a scan is; undefined where the feature does not know. @throws Error when its tables fail */
  locate(scan: KnownScan, recorder: PositionRecorder | undefined): PartFix | undefined;
  /**
   * What is known of the inside at a position, in the words of the interface; undefined where nothing is.
   * @param shareWithin the share of the position within a radius in metres
   * @param fix that of this part, if the position rests on it
   * @throws Error when its tables fail
   */
  describe(
    latitude: number,
    longitude: number,
    shareWithin: (metres: number) => number,
    fix: PartFix | undefined,
  ): object | undefined;
  /** Ends the read transactions. */
  release(): void;
  close(): Promise<void>;
}

/** What jobs of a feature are given. */
export interface FeatureJobsParts<Group extends string = string> {
  /** Absolute path of the data folder. */
  folder: string;
  sync: Durability;
  onError(error: Error): void;
  /** Runs a job on a group, in a thread of its own while serving. @throws Error when it fails */
  runTableJob(group: Group, job: FeatureJob<Group>, context: FeatureContext): Promise<FeatureSummary>;
  /** Says to all threads that tables of features have changed (tables/environment/revision.ts). */
  revision: SharedArrayBuffer;
}

/** As `JobContext` of jobs. */
interface FeatureContext {
  folder: string;
  sync: Durability;
  onProgress(progress: FeatureProgress): void;
}

/** The jobs of a feature, in the thread that owns the folder. */
export interface FeatureJobs<Group extends string = string> {
  /** Begins to serve: lets all threads find what is there, and does what was left to be done. */
  start(): void;
  /** Learns soon what has come. */
  wake(): void;
  /** Learns all that has come, unless another node does. @throws Error when it fails */
  learn(onProgress: FeatureContext['onProgress']): Promise<unknown>;
  /** Runs a job after those before it. @throws Error when it fails */
  run(group: Group, job: FeatureJob<Group>, context: FeatureContext): Promise<FeatureSummary>;
  /** Does other work while no job runs: the log must not be written anew while it is read. @throws Error of the work */
  pausedDuring<T>(work: () => Promise<T>): Promise<T>;
  /** Of a node of a cluster: runs what learns a group where this node learns for all. */
  shared: { learn<T>(group: Group, work: () => Promise<T>): Promise<T | undefined> } | undefined;
  /** Waits for the job under way; no other begins. */
  close(): Promise<void>;
}
