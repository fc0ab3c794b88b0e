// The lease of the learner: a key that only one node holds, and that is gone when it is not renewed for some seconds.
// Clocks of machines are not compared: the server counts its own time, and the holder its own since it last renewed.
// The lease only keeps two nodes from doing the same work. What comes into force is decided by the manifest.

import type { KV } from '@nats-io/kv';
import { LEASE_MILLISECONDS } from './stores.ts';

const KEY = 'learner';
/** The holder gives up so long before the server does. */
const MARGIN_MILLISECONDS = 1_500;

/** The lease, as one node sees it. */
export class Lease {
  private readonly keys: KV;
  private readonly node: string;
  private revision: number | undefined;
  private renewedMs = 0;

  constructor(keys: KV, node: string) {
    this.keys = keys;
    this.node = node;
  }

  /** True while this node holds it for certain. */
  get isHeld(): boolean {
    const age = performance.now() - this.renewedMs;
    return this.revision !== undefined && age < LEASE_MILLISECONDS - MARGIN_MILLISECONDS;
  }

  /** Takes it if it is free. @returns whether this node holds it now */
  async take(): Promise<boolean> {
    if (this.isHeld) return true;
    const startMs = performance.now();
    try {
      this.revision = await this.keys.create(KEY, this.node);
    } catch {
      // Somebody has it, or the servers do not answer; the next try will tell.
      return false;
    }
    this.renewedMs = startMs;
    return true;
  }

  /** Takes it from whoever has it, who learns no more then. @throws Error of NATS */
  async seize(): Promise<void> {
    const startMs = performance.now();
    this.revision = await this.keys.put(KEY, this.node);
    this.renewedMs = startMs;
  }

  /** Renews it. A holder that cannot loses it when its time is over. */
  async renew(): Promise<void> {
    if (this.revision === undefined) return;
    const startMs = performance.now();
    try {
      this.revision = await this.keys.update(KEY, this.node, this.revision);
      this.renewedMs = startMs;
    } catch {
      if (!this.isHeld) this.revision = undefined;
    }
  }

  /** Gives it up, at the servers too if they answer. */
  async end(): Promise<void> {
    const { revision } = this;
    this.revision = undefined;
    if (revision !== undefined) await this.keys.delete(KEY, { previousSeq: revision }).catch(() => undefined);
  }

  /** Who holds it; undefined where nobody does. @throws Error of NATS */
  async holder(): Promise<string | undefined> {
    const entry = await this.keys.get(KEY);
    return entry === null || entry.operation !== 'PUT' ? undefined : entry.string();
  }
}
