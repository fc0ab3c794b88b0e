// The writer's side of accounts. While the service runs, every change of the account table goes through here, so the
// table, the shared counters and the caches of the HTTP threads agree. Credits leave the table in blocks, durably,
// before they can be spent. A clean stop brings the rest back; a crash forfeits it. So no success is unpaid, no balance
// grows by a crash, and an account loses at most one block.
//
// Changes of one account happen one after another. Each commits first and then adjusts the counters, so the reserve in
// memory never exceeds what the table holds. Charges go on meanwhile.

import { isDeepStrictEqual } from 'node:util';
import type { Account, Earned } from '../tables/accounts/account_record.ts';
import type { AccountChanges, AccountTable, NewAccount } from '../tables/accounts/accounts.ts';
import { CREDITS_MAX } from '../tables/accounts/key_settings.ts';
import type { AccountCounters } from './counters.ts';
import { monthOf } from './devices.ts';

/** Accounts read at once at start and stop. */
const PAGE = 1000;

/** Writes accounts: one instance, in the writer thread, or in a command that owns the data folder. */
export class AccountWriter {
  /** Accounts, tenants and devices; changes of an account pass here, as the counters follow them. */
  readonly table: AccountTable;
  readonly counters: AccountCounters;
  private readonly control: Int32Array;
  private readonly versionIndex: number;
  private readonly now: () => number;
  /** The last change of each account that is under way. */
  private readonly last = new Map<number, Promise<unknown>>();
  /** The month (UTC) for which all quotas are filled up. */
  private filledMonth: number | undefined;

  /**
   * Fills the counters from the table: balances in reserve, nothing spendable.
   * @param table opened for writing
   * @param counters zeroed, not yet used by another thread
   * @param control shared words; the one at `versionIndex` is bumped after each change that caches must see
   * @param now milliseconds on a clock that is never set back; blocks follow the rate on it
   */
  constructor(
    table: AccountTable,
    counters: AccountCounters,
    control: Int32Array,
    versionIndex: number,
    now: () => number = () => performance.now(),
  ) {
    this.table = table;
    this.counters = counters;
    this.control = control;
    this.versionIndex = versionIndex;
    this.now = now;
    for (const account of this.accounts())
      if (account.credits !== undefined) counters.reset(account.id, account.credits);
  }

  /**
   * Makes up to one block spendable, or more if a single price needs it. The credits are taken out of the table first.
   * @param credits the price that must fit, at least 1
   * @returns what can be spent now; less than `credits` when the balance does not cover it
   */
  topUp(id: number, credits: number): Promise<number> {
    return this.inTurn(id, async () => {
      const balance = this.counters.total(id);
      const target = Math.max(this.counters.nextBlock(id, this.now()), credits <= balance ? credits : 0);
      const amount = Math.min(target - this.counters.spendable(id), this.counters.reserve(id));
      try {
        if (amount > 0) {
          const taken = await this.table.debit(id, amount);
          this.counters.settle(id, this.credits(id), taken);
        }
        return this.counters.spendable(id);
      } finally {
        this.counters.endTopUp(id);
      }
    });
  }

  /** Adds an account. @throws Error when ids are used up or the key exists already */
  async create(account: NewAccount): Promise<Account> {
    const { credits = 0, monthlyCredits, createdMs } = account;
    const filled =
      monthlyCredits === undefined
        ? account
        : { ...account, credits: Math.max(credits, monthlyCredits), filledMonth: this.monthAt(createdMs) };
    const created = await this.table.create(filled);
    if (created.credits !== undefined) this.counters.reset(created.id, created.credits);
    this.announce();
    return created;
  }

  /**
   * Changes settings; `credits` sets the whole balance, and `monthlyCredits` fills it up.
   * @throws Error when there is no such account
   */
  update(id: number, changes: AccountChanges): Promise<Account> {
    return this.inTurn(id, async () => {
      const changed = await this.table.update(id, changes);
      if (changes.credits !== undefined) this.counters.reset(id, changed.credits);
      const account = await this.fillUp(changed, this.monthAt(Date.now()));
      this.announce();
      return this.withBalance(account);
    });
  }

  /** Gives an account another key; see AccountTable.rotate. */
  rotate(id: number, keyHash: string, untilMs: number | undefined): Promise<Account> {
    return this.inTurn(id, async () => {
      const account = await this.table.rotate(id, keyHash, untilMs);
      this.announce();
      return this.withBalance(account);
    });
  }

  /** Ends an account. @throws Error when there is no such account */
  revoke(id: number): Promise<Account> {
    return this.inTurn(id, async () => {
      const account = await this.table.revoke(id);
      this.announce();
      return this.withBalance(account);
    });
  }

  /**
   * Adds credits; a key that was not prepaid becomes so. @throws Error when there is no such account or the balance
   * would pass 2,147,483,647
   */
  credit(id: number, credits: number): Promise<Account> {
    return this.inTurn(id, async () => {
      const balance = this.counters.total(id) + credits;
      if (balance > CREDITS_MAX)
        throw new Error(`Account ${id} cannot hold ${balance} credits: at most ${CREDITS_MAX} are possible.`);
      const account = await this.table.credit(id, credits);
      if (this.counters.isPrepaid(id)) this.counters.settle(id, this.credits(id), 0);
      else this.counters.reset(id, account.credits);
      this.announce();
      return this.withBalance(account);
    });
  }

  /**
   * Adds credits that a contributor has earned.
   * @param reports by which it earns, in the order of the log
   * @param rewrites how often that log had been rewritten
   * @returns the credits; 0 when the account earns nothing: it is no contributor, not prepaid, revoked, has earned the
   *   most of the day, was paid before, or
   *   holds the most that an account can
   */
  reward(id: number, reports: readonly EarningReport[], rewrites: number, terms: RewardTerms): Promise<number> {
    return this.inTurn(id, async () => {
      const account = this.table.get(id);
      if (account?.contributor !== true || account.credits === undefined || account.revoked) return 0;
      const due = earn(account.earned, reports, rewrites, terms, CREDITS_MAX - this.counters.total(id));
      if (due === undefined) return 0;
      await this.table.reward(id, due.credits, due.earned);
      this.counters.settle(id, this.credits(id), 0);
      return due.credits;
    });
  }

  /**
   * Fills up the balances of keys with a monthly quota, once for each month (UTC). Costs nothing within a month.
   * @param nowMs milliseconds since 1970
   * @throws NotWritten when the servers of a cluster have not said what time it is
   */
  async fillQuotas(nowMs: number): Promise<void> {
    const month = this.monthAt(nowMs);
    if (this.filledMonth === month) return;
    for (const { id, monthlyCredits } of this.accounts()) {
      if (monthlyCredits === undefined) continue;
      await this.inTurn(id, () => this.fillUp(this.table.get(id)!, month));
      this.announce();
    }
    this.filledMonth = month;
  }

  /** The month (UTC) at a time of this machine; in a cluster that of its servers, on which all nodes agree. */
  private monthAt(nowMs: number): number {
    return monthOf(this.table.shared?.nowMs ?? nowMs);
  }

  /**
   * Fills a balance up to the quota of its account, if the month has begun for it. What is charged meanwhile is charged
   * to the new balance. A month before the last one tells of a clock that was ahead.
   */
  private async fillUp(account: Account, month: number): Promise<Account> {
    const { id, monthlyCredits, filledMonth = Number.NEGATIVE_INFINITY } = account;
    if (monthlyCredits === undefined || filledMonth === month || filledMonth === month + 1) return account;
    const isPrepaid = this.counters.isPrepaid(id);
    const taken = isPrepaid ? this.counters.spendable(id) : 0;
    const filled = await this.table.fill(id, Math.max(0, monthlyCredits - taken), month);
    if (isPrepaid) this.counters.settle(id, this.credits(id), 0);
    else this.counters.reset(id, filled.credits);
    return filled;
  }

  /**
   * Takes over an account that another machine has changed, and which the table has by now.
   * @param before as the table had it
   * @param isSet its whole balance was set: what was taken of the one before is void
   */
  adopt(account: Account, before: Account | undefined, isSet: boolean): Promise<void> {
    const { id } = account;
    const settingsOf = (of: Account) => ({ ...of, credits: 0, earned: undefined });
    if (before === undefined || !isDeepStrictEqual(settingsOf(before), settingsOf(account))) this.announce();
    return this.inTurn(id, async () => {
      const credits = this.table.get(id)?.credits;
      if (credits === undefined || isSet || !this.counters.isPrepaid(id)) this.counters.reset(id, credits);
      else this.counters.settle(id, credits, 0);
    });
  }

  /** Requests that an account may borrow of other nodes now; 0 for one without a rate. */
  borrowable(id: number): number {
    const rate = this.table.get(id)?.ratePerSecond;
    return rate === undefined ? 0 : this.counters.used(id, rate, Date.now());
  }

  /** Lends requests of an account to another node. @param most that it asks for @returns how many */
  lend(id: number, most: number): number {
    const rate = this.table.get(id)?.ratePerSecond;
    return rate === undefined ? 0 : this.counters.lend(id, rate, most, Date.now());
  }

  /** Admits requests that another node has lent. */
  borrow(id: number, lent: number): void {
    const rate = this.table.get(id)?.ratePerSecond;
    if (rate !== undefined) this.counters.borrow(id, rate, lent);
  }

  /** Allows the next loan of an account. */
  endLoan(id: number): void {
    this.counters.endLoan(id);
  }

  /** An account with its live balance. */
  get(id: number): Account | undefined {
    const account = this.table.get(id);
    return account && this.withBalance(account);
  }

  /** Accounts with their live balances, in order of their ids, at most `limit` with ids above `afterId`. */
  list(afterId: number, limit: number): Account[] {
    return this.table.list(afterId, limit).map(account => this.withBalance(account));
  }

  /**
   * Returns all spendable credits to the table at the end of a clean stop, when no thread charges any more.
   * @throws Error when some could not be returned; all others are then
   */
  async returnAll(): Promise<void> {
    const returned: Promise<unknown>[] = [];
    for (const { id } of this.accounts()) {
      if (this.counters.spendable(id) > 0)
        returned.push(this.inTurn(id, () => this.table.giveBack(id, this.counters.takeBack(id))));
    }
    for (const outcome of await Promise.allSettled(returned)) if (outcome.status === 'rejected') throw outcome.reason;
  }

  private *accounts(): Generator<Account> {
    let page: Account[];
    let afterId = 0;
    do {
      page = this.table.list(afterId, PAGE);
      yield* page;
      afterId = page.at(-1)?.id ?? 0;
    } while (page.length === PAGE);
  }

  /** What the table holds. */
  private credits(id: number): number {
    return this.table.get(id)?.credits ?? 0;
  }

  private withBalance(account: Account): Account {
    return account.credits === undefined ? account : { ...account, credits: this.counters.total(account.id) };
  }

  /** Tells all threads to drop their cached accounts. */
  private announce(): void {
    Atomics.add(this.control, this.versionIndex, 1);
  }

  /** Runs a change after the last one of the same account, whether that succeeded or not. */
  private inTurn<T>(id: number, change: () => Promise<T>): Promise<T> {
    const before = this.last.get(id);
    const turn = before === undefined ? change() : before.then(change, change);
    this.last.set(id, turn);
    const done = (): void => {
      if (this.last.get(id) === turn) this.last.delete(id);
    };
    turn.then(done, done);
    return turn;
  }
}

// What a contributor earns. Each report that confirms something for an account earns it credits once, up to so many a
// day. What was paid for is remembered by the number of the report, with the balance and in the same commit. So a
// report that is learned once more, after a kill or from a backup whose tables are older than its accounts, is not
// paid for again.

/** What the operator pays. */
export interface RewardTerms {
  /** Credits for a report, 0..1000. */
  credits: number;
  /** Credits that an account earns in a day (UTC), at most. */
  mostADay: number;
}

/** A report by which an account earns: its own, or another's that confirms what it has reported. */
export interface EarningReport {
  account: number;
  /** Number in the log. */
  sequence: number;
  /** Day of its arrival, since 1970-01-01. */
  day: number;
}

/**
 * What an account earns by reports in the order of the log.
 * @param before what it has earned so far
 * @param rewrites how often the log had been rewritten, since that numbers its reports anew
 * @param room credits that the balance can take
 * @returns credits to add, and what is earned then; undefined when everything was paid for before
 */
export function earn(
  before: Earned | undefined,
  reports: readonly EarningReport[],
  rewrites: number,
  terms: RewardTerms,
  room: number,
): { credits: number; earned: Earned } | undefined {
  let { day, credits: ofDay } = before ?? { day: 0, credits: 0 };
  const isPaid = ({ sequence }: EarningReport): boolean =>
    before !== undefined &&
    (rewrites < before.rewrites || (rewrites === before.rewrites && sequence <= before.sequence));
  const due = reports.filter(report => !isPaid(report));
  if (due.length === 0) return undefined;
  let sum = 0;
  for (const report of due) {
    if (report.day !== day) {
      day = report.day;
      ofDay = 0;
    }
    const paid = Math.max(0, Math.min(terms.credits, terms.mostADay - ofDay, room - sum));
    sum += paid;
    ofDay += paid;
  }
  return { credits: sum, earned: { day, credits: ofDay, rewrites, sequence: due[due.length - 1].sequence } };
}
