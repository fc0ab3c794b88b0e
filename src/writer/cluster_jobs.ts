// The owner of a data folder as a node of a cluster: what the node is given of it, and which jobs change tables that
// all nodes have. Without a cluster none of this runs.

import type { AccountWriter } from '../accounts/account_writer.ts';
import type { ClusterNode } from '../cluster/node.ts';
import type { Change } from '../cluster/shared_groups.ts';
import { featureTables } from '../features.ts';
import { readOptedOut, stationsOf } from '../folder/opted_out.ts';
import type { Adopted, Job, JobContext, Left } from '../jobs/job.ts';
import { removalOf } from '../jobs/sources.ts';
import { askOwner } from '../jobs/submit_job.ts';
import { groupedJob, type TableJob } from '../jobs/table_jobs.ts';
import type { Aggregator } from '../learning/aggregator.ts';
import type { AccountTable } from '../tables/accounts/accounts.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';
import type { StationWriter } from '../tables/stations/writer.ts';
import type { CommitBoundary } from './commit_boundary.ts';
import type { ContributionWriter } from './contributions.ts';
import type { FeatureRunner } from './feature_runner.ts';
import { forgetRequests } from './forgetting.ts';
import type { GuessLog } from './guess_log.ts';
import type { LivePlaces, LiveSecrets } from './live_parts.ts';
import type { LogDrain } from './log_drain.ts';
import type { OwnerOptions } from './owner_options.ts';
import type { SharedState } from './shared_memory.ts';

/** What of the owner a node uses. */
export interface OwnerParts {
  options: OwnerOptions;
  accounts: AccountTable;
  accountWriter: AccountWriter;
  secrets: LiveSecrets;
  log: RequestLog;
  logDrain: LogDrain;
  stations: StationWriter;
  observations: ObservationLog;
  aggregator: Aggregator;
  contributions: ContributionWriter;
  features: FeatureRunner;
  places: LivePlaces;
  boundary: CommitBoundary;
  guesses: GuessLog;
  /** Memory of the process that serves. */
  serving: SharedState;
}

/**
 * Joins the cluster of the options: from here on reports go there first. Without one, a folder leaves that to which it
 * belonged. @throws Error for the operator
 */
export async function joinCluster(parts: OwnerParts): Promise<ClusterNode | undefined> {
  const { accounts, accountWriter, secrets, stations, observations, aggregator, contributions, boundary } = parts;
  const { log, logDrain, features, places, guesses } = parts;
  const { folder, sync, onError, onWarning = () => {}, joinCluster: start } = parts.options;
  if (start === undefined) {
    await leaveCluster(stations, observations);
    return undefined;
  }
  const node = await start({
    folder,
    accounts: {
      table: accounts,
      onNodes: nodes => accountWriter.counters.divideAmong(nodes),
      onChanged: (account, before, isSet) => void accountWriter.adopt(account, before, isSet),
    },
    secrets,
    rates: accountWriter,
    guesses,
    requests: {
      ids: log.blocks,
      find: id => logDrain.find(id),
      forget: async jobs => {
        await logDrain.drainAll();
        return forgetRequests(log, jobs);
      },
    },
    jobs: {
      run: async (job, onProgress, cancelled) => {
        // What another node may ask for: nothing that reads or writes its paths here, nor a key or a secret.
        if (changeOf(job) === undefined) throw new Error(`The job ${job.verb} is not one for the learner.`);
        return askOwner(folder, job, onProgress, cancelled, true);
      },
    },
    stations,
    observations,
    aggregator,
    store: ({ reports, source, receivedMs, streamed }) =>
      boundary.pass(async () => {
        const number = source === undefined ? undefined : await observations.sources.begin(source, receivedMs);
        return contributions.store(0, reports, { source: number, receivedMs, streamed });
      }),
    holdLog: work => boundary.hold(work),
    readOptedOut: () => {
      observations.optedOut = stationsOf(readOptedOut(folder));
    },
    shared: {
      take: job => features.run(job.verb, job, { folder, sync, onProgress: () => {} }),
      adoptPlaces: () => places.adopt('osm'),
      learn: () => features.wake(),
    },
    figures: new Float64Array(parts.serving.cluster),
    onWarning,
    onError,
  });
  contributions.stream = (reports, source) => node.send(reports, source);
  features.share(node.shared);
  return node;
}

/** Takes a folder out of the cluster to which it belonged. A service without a cluster goes on with it alone. */
async function leaveCluster(stations: StationWriter, observations: ObservationLog): Promise<void> {
  if (!isOfCluster({ stations, observations })) return;
  await stations.note(knowledge => knowledge.setClusterMark(undefined));
  await observations.setPosition(undefined);
}

/** True for the folder of a node of a cluster, until a service runs in it without one. */
export function isOfCluster({ stations, observations }: Pick<OwnerParts, 'stations' | 'observations'>): boolean {
  return stations.knowledge.clusterMark !== undefined || observations.position !== undefined;
}

/**
 * Takes a running node out of its cluster: it gives back what it holds, and its folder is that of a machine alone. Or
 * lets the cluster go on from it.
 * @throws Error when no node runs, or it does not reach its cluster; then nothing has changed
 */
export async function clusterJob(
  {
    node,
    accountWriter,
    boundary,
    stations,
    observations,
  }: Pick<OwnerParts, 'accountWriter' | 'boundary' | 'stations' | 'observations'> & {
    node: ClusterNode | undefined;
  },
  action: 'leave' | 'adopt',
): Promise<Left | Adopted> {
  if (node === undefined)
    throw new Error(
      'No node of a cluster runs in this data folder. Start it without --cluster, and it goes on alone from where it ' +
        'stopped.',
    );
  if (action === 'adopt') return node.adopt();
  const giveBack = (detach: () => void) =>
    boundary.hold(async () => {
      await accountWriter.returnAll();
      detach();
    });
  const others = await node.leave(giveBack);
  await leaveCluster(stations, observations);
  return { others };
}

/**
 * Runs a job; where it changes tables of all nodes, at the learner. @throws Error when it fails, or a job that was
 * passed on to this node finds that it does not learn any more, or it writes to the folder of a node that does not run
 */
export async function runInCluster(
  {
    node,
    stations,
    observations,
    options,
    checkStop,
  }: Pick<OwnerParts, 'stations' | 'observations' | 'options'> & {
    node: ClusterNode | undefined;
    checkStop: () => void;
  },
  job: Job,
  context: JobContext,
  run: () => Promise<unknown>,
): Promise<unknown> {
  if (node === undefined && job.verb === 'aggregate' && job.action === 'checkpoint') await markAhead(stations);
  else if (node === undefined && !isQuestion(job) && isOfCluster({ stations, observations }))
    throw new Error(
      `The data folder ${options.folder} is that of a node of a cluster, which does not run: what changes here alone ` +
        'is undone when the node is back. Start the node and try again. Keys, tenants, secret and forget do without ' +
        'it, by --cluster with the addresses of the servers. A folder that is to go on without its cluster needs one ' +
        'start of the service without --cluster.',
    );
  // Only the tables tell of what kind a source is.
  const change = changeOf(job.verb === 'sources' ? await removalOf(options.folder, job.name) : job);
  if (node === undefined || change === undefined) return run();
  if (node.isLearner || context.isPassed) return node.change(run, change);
  // The learner may have a job that waits for this node, or be this node, once it learns again.
  context.leaveTurn?.();
  return node.commons.jobs.pass(() => node.learnerNow, job, context, checkStop);
}

/** A checkpoint is no change, but what is learned beside it here is not what the others have. */
async function markAhead(stations: StationWriter): Promise<void> {
  const mark = stations.knowledge.clusterMark;
  if (mark !== undefined) await stations.note(knowledge => knowledge.setClusterMark({ ...mark, isAhead: true }));
}

/** True for a job that writes nothing into the tables. */
function isQuestion(job: Job): boolean {
  const isReadOnly = ['usage', 'backup', 'status', 'log', 'cluster'].includes(job.verb);
  return isReadOnly || ('action' in job && ['list', 'show'].includes(job.action));
}

function changeOf(job: Job): Change | undefined {
  switch (job.verb) {
    case 'import':
      // The gazetteer belongs to the program, not to the data folder.
      return job.kind === 'places' ? undefined : changeByGroup(job, 'tables', false);
    case 'sources':
      return changeByGroup(job, 'forgotten', true);
    case 'forget':
      return 'forgotten';
    case 'aggregate':
      return job.action === 'rebuild' ? 'tables' : 'rows';
    case 'demo-remove':
      return 'rows';
    default: {
      const tables = featureTables(job.verb);
      return tables && { group: tables.name, isForgetting: tables.isLearned === true };
    }
  }
}

function changeByGroup(job: TableJob, stations: 'tables' | 'forgotten', isForgetting: boolean): Change | undefined {
  const { group } = groupedJob(job);
  if (group === 'measurements') return undefined;
  return group === 'stations' ? stations : { group, isForgetting };
}
