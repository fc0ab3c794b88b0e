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

import {
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ClusterConnection } from './connection.ts';
import { Objects } from './objects.ts';
import { subjectsOf } from './stored_messages.ts';

/** The stream of reports, and its only subject. */
export const REPORTS_STREAM = 'sextant_reports';
export const REPORTS_SUBJECT = 'sextant.reports';
/** The stream of the store of the manifest, and how its subjects begin; then comes the key. */
export const KEYS_STREAM = 'KV_sextant';
export const KEYS_SUBJECT = '$KV.sextant.';
/** The accounts, and the mirror of their changes. */
export const ACCOUNT_STREAMS = ['KV_sextant_accounts', 'sextant_ledger'];
const NODES_BUCKET = 'sextant_nodes';
const NODES_SUBJECT = `$KV.${NODES_BUCKET}.`;
/** A lease that is not renewed for this long is free. */
export const LEASE_MILLISECONDS = 6_000;
/** A node that says nothing of itself for this long is gone. */
const NODES_MILLISECONDS = 30_000;
/** In this time JetStream itself knows a repeated message by its id; later the log of reports does. */
const DUPLICATE_WINDOW_NANOSECONDS = 120e9;

/** Bytes of a message that are not its content. */
const HEADER_BYTES = 4_096;
const MEGABYTE = 1_048_576;
/** Of JetStream: insufficient storage resources available. */
const NO_ROOM = 10_047;
/** The least that servers take by default, while a connection is lost. */
const PAYLOAD_BYTES = 1_048_576;

/** Most bytes of the content of a message. */
export function messageBytesMax({ info }: Pick<NatsConnection, 'info'>): number {
  return (info?.max_payload ?? PAYLOAD_BYTES) - HEADER_BYTES;
}

/** The open stores. */
export interface ClusterStores {
  keys: KV;
  lease: KV;
  nodes: KV;
  objects: Objects;
  /** Most bytes of a value. */
  messageBytesMax: () => number;
}

/** The key of what a node says of itself: its name may have signs that keys may not. */
export function nodeKey(node: string): string {
  return Buffer.from(node).toString('base64url');
}

/** Keys of the nodes that have spoken within half a minute. @throws Error of NATS */
export async function nodeKeys({ manager }: Pick<ClusterConnection, 'manager'>): Promise<string[]> {
  const subjects = await subjectsOf(manager, `KV_${NODES_BUCKET}`, '>');
  return subjects.map(subject => subject.slice(NODES_SUBJECT.length));
}

/** Takes a node out of those that have spoken. @throws Error of NATS */
export async function removeNode({ manager }: Pick<ClusterConnection, 'manager'>, node: string): Promise<void> {
  await manager.streams.purge(`KV_${NODES_BUCKET}`, { filter: NODES_SUBJECT + nodeKey(node) });
}

/** Opens the stores, and makes those that are missing. @throws Error of NATS */
export async function openStores({ nats, jetstream, manager, replicas }: ClusterConnection): Promise<ClusterStores> {
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
    nodes: await keys.create(NODES_BUCKET, { ttl: NODES_MILLISECONDS, replicas }),
    objects: await Objects.open({ jetstream, replicas }, 'sextant_tables', { storage: StorageType.File }),
    messageBytesMax: () => messageBytesMax(nats),
  };
}

/** Makes a stream on disk where it is missing. @throws Error of NATS; Error for the operator where it has no room */
export async function openStream(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string },
): Promise<void> {
  try {
    await manager.streams.info(config.name);
    return;
  } catch {
    // It is missing, or making it says what is wrong.
  }
  try {
    await manager.streams.add({ ...config, storage: StorageType.File });
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== NO_ROOM) throw error;
    const reserved = Math.ceil((config.max_bytes ?? 0) / MEGABYTE);
    throw new Error(
      `The servers of NATS have no room for ${config.name}, which reserves ${reserved} MB: raise "max_file_store".`,
      { cause: error },
    );
  }
}
