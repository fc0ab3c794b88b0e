// The metrics of a service: their names, what they mean, and their values. Labels have few values (routes, statuses,
// reasons, rules, kinds, threads), never keys, devices or addresses of clients. Counters begin at 0 when the service
// starts, but for those of reports, which the tables keep.

import { INTAKE_RULES } from '../intake/rules.ts';
import { type Ages, readFileAges } from './ages.ts';
import { type HistogramFigures, LATENCY_SECONDS } from './request_counts.ts';
import { type ClusterFigures, type MetricSources, TableReader, WholeCount } from './sources.ts';
import { DELAY_SECONDS, readThreadLoad } from './thread_load.ts';

/** A number and its labels. */
interface Value {
  labels: Record<string, string>;
  value: number;
  /** Of a part of a histogram. */
  metricName?: string;
}

/** A metric at one moment. */
export interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  values: Value[];
}

const MICROSECONDS = 1e6;

/** Reads the metrics of a service. */
export class ServiceMetrics {
  private readonly sources: MetricSources;
  private readonly tables: TableReader;
  private readonly lookups = new WholeCount();
  private readonly misses = new WholeCount();
  private readonly lostRecords = new WholeCount();
  private readonly waitedCharges = new WholeCount();
  private readonly strays = new WholeCount();

  constructor(sources: MetricSources) {
    this.sources = sources;
    this.tables = new TableReader(sources.folder);
  }

  /** All metrics as they are now. @throws Error when a table cannot be used */
  async read(): Promise<Metric[]> {
    const { version, commit } = this.sources;
    return [
      gauge('sextant_build_info', 'Version of the service, and its commit.', [
        { labels: { version, commit: commit() ?? '' }, value: 1 },
      ]),
      ...this.ofRequests(),
      ...this.ofQueues(),
      ...this.ofIntake(),
      ...this.ofCluster(),
      ...(await this.ofThreads()),
      ...(await this.ofTables()),
    ];
  }

  private ofRequests(): Metric[] {
    const { requests, lookups, lost, strays, guessesUsed } = this.sources;
    const { all, missed } = lookups();
    const found = this.lookups.whole(all);
    const { waitedCharges } = lost();
    const answers = summed(
      requests.flatMap(counts => [...counts.answers()].map(({ count, ...labels }) => ({ labels, value: count }))),
    );
    const refusals = summed(
      requests.flatMap(counts => [...counts.refusals()].map(({ count, ...labels }) => ({ labels, value: count }))),
    );
    const latencies = requests.flatMap(counts => [...counts.latencyByRoute()]);
    const credits = requests.reduce((sum, counts) => sum + counts.credits, 0);
    return [
      counter('sextant_requests_total', 'Answers by route and status; each position of a batch counts.', answers),
      histogram(
        'sextant_request_duration_seconds',
        'Time from the arrival of a request to its reply.',
        LATENCY_SECONDS,
        [...Map.groupBy(latencies, ({ route }) => route)].map(([route, each]) => ({
          labels: { route },
          figures: added(each.map(({ figures }) => figures)),
        })),
      ),
      counter(
        'sextant_refusals_total',
        'Requests and positions of batches that were refused, by the reason in the answer.',
        refusals,
      ),
      counter('sextant_credits_spent_total', 'Credits taken from prepaid keys.', one(credits)),
      counter(
        'sextant_charges_waited_total',
        'Charges that waited for the writer.',
        one(this.waitedCharges.whole(waitedCharges)),
      ),
      counter(
        'sextant_strays_total',
        'Known access points and beacons that were sent with others of a place where they do not belong, ' +
          'each place once.',
        one(this.strays.whole(strays())),
      ),
      gauge(
        'sextant_guesses_used_ratio',
        'Share of the memory of wrong guesses that is in use; from 1 on, access points and beacons are refused.',
        one(guessesUsed()),
      ),
      counter('sextant_cache_lookups_total', 'Stations looked up in the station cache.', one(found)),
      counter(
        'sextant_cache_misses_total',
        'Lookups that the cache had no entry for, so that LMDB was asked.',
        one(this.misses.whole(missed)),
      ),
    ];
  }

  private ofQueues(): Metric[] {
    const { depths, lost, restarts, requests } = this.sources;
    const tasks = summed(
      requests.flatMap(counts => [...counts.tasks()].map(({ count, ...labels }) => ({ labels, value: count }))),
    );
    const { runs, logBytes, contributionBytes, bodyBytes } = depths();
    const byThread = (numbers: readonly number[]): Value[] =>
      numbers.map((value, n) => ({ labels: { thread: `http ${n}` }, value }));
    const { http, query } = restarts();
    return [
      gauge(
        'sextant_query_runs',
        'Runs of queries that wait for query workers or are under way, by HTTP thread.',
        byThread(runs),
      ),
      gauge(
        'sextant_tasks',
        'Searches, large bodies, submissions and parts of batches that wait or run, by lane; at most a second old.',
        tasks,
      ),
      gauge(
        'sextant_log_ring_bytes',
        'Requests that wait to be stored in the request log, by HTTP thread.',
        byThread(logBytes),
      ),
      counter(
        'sextant_log_records_lost_total',
        'Requests missing in the request log because its ring was full.',
        one(this.lostRecords.whole(lost().logRecords)),
      ),
      gauge('sextant_contribution_queue_bytes', 'Reports that wait to be stored.', one(contributionBytes)),
      gauge('sextant_body_memory_bytes', 'Memory that large bodies under way take.', one(bodyBytes)),
      counter('sextant_thread_restarts_total', 'Threads that ended unexpectedly and were replaced.', [
        { labels: { kind: 'http' }, value: http },
        { labels: { kind: 'query' }, value: query },
      ]),
    ];
  }

  private ofIntake(): Metric[] {
    const { reports, accepted, duplicates, observations, acceptedObservations, refusedByRule } =
      this.sources.tally.toJSON();
    const refused = INTAKE_RULES.map(({ name }) => ({ labels: { rule: name }, value: refusedByRule[name] ?? 0 }));
    return [
      counter('sextant_reports_received_total', 'Reports that were screened.', one(reports)),
      counter('sextant_reports_accepted_total', 'Reports that passed the rules of intake.', one(accepted)),
      counter('sextant_reports_duplicate_total', 'Accepted reports that were stored already.', one(duplicates)),
      counter(
        'sextant_observations_received_total',
        'Observations in the reports that were screened.',
        one(observations),
      ),
      counter(
        'sextant_observations_accepted_total',
        'Observations that passed the rules of intake.',
        one(acceptedObservations),
      ),
      counter('sextant_intake_refused_total', 'Reports or observations that a rule of intake refused.', refused),
    ];
  }

  /** Without a cluster they have no values. */
  private ofCluster(): Metric[] {
    const figures = this.sources.cluster();
    const figureOf = (name: keyof ClusterFigures): Value[] => (figures === undefined ? [] : one(figures[name]));
    return [
      gauge(
        'sextant_cluster_alone_seconds',
        'Time since the servers of the cluster last answered this node.',
        figureOf('aloneSeconds'),
      ),
      gauge('sextant_cluster_learner', 'Whether this node learns for the cluster: 1 or 0.', figureOf('isLearner')),
      counter(
        'sextant_cluster_position_total',
        'Batches of the stream of reports that are in the log of this node.',
        figureOf('position'),
      ),
      gauge(
        'sextant_cluster_deltas_behind',
        'Deltas of the tables that are published and that this node has not written.',
        figureOf('behind'),
      ),
    ];
  }

  private async ofThreads(): Promise<Metric[]> {
    const threads = await Promise.all(
      this.sources.threads().map(async ({ name, worker, load }) => {
        return { labels: { thread: name }, used: await processorSeconds(worker), ...readThreadLoad(load) };
      }),
    );
    return [
      counter(
        'sextant_thread_cpu_seconds_total',
        'Processor time of a thread.',
        threads.flatMap(({ labels, used }) => (used === undefined ? [] : [{ labels, value: used }])),
      ),
      histogram(
        'sextant_event_loop_delay_seconds',
        'How late a thread came to what was due, looked at ten times a second.',
        DELAY_SECONDS,
        threads.map(({ labels, delays }) => ({ labels, figures: delays })),
      ),
      counter(
        'sextant_garbage_seconds_total',
        'Time that a thread has collected garbage.',
        threads.map(({ labels, garbageSeconds }) => ({ labels, value: garbageSeconds })),
      ),
      counter(
        'sextant_garbage_collections_total',
        'Garbage collections of a thread.',
        threads.map(({ labels, garbageRuns }) => ({ labels, value: garbageRuns })),
      ),
    ];
  }

  private async ofTables(): Promise<Metric[]> {
    const { folder, byKind, accuracy, ages } = await this.tables.figures();
    const { reports, places } = folder;
    const layers = Object.entries(places).map(([layer, meta]) => ({ labels: { layer }, value: meta?.count ?? 0 }));
    const measured = (read: (figures: (typeof accuracy)[number]) => number): Value[] =>
      accuracy.map(each => ({ labels: { radio: each.radio }, value: read(each) }));
    const inside = accuracy.flatMap(each =>
      (['0.5', '0.68', '0.95'] as const).map((radius, i) => {
        return {
          labels: { radio: each.radio, radius },
          value: [each.insideShare, each.inside68Share, each.inside95Share][i],
        };
      }),
    );
    return [
      gauge(
        'sextant_stations',
        'Stations in the tables, by kind; counted at most every ten minutes.',
        labelled('kind', byKind),
      ),
      gauge('sextant_reports_kept', 'Reports in the observation log.', one(reports.kept)),
      counter('sextant_reports_stored_total', 'Reports that were ever stored.', one(reports.stored)),
      counter('sextant_reports_learned_total', 'Stored reports that took effect.', one(reports.learned)),
      gauge(
        'sextant_reports_backlog',
        'Stored reports that have not taken effect.',
        one(Math.max(0, reports.stored - reports.learned)),
      ),
      gauge('sextant_places', 'Places by layer: extracts, and the gazetteer of the world.', layers),
      gauge('sextant_keys', 'Keys that were ever made.', one(folder.keys)),
      gauge('sextant_data_bytes', 'Space that a part of the data folder takes.', labelled('part', folder.bytes)),
      gauge('sextant_disk_free_bytes', 'Space that is left on the disk of the data folder.', one(folder.freeBytes)),
      ...this.ofAges(ages),
      counter(
        'sextant_accuracy_tested_total',
        'Reports that were located before they were learned, by kind of station.',
        measured(({ tested }) => tested),
      ),
      gauge(
        'sextant_accuracy_median_metres',
        'Median error of those tests.',
        measured(({ median }) => median),
      ),
      gauge(
        'sextant_accuracy_p95_metres',
        'Error that 95 % of those tests did not exceed.',
        measured(({ p95 }) => p95),
      ),
      gauge(
        'sextant_accuracy_inside_ratio',
        'Share of the true positions of those tests inside the radius that is meant to hold this share.',
        inside,
      ),
    ];
  }

  /** Moments, in seconds since 1970, as Prometheus compares them with `time()`. */
  private ofAges({ madeMs, backupMs, keys, sources }: Ages): Metric[] {
    const { certificateEndMs: endMs, addressesBuiltMs: builtMs } = readFileAges(this.sources.files);
    const ofKind = Map.groupBy(sources, ({ kind }) => kind);
    const oldest = [...ofKind].map(([kind, [{ importedMs }]]) => ({ labels: { kind }, value: importedMs / 1000 }));
    return [
      gauge('sextant_folder_made_timestamp_seconds', 'When the data folder was made or restored.', one(madeMs / 1000)),
      gauge(
        'sextant_last_backup_timestamp_seconds',
        'When the last backup was complete; 0 before the first one.',
        one((backupMs ?? 0) / 1000),
      ),
      gauge(
        'sextant_next_key_end_timestamp_seconds',
        'When the next key ends; absent where none does.',
        keys.slice(0, 1).map(({ endMs }) => ({ labels: {}, value: endMs / 1000 })),
      ),
      gauge(
        'sextant_certificate_end_timestamp_seconds',
        'When the certificate ends; absent without HTTPS.',
        endMs === undefined ? [] : one(endMs / 1000),
      ),
      gauge(
        'sextant_geoip_built_timestamp_seconds',
        'When the database of addresses was built; absent without one.',
        builtMs === undefined ? [] : one(builtMs / 1000),
      ),
      gauge('sextant_oldest_source_timestamp_seconds', 'When the oldest source of a kind was imported.', oldest),
    ];
  }
}

/** @returns undefined where Node cannot tell, before 24.6, and when the thread has ended */
async function processorSeconds(worker: { cpuUsage?(): Promise<NodeJS.CpuUsage> }): Promise<number | undefined> {
  try {
    const used = await worker.cpuUsage?.();
    return used && (used.user + used.system) / MICROSECONDS;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_NOT_RUNNING') return undefined;
    throw error;
  }
}

const one = (value: number): Value[] => [{ labels: {}, value }];
const labelled = (label: string, numbers: Record<string, number>): Value[] =>
  Object.entries(numbers).map(([name, value]) => ({ labels: { [label]: name }, value }));
const counter = (name: string, help: string, values: Value[]): Metric => ({ name, type: 'counter', help, values });
const gauge = (name: string, help: string, values: Value[]): Metric => ({ name, type: 'gauge', help, values });

function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  each: { labels: Record<string, string>; figures: HistogramFigures }[],
): Metric {
  const values = each.flatMap(({ labels, figures: { atMost, sum } }) => [
    ...atMost.map((value, i) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: i < bounds.length ? String(bounds[i]) : '+Inf' },
      value,
    })),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: atMost.at(-1)! },
  ]);
  return { name, type: 'histogram', help, values };
}

/** Values with the same labels added up. */
function summed(values: Value[]): Value[] {
  return [...Map.groupBy(values, ({ labels }) => JSON.stringify(labels)).values()].map(same => {
    return { labels: same[0].labels, value: same.reduce((sum, { value }) => sum + value, 0) };
  });
}

function added(figures: HistogramFigures[]): HistogramFigures {
  const [first] = figures;
  const atMost = first.atMost.map((_, i) => figures.reduce((sum, each) => sum + each.atMost[i], 0));
  return { atMost, sum: figures.reduce((sum, each) => sum + each.sum, 0) };
}
