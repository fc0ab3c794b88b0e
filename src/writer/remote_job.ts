// Runs jobs of commands at the servers of a cluster, where no node of it runs on this machine. Keys, tenants and the
// secret of state tokens are changed in the store, as a node changes them, and all nodes take the change over; a job to
// forget goes to the learner. Nothing of it is loaded without `--cluster`.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountWriter } from '../accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../accounts/counters.ts';
import { ClusterAccounts } from '../cluster/accounts.ts';
import type { ClusterAddress, ClusterConnection } from '../cluster/connection.ts';
import { ClusterJobs } from '../cluster/jobs.ts';
import { type ReadManifest, readManifest, watchManifest } from '../cluster/manifest.ts';
import { findAtNode } from '../cluster/request_log.ts';
import { changeSecrets } from '../cluster/secrets.ts';
import { ServerClock } from '../cluster/server_clock.ts';
import { requireWholeServers } from '../cluster/standing.ts';
import { inCluster } from '../cluster/status.ts';
import { type ClusterStores, REPORTS_STREAM } from '../cluster/stores.ts';
import type { ForgetJob, JobContext, KeysJob, RemoteJob, TenantsJob } from '../jobs/job.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import { runKeysJob, runTenantsJob } from './key_jobs.ts';
import { rotate, type SecretRotation } from './live_parts.ts';

type Context = Pick<JobContext, 'onProgress'>;

/** For what happens beside a job, of which a command takes no notice. */
const nothing = (): void => {};

/** Executes a job at the servers of a cluster. @returns as at a node @throws Error whose message is for the operator */
export function runRemoteJob(address: ClusterAddress, job: RemoteJob, context: Context): Promise<unknown> {
  return inCluster(address, async (connection, stores, read): Promise<unknown> => {
    await requireWholeServers(stores, read.manifest.log.epoch);
    switch (job.verb) {
      case 'keys':
      case 'tenants':
        return runAccountsJob(connection, address.name, job);
      case 'secret': {
        let result: SecretRotation = {};
        await changeSecrets(stores.keys, before => {
          const { secrets, ...rotation } = rotate(job, before, Date.now());
          result = rotation;
          return secrets;
        });
        return result;
      }
      case 'forget':
        return passToLearner(connection, stores, read, address.name, job, context);
      case 'log':
        return (await findAtNode(connection.nats, stores.keys, job.id)) ?? null;
    }
  });
}

/** The copy of the accounts lies in a folder for as long as the job takes. */
async function runAccountsJob(
  connection: ClusterConnection,
  node: string,
  job: KeysJob | TenantsJob,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-accounts-'));
  const table = new AccountTable(folder);
  const { promise: failed, reject: onError } = Promise.withResolvers<never>();
  const quiet = { onChanged: nothing, onNodes: nothing, refusal: () => undefined };
  const clock = new ServerClock();
  const shared = new ClusterAccounts({ ...quiet, node, folder: undefined, clock, table, onError });
  const run = async (): Promise<unknown> => {
    clock.note(await connection.manager.streams.info(REPORTS_STREAM));
    await shared.attach(connection);
    table.shared = shared;
    const control = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const writer = new AccountWriter(table, new AccountCounters(allocateCounters()), control, 0);
    return job.verb === 'keys' ? runKeysJob(writer, undefined, undefined, job) : runTenantsJob(table, job);
  };
  try {
    return await Promise.race([run(), failed]);
  } finally {
    shared.detach();
    await table.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function passToLearner(
  connection: ClusterConnection,
  stores: ClusterStores,
  { manifest }: ReadManifest,
  name: string,
  job: ForgetJob,
  context: Context,
): Promise<unknown> {
  let { learner } = manifest;
  const { promise: failed, reject: onError } = Promise.withResolvers<never>();
  const look = async (): Promise<void> => {
    learner = (await readManifest(stores))?.manifest.learner ?? learner;
  };
  const run = () => Promise.reject(new Error('A command takes no jobs.'));
  // Nodes have ports in their names.
  const jobs = new ClusterJobs({ run }, tmpdir(), `${name} command`, onError);
  await jobs.attach(connection);
  const endWatch = await watchManifest(stores.keys, () => void look().catch(onError));
  try {
    const passed = jobs.pass(() => learner, job, context, nothing);
    return await Promise.race([passed, failed]);
  } finally {
    endWatch();
    jobs.detach();
  }
}
