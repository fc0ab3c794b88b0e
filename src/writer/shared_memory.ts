// The memory that all threads of a serving process share. The main thread makes it once.

import { allocateCounters } from '../accounts/counters.ts';
import { FIGURES_BYTES } from '../cluster/node_parts.ts';
import type { CacheMemory } from '../core/cache_memory.ts';
import { TALLY_BYTES } from '../intake/tally.ts';
import { createRequestCounts } from '../metrics/request_counts.ts';
import { createThreadLoad } from '../metrics/thread_load.ts';
import { createRevision } from '../tables/environment/revision.ts';
import { createLayerShare, type LayerShareState } from '../tables/places/layer_share.ts';
import { createLogRing } from '../tables/requests/ring.ts';
import { createCacheMemory } from '../tables/stations/cache.ts';
import { createSecretMemory } from '../tracking/secrets.ts';
import { createContributionMemory } from './contributions.ts';

/** Index in `control` of the word that changes when accounts do. */
export const ACCOUNTS_VERSION = 0;
/** Index in `control` of the word that is 1 once all addresses of the service listen. */
const ALL_LISTEN = 1;
const TABLES = 2;
const CONTROL_WORDS = 16;
const TABLES_OPEN = 1;
const TABLES_STAY_CLOSED = 2;
const LOG_RING_BYTES = 8 * 1_048_576;

/** Given to every thread. */
export interface SharedState {
  /** Station cache. */
  cache: CacheMemory;
  /** Credits and rate limits by account. */
  counters: SharedArrayBuffer;
  /** Int32 words. */
  control: SharedArrayBuffer;
  /** One ring for each HTTP thread, with entries for the request log. */
  logRings: SharedArrayBuffer[];
  /** Counts contributions on their way (`ContributionGate`). */
  pendingContributions: SharedArrayBuffer;
  /** Counts accepted contributions, and refused ones by reason (`Tally`). */
  tally: SharedArrayBuffer;
  /** Leads threads to the layers of places (`LayerShareView`). */
  layers: LayerShareState;
  /** Says when tables of features have changed. */
  revision: SharedArrayBuffer;
  /** What seals state tokens (`SecretsView`). */
  secrets: SharedArrayBuffer;
  /** Memory that bodies of requests take, an Int32 for each HTTP thread (`BodyMemory`). */
  bodies: SharedArrayBuffer;
  /** What each HTTP thread counts of its requests (`RequestCounts`). */
  requestCounts: SharedArrayBuffer[];
  /** What a node of a cluster shows of itself (`FIGURE`). */
  cluster: SharedArrayBuffer;
  /** How busy each HTTP thread and, last, the writer thread is, where that is measured. */
  threadLoads: SharedArrayBuffer[];
}

/** Whether all addresses of the service listen, and how all threads are told that they do. */
export function listening({ control }: SharedState): { all(): boolean; begin(): void } {
  const words = new Int32Array(control);
  return {
    all: () => Atomics.load(words, ALL_LISTEN) === 1,
    begin: () => void Atomics.store(words, ALL_LISTEN, 1),
  };
}

/** Whether the tables are open, for threads that are loaded meanwhile. */
export function tablesOpen({ control }: SharedState): { wait(): boolean; tell(areOpen: boolean): void } {
  const words = new Int32Array(control);
  return {
    // False where the service does not start.
    wait: () => {
      Atomics.wait(words, TABLES, 0);
      return Atomics.load(words, TABLES) === TABLES_OPEN;
    },
    tell: areOpen => {
      Atomics.store(words, TABLES, areOpen ? TABLES_OPEN : TABLES_STAY_CLOSED);
      Atomics.notify(words, TABLES);
    },
  };
}

/** @param httpThreads 0 in commands that serve nobody */
export function createSharedState(cacheMegabytes: number, httpThreads: number): SharedState {
  return {
    cache: createCacheMemory(cacheMegabytes),
    counters: allocateCounters(),
    control: new SharedArrayBuffer(CONTROL_WORDS * 4),
    logRings: Array.from({ length: httpThreads }, () => createLogRing(LOG_RING_BYTES)),
    pendingContributions: createContributionMemory(),
    tally: new SharedArrayBuffer(TALLY_BYTES),
    layers: createLayerShare(),
    revision: createRevision(),
    secrets: createSecretMemory(),
    bodies: new SharedArrayBuffer(httpThreads * Int32Array.BYTES_PER_ELEMENT),
    cluster: new SharedArrayBuffer(FIGURES_BYTES),
    requestCounts: Array.from({ length: httpThreads }, createRequestCounts),
    threadLoads: Array.from({ length: httpThreads + 1 }, createThreadLoad),
  };
}
