// The secrets of state tokens in a cluster, so that a token of one node opens on every other. They are an entry of the
// key-value store, and each node has a copy in its data folder. A rotation is a compare-and-set of the entry; the other
// nodes take it over by a watch.

import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { QueuedIterator } from '@nats-io/transport-node';
import { decodeSecrets, encodeSecrets } from '../folder/secret.ts';
import type { Secrets } from '../tracking/secrets.ts';

const KEY = 'secrets';

/** The secrets of a node. */
export interface SecretParts {
  read(): Secrets;
  /** Makes others those of this node, on disk and in all threads. */
  adopt(secrets: Secrets): void;
  /** Asked before new ones are made those of this node. */
  agree: ((secrets: Secrets) => Promise<void>) | undefined;
}

/** Makes other secrets those of a cluster, without a node. @throws Error when a node was faster; error of NATS */
export async function changeSecrets(keys: KV, make: (before: Secrets) => Secrets): Promise<void> {
  const before = await keys.get(KEY);
  if (before === null) throw new Error('The cluster has no secret of state tokens yet: start a node.');
  await putOver(keys, make(decodeSecrets(before.value)), before.revision);
}

/** @throws Error when another node was faster; error of NATS */
async function putOver(keys: KV, secrets: Secrets, revision: number): Promise<void> {
  try {
    await keys.put(KEY, encodeSecrets(secrets), { previousSeq: revision });
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    throw new Error('The secret was changed at the same moment. Nothing was changed by this; start it again.', {
      cause: error,
    });
  }
}

/** The secrets of a cluster, as a node knows them. */
export class ClusterSecrets {
  private readonly parts: SecretParts;
  private readonly onError: (error: Error) => void;
  private attached: { keys: KV; changes: QueuedIterator<KvWatchEntry> } | undefined;

  /** @param onError called when secrets of another node could not be written */
  constructor(parts: SecretParts, onError: (error: Error) => void) {
    this.parts = parts;
    this.onError = onError;
    parts.agree = secrets => this.share(secrets);
  }

  /** Takes over the secrets of the cluster; those of its first node become so. @throws Error of NATS */
  async attach(keys: KV): Promise<void> {
    try {
      await keys.create(KEY, encodeSecrets(this.parts.read()));
    } catch (error) {
      // There are some already.
      if (!(error instanceof JetStreamApiError)) throw error;
    }
    this.parts.adopt(decodeSecrets((await keys.get(KEY))!.value));
    const changes = await keys.watch({ key: KEY });
    this.attached = { keys, changes };
    void this.follow(changes);
  }

  /** Attaches again if the watch has ended. @throws Error of NATS */
  async refresh(keys: KV): Promise<void> {
    if (this.attached === undefined) await this.attach(keys);
  }

  /** Makes those of this node the secrets of the cluster. @throws Error of NATS */
  async impose(keys: KV): Promise<void> {
    await keys.put(KEY, encodeSecrets(this.parts.read()));
  }

  /** Ends the watch. */
  detach(): void {
    this.attached?.changes.stop();
    this.attached = undefined;
  }

  /** @throws Error when another node was faster, or NATS does not answer */
  private async share(secrets: Secrets): Promise<void> {
    if (this.attached === undefined) throw new Error('This node has not reached its cluster. Nothing was changed.');
    const { keys } = this.attached;
    const before = await keys.get(KEY);
    await putOver(keys, secrets, before?.revision ?? 0);
  }

  private async follow(changes: QueuedIterator<KvWatchEntry>): Promise<void> {
    try {
      for await (const { value, operation } of changes) if (operation === 'PUT') this.parts.adopt(decodeSecrets(value));
    } catch (error) {
      this.onError(error as Error);
    } finally {
      if (this.attached?.changes === changes) this.detach();
    }
  }
}
