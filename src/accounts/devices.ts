// Device plans: a key may serve a number of distinct device ids in a calendar month (UTC). The writer counts them. Each
// HTTP thread remembers those already counted, so it asks the writer once a month for each device. All requests without
// an id count as one device.

import { hash } from 'node:crypto';
import type { Account } from '../tables/accounts/account_record.ts';
import type { DeviceOutcome } from '../tables/accounts/rows.ts';

const REMEMBERED_MAX = 262_144;
const HASH_DIGITS = 16;

/** Asks the writer to count a device (AccountWriter.registerDevice); `device` is 16 hexadecimal digits. */
type RegisterDevice = (accountId: number, month: number, device: string, limit: number) => Promise<DeviceOutcome>;

/** Whole months since 1970-01 (UTC). */
export function monthOf(nowMs: number): number {
  const date = new Date(nowMs);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Applies device plans in one thread. */
export class DevicePlans {
  private readonly register: RegisterDevice;
  private readonly counted = new Set<string>();
  private readonly clockAheadMs: () => number;
  private month = 0;

  /** @param clockAheadMs how far the clock of this machine is ahead of that by which months begin */
  constructor(register: RegisterDevice, clockAheadMs = () => 0) {
    this.register = register;
    this.clockAheadMs = clockAheadMs;
  }

  /**
   * Decides whether a device may be served under the plan of its key, and counts it.
   * @param deviceId as sent; a missing one and an empty one are the same device
   * @returns the decision, or a promise when the writer has to be asked
   */
  admits(account: Account, deviceId: string | undefined, nowMs: number): boolean | Promise<boolean> {
    if (account.devices === undefined) return true;
    const month = monthOf(nowMs - this.clockAheadMs());
    if (month !== this.month) {
      this.counted.clear();
      this.month = month;
    }
    const device = `${account.id} ${deviceId ?? ''}`;
    return this.counted.has(device) || this.ask(account.id, account.devices, deviceId ?? '', device, month);
  }

  private async ask(
    accountId: number,
    limit: number,
    deviceId: string,
    device: string,
    month: number,
  ): Promise<boolean> {
    const outcome = await this.register(accountId, month, hash('sha256', deviceId, 'hex').slice(0, HASH_DIGITS), limit);
    if (outcome === 'refused') return false;
    if (month === this.month) {
      if (this.counted.size >= REMEMBERED_MAX) this.counted.delete(this.counted.values().next().value!);
      this.counted.add(device);
    }
    return true;
  }
}
