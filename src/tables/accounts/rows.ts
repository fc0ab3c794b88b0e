// Small rows of the account table: numbers, tenants, and the devices seen under each account in each month. Numbers are
// big-endian, so the months of an account and the devices of a month are contiguous ranges:
//
//   account u32, month u16                  -> number of devices u32
//   account u32, month u16, device 8 bytes  -> nothing (the device was seen)

import type { Database } from 'lmdb';
import { numberKey, Row, u16Key, u32Key } from '../environment/row.ts';
import { ACCOUNT_ID_MAX } from './account_record.ts';
import { CREDITS_MAX, STORAGE_MEGABYTES_MAX } from './key_settings.ts';

/** One table of plain bytes. */
export type Rows = Database<Buffer, Buffer>;

/** Seen before in the month, seen for the first time, or one more than the plan holds. */
export type DeviceOutcome = 'known' | 'added' | 'refused';

const MONTH = new Row({ id: u32Key, month: u16Key });
const NOTHING = Buffer.alloc(0);
const TENANT = Buffer.from('tenant:');
/** A semicolon comes next to a colon. */
const BEHIND_TENANTS = Buffer.from('tenant;');
/** Rows of past months removed with each device added: more than are added, so that they do not pile up. */
const PAST_ROWS_REMOVED = 4;

/**
 * Counts a device, in the caller's write transaction. `device` is 16 hexadecimal digits; devices of months before
 * `keptFrom` may go.
 */
export function countDevice(
  rows: Rows,
  id: number,
  month: number,
  device: string,
  limit: number,
  keptFrom: number,
): DeviceOutcome {
  const count = MONTH.encode({ id, month });
  const row = Buffer.concat([count, Buffer.from(device, 'hex')]);
  if (rows.doesExist(row)) return 'known';
  const seen = readNumber(rows, count) ?? 0;
  if (seen >= limit) return 'refused';
  // Device ids are personal data: those of past months are removed, a few with each new device.
  const past = [
    ...rows.getKeys({
      start: numberKey(id),
      end: MONTH.encode({ id, month: Math.min(month, keptFrom) }),
      limit: PAST_ROWS_REMOVED,
    }),
  ];
  for (const old of past) void rows.remove(old);
  void rows.put(row, NOTHING);
  void rows.put(count, numberKey(seen + 1));
  return 'added';
}

/** The key of the tenant with a token, SHA-256 of it. */
function tenantKey(tokenHash: string): Buffer {
  return Buffer.concat([TENANT, Buffer.from(tokenHash, 'hex')]);
}

/**
 * The caps of a tenant: the most that each can be, the value behind its flag, and what it means in the help of the flag
 * and in the admin interface.
 */
export const TENANT_CAPS = {
  keys: {
    most: ACCOUNT_ID_MAX,
    shape: '<number>',
    help: 'keys that are not revoked, at most',
    text: 'Keys that are not revoked.',
  },
  credits: {
    most: CREDITS_MAX,
    shape: '<number>',
    help: 'credits in a calendar month (UTC), at most',
    text: 'Credits that its keys may take in a calendar month (UTC).',
  },
  storageMb: {
    most: STORAGE_MEGABYTES_MAX,
    shape: '<MB>',
    help: 'disk that reports may take, at most',
    text: 'Megabytes of disk that the reports of its keys may take.',
  },
};

/** What the keys of a tenant may take together, at most (accounts/tenant_caps.ts); no cap where there is none. */
export type TenantCaps = { readonly [cap in keyof typeof TENANT_CAPS]?: number };

/** A tenant. */
export interface Tenant {
  /** SHA-256 of its token, 64 hexadecimal digits. */
  tokenHash: string;
  caps: TenantCaps;
}

/** All tenants with their tags. */
export function tenantRows(rows: Rows): (Tenant & { tag: string })[] {
  return [...rows.getRange({ start: TENANT, end: BEHIND_TENANTS })].map(({ key, value }) => {
    const { word, caps } = readCaps(value.toString());
    return { tag: word, caps, tokenHash: key.subarray(TENANT.length).toString('hex') };
  });
}

/** The tag of the tenant with a token, SHA-256 of it; undefined if there is none. */
export function readTenantTag(rows: Rows, tokenHash: string): string | undefined {
  const value = rows.getBinary(tenantKey(tokenHash));
  return value && readCaps(value.toString()).word;
}

/** Writes a tenant in place of the one with its tag, or removes it, in the caller's write transaction. */
export function writeTenant(rows: Rows, tag: string, tenant: Tenant | undefined): void {
  for (const old of tenantRows(rows)) if (old.tag === tag) void rows.remove(tenantKey(old.tokenHash));
  if (tenant !== undefined) void rows.put(tenantKey(tenant.tokenHash), Buffer.from(withCaps(tag, tenant.caps)));
}

/** A word with caps behind it; the word alone where there are none. */
export function withCaps(word: string, caps: TenantCaps): string {
  return Object.keys(caps).length === 0 ? word : `${word} ${JSON.stringify(caps)}`;
}

/** Reads what `withCaps` wrote. */
export function readCaps(text: string): { word: string; caps: TenantCaps } {
  const blank = text.indexOf(' ');
  return blank < 0 ? { word: text, caps: {} } : { word: text.slice(0, blank), caps: JSON.parse(text.slice(blank)) };
}

/** Reads a number of 32 bits. @throws Error when the row holds something else */
export function readNumber(rows: Rows, key: Buffer): number | undefined {
  const bytes = rows.getBinary(key);
  if (bytes === undefined) return undefined;
  if (bytes.length !== 4)
    throw new Error(
      `A number in the account table has ${bytes.length} bytes instead of 4: the table is damaged; restore it ` +
        `from a backup.`,
    );
  return bytes.readUInt32BE(0);
}
