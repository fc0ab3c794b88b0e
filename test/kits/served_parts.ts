// A server of real parts in the test's own process, for what a test has to reach into: a small ring, workers that die
// on demand, a gate that is full. It serves the demo town, and if wanted a drawn extract, with one prepaid key.

import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { Billing } from '../../src/accounts/billing.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { DevicePlans } from '../../src/accounts/devices.ts';
import { AccountDirectory } from '../../src/accounts/directory.ts';
import { hashKey } from '../../src/accounts/key.ts';
import { BodyMemory } from '../../src/api/body_memory.ts';
import { ReplyBatch, type RouteContext } from '../../src/api/exchange.ts';
import { Readiness } from '../../src/api/health.ts';
import { createServer } from '../../src/api/server.ts';
import { readConfig, withServiceOptions } from '../../src/config.ts';
import type { CacheMemory } from '../../src/core/cache_memory.ts';
import { TALLY_BYTES, Tally } from '../../src/intake/tally.ts';
import { createRequestCounts, RequestCounts } from '../../src/metrics/request_counts.ts';
import { Compute, type ComputeOptions } from '../../src/pool/compute.ts';
import { Garbage } from '../../src/pool/garbage.ts';
import type { WorkerFile } from '../../src/pool/messages.ts';
import { QueryPool } from '../../src/pool/query_pool.ts';
import { PositionParser } from '../../src/protocol/requests/position_query.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { createRevision } from '../../src/tables/environment/revision.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { createLayerShare, LayerShareSource } from '../../src/tables/places/layer_share.ts';
import { createLogRing, LogIds, LogProducer } from '../../src/tables/requests/ring.ts';
import { StationCache } from '../../src/tables/stations/cache.ts';
import type { WorkerTasks } from '../../src/tasks/tasks.ts';
import { QUERY_FILE, WORKER_FILE } from '../../src/tasks/worker_files.ts';
import { createSecretMemory, SecretsView } from '../../src/tracking/secrets.ts';
import { StateSealer } from '../../src/tracking/state_token.ts';
import { ContributionGate, ContributionWriter, createContributionMemory } from '../../src/writer/contributions.ts';
import type { Questions, WriterClient } from '../../src/writer/messages.ts';
import { makeDemoFolder } from './radio/demo_queries.ts';
import { type Answer, type RequestOptions, send } from './service_process.ts';

/** Its one key. */
export const KEY = 'a key';
/** Credits of the key at the start. */
export const BALANCE = 10_000;

/** What runs. */
export interface ServedParts {
  folder: string;
  port: number;
  /** Node's server behind the port. */
  server: Server;
  accountWriter: AccountWriter;
  /** Memory of the station cache. */
  cache: CacheMemory;
  /** Says when maps of fingerprints have changed. */
  maps: SharedArrayBuffer;
  observations: ObservationLog;
  gate: ContributionGate;
  tally: Tally;
  /** Counts the memory of bodies. */
  bodies: BodyMemory;
  /** What the operator would have read. */
  errors: string[];
  /**
   * Another server of the same parts, with flags and a certificate of its own. It listens on a free port, and closes
   * with the first.
   */
  serveBeside(flags: readonly string[], tls?: { cert: string; key: string }): Promise<Server>;
  /** Gets a path as it is. */
  get(path: string, options?: RequestOptions): Promise<Answer>;
  /** Posts a body with the key. */
  post(body: unknown, path?: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Serves on a free port.
 * @param importPlaces imports an extract into its data folder; without it there are no places
 * @param bodyRoomBytes room for bodies; without it there is no limit
 */
export async function serveParts(
  pool: Pick<ComputeOptions<WorkerTasks>, 'mode' | 'workers'> & {
    ringBytes: number;
    workerFile?: WorkerFile<WorkerTasks>;
  },
  importPlaces?: (folder: string) => Promise<void>,
  bodyRoomBytes?: number,
): Promise<ServedParts> {
  const folder = mkdtempSync(join(tmpdir(), 'served-'));
  const errors: string[] = [];
  const onError = (message: string) => void errors.push(message);
  const cache = await makeDemoFolder(folder);
  const table = new AccountTable(folder, { sync: 'commit' });
  const counters = new AccountCounters(allocateCounters());
  const control = new Int32Array(new SharedArrayBuffer(4));
  const accountWriter = new AccountWriter(table, counters, control, 0);
  await accountWriter.create({ keyHash: hashKey(KEY), createdMs: 0, credits: BALANCE });
  const layers = createLayerShare();
  const maps = createRevision();
  if (importPlaces !== undefined) {
    await importPlaces(folder);
    new LayerShareSource(layers).replace({ extract: currentLayer(placesFolder(folder)) });
  }
  const everywhere = { workerFile: WORKER_FILE, ...pool, folder, cache, revision: maps, layers, onError };
  const queries =
    pool.mode === 'inline'
      ? undefined
      : new QueryPool({ ...everywhere, workerFile: QUERY_FILE, ...pool, httpThreads: 1 }).start();
  const compute = await Compute.open({ ...everywhere, queries: queries?.channel(0) });
  const observations = new ObservationLog(folder, 'commit');
  const tallyMemory = new SharedArrayBuffer(TALLY_BYTES);
  const tally = new Tally(tallyMemory);
  const storing = new ContributionWriter({ log: observations, tally, onAppended: () => {}, onFloors: () => {} });
  const gate = new ContributionGate(createContributionMemory());
  // Contributions, and whether anybody answers, are all that is asked over a port here.
  const ask = ((name: 'contribute' | 'ping', { account, reports, limitBytes }: Questions['contribute']['ask']) =>
    name === 'ping'
      ? Promise.resolve({ problem: undefined, note: undefined })
      : storing
          .contribute(account, reports, undefined, limitBytes)
          .finally(() => gate.release(reports.byteLength))) as WriterClient['ask'];
  const bodies = new BodyMemory(new SharedArrayBuffer(4), 0, bodyRoomBytes, new Garbage(false));
  const counts = new RequestCounts(createRequestCounts());
  const context: RouteContext = {
    directory: new AccountDirectory(table, control, 0),
    counters,
    guesses: new StationCache(cache).guesses,
    billing: new Billing(
      counters,
      (account, credits) => accountWriter.topUp(account, credits),
      account => void accountWriter.topUp(account, 1),
      credits => counts.countCredits(credits),
    ),
    devices: new DevicePlans((...device) => table.registerDevice(...device)),
    positions: new PositionParser(),
    compute,
    bodies,
    intake: { gate, writer: { ask }, tally, tallyMemory, trustsAll: false },
    states: new StateSealer(new SecretsView(createSecretMemory())),
    logIds: await LogIds.start(
      async () => 1_000_000,
      error => onError(error.message),
    ),
    log: new LogProducer(createLogRing(1_048_576)),
    replies: new ReplyBatch(),
    counts,
    access: undefined,
    tracer: undefined,
    readiness: new Readiness({ folder, writer: { ask }, listens: () => true }),
    bodyLimitBytes: 8 * 1_048_576,
    loneBeacons: 0,
    anonymousKey: undefined,
    upstream: undefined,
    addresses: undefined,
    forward: undefined,
    tileWorker: undefined,
    behindProxy: false,
    signalLog: () => {},
    onError,
  };
  const servers: ReturnType<typeof createServer>[] = [];
  const serveBeside = async (flags: readonly string[], tls?: { cert: string; key: string }): Promise<Server> => {
    const command = withServiceOptions(new Command()).parse(flags, { from: 'user' });
    const server = createServer(context, readConfig(command), tls);
    servers.push(server);
    await server.listen({ host: '127.0.0.1', port: 0 });
    return server.server;
  };
  const server = await serveBeside([]);
  const { port } = server.address() as AddressInfo;
  return {
    folder,
    port,
    server,
    accountWriter,
    cache,
    maps,
    observations,
    gate,
    tally,
    bodies,
    errors,
    serveBeside,
    get: (path, options = {}) => send(`http://127.0.0.1:${port}`, { method: 'GET', path, ...options }),
    post: (body, path = '/', options = {}) =>
      send(`http://127.0.0.1:${port}`, { path: `${path}?key=${encodeURIComponent(KEY)}`, body, ...options }),
    async close() {
      for (const each of servers) await each.close();
      await compute.close();
      await queries?.close();
      await observations.close();
      await table.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
