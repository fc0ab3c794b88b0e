// An account: the hash of a key, a name, and settings that are defaults for the key's requests.

import { bool, double, may, must, packed, type RecordOf, record, uint } from '../environment/record.ts';
import { f64, Row, u32 } from '../environment/row.ts';
import { KEY_SETTINGS } from './key_settings.ts';

/** Ids are 1 up to this: one slot each in shared memory. */
export const ACCOUNT_ID_MAX = 1_048_575;
/** The last moment. */
const LATEST_MS = 8_640_000_000_000_000;
/** The last month of four digits, since 1970-01. */
const LATEST_MONTH = 96_365;

/** What an account has earned by contributing. */
export interface Earned {
  /** Last day on which it earned, since 1970-01-01. */
  day: number;
  /** Credits earned on that day. */
  credits: number;
  /** How often the observation log had been rewritten by then. */
  rewrites: number;
  /** Number of the last report by which it earned, in that log. */
  sequence: number;
}

/** A key that another one has replaced. */
export interface PreviousKey {
  /** SHA-256, 64 hexadecimal digits. */
  keyHash: string;
  /** First millisecond (since 1970-01-01) on which it is refused. */
  untilMs: number;
}

const HASH_BYTES = 32;
const HASH = packed(
  HASH_BYTES,
  (hash: string) => Buffer.from(hash, 'hex'),
  bytes => bytes.toString('hex'),
);
const PREVIOUS = packed(
  HASH_BYTES + 8,
  ({ keyHash, untilMs }: PreviousKey) => {
    const bytes = Buffer.alloc(HASH_BYTES + 8);
    bytes.write(keyHash, 'hex');
    bytes.writeDoubleLE(untilMs, HASH_BYTES);
    return bytes;
  },
  bytes => {
    const untilMs = bytes.readDoubleLE(HASH_BYTES);
    if (untilMs >= 0 && untilMs <= LATEST_MS) return { keyHash: bytes.toString('hex', 0, HASH_BYTES), untilMs };
  },
);
const EARNED_ROW = new Row({ day: u32, credits: u32, rewrites: f64, sequence: f64 });
const EARNED = packed(
  EARNED_ROW.bytes,
  (earned: Earned) => EARNED_ROW.encode(earned),
  bytes => {
    const earned = EARNED_ROW.read(bytes);
    if ([earned.rewrites, earned.sequence].every(each => Number.isSafeInteger(each) && each >= 0)) return earned;
  },
);

/** The record of an account. */
export const ACCOUNT = record(
  'account',
  {
    id: must(0, uint(1, ACCOUNT_ID_MAX), 'Number of the key.'),
    keyHash: must(
      1,
      HASH,
      'SHA-256 of the key; the key itself is never stored. In the member as 64 hexadecimal digits.',
    ),
    createdMs: must(3, double(0, LATEST_MS), 'Milliseconds since 1970-01-01, whole.'),
    revoked: must(4, bool, 'Ended for good.'),
    previous: may(
      16,
      PREVIOUS,
      'The key before the last rotation, which works for some time beside the new one: its SHA-256, and the ' +
        'millisecond since 1970-01-01 on which it ends, a little-endian double.',
    ),
    earned: may(
      20,
      EARNED,
      'What it has earned by contributing; absent = nothing. Little-endian: the last day on which it earned, since ' +
        '1970-01-01, and the credits of that day, two uints; how often the observation log had been rewritten by ' +
        'then, and the number of the last report by which it earned, two doubles.',
    ),
    filledMonth: may(
      23,
      uint(0, LATEST_MONTH),
      'The last month, since 1970-01 (UTC), for which its balance was filled up; absent = none yet.',
    ),
    loopbackOnly: may(15, bool, 'Accepted from loopback addresses only: the demo key.'),
    ...KEY_SETTINGS,
  },
  // As records had them before.
  [25, 26, 27, 28, 30, 24, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 22, 23, 10, 11, 12, 13, 14, 15, 17, 18, 21, 29, 31, 19, 16],
);

/** An account. While serving, the shared counters hold its live balance. */
export type Account = RecordOf<typeof ACCOUNT.fields>;
