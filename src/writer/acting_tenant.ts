// A tenant who makes or changes a key: what it may set, and how much its keys may take together
// (accounts/tenant_caps.ts).

import type { AccountWriter } from '../accounts/account_writer.ts';
import { changedAccount, requireWithinCaps, type TakenBy } from '../accounts/tenant_caps.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { AccountChanges } from '../tables/accounts/accounts.ts';
import { SETTING_ROWS } from '../tables/accounts/key_settings.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { UsageTable } from '../tables/requests/usage.ts';

/** Of a key that is not made yet. */
const NO_ID = 0;

/** The tenant with a tag. */
export class ActingTenant {
  private readonly tag: string;
  private readonly accountWriter: AccountWriter;
  private readonly usage: UsageTable;
  private readonly observations: ObservationLog;

  constructor(tag: string, accountWriter: AccountWriter, usage: UsageTable, observations: ObservationLog) {
    this.tag = tag;
    this.accountWriter = accountWriter;
    this.usage = usage;
    this.observations = observations;
  }

  /** Settings of a new key as the tenant may make it. @throws Error when it may not */
  newKey(settings: AccountChanges): AccountChanges {
    const made = this.settingsOf(settings, []);
    this.requireWithinCaps({ id: NO_ID, keyHash: '', createdMs: 0, revoked: false }, made);
    return made;
  }

  /** Changes of a key as the tenant may make them. @throws Error when it may not */
  changes(account: Account, settings: AccountChanges): AccountChanges {
    const changes = this.settingsOf(settings, account.tags ?? []);
    this.requireWithinCaps(account, changes);
    return changes;
  }

  /**
   * Its tag stays, and so do those of other tenants, who would lose the key.
   * @param before tags that the key has
   * @throws Error when a setting is for the operator alone, or a tag is that of another tenant
   */
  private settingsOf(settings: AccountChanges, before: readonly string[]): AccountChanges {
    const refused = SETTING_ROWS.find(([member, { isOperators }]) => isOperators && settings[member] === true);
    if (refused !== undefined) throw new Error(`Only the operator may give a key the setting ${refused[0]}.`);
    if (settings.tags === undefined && before.includes(this.tag)) return settings;
    const tenants = new Set(this.accountWriter.table.tenants().map(({ tag }) => tag));
    const own = [this.tag, ...before.filter(tag => tenants.has(tag))];
    const foreign = settings.tags?.find(tag => tenants.has(tag) && !own.includes(tag));
    if (foreign !== undefined) throw new Error(`The tag ${foreign} is that of another tenant; name another one.`);
    return { ...settings, tags: [...new Set([...own, ...(settings.tags ?? [])])] };
  }

  private requireWithinCaps(account: Account, changes: AccountChanges): void {
    const caps = this.accountWriter.table.tenants().find(({ tag }) => tag === this.tag)?.caps ?? {};
    if (Object.keys(caps).length === 0) return;
    const all = this.accountWriter.list(0, Number.POSITIVE_INFINITY);
    const keys = all.filter(({ tags }) => tags?.includes(this.tag)).map(each => this.takenBy(each));
    requireWithinCaps(this.tag, caps, keys, { ...this.takenBy(account), account: changedAccount(account, changes) });
  }

  private takenBy(account: Account): TakenBy {
    const { id } = account;
    if (id === NO_ID) return { account, spent: 0, storedBytes: 0 };
    const nowMs = Date.now();
    const firstDay = `${new Date(nowMs).toISOString().slice(0, 7)}-01`;
    const days = this.usage.of(id, nowMs).filter(({ day }) => day >= firstDay);
    const spent = days.reduce((sum, { credits }) => sum + credits, 0);
    return { account, spent, storedBytes: this.observations.storedBytes(id) };
  }
}
