// Puts the demo town and its key into a new data folder, and takes them out again.

import type { AccountWriter } from '../accounts/account_writer.ts';
import { demoChanges } from '../folder/demo_town.ts';
import type { Aggregator } from '../learning/aggregator.ts';
import type { StationWriter } from '../tables/stations/writer.ts';
import { createKey } from './key_jobs.ts';

/** Name of the key in a new data folder. */
const DEMO_NAME = 'demo';
const ACCOUNTS_PAGE = 1_000;

/**
 * Puts the town and a key into a new data folder. The key works only from this machine. @returns the key, shown once
 */
export async function createDemo(stations: StationWriter, accountWriter: AccountWriter): Promise<string> {
  await stations.apply(demoChanges('put'));
  return (await createKey(accountWriter, { name: DEMO_NAME, loopbackOnly: true })).key;
}

/** What was taken out. */
export interface DemoRemoval {
  stations: number;
  keys: number;
  /** No key is valid any more; absent otherwise. */
  noKeyLeft?: true;
}

/** Takes the town out and revokes all keys that work only from this machine. */
export async function removeDemo(
  stations: StationWriter,
  accountWriter: AccountWriter,
  aggregator: Aggregator,
): Promise<DemoRemoval> {
  const changes = demoChanges('delete');
  // It must not write stations that it read before.
  await aggregator.hold();
  try {
    await stations.apply(changes);
  } finally {
    aggregator.release();
  }
  let keys = 0;
  let isKeyLeft = false;
  const today = new Date().toISOString().slice(0, 10);
  for (let after = 0; ; ) {
    const page = accountWriter.list(after, ACCOUNTS_PAGE);
    for (const account of page) {
      if (account.revoked) continue;
      if (account.loopbackOnly === true) {
        await accountWriter.revoke(account.id);
        keys++;
      } else isKeyLeft ||= account.expires === undefined || account.expires >= today;
    }
    if (page.length < ACCOUNTS_PAGE)
      return { stations: demoChanges('put').length, keys, ...(!isKeyLeft && { noKeyLeft: true }) };
    after = page[page.length - 1].id;
  }
}
