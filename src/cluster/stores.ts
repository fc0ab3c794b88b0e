// What a cluster keeps in JetStream: the reports of all nodes in one stream, and what everybody must know in key-value
// stores. All names begin with `sextant`, so that an account of NATS can be given just these.
//
//   stream sextant_reports       subject sextant.reports; every accepted batch of reports, in order
//   keys   sextant               `manifest`: which tables are in force; `secrets` of state tokens
//   keys   sextant_lease         `learner`: who learns, for a few seconds; then it is free
//   keys   sextant_nodes         a node by its name, with what it says of itself, for half a minute
//   keys   sextant_accounts, sextant_devices    see accounts.ts
//   stream sextant_ledger        see ledger.ts
//   stream sextant_forgotten     see forgotten.ts
//   stream sextant_guesses       see guesses.ts
//   objects sextant_imports      see jobs.ts
//   objects sextant_tables       whole tables, deltas, files of places and pieces of other tables, by the SHA-256 of
//                                their bytes

import { type JetStreamManager, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type ObjectStore, Objm } from '@nats-io/obj';
import type { ClusterConnection } from './connection.ts';

/** The stream of reports, and its only subject. */
export const REPORTS_STREAM = 'sextant_reports';
export const REPORTS_SUBJECT = 'sextant.reports';
/** The accounts, and the mirror of their changes. */
export const ACCOUNT_STREAMS = ['KV_sextant_accounts', 'sextant_ledger'];
/** A lease that is not renewed for this long is free. */
export const LEASE_MILLISECONDS = 6_000;
/** A node that says nothing of itself for this long is gone. */
const NODES_MILLISECONDS = 30_000;
/** In this time JetStream itself knows a repeated message by its id; later the log of reports does. */
const DUPLICATE_WINDOW_NANOSECONDS = 120e9;

/** The open stores. */
export interface ClusterStores {
  keys: KV;
  lease: KV;
  nodes: KV;
  objects: ObjectStore;
}

/** The key of what a node says of itself: its name may have signs that keys may not. */
export function nodeKey(node: string): string {
  return Buffer.from(node).toString('base64url');
}

/** Opens the stores, and makes those that are missing. @throws Error of NATS */
export async function openStores({ jetstream, manager, replicas }: ClusterConnection): Promise<ClusterStores> {
  await openStream(manager, {
    name: REPORTS_STREAM,
    subjects: [REPORTS_SUBJECT],
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    duplicate_window: DUPLICATE_WINDOW_NANOSECONDS,
    deny_delete: true,
  });
  const keys = new Kvm(jetstream);
  return {
    // A server that lags behind would answer with an earlier manifest, and a node would fetch all tables again.
    keys: await keys.create('sextant', { history: 2, replicas, allow_direct: false }),
    lease: await keys.create('sextant_lease', { ttl: LEASE_MILLISECONDS, replicas }),
    nodes: await keys.create('sextant_nodes', { ttl: NODES_MILLISECONDS, replicas }),
    objects: await new Objm(jetstream).create('sextant_tables', { replicas, storage: StorageType.File }),
  };
}

/** Makes a stream on disk where it is missing. @throws Error of NATS */
export async function openStream(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string },
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch {
    await manager.streams.add({ ...config, storage: StorageType.File });
  }
}
