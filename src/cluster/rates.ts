// Rates by demand. Each node admits its share of the rate of a key. One that has used half of what it admits at once
// borrows of the others, one after the other, on the subject `sextant.rates.NODE`: the text `ACCOUNT MOST` asks for at
// most so many requests, and the answer is how many the other node will not admit itself (src/accounts/counters.ts). No
// request waits for it. A node without servers goes on with its share.

import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { askNode, type ClusterConnection } from './connection.ts';
import { nodeKey } from './stores.ts';

const SUBJECT = 'sextant.rates.';
const ANSWER_MILLISECONDS = 250;
/** Between two loans of an account: so often a share may be used up and borrowed again. */
const PAUSE_MILLISECONDS = 20;

/** Rates of this node. */
export interface RateParts {
  borrowable(account: number): number;
  lend(account: number, most: number): number;
  borrow(account: number, lent: number): void;
  endLoan(account: number): void;
}

/** See above. */
export class ClusterRates {
  private readonly parts: RateParts;
  private readonly key: string;
  private attached: { nats: NatsConnection; asked: Subscription } | undefined;
  private others: string[] = [];
  private turn = 0;

  /** @param node its name */
  constructor(parts: RateParts, node: string) {
    this.parts = parts;
    this.key = nodeKey(node);
  }

  /** Lends to other nodes from here on. */
  attach({ nats }: ClusterConnection): void {
    const callback = (error: Error | null, message: Msg): void => {
      if (error !== null) return;
      const [account, most] = message.string().split(' ').map(Number);
      const isWhole = Number.isSafeInteger(account) && Number.isSafeInteger(most);
      message.respond(String(isWhole ? this.parts.lend(account, most) : 0));
    };
    this.attached = { nats, asked: nats.subscribe(SUBJECT + this.key, { callback }) };
  }

  /** Notes which nodes there are. @param keys of all nodes */
  notice(keys: readonly string[]): void {
    this.others = keys.filter(key => key !== this.key);
  }

  /** Lends and borrows no more. */
  detach(): void {
    this.attached?.asked.unsubscribe();
    this.attached = undefined;
  }

  /** Borrows requests of an account from the next node, if it has some to lend. */
  async borrow(account: number): Promise<void> {
    const lender = this.others[this.turn++ % this.others.length];
    const most = this.parts.borrowable(account);
    try {
      if (this.attached === undefined || lender === undefined || most <= 0) return;
      const { nats } = this.attached;
      const asked = askNode(nats, SUBJECT + lender, `${account} ${most}`, ANSWER_MILLISECONDS);
      // The share of one that is gone or cut off is not to be had.
      const lent = Number((await asked.catch(() => undefined))?.string() ?? 0);
      if (lent > 0 && lent <= most) this.parts.borrow(account, lent);
    } finally {
      setTimeout(() => this.parts.endLoan(account), PAUSE_MILLISECONDS);
    }
  }
}
