// An account: the hash of a key, a name, and settings that are defaults for the key's requests.

import {
  bool,
  day,
  double,
  may,
  must,
  packed,
  type RecordOf,
  record,
  text,
  texts,
  uint,
} from '../environment/record.ts';
import { f64, Row, u32 } from '../environment/row.ts';

/** Ids are 1 up to this: one slot each in shared memory. */
export const ACCOUNT_ID_MAX = 1_048_575;
/** The largest balance: counters in shared memory are signed 32-bit words. */
export const CREDITS_MAX = 2_147_483_647;
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

/** Settings of a key. A member that is absent is not set. */
const SETTINGS = {
  name: may(2, text, 'Free text for the operator.'),
  indoor: may(5, bool, 'Requests ask for indoor information unless they say otherwise.'),
  address: may(6, bool, 'Requests ask for an address unless they say otherwise.'),
  speedFilter: may(7, bool, 'Positions that would need a speed above the limit are refused.'),
  speedLimit: may(8, double(0.01, 100_000), 'Metres a second.'),
  credits: may(9, uint(0, CREDITS_MAX), 'Prepaid requests; absent = not prepaid.'),
  expires: may(10, day, 'Last day (UTC) on which the key is valid; absent = no end.'),
  ratePerSecond: may(11, double(0.01, 1_000_000), 'Requests a second; absent = no limit.'),
  devices: may(12, uint(1, 1_000_000_000), 'Distinct device ids in a calendar month; absent = no limit.'),
  contributor: may(13, bool, 'Earns credits by contributing.'),
  trusted: may(14, bool, 'Its observations need no second contributor to agree.'),
  loopbackOnly: may(15, bool, 'Accepted from loopback addresses only: the demo key.'),
  trail: may(17, bool, 'It may ask where a station was heard.'),
  tracking: may(18, bool, 'Its devices are followed outdoors.'),
  storageMegabytes: may(
    19,
    uint(0, 1_048_576),
    'Megabytes (2^20 bytes) of disk that its reports may take; absent = as src/accounts/directory.ts says.',
  ),
  explain: may(21, bool, 'Its answers may carry an explanation.'),
  monthlyCredits: may(
    22,
    uint(1, CREDITS_MAX),
    'What the balance is filled up to when a calendar month (UTC) begins; absent = it is not filled up.',
  ),
  confidence: may(24, double(50, 99), 'Percentage of true positions that the radius holds; absent = 50.'),
  fallbacks: may(25, texts, 'Names of the fallbacks of requests that name none, perhaps `all`; absent = none.'),
  routes: may(26, texts, 'Routes that it may be used for, as in the request log; absent = all.'),
  origins: may(27, texts, 'Origins of the pages that may use it: `https://shop.example`; absent = all, and programs.'),
  networks: may(28, texts, 'Addresses and subnets of its clients, in CIDR notation; absent = all.'),
  upstream: may(29, bool, 'Where nothing is found, another service is asked for it.'),
  tags: may(30, texts, 'Groups that it belongs to. A tenant sees the keys with its tag.'),
  cells: may(31, bool, 'It may list the cells of an area.'),
};

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
    ...SETTINGS,
  },
  // As records had them before.
  [25, 26, 27, 28, 30, 24, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 22, 23, 10, 11, 12, 13, 14, 15, 17, 18, 21, 29, 31, 19, 16],
);

/** Settings of a key. A member that is absent is not set. */
export type AccountSettings = RecordOf<typeof SETTINGS>;
/** An account. While serving, the shared counters hold its live balance. */
export type Account = RecordOf<typeof ACCOUNT.fields>;
