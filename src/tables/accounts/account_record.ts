// An account: the hash of a key, a name, and settings that are defaults for the key's requests. It is stored as one
// FlatBuffers table, so absent settings take no room and a later version can append fields. The schema is account.fbs.

import { Builder } from 'flatbuffers';
import { CheckedTable } from '../environment/checked_table.ts';
import { f64, Row, u32 } from '../environment/row.ts';

/** Ids are 1 up to this: one slot each in shared memory. */
export const ACCOUNT_ID_MAX = 1_048_575;
/** The largest balance: counters in shared memory are signed 32-bit words. */
export const CREDITS_MAX = 2_147_483_647;
const RATE_MIN = 0.01;
const RATE_MAX = 1_000_000;
const DEVICES_MAX = 1_000_000_000;
const STORAGE_MEGABYTES_MAX = 1_048_576;
/** The last moment, and the last day of four digits. */
const LATEST_MS = 8_640_000_000_000_000;
const LATEST_DAY = 2_932_896;

const CONFIDENCE_MIN = 50;
const CONFIDENCE_MAX = 99;
/** The last month of four digits, since 1970-01. */
const LATEST_MONTH = 96_365;

/** Settings of a key. A member that is absent is not set. */
export interface AccountSettings {
  /** Requests ask for indoor information unless they say otherwise. */
  indoor?: boolean;
  /** Requests ask for an address unless they say otherwise. */
  address?: boolean;
  /** Percentage of true positions that the radius holds unless the request says otherwise, 50..99; absent = 50. */
  confidence?: number;
  /** Names of the fallbacks of requests that name none, perhaps `all`; absent = none. */
  fallbacks?: string[];
  /** Routes that it may be used for, of `LOG_ROUTES`; absent = all. */
  routes?: string[];
  /** Origins of the pages that may use it, `https://shop.example`; absent = all, and programs. */
  origins?: string[];
  /** Addresses and subnets of clients that may use it, in CIDR notation; absent = all. */
  networks?: string[];
  /** Groups that it belongs to. A tenant sees the keys with its tag. */
  tags?: string[];
  /** Positions that would need a speed above the limit are refused. */
  speedFilter?: boolean;
  /** Metres a second, above 0. */
  speedLimit?: number;
  /**
   * Prepaid requests left in the table, 0..2,147,483,647; absent = not prepaid. While serving, the shared counters hold
   * the live balance.
   */
  credits?: number;
  /** What the balance is filled up to when a calendar month (UTC) begins, 1..2,147,483,647; absent = it is not. */
  monthlyCredits?: number;
  /** `YYYY-MM-DD`, the last day (UTC) on which the key is valid. */
  expires?: string;
  /** Requests a second that are admitted, 0.01..1,000,000; absent = no limit. */
  ratePerSecond?: number;
  /** Distinct device ids in a calendar month, 1..1,000,000,000; absent = no limit. */
  devices?: number;
  /**
   * Megabytes (2^20 bytes) of disk that its reports may take, 0..1,048,576; absent = as src/accounts/directory.ts says.
   */
  storageMegabytes?: number;
  /** Earns credits by contributing. */
  contributor?: boolean;
  /** Its observations need no second contributor to agree. */
  trusted?: boolean;
  /** It may ask where a station was heard. */
  trail?: boolean;
  /** Its devices are followed outdoors. */
  tracking?: boolean;
  /** Its answers carry an explanation where the request asks for one. */
  explain?: boolean;
  /** Where nothing is found, another service is asked for it. */
  upstream?: boolean;
  /** It may list the cells of an area. */
  cells?: boolean;
  /** Accepted from loopback addresses only: the demo key. */
  loopbackOnly?: boolean;
}

export interface Account extends AccountSettings {
  /** 1..1,048,575. */
  id: number;
  /** SHA-256 of the key, 64 hexadecimal digits; the key itself is never stored. */
  keyHash: string;
  /** Free text for the operator. */
  name?: string;
  /** Milliseconds since 1970-01-01. */
  createdMs: number;
  revoked: boolean;
  /** The key before the last rotation, which works for some time beside the new one. */
  previous?: PreviousKey;
  /** What it has earned by contributing; absent = nothing. */
  earned?: Earned;
  /** The last month, since 1970-01 (UTC), for which its balance was filled up; absent = none yet. */
  filledMonth?: number;
}

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

/** Slot numbers of the table, as in account.fbs. Never reuse one. */
const ID = 0;
const KEY_HASH = 1;
const NAME = 2;
const CREATED_MS = 3;
const REVOKED = 4;
const INDOOR = 5;
const ADDRESS = 6;
const SPEED_FILTER = 7;
const SPEED_LIMIT = 8;
const CREDITS = 9;
const EXPIRES_DAY = 10;
const RATE = 11;
const DEVICES = 12;
const CONTRIBUTOR = 13;
const TRUSTED = 14;
const LOOPBACK_ONLY = 15;
const PREVIOUS_KEY = 16;
const TRAIL = 17;
const TRACKING = 18;
const STORAGE_MEGABYTES = 19;
const EARNED = 20;
const EXPLAIN = 21;
const MONTHLY_CREDITS = 22;
const FILLED_MONTH = 23;
const CONFIDENCE = 24;
const FALLBACKS = 25;
const ROUTES = 26;
const ORIGINS = 27;
const NETWORKS = 28;
const UPSTREAM = 29;
const TAGS = 30;
const CELLS = 31;
const SLOTS = 32;

/** Settings that are lists of texts. */
const LISTS = [
  [FALLBACKS, 'fallbacks'],
  [ROUTES, 'routes'],
  [ORIGINS, 'origins'],
  [NETWORKS, 'networks'],
  [TAGS, 'tags'],
] as const;

const KEY_HASH_BYTES = 32;
/** The hash of a previous key, and its end. */
const PREVIOUS_KEY_BYTES = KEY_HASH_BYTES + 8;
const EARNED_ROW = new Row({ day: u32, credits: u32, rewrites: f64, sequence: f64 });
const DAY_MS = 86_400_000;
/** The record, as error messages name it. */
const RECORD = 'The record of an account';

/** Encodes an account as a FlatBuffers table. */
export function encodeAccount(account: Account): Uint8Array {
  const builder = new Builder(256);
  // Settings that are off or zero must stay apart from settings that are absent.
  builder.forceDefaults(true);
  const hash = builder.createByteVector(Buffer.from(account.keyHash, 'hex'));
  const name = account.name === undefined ? 0 : builder.createString(account.name);
  const { previous } = account;
  const previousKey = previous === undefined ? 0 : builder.createByteVector(bytesOfPrevious(previous));
  const { earned } = account;
  const earnedBytes = earned === undefined ? 0 : builder.createByteVector(EARNED_ROW.encode(earned));
  const lists = LISTS.map(([slot, member]) => [slot, textsIn(builder, account[member])] as const);
  builder.startObject(SLOTS);
  for (const [slot, texts] of lists) if (texts !== 0) builder.addFieldOffset(slot, texts, 0);
  if (account.confidence !== undefined) builder.addFieldFloat64(CONFIDENCE, account.confidence, 0);
  builder.addFieldInt32(ID, account.id, 0);
  builder.addFieldOffset(KEY_HASH, hash, 0);
  if (account.name !== undefined) builder.addFieldOffset(NAME, name, 0);
  builder.addFieldFloat64(CREATED_MS, account.createdMs, 0);
  addFlag(builder, REVOKED, account.revoked);
  addFlag(builder, INDOOR, account.indoor);
  addFlag(builder, ADDRESS, account.address);
  addFlag(builder, SPEED_FILTER, account.speedFilter);
  if (account.speedLimit !== undefined) builder.addFieldFloat64(SPEED_LIMIT, account.speedLimit, 0);
  if (account.credits !== undefined) builder.addFieldInt32(CREDITS, account.credits, 0);
  if (account.monthlyCredits !== undefined) builder.addFieldInt32(MONTHLY_CREDITS, account.monthlyCredits, 0);
  if (account.filledMonth !== undefined) builder.addFieldInt32(FILLED_MONTH, account.filledMonth, 0);
  if (account.expires !== undefined) builder.addFieldInt32(EXPIRES_DAY, Date.parse(account.expires) / DAY_MS, 0);
  if (account.ratePerSecond !== undefined) builder.addFieldFloat64(RATE, account.ratePerSecond, 0);
  if (account.devices !== undefined) builder.addFieldInt32(DEVICES, account.devices, 0);
  addFlag(builder, CONTRIBUTOR, account.contributor);
  addFlag(builder, TRUSTED, account.trusted);
  addFlag(builder, LOOPBACK_ONLY, account.loopbackOnly);
  addFlag(builder, TRAIL, account.trail);
  addFlag(builder, TRACKING, account.tracking);
  addFlag(builder, EXPLAIN, account.explain);
  addFlag(builder, UPSTREAM, account.upstream);
  addFlag(builder, CELLS, account.cells);
  if (account.storageMegabytes !== undefined) builder.addFieldInt32(STORAGE_MEGABYTES, account.storageMegabytes, 0);
  if (previous !== undefined) builder.addFieldOffset(PREVIOUS_KEY, previousKey, 0);
  if (earned !== undefined) builder.addFieldOffset(EARNED, earnedBytes, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record, which may be overwritten afterwards.
 * @throws Error when the bytes are no account, or a value is out of its range
 */
export function decodeAccount(bytes: Uint8Array): Account {
  const table = new CheckedTable(bytes, RECORD);
  const hash = table.structs(KEY_HASH, 1);
  if (!table.has(ID) || !table.has(CREATED_MS) || hash.length !== KEY_HASH_BYTES)
    throw damaged('it lacks its id, key hash or date');
  const account: Account = {
    id: table.unsigned(ID),
    keyHash: Buffer.from(hash).toString('hex'),
    createdMs: table.float(CREATED_MS),
    revoked: table.flag(REVOKED),
  };
  if (table.has(NAME)) account.name = table.text(NAME);
  if (table.has(INDOOR)) account.indoor = table.flag(INDOOR);
  if (table.has(ADDRESS)) account.address = table.flag(ADDRESS);
  if (table.has(SPEED_FILTER)) account.speedFilter = table.flag(SPEED_FILTER);
  if (table.has(SPEED_LIMIT)) account.speedLimit = table.float(SPEED_LIMIT);
  if (table.has(CREDITS)) account.credits = table.unsigned(CREDITS);
  if (table.has(MONTHLY_CREDITS)) account.monthlyCredits = table.unsigned(MONTHLY_CREDITS);
  if (table.has(FILLED_MONTH)) account.filledMonth = table.unsigned(FILLED_MONTH);
  if (table.has(EXPIRES_DAY)) account.expires = dateOf(table.unsigned(EXPIRES_DAY));
  if (table.has(RATE)) account.ratePerSecond = table.float(RATE);
  if (table.has(DEVICES)) account.devices = table.unsigned(DEVICES);
  if (table.has(STORAGE_MEGABYTES)) account.storageMegabytes = table.unsigned(STORAGE_MEGABYTES);
  if (table.has(CONTRIBUTOR)) account.contributor = table.flag(CONTRIBUTOR);
  if (table.has(TRUSTED)) account.trusted = table.flag(TRUSTED);
  if (table.has(TRAIL)) account.trail = table.flag(TRAIL);
  if (table.has(TRACKING)) account.tracking = table.flag(TRACKING);
  if (table.has(EXPLAIN)) account.explain = table.flag(EXPLAIN);
  if (table.has(UPSTREAM)) account.upstream = table.flag(UPSTREAM);
  if (table.has(CELLS)) account.cells = table.flag(CELLS);
  if (table.has(LOOPBACK_ONLY)) account.loopbackOnly = table.flag(LOOPBACK_ONLY);
  if (table.has(CONFIDENCE)) account.confidence = table.float(CONFIDENCE);
  for (const [slot, member] of LISTS) if (table.has(slot)) account[member] = table.texts(slot);
  if (table.has(PREVIOUS_KEY)) account.previous = previousOf(table);
  if (table.has(EARNED)) account.earned = earnedOf(table);
  const problem = problemWith(account);
  if (problem !== undefined) throw damaged(problem);
  return account;
}

/** Writes a list of texts. @returns its offset, 0 without one */
function textsIn(builder: Builder, texts: readonly string[] | undefined): number {
  if (texts === undefined) return 0;
  const offsets = texts.map(text => builder.createString(text));
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.reverse()) builder.addOffset(offset);
  return builder.endVector();
}

function bytesOfPrevious({ keyHash, untilMs }: PreviousKey): Buffer {
  const bytes = Buffer.alloc(PREVIOUS_KEY_BYTES);
  bytes.write(keyHash, 'hex');
  bytes.writeDoubleLE(untilMs, KEY_HASH_BYTES);
  return bytes;
}

function previousOf(table: CheckedTable): PreviousKey {
  const bytes = Buffer.from(table.structs(PREVIOUS_KEY, 1));
  if (bytes.length !== PREVIOUS_KEY_BYTES) throw damaged(`its previous key takes ${bytes.length} bytes`);
  const untilMs = bytes.readDoubleLE(KEY_HASH_BYTES);
  if (!(untilMs >= 0 && untilMs <= LATEST_MS)) throw damaged(`its previous key ends at ${untilMs}, which is no time`);
  return { keyHash: bytes.toString('hex', 0, KEY_HASH_BYTES), untilMs };
}

function earnedOf(table: CheckedTable): Earned {
  const bytes = Buffer.from(table.structs(EARNED, 1));
  const earned = EARNED_ROW.readWhole(bytes);
  if (earned === undefined) throw damaged(`what it has earned takes ${bytes.length} bytes`);
  const { rewrites, sequence } = earned;
  for (const number of [rewrites, sequence])
    if (!(Number.isSafeInteger(number) && number >= 0))
      throw damaged(`it has earned by the report ${sequence} of the log ${rewrites}`);
  return earned;
}

/** The member that is out of range; undefined when all are within. */
function problemWith({
  id,
  createdMs,
  speedLimit,
  credits,
  monthlyCredits = 1,
  filledMonth = 0,
  confidence = CONFIDENCE_MIN,
  ratePerSecond,
  devices,
  storageMegabytes = 0,
}: Account): string | undefined {
  if (id < 1 || id > ACCOUNT_ID_MAX) return `its number ${id} is not from 1 to ${ACCOUNT_ID_MAX}`;
  if (!(createdMs >= 0 && createdMs <= LATEST_MS)) return `it was made at ${createdMs}, which is no time`;
  if (credits !== undefined && credits > CREDITS_MAX) return `it holds ${credits} credits, above ${CREDITS_MAX}`;
  if (monthlyCredits < 1 || monthlyCredits > CREDITS_MAX) return `it is filled up to ${monthlyCredits} credits a month`;
  if (!(confidence >= CONFIDENCE_MIN && confidence <= CONFIDENCE_MAX)) return `its confidence is ${confidence}`;
  if (filledMonth > LATEST_MONTH) return `it was filled up in month ${filledMonth}, which is no date`;
  if (speedLimit !== undefined && !(speedLimit > 0 && Number.isFinite(speedLimit)))
    return `its speed limit is ${speedLimit}`;
  if (ratePerSecond !== undefined && !(ratePerSecond >= RATE_MIN && ratePerSecond <= RATE_MAX))
    return `its rate is ${ratePerSecond}`;
  if (storageMegabytes > STORAGE_MEGABYTES_MAX) return `its reports may take ${storageMegabytes} megabytes`;
  return devices !== undefined && (devices < 1 || devices > DEVICES_MAX)
    ? `its plan holds ${devices} devices`
    : undefined;
}

/** `YYYY-MM-DD` of a day since 1970-01-01. */
function dateOf(day: number): string {
  if (day > LATEST_DAY) throw damaged(`it ends on day ${day}, which is no date`);
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function damaged(reason: string): Error {
  return new Error(`${RECORD} is damaged: ${reason}.`);
}

function addFlag(builder: Builder, slot: number, value: boolean | undefined): void {
  if (value !== undefined) builder.addFieldInt8(slot, value ? 1 : 0, 0);
}
