// One logged request as bytes: a header of 64 bytes at fixed offsets (little-endian, aligned to 8), then device id,
// query, request and response, padded to whole 8 bytes. The HTTP thread writes it once, straight into its ring
// (ring.ts); the same bytes are compressed into the table and read back by `sextant log ID`. Long texts are cut, and
// the record keeps their true length. The table never holds a key: whoever logs a request passes its address through
// `withoutKey` first, and the writer thread blanks out keys elsewhere (redact.ts).
//
// The layout is hand-made, not a FlatBuffers table: the library builds a table from its end in its own memory, and the
// HTTP thread would have to copy it into the ring. With a body of 982 bytes that would take 3.0 microseconds instead of
// 0.4 on the thread that answers, and 1,208 bytes instead of 1,160 (one core of a shared Xeon, Node 24).

import { hash } from 'node:crypto';
import { mayHoldKeys, redactKeys } from './redact.ts';

/** Most bytes kept of each text: query, request and response. */
export const LOGGED_BYTES_LIMIT = 65_536;
/** Texts up to this length are written without an encoder, whose call costs about as much as 32 characters. */
const SHORT_TEXT = 32;
/** The last moment that a Date can hold. */
const LATEST_MS = 8_640_000_000_000_000;
/** A device id has at most 20 characters of at most 4 bytes. */
const DEVICE_BYTES_LIMIT = 80;

/** Of the hash of a device id. */
const HASH_DIGITS = 16;

const FORMAT = 1;
const HEADER_BYTES = 64;
const LOG_ID = 0; // f64
const TIME_MS = 8; // f64, milliseconds since 1970
const LENGTH = 16; // u32, bytes of the whole record
const LATENCY_US = 20; // f32
const ACCOUNT = 24; // u32, 0 = not authenticated
const NR = 28; // i32, valid with FLAG_NR
const QUERY_LENGTHS = 32; // u32 bytes kept, u32 bytes it had; so the next two
const REQUEST_LENGTHS = 40;
const RESPONSE_LENGTHS = 48;
const STATUS = 56; // u16
const ROUTE = 58; // u8, index in LOG_ROUTES
const DEVICE_STORED = 59; // u8
const FLAGS = 60; // u8
const RECORD_FORMAT = 61; // u8
const CREDITS = 62; // u16
const FLAG_NR = 1;
const FLAG_DEVICE = 2;
const FLAG_REQUEST = 4;

/**
 * Routes in the order of their number in a record; append only. `other` is what matched no route (404, 405, broken
 * HTTP).
 */
export const LOG_ROUTES = [
  'other',
  'position',
  'compact',
  'reverse',
  'search',
  'submit',
  'country',
  'lookup',
  'status',
  'trail',
  'cells',
] as const;

/** What people call them. */
export const ROUTE_TITLES: Readonly<Record<(typeof LOG_ROUTES)[number], string>> = {
  other: 'No route',
  position: 'Positions',
  compact: 'Positions, compact',
  reverse: 'Addresses of points',
  search: 'Searches',
  submit: 'Reports',
  country: 'Countries',
  lookup: 'Places by number',
  status: 'Status',
  trail: 'Trails',
  cells: 'Lists of cells',
};

/** A request and its reply, as the HTTP thread logs them. One object may be reused for all requests. */
export interface LogEntry {
  /** From `LogIds.next`. */
  logId: number;
  /** Arrival, milliseconds since 1970. */
  timeMs: number;
  /** From arrival to reply, microseconds. */
  latencyUs: number;
  /** HTTP status. */
  status: number;
  /** Index in LOG_ROUTES. */
  route: number;
  /** 1..2^32-1; 0 before authentication. */
  accountId: number;
  /** Price of the answer, 0..65,535: also for a key that is not prepaid. Absent = 0. */
  credits?: number;
  /** Request number of the device, cut to 32 bits. */
  nr: number | undefined;
  deviceId: string | undefined;
  /** Path and query, or the query alone, as `withoutKey` returns it. */
  query: string;
  /** Body after inflation; undefined for requests without one. */
  request: Uint8Array | undefined;
  response: string | Uint8Array;
}

/** A logged request as `sextant log ID` prints it. Members that a request did not have are left out. */
export interface LoggedRequest {
  logId: number;
  /** ISO 8601, UTC. */
  time: string;
  route: string;
  status: number;
  latencyMs: number;
  account?: number;
  device?: string;
  nr?: number;
  query?: string;
  /** The body: as JSON where it parses, else as text. */
  request?: unknown;
  /** Bytes the body had, where only its beginning was kept. */
  requestBytes?: number;
  response?: unknown;
  /** Bytes the response had, where only its beginning was kept. */
  responseBytes?: number;
}

/** Most bytes that `writeRecord` can need for an entry. */
export function recordBytesAtMost(entry: LogEntry): number {
  const device = entry.deviceId === undefined ? 0 : DEVICE_BYTES_LIMIT;
  const request = entry.request === undefined ? 0 : Math.min(entry.request.length, LOGGED_BYTES_LIMIT);
  return (HEADER_BYTES + device + textBytesAtMost(entry.query) + request + textBytesAtMost(entry.response) + 7) & ~7;
}

function textBytesAtMost(text: string | Uint8Array): number {
  return Math.min(typeof text === 'string' ? text.length * 3 : text.length, LOGGED_BYTES_LIMIT);
}

/**
 * Writes an entry's record; `recordBytesAtMost(entry)` bytes must be free at `at`, a multiple of 8.
 * @param bytes the memory, shared or not
 * @param view over the same memory
 * @returns the record's length, a multiple of 8
 */
export function writeRecord(bytes: Buffer, view: DataView, at: number, entry: LogEntry): number {
  const { deviceId, request, nr } = entry;
  let next = at + HEADER_BYTES;
  const device = deviceId === undefined ? 0 : bytes.write(deviceId, next, DEVICE_BYTES_LIMIT, 'utf8');
  next += device;
  next += writeText(bytes, view, next, entry.query, at + QUERY_LENGTHS);
  next += writeText(bytes, view, next, request ?? '', at + REQUEST_LENGTHS);
  next += writeText(bytes, view, next, entry.response, at + RESPONSE_LENGTHS);
  const length = (next - at + 7) & ~7;
  while (next < at + length) bytes[next++] = 0;
  view.setFloat64(at + LOG_ID, entry.logId, true);
  view.setFloat64(at + TIME_MS, entry.timeMs, true);
  view.setUint32(at + LENGTH, length, true);
  view.setFloat32(at + LATENCY_US, entry.latencyUs, true);
  view.setUint32(at + ACCOUNT, entry.accountId, true);
  view.setInt32(at + NR, nr ?? 0, true);
  view.setUint16(at + STATUS, entry.status, true);
  view.setUint8(at + ROUTE, entry.route);
  view.setUint8(at + DEVICE_STORED, device);
  const flags =
    (nr === undefined ? 0 : FLAG_NR) |
    (deviceId === undefined ? 0 : FLAG_DEVICE) |
    (request === undefined ? 0 : FLAG_REQUEST);
  view.setUint32(at + FLAGS, flags | (FORMAT << 8) | ((entry.credits ?? 0) << 16), true);
  return length;
}

/** Writes a text at `at` and its kept and true length at `lengths`. @returns the bytes kept. */
function writeText(bytes: Buffer, view: DataView, at: number, text: string | Uint8Array, lengths: number): number {
  let stored: number;
  let total: number;
  if (typeof text === 'string') {
    if (text.length <= SHORT_TEXT && writeAscii(bytes, at, text)) stored = text.length;
    else stored = bytes.write(text, at, Math.min(text.length * 3, LOGGED_BYTES_LIMIT), 'utf8');
    total = text.length * 3 > LOGGED_BYTES_LIMIT ? Buffer.byteLength(text) : stored;
  } else {
    total = text.length;
    stored = Math.min(total, LOGGED_BYTES_LIMIT);
    copyBytes(text, stored, bytes, at);
  }
  view.setUint32(lengths, stored, true);
  view.setUint32(lengths + 4, total, true);
  return stored;
}

/**
 * Copies the first bytes of a body, all but one of them with `copy`. A whole array would go through `TypedArray.set`.
 * Into shared memory that moves byte by byte unless source and target are aligned alike, which takes 0.36 microseconds
 * instead of 0.08 for 982 bytes. A part of an array is moved at once.
 */
function copyBytes(from: Uint8Array, length: number, to: Buffer, at: number): void {
  if (length === 0) return;
  to[at] = from[0];
  Buffer.prototype.copy.call(from, to, at + 1, 1, length);
}

/**
 * Writes a short text character by character, which is cheaper than the call of an encoder. @returns false when it is
 * no ASCII
 */
function writeAscii(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return false;
    bytes[at + i] = code;
  }
  return true;
}

/**
 * Length of the record at `at` of a run of records.
 * @throws Error when no whole record of this format stands there.
 */
export function recordLength(view: DataView, at: number): number {
  const left = view.byteLength - at;
  const length = left < HEADER_BYTES ? 0 : view.getUint32(at + LENGTH, true);
  if (length < HEADER_BYTES || length > left || length % 8 !== 0)
    throw new Error(`A run of logged requests is damaged at byte ${at}.`);
  const format = view.getUint8(at + RECORD_FORMAT);
  if (format !== FORMAT) throw new Error(`A logged request has format ${format}; this version reads format ${FORMAT}.`);
  const texts =
    view.getUint8(at + DEVICE_STORED) + storedAt(view, at + QUERY_LENGTHS) + storedAt(view, at + REQUEST_LENGTHS);
  if (HEADER_BYTES + texts + storedAt(view, at + RESPONSE_LENGTHS) > length)
    throw new Error(`A logged request at byte ${at} is damaged.`);
  const problem = problemWithHeader(view, at);
  if (problem !== undefined) throw new Error(`A logged request at byte ${at} is damaged: ${problem}.`);
  return length;
}

function problemWithHeader(view: DataView, at: number): string | undefined {
  const logId = recordLogId(view, at);
  if (!(Number.isSafeInteger(logId) && logId > 0)) return `its id is ${logId}`;
  const timeMs = recordTimeMs(view, at);
  if (!(timeMs >= 0 && timeMs <= LATEST_MS)) return `its time is ${timeMs}`;
  const latencyUs = view.getFloat32(at + LATENCY_US, true);
  if (!(latencyUs >= 0 && Number.isFinite(latencyUs))) return `it took ${latencyUs} microseconds`;
  for (const lengths of [QUERY_LENGTHS, REQUEST_LENGTHS, RESPONSE_LENGTHS])
    if (storedAt(view, at + lengths) > totalAt(view, at + lengths)) return 'more of a text is kept than there was';
  return undefined;
}

function storedAt(view: DataView, lengths: number): number {
  return view.getUint32(lengths, true);
}

function totalAt(view: DataView, lengths: number): number {
  return view.getUint32(lengths + 4, true);
}

/** logId of the record at `at`. */
export function recordLogId(view: DataView, at: number): number {
  return view.getFloat64(at + LOG_ID, true);
}

/** Arrival of the record at `at`, milliseconds since 1970. */
export function recordTimeMs(view: DataView, at: number): number {
  return view.getFloat64(at + TIME_MS, true);
}

/** Blanks out the keys in the texts of a run of records. @throws Error as `recordLength` */
export function redactRecords(records: Uint8Array): void {
  const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  if (!mayHoldKeys(bytes)) return;
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const end = at + recordLength(view, at);
    redactKeys(bytes.subarray(at + HEADER_BYTES, end));
    at = end;
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * Leaves queries, requests and responses out of a run of records, and puts hashes in place of ids of devices. Of an
 * address the path stays. @returns another run @throws Error as `recordLength`
 */
export function reduceRecords(records: Uint8Array): Uint8Array {
  const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const reduced: Buffer[] = [];
  for (let at = 0, length = 0; at < bytes.length; at += length) {
    length = recordLength(view, at);
    const { account, device = NOTHING } = readHead(view, at);
    const name = device.length > 0 ? Buffer.from(hashedDevice(account, device.toString())) : device;
    const queryAt = at + HEADER_BYTES + device.length;
    const query = bytes.subarray(queryAt, queryAt + storedAt(view, at + QUERY_LENGTHS));
    const path = query.includes('?') ? query.subarray(0, query.indexOf('?')) : query;
    const head = Buffer.from(bytes.subarray(at, at + HEADER_BYTES));
    head.writeUInt8(name.length, DEVICE_STORED);
    head.fill(0, REQUEST_LENGTHS, RESPONSE_LENGTHS + 8);
    head.writeUInt32LE(path.length, QUERY_LENGTHS);
    head.writeUInt32LE(path.length, QUERY_LENGTHS + 4);
    head.writeUInt8(head.readUInt8(FLAGS) & ~FLAG_REQUEST, FLAGS);
    const texts = name.length + path.length;
    const padding = Buffer.alloc(-(HEADER_BYTES + texts) & 7);
    head.writeUInt32LE(HEADER_BYTES + texts + padding.length, LENGTH);
    reduced.push(head, name, path, padding);
  }
  return Buffer.concat(reduced);
}

/** What stands for the id of a device in a log that hashes them: another text under each key. */
function hashedDevice(account: number, device: string): string {
  return `#${hash('sha256', `${account} ${device}`, 'hex').slice(0, HASH_DIGITS)}`;
}

/** True if a record is of this device, whether its log hashes devices or not. */
export function isOfDevice({ account, device }: ReturnType<typeof readHead>, id: string): boolean {
  const stored = device?.toString();
  return stored === id || (stored?.startsWith('#') === true && stored === hashedDevice(account, id));
}

/**
 * What requests are searched by and usage is counted from, of the record at `at`, which `recordLength` has accepted.
 * `route` is an index of `LOG_ROUTES`, or beyond its end for one of a newer version; `device` is undefined if the
 * request had no id.
 */
export function readHead(view: DataView, at: number) {
  const hasDevice = (view.getUint8(at + FLAGS) & FLAG_DEVICE) !== 0;
  return {
    account: view.getUint32(at + ACCOUNT, true),
    timeMs: recordTimeMs(view, at),
    route: view.getUint8(at + ROUTE),
    status: view.getUint16(at + STATUS, true),
    credits: view.getUint16(at + CREDITS, true),
    device: hasDevice
      ? Buffer.from(view.buffer, view.byteOffset + at + HEADER_BYTES, view.getUint8(at + DEVICE_STORED))
      : undefined,
  };
}

/** Reads the record at `at`, which `recordLength` has accepted. */
export function readRecord(bytes: Buffer, view: DataView, at: number): LoggedRequest {
  const flags = view.getUint8(at + FLAGS);
  const account = view.getUint32(at + ACCOUNT, true);
  let next = at + HEADER_BYTES;
  const take = (length: number) => {
    next += length;
    return bytes.toString('utf8', next - length, next);
  };
  const device = take(view.getUint8(at + DEVICE_STORED));
  const query = take(storedAt(view, at + QUERY_LENGTHS));
  const request = take(storedAt(view, at + REQUEST_LENGTHS));
  const response = take(storedAt(view, at + RESPONSE_LENGTHS));
  return {
    logId: recordLogId(view, at),
    time: new Date(recordTimeMs(view, at)).toISOString(),
    route: LOG_ROUTES[view.getUint8(at + ROUTE)] ?? 'other',
    status: view.getUint16(at + STATUS, true),
    latencyMs: Math.round(view.getFloat32(at + LATENCY_US, true)) / 1000,
    ...(account !== 0 && { account }),
    ...(flags & FLAG_DEVICE && { device }),
    ...(flags & FLAG_NR && { nr: view.getInt32(at + NR, true) }),
    ...(query !== '' && { query }),
    ...(flags & FLAG_REQUEST && { request: parsed(request) }),
    ...(isCut(view, at + REQUEST_LENGTHS) && { requestBytes: totalAt(view, at + REQUEST_LENGTHS) }),
    ...(response !== '' && { response: parsed(response) }),
    ...(isCut(view, at + RESPONSE_LENGTHS) && { responseBytes: totalAt(view, at + RESPONSE_LENGTHS) }),
  };
}

function isCut(view: DataView, lengths: number): boolean {
  return storedAt(view, lengths) < totalAt(view, lengths);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a body that is no JSON: a reason to look into the log
  }
}

// The three letters of `key`, and the `k` and the slashes of `/k/<key>/`, each plain or percent-encoded.
const KEY_NAMES = ['key', 'apikey', 'token'].map(name => name.replace(/./g, letterPattern)).join('|');
const KEY_PARAMETER = new RegExp(`(?<=^|[?&;])(?:${KEY_NAMES})(?:(?:=|%3d)[^&]*)?(?:&|$)`, 'gi');
// no lookbehind: over a run of slashes it would take quadratic time
const KEY_SEGMENT = /((?:\/|%2f)(?:k|%[46]b)(?:\/|%2f)+)[^/?]+/gi;
const KEY_ITSELF = /sx(?:_|%5f)[0-9a-z]{26}/gi;

/**
 * Removes the account's key from an address as it was received: every parameter `key`, `apiKey` or `token`,
 * percent-encoded or not, in any case and position, the segment after
 * `/k/`, and anything that looks like a key. It removes too much rather than too little: a parameter ends only at `&`,
 * and one after `;` goes too.
 * @param address path and query, or the query alone with or without its `?`
 */
export function withoutKey(address: string): string {
  return address.replace(KEY_SEGMENT, '$1').replace(KEY_PARAMETER, '').replace(KEY_ITSELF, '');
}

/** A letter as it is, or percent-encoded in either case. */
function letterPattern(letter: string): string {
  const hex = (text: string): string => text.charCodeAt(0).toString(16);
  return `(?:${letter}|%${hex(letter)}|%${hex(letter.toUpperCase())})`;
}
