// How the rules of charging, of limits and of rewards may break.

import type { Mutations } from './mutations.ts';

export const ACCOUNTS: readonly Mutations[] = [
  {
    file: 'src/accounts/billing.ts',
    tests: ['test/accounts/billing.test.ts', 'test/accounts/blocks.test.ts'],
    rows: [
      ['who is not prepaid pays nothing', 'if (!this.counters.isPrepaid(accountId)) return true;\n    if', 'if'],
      [
        'a balance that covers waits for the writer',
        'this.covers(accountId, credits) ? this.chargeSlowly(accountId, credits) : false',
        'false',
      ],
      ['what is paid is counted', 'this.countCredits(credits);\n    if', 'if'],
      ['so is what was paid after a wait', 'this.countCredits(credits);\n        return', 'return'],
      ['the writer is asked early', 'this.hintTopUp(accountId);\n', '{}\n'],
      ['and by one caller', ' && this.counters.beginTopUp(accountId)', ''],
      ['a key that is no longer prepaid', 'if (!this.counters.isPrepaid(accountId)) return true;\n      if', 'if'],
      ['a round that found its credits spent', 'while (this.covers(accountId, credits))', 'while (false)'],
      ['waits are counted', 'this.counters.countWaitedCharge();', ''],
      ['charges share a top-up', 'this.underWay.set(accountId, topUp);', ''],
      ['which ends', '.finally(() => this.underWay.delete(accountId))', ''],
    ],
  },
  {
    file: 'src/accounts/counters.ts',
    tests: ['test/accounts/counters.test.ts', 'test/accounts/blocks.test.ts', 'test/accounts/account_writer.test.ts'],
    rows: [
      ['no balance below zero', 'while (seen >= credits)', 'while (seen >= 0)'],
      ['a block is what a second takes', 'Math.max(BLOCK_CREDITS, recent)', 'BLOCK_CREDITS'],
      ['at most 1 % of the balance', 'BLOCK_PART = 100', 'BLOCK_PART = 50'],
      ['at least 100', 'BLOCK_CREDITS = 100', 'BLOCK_CREDITS = 99'],
      ['at least 1', 'Math.max(1, Math.floor(balance / BLOCK_PART))', 'Math.floor(balance / BLOCK_PART)'],
      ['early is half a block', 'EARLY_PART = 2', 'EARLY_PART = 3'],
      ['nothing in reserve, no top-up', 'return reserve > 0 && ', 'return '],
      ['spending before weighs less', 'MEMORY_MS = 1_000', 'MEMORY_MS = 2_000'],
      ['the burst of a rate', 'Math.max(1, Math.floor(rate))', 'Math.max(2, Math.floor(rate))'],
      ['nodes divide a rate', 'ratePerSecond / this.nodes;', 'ratePerSecond;'],
      ['seconds to wait are rounded up', '(wait + SECOND_NS - 1n) / SECOND_NS', 'wait / SECOND_NS'],
      ['a clock that was set back', ' || seen > now + burst + SECOND_NS', ''],
      ['a second for clocks that differ', 'now + burst + SECOND_NS ?', 'now + burst ?'],
      ['items at once', 'ITEMS_AT_ONCE = 1_000', 'ITEMS_AT_ONCE = 999'],
      ['items of an hour', 'ITEMS_SECONDS = 3_600', 'ITEMS_SECONDS = 3_599'],
      ['items do not take requests', 'ITEM_ARRIVALS + id,', 'id * SLOT_LONGS + ARRIVAL,'],
      ['what is taken back is in reserve', 'Atomics.add(this.words, at + RESERVE, taken);', ''],
    ],
  },
  {
    file: 'src/accounts/account_writer.ts',
    tests: ['test/accounts/account_writer.test.ts'],
    rows: [
      ['a report is paid once', 'sequence <= before.sequence', 'sequence < before.sequence'],
      ['also after the log is written anew', 'rewrites < before.rewrites || ', ''],
      ['so much a day', 'terms.mostADay - ofDay', 'terms.mostADay'],
      ['each day begins anew', 'ofDay = 0;', ''],
      ['no more than the balance can take', ', room - sum)', ')'],
    ],
  },
  {
    file: 'src/accounts/rewards.ts',
    tests: ['test/accounts/rewards.test.ts'],
    rows: [
      ['nothing is paid where nothing is promised', ' || terms.credits === 0) return;', ') return;'],
      ['terms outlive the service', 'accounts.setRewardTerms(terms).catch(onError);', ''],
      ['commands pay as the last service', 'options.accounts.rewardTerms ?? ', ''],
      [
        'changes wait for a copy',
        'await pass(() =>\n        Promise.all([...byAccount].map(([account, due]) => writer.reward(account, due, rewrites, terms))),\n      );',
        'await Promise.all([...byAccount].map(([account, due]) => writer.reward(account, due, rewrites, terms)));',
      ],
      ['what cannot be paid is told', 'onError(error as Error);', 'void onError;'],
    ],
  },
  {
    file: 'src/accounts/account_writer.ts',
    tests: ['test/accounts/account_writer.test.ts', 'test/accounts/rewards.test.ts'],
    rows: [
      ['credits leave the table first', 'await this.table.debit(id, amount)', 'amount'],
      ['a price above a block fits', 'credits <= balance ? credits : 0', '0'],
      ['the next early top-up may come', 'this.counters.endTopUp(id);', ''],
      ['a quota is filled up once a month', 'filledMonth === month || ', ''],
      ['and not again where the clock goes back', ' || filledMonth === month + 1) return', ') return'],
      ['what was not used does not add', 'monthlyCredits - taken', 'monthlyCredits'],
      ['a balance has a limit', 'if (balance > CREDITS_MAX)', 'if (balance > 2 * CREDITS_MAX)'],
      ['only contributors earn', 'account?.contributor !== true || ', 'account === undefined || '],
      ['a revoked key earns nothing', ' || account.revoked) return 0;', ') return 0;'],
    ],
  },
  {
    file: 'src/accounts/devices.ts',
    tests: ['test/accounts/devices.test.ts'],
    rows: [
      ['devices are counted by month', 'this.counted.clear();', ''],
      ['no id is one device', "?? ''}`", '?? Math.random()}`'],
      ['a refused device is not counted', "if (outcome === 'refused') return false;", ''],
      ['the writer is asked once', 'this.counted.add(device);', ''],
    ],
  },
];
