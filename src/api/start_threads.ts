// Starts and stops the threads of the service: one writer thread, query workers, and HTTP threads that share one port.
// An HTTP thread that dies is replaced. If the writer dies, the service ends, because no write can be acknowledged
// without it.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { watchWaitedCharges } from '../accounts/billing.ts';
import { AccountCounters } from '../accounts/counters.ts';
import { AccountDirectory } from '../accounts/directory.ts';
import type { Answerer } from '../answer/answerer.ts';
import type { Config } from '../config.ts';
import { folderSecrets } from '../folder/secret.ts';
import type { MetricSources } from '../metrics/sources.ts';
import { BackgroundWorker } from '../pool/background.ts';
import { QueryPool } from '../pool/query_pool.ts';
import { RING_BYTES } from '../pool/ring.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import type { BackgroundTasks } from '../tasks/background.ts';
import { BACKGROUND_FILE, QUERY_FILE } from '../tasks/worker_files.ts';
import { shareSecrets } from '../tracking/secrets.ts';
import { WriterClient } from '../writer/messages.ts';
import { limitsOf, nodeOf } from '../writer/owner_options.ts';
import { ACCOUNTS_VERSION, createSharedState, listening, type SharedState } from '../writer/shared_memory.ts';
import type { WriterNews, WriterOrder, WriterSetup } from '../writer/thread.ts';
import { Readiness } from './health.ts';
import type { HttpNews, HttpOrder, HttpSetup, ThreadFiles } from './http_thread.ts';
import { metricSources, type ThreadsNow } from './metric_sources.ts';

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

/** Where messages for the operator go. */
interface OperatorLog {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  /** Lines of the access log. */
  access(lines: string): void;
}

/** A thread that has not stopped after this long is terminated. */
const STOP_MILLISECONDS = 20_000;
/** Tasks that wait for the background worker. A browser has six requests under way to one host. */
const BACKGROUND_TASKS_MAX = 32;
/** When more HTTP threads than this die in a minute, the service ends. */
const REPLACEMENTS_A_MINUTE = 5;

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
  const demoKey = await writer.started;
  const queries = startQueryWorkers(config, folder.path, shared, log);
  const around = { folder: folder.path, shared, writer, queries, log, fail };
  const threads = new HttpThreads(config, ofThread(files), around);
  const sources = metricSources(shared, folder.path, threads.measured(), config);
  let metrics: { url: string; close(): void } | undefined;
  const stopThreads = async (): Promise<void> => {
    metrics?.close();
    await threads.stop();
    await queries?.close();
    await writer.stop();
  };
  let port: number;
  try {
    await requireAnonymousKey(config.anonymousKey, folder.path, shared);
    port = await threads.start(0, config.port);
    await Promise.all(Array.from({ length: config.httpThreads - 1 }, (_, i) => threads.start(i + 1, port)));
    if (config.metrics !== undefined) {
      // Loaded only where it is wanted: its library takes memory and time of the start.
      const { serveMetrics } = await import('../metrics/metrics_server.ts');
      metrics = await serveMetrics(config.metrics, sources, message => log.error(message));
    }
  } catch (error) {
    // What runs already would keep the process alive.
    await stopThreads();
    throw error;
  }
  const client = new WriterClient(writer.connect());
  const readiness = new Readiness({ folder: folder.path, writer: client, listens: listening(shared).all });
  const endWatch = watchWaitedCharges(new AccountCounters(shared.counters), message => log.debug(message));
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `${files.certificate === undefined ? 'http' : 'https'}://${host}:${port}`,
    metricsUrl: metrics?.url,
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
    startBackground: () => {
      const { cache, revision, layers } = shared;
      const onError = (message: string): void => log.error(message);
      const options = { workerFile: BACKGROUND_FILE, folder: folder.path, cache, revision, layers, onError };
      return new BackgroundWorker(options, BACKGROUND_TASKS_MAX);
    },
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

/** The workers that answer the queries of all HTTP threads, unless those compute everything themselves. */
function startQueryWorkers(
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

/** Workers for the tasks of one HTTP thread. Over all threads they add up to the setting. */
function workersOf(config: Config, index: number): number {
  const { workers, httpThreads } = config;
  return Math.floor(workers / httpThreads) + (index < workers % httpThreads ? 1 : 0);
}

class WriterThread {
  readonly started: Promise<string | undefined>;
  readonly worker: Worker;
  private readonly closed: Promise<void>;

  constructor(
    config: Config,
    folder: { path: string; isNew: boolean },
    shared: SharedState,
    log: OperatorLog,
    fail: (error: Error) => void,
  ) {
    const workerData: WriterSetup = {
      folder: folder.path,
      sync: config.sync,
      ...limitsOf(config),
      calibrates: config.calibrate === 'on',
      files: { tlsCertificateFile: config.tlsCertificateFile, geoipFile: config.geoipFile },
      shared,
      isNew: folder.isNew,
      isSmall: config.small,
      measuresLoad: config.metrics !== undefined,
      cluster: nodeOf(config),
    };
    this.worker = new Worker(new URL('../writer/thread.ts', import.meta.url), { name: 'writer', workerData });
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    this.closed = closed;
    this.started = new Promise((resolve, reject) => {
      this.worker.on('message', (news: WriterNews) => {
        if ('ready' in news) resolve(news.demoKey);
        else if ('error' in news) log.error(news.error);
        else if ('warning' in news) log.warn(news.warning);
        else close();
      });
      this.worker.on('error', error => {
        reject(error);
        fail(new Error(`The writer thread ended: ${(error as Error).message}`));
      });
      this.worker.on('exit', () => {
        close();
        fail(new Error('The writer thread ended.'));
      });
    });
  }

  /** A port for a new HTTP thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.worker.postMessage(port1 satisfies WriterOrder, [port1]);
    return port2;
  }

  useLimits(config: Config): void {
    this.worker.postMessage({ limits: limitsOf(config) } satisfies WriterOrder);
  }

  async stop(): Promise<void> {
    this.worker.postMessage('stop' satisfies WriterOrder);
    const limit = setTimeout(() => void this.worker.terminate(), STOP_MILLISECONDS);
    await this.closed;
    clearTimeout(limit);
  }
}

/** What all HTTP threads share. */
interface Surroundings {
  folder: string;
  shared: SharedState;
  writer: WriterThread;
  queries: QueryPool | undefined;
  log: OperatorLog;
  /** Ends the service. */
  fail: (error: Error) => void;
}

/** The HTTP threads. One that ends is replaced by another on the same port. */
class HttpThreads {
  /** How many threads were replaced, in all and within the last minute. */
  private restarts = 0;
  private replacements = 0;
  private readonly threads: HttpThread[] = [];
  private readonly around: Surroundings;
  private config: Config;
  private files: ThreadFiles;
  private isStopping = false;
  private readonly forget: NodeJS.Timeout;

  constructor(config: Config, files: ThreadFiles, around: Surroundings) {
    this.config = config;
    this.files = files;
    this.around = around;
    this.forget = setInterval(() => {
      this.replacements = 0;
    }, 60_000).unref();
  }

  /** Starts thread `index`. @param port 0 for any free one @returns the port on which it listens */
  async start(index: number, port: number): Promise<number> {
    const { folder, shared, writer, queries, log, fail } = this.around;
    const { config, files } = this;
    const workers = workersOf(config, index);
    const setup = { config, index, port, files, workers, queries: queries?.channel(index), folder, shared };
    const thread = new HttpThread(setup, writer.connect(), log);
    this.threads[index] = thread;
    const bound = await thread.started;
    void thread.ended.then(() => this.replace(index, bound)).catch(fail);
    return bound;
  }

  private async replace(index: number, port: number): Promise<void> {
    if (this.isStopping) return;
    this.replacements++;
    this.restarts++;
    if (this.replacements > REPLACEMENTS_A_MINUTE) throw new Error('HTTP threads keep ending; see the errors above.');
    await this.around.queries?.withdraw(index);
    if (!this.isStopping) await this.start(index, port);
  }

  /** What metrics are taken from. */
  measured(): ThreadsNow {
    const { writer, queries } = this.around;
    const http = () => this.threads.map(({ worker }) => worker);
    return { writer: writer.worker, http, restarts: () => this.restarts, queries };
  }

  useFiles(files: ThreadFiles): void {
    this.files = { ...this.files, ...files };
    for (const thread of this.threads) thread.order({ files });
  }

  /** Those of the settings that can change. */
  useSettings(next: Config): void {
    const { httpThreads, port } = this.config;
    this.config = { ...next, httpThreads, port };
    for (const thread of this.threads) thread.order({ config: next });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.forget);
    await Promise.all(this.threads.map(thread => thread.stop()));
  }
}

class HttpThread {
  readonly started: Promise<number>;
  readonly ended: Promise<void>;
  readonly worker: Worker;

  constructor(setup: Omit<HttpSetup, 'writer'>, writer: MessagePort, log: OperatorLog) {
    this.worker = new Worker(new URL('./http_thread.ts', import.meta.url), {
      name: `http ${setup.index}`,
      workerData: { ...setup, writer } satisfies HttpSetup,
      transferList: [writer],
    });
    this.started = new Promise((resolve, reject) => {
      this.worker.on('message', (news: HttpNews) => {
        if ('port' in news) resolve(news.port);
        else if ('access' in news) log.access(news.access);
        else log.error(news.error);
      });
      this.worker.on('error', error => {
        log.error(`An HTTP thread ended: ${(error as Error).stack ?? error}`);
        reject(error);
      });
    });
    this.ended = new Promise(resolve => this.worker.once('exit', () => resolve()));
  }

  order(order: HttpOrder): void {
    this.worker.postMessage(order);
  }

  async stop(): Promise<void> {
    this.order('stop');
    const limit = setTimeout(() => void this.worker.terminate(), STOP_MILLISECONDS);
    await this.ended;
    clearTimeout(limit);
  }
}
