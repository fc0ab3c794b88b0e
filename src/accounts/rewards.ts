// Pays contributors for reports that were confirmed (src/learning/confirmation.ts), right before these take effect.
// After a kill between the two they are learned again, and not paid for again (account_writer.ts).

import type { AccountTable } from '../tables/accounts/accounts.ts';
import type { AccountWriter, EarningReport, RewardTerms } from './account_writer.ts';

interface RewardsOptions {
  accounts: AccountTable;
  writer: AccountWriter;
  /**
   * What contributors earn, also under commands that learn later, while no service runs; undefined = as under the
   * last service.
   */
  rewards?: RewardTerms | undefined;
  /** Changes accounts once nobody copies them. */
  pass: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called when credits could not be granted; what was learned stands. */
  onError: (error: Error) => void;
}

/** Pays contributors. */
export class Rewards {
  private readonly options: RewardsOptions;
  private terms: RewardTerms;

  constructor(options: RewardsOptions) {
    this.options = options;
    this.terms = options.rewards ?? options.accounts.rewardTerms ?? { credits: 0, mostADay: 0 };
    if (options.rewards !== undefined) this.setTerms(options.rewards);
  }

  /** Sets what contributors earn from here on. */
  setTerms(terms: RewardTerms): void {
    const { accounts, onError } = this.options;
    this.terms = terms;
    accounts.setRewardTerms(terms).catch(onError);
  }

  /**
   * Pays for reports in the order of the log.
   * @param rewrites how often that log had been rewritten
   */
  async pay(reports: readonly EarningReport[], rewrites: number): Promise<void> {
    const { writer, pass, onError } = this.options;
    const { terms } = this;
    if (reports.length === 0 || terms.credits === 0) return;
    const byAccount = Map.groupBy(reports, ({ account }) => account);
    try {
      await pass(() =>
        Promise.all([...byAccount].map(([account, due]) => writer.reward(account, due, rewrites, terms))),
      );
    } catch (error) {
      onError(error as Error);
    }
  }
}
