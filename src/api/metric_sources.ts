// Gathers what the main thread knows of the service for its metrics.

import type { Worker } from 'node:worker_threads';
import { AccountCounters } from '../accounts/counters.ts';
import { FIGURE } from '../cluster/node_parts.ts';
import { readCommit } from '../config/commit.ts';
import { VERSION } from '../config/version.ts';
import { Tally } from '../intake/tally.ts';
import type { AgingFiles } from '../metrics/ages.ts';
import { RequestCounts } from '../metrics/request_counts.ts';
import type { MetricSources } from '../metrics/sources.ts';
import type { QueryPool } from '../pool/query_pool.ts';
import { LogConsumer } from '../tables/requests/ring.ts';
import { StationCache } from '../tables/stations/cache.ts';
import { ContributionGate } from '../writer/contributions.ts';
import type { SharedState } from '../writer/shared_memory.ts';
import { bodyBytes } from './body_memory.ts';

/** The threads of a service, as they are when metrics are asked for. */
export interface ThreadsNow {
  writer: Worker;
  http(): readonly Worker[];
  /** HTTP threads that were replaced. */
  restarts(): number;
  /** Undefined where HTTP threads compute everything. */
  queries: QueryPool | undefined;
}

/** The sources of the metrics of a service. @param folder absolute path of the data folder */
export function metricSources(
  shared: SharedState,
  folder: string,
  { writer, http, restarts, queries }: ThreadsNow,
  files: AgingFiles,
): MetricSources {
  const cache = new StationCache(shared.cache);
  const rings = shared.logRings.map(ring => new LogConsumer(ring));
  const gate = new ContributionGate(shared.pendingContributions);
  const bodies = new Int32Array(shared.bodies);
  const figures = new Float64Array(shared.cluster);
  const accounts = new AccountCounters(shared.counters);
  return {
    version: VERSION,
    commit: readCommit,
    folder,
    files,
    requests: shared.requestCounts.map(memory => new RequestCounts(memory)),
    tally: new Tally(shared.tally),
    threads: () => [
      ...http().map((worker, n) => ({ name: `http ${n}`, worker, load: shared.threadLoads[n] })),
      { name: 'writer', worker: writer, load: shared.threadLoads.at(-1)! },
    ],
    queryWorkers: () => queries?.threads ?? [],
    depths: () => ({
      runs: queries?.waiting ?? [],
      logBytes: rings.map(ring => ring.usedBytes),
      contributionBytes: gate.pendingBytes,
      bodyBytes: bodyBytes(bodies),
    }),
    lookups: () => cache.lookups,
    strays: () => cache.guesses.count,
    guessesUsed: () => cache.guesses.usedShare(Date.now()),
    lost: () => ({
      logRecords: rings.reduce((sum, ring) => sum + ring.dropped, 0) >>> 0,
      waitedCharges: accounts.waitedCharges(),
    }),
    cluster: () =>
      figures[FIGURE.isNode] === 0
        ? undefined
        : {
            aloneSeconds: figures[FIGURE.aloneSeconds],
            isLearner: figures[FIGURE.isLearner],
            position: figures[FIGURE.position],
            behind: figures[FIGURE.behind],
          },
    restarts: () => ({ http: restarts(), query: queries?.restarts ?? 0 }),
  };
}
