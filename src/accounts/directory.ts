// Finds the account of a key, in each HTTP thread. Known accounts are cached by the hash of their key until the writer
// announces a change. Unknown keys are looked up in the table each time, so they cannot fill the cache.

import type { Account } from '../tables/accounts/account_record.ts';
import type { AccountTable } from '../tables/accounts/accounts.ts';
import { hashKey } from './key.ts';

/** A longer text is not a key and is not hashed. */
const KEY_CHARACTERS_MAX = 200;
const REMEMBERED_MAX = 65_536;
/** Keys whose hash is cached: hashing costs more than all other checks of a key together. */
const HASHES_MAX = 4_096;
const DAY_MS = 86_400_000;

/**
 * Why a key is refused. `loopbackOnly`: the demo key, used from another machine; `unsure`: it is not known here, and
 * may be known elsewhere.
 */
type KeyRefusal = 'missing' | 'unknown' | 'unsure' | 'revoked' | 'expired' | 'loopbackOnly';

interface Remembered {
  account: Account;
  /** First millisecond on which the key is no longer valid. */
  endMs: number;
}

/** The accounts that one thread knows. */
export class AccountDirectory {
  private readonly table: AccountTable;
  private readonly control: Int32Array;
  private readonly versionIndex: number;
  private readonly lacksKeys: () => boolean;
  private readonly remembered = new Map<string, Remembered>();
  /** Hash by text, for keys of known accounts only, so that guessed keys do not displace them. */
  private readonly hashes = new Map<string, string>();
  private version: number;

  /**
   * @param table this thread's view of the table
   * @param control shared words; the one at `versionIndex` changes when accounts do
   * @param lacksKeys true while there may be keys that the table does not have
   */
  constructor(table: AccountTable, control: Int32Array, versionIndex: number, lacksKeys = () => false) {
    this.table = table;
    this.control = control;
    this.versionIndex = versionIndex;
    this.lacksKeys = lacksKeys;
    this.version = Atomics.load(control, versionIndex);
  }

  /**
   * Finds the account of a key.
   * @param key the text that was sent; absent, empty and `null` (what some clients send for no key) are missing
   * @param fromLoopback the peer is on this machine
   * @param nowMs milliseconds since 1970-01-01
   */
  find(key: string | undefined, fromLoopback: boolean, nowMs: number): Account | KeyRefusal {
    if (key === undefined || key === '' || key === 'null') return 'missing';
    if (key.length > KEY_CHARACTERS_MAX) return 'unknown';
    const known = this.hashes.get(key);
    const keyHash = known ?? hashKey(key);
    const found = this.lookUp(keyHash);
    if (found === undefined) return this.lacksKeys() ? 'unsure' : 'unknown';
    if (known === undefined) {
      if (this.hashes.size >= HASHES_MAX) this.hashes.clear();
      this.hashes.set(key, keyHash);
    }
    if (found.account.revoked) return 'revoked';
    if (nowMs >= found.endMs) return 'expired';
    if (found.account.loopbackOnly && !fromLoopback) return 'loopbackOnly';
    return found.account;
  }

  private lookUp(keyHash: string): Remembered | undefined {
    // Read the version before the table: a later change is announced again.
    const version = Atomics.load(this.control, this.versionIndex);
    if (version !== this.version) {
      this.remembered.clear();
      this.version = version;
    }
    let found = this.remembered.get(keyHash);
    if (found === undefined) {
      const account = this.table.findByHash(keyHash);
      if (account === undefined) return undefined;
      found = { account, endMs: endOf(account, keyHash) };
      if (this.remembered.size >= REMEMBERED_MAX) this.remembered.delete(this.remembered.keys().next().value!);
      this.remembered.set(keyHash, found);
    }
    return found;
  }
}

/** When a key of an account ends: with the account, or as the previous key earlier. */
function endOf({ expires, previous }: Account, keyHash: string): number {
  const endMs = expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires) + DAY_MS;
  return previous?.keyHash === keyHash ? Math.min(endMs, previous.untilMs) : endMs;
}

// How much of the disk the reports of a key may take. They are kept for as long as --keep-observations says, so
// without a limit one key could fill the disk.

/**
 * Megabytes (2^20 bytes) that the reports of a key take at most if it has no setting of its own: 1.7 million with 16
 * stations each, more than a phone collects in two years that measures every ten seconds for six hours a day.
 */
const STORAGE_MEGABYTES = 1_024;
const MEGABYTE = 1_048_576;

/**
 * Bytes of disk that the reports of an account may take; undefined = no limit, as for trusted keys without a setting
 * of their own.
 */
export function storageBytesOf({ storageMegabytes, trusted }: Account): number | undefined {
  if (storageMegabytes === undefined && trusted === true) return undefined;
  return (storageMegabytes ?? STORAGE_MEGABYTES) * MEGABYTE;
}
