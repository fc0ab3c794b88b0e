// An account: a key's hash, a name and settings that are defaults of the key's requests. Stored as one FlatBuffers table, so that a setting which is
// not set takes no room and a later version can append fields. The accessors are written by hand; the schema is this list of slots:
//
//   table Account { id:uint; keyHash:[ubyte]; name:string; createdMs:double; revoked:bool; indoor:bool; address:bool; speedFilter:bool;
//     speedLimit:double; credits:uint; expiresDay:uint; ratePerSecond:double; devices:uint; contributor:bool; trusted:bool; loopbackOnly:bool; }

import { Builder, ByteBuffer } from 'flatbuffers';

/** Settings of a key. A member that is absent is not set. */
export interface AccountSettings {
  /** Requests ask for indoor information unless they say otherwise. */
  indoor?: boolean;
  /** Requests ask for an address unless they say otherwise. */
  address?: boolean;
  /** Positions that would need a higher speed than the limit are refused. */
  speedFilter?: boolean;
  /** Metres a second, above 0. */
  speedLimit?: number;
  /** Prepaid requests left in the table, 0..2,147,483,647; absent = not prepaid. While serving, the shared counters hold the live balance. */
  credits?: number;
  /** `YYYY-MM-DD`, the last day (UTC) on which the key is valid. */
  expires?: string;
  /** Requests a second that are admitted, 0.01..1,000,000; absent = no limit. */
  ratePerSecond?: number;
  /** Distinct device ids in a calendar month, 1..1,000,000,000; absent = no limit. */
  devices?: number;
  /** Earns credits by what it contributes. */
  contributor?: boolean;
  /** Its observations need no second witness. */
  trusted?: boolean;
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
}

/** Slot numbers of the table. Never reuse one. */
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
const SLOTS = 16;

const KEY_HASH_BYTES = 32;
const DAY_MS = 86_400_000;
/** Length of a record's fixed part without name and settings: anything shorter is no account. */
const SHORTEST_RECORD_BYTES = 48;

/** Encodes an account as a FlatBuffers table. */
export function encodeAccount(account: Account): Uint8Array {
  const builder = new Builder(256);
  // Settings that are off or zero must stay apart from settings that are absent.
  builder.forceDefaults(true);
  const hash = builder.createByteVector(Buffer.from(account.keyHash, 'hex'));
  const name = account.name === undefined ? 0 : builder.createString(account.name);
  builder.startObject(SLOTS);
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
  if (account.expires !== undefined) builder.addFieldInt32(EXPIRES_DAY, Date.parse(account.expires) / DAY_MS, 0);
  if (account.ratePerSecond !== undefined) builder.addFieldFloat64(RATE, account.ratePerSecond, 0);
  if (account.devices !== undefined) builder.addFieldInt32(DEVICES, account.devices, 0);
  addFlag(builder, CONTRIBUTOR, account.contributor);
  addFlag(builder, TRUSTED, account.trusted);
  addFlag(builder, LOOPBACK_ONLY, account.loopbackOnly);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/** Decodes a record, which may be overwritten afterwards. @throws Error when the bytes are no account. */
export function decodeAccount(bytes: Uint8Array): Account {
  if (bytes.length < SHORTEST_RECORD_BYTES)
    throw new Error(`An account record has ${bytes.length} bytes: the table is damaged; restore it from a backup.`);
  const buffer = new ByteBuffer(bytes);
  const table = buffer.readInt32(0);
  const at = (slot: number): number => {
    const offset = buffer.__offset(table, 4 + 2 * slot);
    return offset === 0 ? 0 : table + offset;
  };
  const idAt = at(ID);
  const hashAt = at(KEY_HASH);
  const createdAt = at(CREATED_MS);
  const hash = hashAt === 0 ? 0 : buffer.__vector(hashAt);
  if (idAt === 0 || createdAt === 0 || hash === 0 || buffer.__vector_len(hashAt) !== KEY_HASH_BYTES) {
    throw new Error('An account record lacks its id, key hash or date: the table is damaged; restore it from a backup.');
  }
  const account: Account = {
    id: buffer.readUint32(idAt),
    keyHash: Buffer.from(bytes.subarray(hash, hash + KEY_HASH_BYTES)).toString('hex'),
    createdMs: buffer.readFloat64(createdAt),
    revoked: flag(buffer, at(REVOKED)) === true,
  };
  const nameAt = at(NAME);
  if (nameAt !== 0) account.name = buffer.__string(nameAt) as string;
  setDefined(account, 'indoor', flag(buffer, at(INDOOR)));
  setDefined(account, 'address', flag(buffer, at(ADDRESS)));
  setDefined(account, 'speedFilter', flag(buffer, at(SPEED_FILTER)));
  setDefined(account, 'speedLimit', float(buffer, at(SPEED_LIMIT)));
  setDefined(account, 'credits', integer(buffer, at(CREDITS)));
  const day = integer(buffer, at(EXPIRES_DAY));
  if (day !== undefined) account.expires = new Date(day * DAY_MS).toISOString().slice(0, 10);
  setDefined(account, 'ratePerSecond', float(buffer, at(RATE)));
  setDefined(account, 'devices', integer(buffer, at(DEVICES)));
  setDefined(account, 'contributor', flag(buffer, at(CONTRIBUTOR)));
  setDefined(account, 'trusted', flag(buffer, at(TRUSTED)));
  setDefined(account, 'loopbackOnly', flag(buffer, at(LOOPBACK_ONLY)));
  return account;
}

function addFlag(builder: Builder, slot: number, value: boolean | undefined): void {
  if (value !== undefined) builder.addFieldInt8(slot, value ? 1 : 0, 0);
}

function flag(buffer: ByteBuffer, at: number): boolean | undefined {
  return at === 0 ? undefined : buffer.readInt8(at) !== 0;
}

function integer(buffer: ByteBuffer, at: number): number | undefined {
  return at === 0 ? undefined : buffer.readUint32(at);
}

function float(buffer: ByteBuffer, at: number): number | undefined {
  return at === 0 ? undefined : buffer.readFloat64(at);
}

function setDefined<K extends keyof AccountSettings>(account: Account, member: K, value: AccountSettings[K]): void {
  if (value !== undefined) account[member] = value as Account[K];
}
