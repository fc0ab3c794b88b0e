// Starts and stops the threads of the service: one writer thread, query workers, and HTTP threads that share one port.

import { watchWaitedCharges } from '../accounts/billing.ts';
import { AccountCounters } from '../accounts/counters.ts';
import { AccountDirectory } from '../accounts/directory.ts';
import type { Answerer } from '../answer/answerer.ts';
import type { Config } from '../config.ts';
import { folderSecrets } from '../folder/secret.ts';
import type { MetricSources } from '../metrics/sources.ts';
import type { RequestRecord } from '../metrics/telemetry.ts';
import { BackgroundWorker } from '../pool/background.ts';
import { QueryPool } from '../pool/query_pool.ts';
import { RING_BYTES } from '../pool/ring.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import type { BackgroundTasks } from '../tasks/background.ts';
import { BACKGROUND_FILE, QUERY_FILE } from '../tasks/worker_files.ts';
import { shareSecrets } from '../tracking/secrets.ts';
import { WriterClient } from '../writer/messages.ts';
import {
  ACCOUNTS_VERSION,
  createSharedState,
  listening,
  type SharedState,
  tablesOpen,
} from '../writer/shared_memory.ts';
import { Readiness } from './health.ts';
import type { ThreadFiles } from './http_thread.ts';
import { metricSources } from './metric_sources.ts';
import { type Outlets, openOutlets } from './outlets.ts';
import { HttpThreads, type OperatorLog, WriterThread } from './serving_threads.ts';

/** The threads of a running service. */
export interface ServingThreads {
  /** Address that clients use. */
  url: string;
  /** Address of the metrics, if they are asked for. */
  metricsUrl: string | undefined;
  /** The demo key of a new data folder, to be shown once. */
  demoKey: string | undefined;
  /** Has all threads use files that were read again: a certificate, for new connections, or a database of addresses. */
  useFiles(files: ServiceFiles): void;
  /**
   * Has all threads take over the settings that can change. @throws Error when the anonymous key cannot be used; then
   * nothing has changed
   */
  useSettings(config: Config): Promise<void>;
  /** Says that all that is to listen does, so that the service may be called ready. */
  allListen(): void;
  /** What keeps the service from doing its work. */
  readiness: Readiness;
  /** What figures of the service are taken from. */
  metricSources: MetricSources;
  /** Opens an answerer for this thread, which the caller closes. @throws Error when a table cannot be used */
  openAnswerer(): Promise<Answerer>;
  /** Starts a worker beside the others for what the caller has drawn or read through, who closes it. */
  startBackground(): BackgroundWorker<BackgroundTasks>;
  /** Stops accepting, answers what is in flight, flushes and closes. */
  stop(): Promise<void>;
  /** Rejects when the service cannot continue. */
  failed: Promise<never>;
}

/** What the service has of files of the operator. */
export interface ServiceFiles {
  /** A certificate and its key, PEM. */
  certificate?: { cert: Buffer; key: Buffer } | undefined;
  /** The database of `--geoip`, in memory that can be shared. */
  addresses?: Uint8Array | undefined;
}

/** Tasks that wait for the background worker. A browser has six requests under way to one host. */
const BACKGROUND_TASKS_MAX = 32;

/**
 * Starts the threads.
 * @param folder data folder that this process owns
 * @throws Error when a table or the port cannot be used
 */
export async function startThreads(
  config: Config,
  folder: { path: string; isNew: boolean },
  files: ServiceFiles,
  log: OperatorLog,
): Promise<ServingThreads> {
  const shared = createSharedState(config.cacheMegabytes, config.httpThreads);
  shareSecrets(shared.secrets, folderSecrets(folder.path, Date.now()));
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // It may fail before anybody waits for it.
  failed.catch(() => {});

  const writer = new WriterThread(config, folder, shared, log, fail);
  const queries = queryPool(config, folder.path, shared, log);
  let outlets: Outlets | undefined;
  const threadLog = { ...log, spans: (records: readonly RequestRecord[]) => outlets?.spans(records) };
  const around = { folder: folder.path, shared, writer, queries, log: threadLog, fail };
  const threads = new HttpThreads(config, ofThread(files), around);
  const sources = metricSources(shared, folder.path, threads.measured(), config);
  const stopThreads = async (): Promise<void> => {
    await threads.stop();
    await outlets?.close();
    await queries?.close();
    await writer.stop();
  };
  let port: number;
  let demoKey: string | undefined;
  const tables = tablesOpen(shared);
  try {
    // The first HTTP thread loads its modules meanwhile.
    const opened = writer.started.then(async key => {
      await requireAnonymousKey(config.anonymousKey, folder.path, shared);
      tables.tell(true);
      return key;
    });
    [demoKey, port] = await Promise.all([opened, threads.start(0, config.port)]);
    await Promise.all(Array.from({ length: config.httpThreads - 1 }, (_, i) => threads.start(i + 1, port)));
    queries?.start();
    outlets = await openOutlets(config, sources, message => log.error(message));
  } catch (error) {
    // What runs already would keep the process alive.
    tables.tell(false);
    await stopThreads();
    throw error;
  }
  const client = new WriterClient(writer.connect());
  const readiness = new Readiness({ folder: folder.path, writer: client, listens: listening(shared).all });
  const endWatch = watchWaitedCharges(new AccountCounters(shared.counters), message => log.debug(message));
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `${files.certificate === undefined ? 'http' : 'https'}://${host}:${port}`,
    metricsUrl: outlets.metricsUrl,
    demoKey,
    failed,
    useFiles: replaced => threads.useFiles(ofThread(replaced)),
    async useSettings(next) {
      await requireAnonymousKey(next.anonymousKey, folder.path, shared);
      writer.useLimits(next);
      threads.useSettings(next);
    },
    allListen: listening(shared).begin,
    readiness,
    metricSources: sources,
    // Loaded on demand: this thread mostly answers nothing.
    openAnswerer: async () => (await import('../answer/answerer.ts')).Answerer.open({ ...shared, folder: folder.path }),
    startBackground: () => startBackground(folder.path, shared, log),
    async stop() {
      client.close();
      await stopThreads();
      endWatch();
    },
  };
}

/** What is there of the files, as HTTP threads take it. */
function ofThread({ certificate, addresses }: ServiceFiles): ThreadFiles {
  const tls = certificate && { cert: certificate.cert.toString(), key: certificate.key.toString() };
  return { ...(tls && { tls }), ...(addresses && { addresses }) };
}

/** Settings that nobody should have without a key. */
const NOT_FOR_ALL = [
  ['trail', 'one that may ask for trails'],
  ['explain', 'one whose answers may be explained'],
  ['cells', 'one that may list cells'],
] as const;

/** @throws Error when the key of requests without one cannot be used */
async function requireAnonymousKey(key: string | undefined, folder: string, shared: SharedState): Promise<void> {
  if (key === undefined) return;
  const accounts = new AccountTable(folder, { readOnly: true });
  const found = new AccountDirectory(accounts, new Int32Array(shared.control), ACCOUNTS_VERSION).find(
    key,
    false,
    Date.now(),
  );
  await accounts.close();
  const known = typeof found === 'string' ? found : NOT_FOR_ALL.find(([setting]) => found[setting] === true)?.[1];
  if (known === undefined) return;
  const fault = found === 'loopbackOnly' ? 'the demo key, which is for this machine only' : known;
  throw new Error(`The key of --anonymous-key is ${fault}; name another, or make one with: sextant keys create`);
}

/** The workers that answer the queries of all HTTP threads, not started yet; none if those compute everything. */
function queryPool(
  { compute, workers, httpThreads }: Config,
  folder: string,
  { cache, revision, layers }: SharedState,
  log: OperatorLog,
): QueryPool | undefined {
  if (compute === 'inline') return undefined;
  const onError = (message: string): void => log.error(message);
  return new QueryPool({
    workerFile: QUERY_FILE,
    workers,
    httpThreads,
    ringBytes: RING_BYTES,
    folder,
    cache,
    revision,
    layers,
    onError,
  });
}

function startBackground(
  folder: string,
  { cache, revision, layers }: SharedState,
  log: OperatorLog,
): BackgroundWorker<BackgroundTasks> {
  const onError = (message: string): void => log.error(message);
  return new BackgroundWorker(
    { workerFile: BACKGROUND_FILE, folder, cache, revision, layers, onError },
    BACKGROUND_TASKS_MAX,
  );
}
