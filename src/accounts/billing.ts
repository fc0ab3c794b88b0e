// Charges accounts from the HTTP threads. A charge is a compare-and-swap on the spendable part of the balance in shared
// memory. It waits for the writer only if that part is too small; the writer first takes the next block out of the
// table. So no success is unpaid, whatever is killed when. The writer is asked early, with half a block left, so
// charges rarely wait.

import type { AccountCounters } from './counters.ts';

/**
 * Asks the writer to make credits spendable (AccountWriter.topUp).
 * @param credits the price that must fit, at least 1
 * @returns what can be spent afterwards
 */
type RequestTopUp = (accountId: number, credits: number) => Promise<number>;

/** Tells the writer that an account's block is nearly spent. Nobody waits for the result. */
type HintTopUp = (accountId: number) => void;

/** Counts credits that were taken. */
type CountCredits = (credits: number) => void;

/** Charges accounts from one thread. */
export class Billing {
  private readonly counters: AccountCounters;
  private readonly requestTopUp: RequestTopUp;
  private readonly hintTopUp: HintTopUp;
  private readonly countCredits: CountCredits;
  /** Top-ups under way, by account: charges that wait share one. */
  private readonly underWay = new Map<number, Promise<number>>();

  constructor(counters: AccountCounters, requestTopUp: RequestTopUp, hintTopUp: HintTopUp, countCredits: CountCredits) {
    this.counters = counters;
    this.requestTopUp = requestTopUp;
    this.hintTopUp = hintTopUp;
    this.countCredits = countCredits;
  }

  /**
   * Charges an account; keys that are not prepaid pay nothing.
   * @param credits price, at least 1
   * @returns true when paid, false when the balance does not cover it; a promise of the same when the writer has to be
   *   asked. The promise is rejected
   *   when the writer cannot be asked: nothing is paid then.
   */
  charge(accountId: number, credits: number): boolean | Promise<boolean> {
    if (!this.counters.isPrepaid(accountId)) return true;
    if (!this.counters.spend(accountId, credits))
      return this.covers(accountId, credits) ? this.chargeSlowly(accountId, credits) : false;
    this.countCredits(credits);
    if (this.counters.needsTopUp(accountId) && this.counters.beginTopUp(accountId)) this.hintTopUp(accountId);
    return true;
  }

  /** True if the account can pay this much now. Asked before the work; the charge follows it. */
  covers(accountId: number, credits: number): boolean {
    // In this order: a balance that is being given up loses its mark first.
    return this.counters.total(accountId) >= credits || !this.counters.isPrepaid(accountId);
  }

  /** The balance, undefined for keys that are not prepaid. */
  balance(accountId: number): number | undefined {
    return this.counters.isPrepaid(accountId) ? this.counters.total(accountId) : undefined;
  }

  /**
   * Asks the writer until the price is paid or not covered. A round that does not pay found its credits spent by other
   * requests.
   */
  private async chargeSlowly(accountId: number, credits: number): Promise<boolean> {
    this.counters.countWaitedCharge();
    do {
      await this.topUp(accountId, credits);
      if (!this.counters.isPrepaid(accountId)) return true;
      if (this.counters.spend(accountId, credits)) {
        this.countCredits(credits);
        return true;
      }
    } while (this.covers(accountId, credits));
    return false;
  }

  private topUp(accountId: number, credits: number): Promise<number> {
    let topUp = this.underWay.get(accountId);
    if (topUp === undefined) {
      topUp = this.requestTopUp(accountId, credits).finally(() => this.underWay.delete(accountId));
      this.underWay.set(accountId, topUp);
    }
    return topUp;
  }
}

// Tells the operator when charges waited for the writer (billing.ts). Such a request is answered later than others: its
// account spends faster than its blocks are refilled. The first charge of an account after a start always waits.

/** How often the count is looked at. */
const LOOK_MILLISECONDS = 1_000;

/**
 * Looks at the count once a second until the watch ends, and once more then.
 * @param tell gets a sentence with the count since the start, after each second in which it rose
 * @returns ends the watch
 */
export function watchWaitedCharges(counters: AccountCounters, tell: (message: string) => void): () => void {
  let told = 0;
  const look = (): void => {
    const waited = counters.waitedCharges();
    if (waited === told) return;
    told = waited;
    tell(`Charges that waited for the writer since the start: ${waited}.`);
  };
  const looks = setInterval(look, LOOK_MILLISECONDS).unref();
  return () => {
    clearInterval(looks);
    look();
  };
}
