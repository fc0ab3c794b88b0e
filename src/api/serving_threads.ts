// The threads of a running service, as the main thread holds them: the writer, without which the service ends, and the
// HTTP threads on one port, of which one that dies is replaced.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Config } from '../config.ts';
import type { QueryPool } from '../pool/query_pool.ts';
import { limitsOf, nodeOf } from '../writer/owner_options.ts';
import type { SharedState } from '../writer/shared_memory.ts';
import type { WriterNews, WriterOrder, WriterSetup } from '../writer/thread.ts';
import type { HttpNews, HttpOrder, HttpSetup, ThreadFiles } from './http_thread.ts';
import type { ThreadsNow } from './metric_sources.ts';
import type { Outlets } from './outlets.ts';

/** Where messages for the operator go. */
export interface OperatorLog {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  /** Lines of the access log. */
  access(lines: string): void;
}

/** A thread that has not stopped after this long is terminated. */
const STOP_MILLISECONDS = 20_000;
/** When more HTTP threads than this die in a minute, the service ends. */
const REPLACEMENTS_A_MINUTE = 5;

/** The writer thread. */
export class WriterThread {
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
  log: OperatorLog & Pick<Outlets, 'spans'>;
  /** Ends the service. */
  fail: (error: Error) => void;
}

/** The HTTP threads. One that ends is replaced by another on the same port. */
export class HttpThreads {
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

  constructor(setup: Omit<HttpSetup, 'writer'>, writer: MessagePort, log: Surroundings['log']) {
    this.worker = new Worker(new URL('./http_thread.ts', import.meta.url), {
      name: `http ${setup.index}`,
      workerData: { ...setup, writer } satisfies HttpSetup,
      transferList: [writer],
    });
    this.started = new Promise((resolve, reject) => {
      this.worker.on('message', (news: HttpNews) => {
        if ('port' in news) resolve(news.port);
        else if ('access' in news) log.access(news.access);
        else if ('spans' in news) log.spans(news.spans);
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

/** Workers for the tasks of one HTTP thread. Over all threads they add up to the setting. */
function workersOf(config: Config, index: number): number {
  const { workers, httpThreads } = config;
  return Math.floor(workers / httpThreads) + (index < workers % httpThreads ? 1 : 0);
}
