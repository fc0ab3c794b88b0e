// One HTTP thread: a Fastify server on the port that all HTTP threads share. It has its own views of the shared memory,
// its own workers for tasks and its own connection to the writer.

import type { AddressInfo } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FastifyListenOptions } from 'fastify';
import { Billing } from '../accounts/billing.ts';
import { AccountCounters } from '../accounts/counters.ts';
import { DevicePlans } from '../accounts/devices.ts';
import { AccountDirectory } from '../accounts/directory.ts';
import { FIGURE } from '../cluster/node_parts.ts';
import type { Config } from '../config.ts';
import { countriesOfMcc, countryAt } from '../geo/country.ts';
import { Tally } from '../intake/tally.ts';
import { RequestCounts } from '../metrics/request_counts.ts';
import type { RequestRecord } from '../metrics/telemetry.ts';
import { measureThreadLoad } from '../metrics/thread_load.ts';
import { Compute } from '../pool/compute.ts';
import { Garbage } from '../pool/garbage.ts';
import type { QueryChannel } from '../pool/messages.ts';
import { PositionParser } from '../protocol/requests/position_query.ts';
import { LONE_BEACONS_OF } from '../radio/query/layout.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import { LogIds, LogProducer } from '../tables/requests/ring.ts';
import { StationCache } from '../tables/stations/cache.ts';
import { WORKER_FILE } from '../tasks/worker_files.ts';
import { SecretsView } from '../tracking/secrets.ts';
import { StateSealer } from '../tracking/state_token.ts';
import { ContributionGate } from '../writer/contributions.ts';
import { WriterClient } from '../writer/messages.ts';
import { ACCOUNTS_VERSION, listening, type SharedState, tablesOpen } from '../writer/shared_memory.ts';
import { BodyMemory, bodyRoom } from './body_memory.ts';
import { ReplyBatch, type RouteContext } from './exchange.ts';
import { Readiness } from './health.ts';
import { OtherService } from './other_service.ts';
import { RequestTracer } from './request_trace.ts';
import { createServer } from './server.ts';
import { AccessLog } from './transport/access_log.ts';

/** Sent by the main thread at the start. */
export interface HttpSetup {
  config: Config;
  folder: string;
  shared: SharedState;
  /** Number of this thread, from 0. */
  index: number;
  /** 0 = any free port; the thread reports which. */
  port: number;
  files: ThreadFiles;
  /** Workers for the tasks of this thread. */
  workers: number;
  /** Leads to the query workers; undefined where the HTTP threads compute everything. */
  queries: QueryChannel | undefined;
  writer: MessagePort;
}

/** What the thread has of files of the operator: a certificate, and a database of addresses in shared memory. */
export interface ThreadFiles {
  tls?: { cert: string; key: string };
  addresses?: Uint8Array;
}

/** Sent to the main thread. */
export type HttpNews = { port: number } | { error: string } | { access: string } | { spans: RequestRecord[] };

/**
 * Received from the main thread: the end, files that were read again, or a configuration of which some settings have
 * changed.
 */
export type HttpOrder = 'stop' | { files: ThreadFiles } | { config: Config };

const MEGABYTE = 1_048_576;

/** How often the tasks that wait are noted for metrics. */
const TASKS_MILLISECONDS = 1_000;

const setup: HttpSetup = workerData;
// Its modules are loaded while the writer opens the tables.
if (!tablesOpen(setup.shared).wait()) process.exit();
const news = (message: HttpNews): void => parentPort!.postMessage(message);
const onError = (message: string): void => news({ error: message });

const writer = new WriterClient(setup.writer);
const counters = new AccountCounters(setup.shared.counters);
if (setup.config.cluster !== undefined) counters.onShort = account => writer.tell('loan', { account });
const accounts = new AccountTable(setup.folder, { readOnly: true });
const { cache, revision, layers } = setup.shared;
const cluster = new Float64Array(setup.shared.cluster);
const compute = await Compute.open({
  mode: setup.config.compute,
  queries: setup.queries,
  workers: setup.workers,
  workerFile: WORKER_FILE,
  folder: setup.folder,
  cache,
  revision,
  layers,
  onError,
});
const tileWorker =
  setup.config.console === 'public'
    ? (await import('./public_console.ts')).startTileWorker({ folder: setup.folder, cache, revision, layers, onError })
    : undefined;
const counts = new RequestCounts(setup.shared.requestCounts[setup.index]);
const garbage = new Garbage(setup.config.small);
const context: RouteContext = {
  guesses: new StationCache(cache).guesses,
  directory: new AccountDirectory(
    accounts,
    new Int32Array(setup.shared.control),
    ACCOUNTS_VERSION,
    () => cluster[FIGURE.lacksKeys] === 1,
  ),
  counters,
  billing: new Billing(
    counters,
    (account, credits) => writer.ask('topUp', { account, credits }),
    account => writer.tell('topUp', { account, credits: 1 }),
    credits => counts.countCredits(credits),
  ),
  devices: new DevicePlans(
    (account, month, device, limit) => writer.ask('device', { account, month, device, limit }),
    () => cluster[FIGURE.clockAheadMs],
  ),
  positions: new PositionParser(),
  compute,
  bodies: new BodyMemory(setup.shared.bodies, setup.index, bodyRoom(setup.config), garbage),
  intake: {
    gate: new ContributionGate(setup.shared.pendingContributions),
    writer,
    tally: new Tally(setup.shared.tally),
    tallyMemory: setup.shared.tally,
    trustsAll: setup.config.agreement === 1,
  },
  states: new StateSealer(new SecretsView(setup.shared.secrets)),
  logIds: await LogIds.start(
    () => writer.ask('logBlock', {}),
    error => onError(error.message),
  ),
  log: new LogProducer(setup.shared.logRings[setup.index]),
  replies: new ReplyBatch(),
  counts,
  access:
    setup.config.accessLog === 'off' ? undefined : new AccessLog(setup.config.accessLog, access => news({ access })),
  tracer:
    setup.config.otlp === undefined
      ? undefined
      : new RequestTracer(setup.config.traceShare / 100, spans => news({ spans })),
  readiness: new Readiness({ folder: setup.folder, writer, listens: listening(setup.shared).all }),
  ...changeableOf(setup.config),
  upstream: otherService('--upstream', setup.config.upstream),
  addresses: setup.files.addresses && (await openAddresses(setup.files.addresses)),
  forward: otherService('--hook-forward', setup.config.hookForward),
  tileWorker,
  loneBeacons: LONE_BEACONS_OF[setup.config.loneBeacons],
  behindProxy: setup.config.trustProxy !== undefined,
  signalLog: () => writer.signalLog(),
  onError,
};

// Borders and network codes, which the rules of intake use, are loaded at their first use. Load them now, so that no
// request waits.
countryAt(0, 0);
countriesOfMcc(0);

const server = createServer(context, setup.config, setup.files.tls);
// Fastify hands its options on to Node; its types do not know `reusePort` yet.
const listen: FastifyListenOptions & { reusePort: boolean } = {
  host: setup.config.host,
  port: setup.port,
  reusePort: true,
};
await server.listen(listen);
news({ port: (server.server.address() as AddressInfo).port });

// Positions are answered before it has what searches need.
setImmediate(() => compute.prepare());
garbage.collectWhenIdle();
if (setup.config.metrics !== undefined) {
  measureThreadLoad(setup.shared.threadLoads[setup.index]);
  setInterval(() => counts.noteTasks(lane => compute.tasksIn(lane)), TASKS_MILLISECONDS).unref();
}
parentPort!.on('message', (order: HttpOrder) => {
  if (order === 'stop') void stop();
  else if ('config' in order) Object.assign(context, changeableOf(order.config));
  else void useFiles(order.files).catch(error => onError(`Files could not be read again: ${error.message}`));
});

async function useFiles({ tls, addresses }: ThreadFiles): Promise<void> {
  if (tls !== undefined) (server.server as unknown as TlsServer).setSecureContext(tls);
  if (addresses !== undefined) context.addresses = await openAddresses(addresses);
}

/** Its library is loaded only where there is a database. */
async function openAddresses(bytes: Uint8Array): Promise<RouteContext['addresses']> {
  const { AddressDatabase } = await import('../positioning/fallbacks/address_database.ts');
  return new AddressDatabase(bytes, onError);
}

function otherService(flag: string, url: string | undefined): OtherService | undefined {
  return url === undefined ? undefined : new OtherService(flag, url, onError);
}

/** The settings of routes that can change while the thread runs. */
function changeableOf({
  maxBodyMegabytes,
  anonymousKey,
}: Config): Pick<RouteContext, 'bodyLimitBytes' | 'anonymousKey'> {
  return { bodyLimitBytes: maxBodyMegabytes * MEGABYTE, anonymousKey };
}

/** Stops accepting, answers what is in flight, then closes everything, so that the thread ends. */
async function stop(): Promise<void> {
  await server.close();
  context.access?.flush();
  context.tracer?.flush();
  await compute.close();
  await tileWorker?.close();
  // A top-up that nobody waits for still takes credits out of the table. Wait for its answer: the writer gives back
  // only what was debited before its end.
  while (writer.waiting > 0) await new Promise(resolve => setTimeout(resolve, 5));
  await accounts.close();
  writer.close();
  parentPort!.close();
}
