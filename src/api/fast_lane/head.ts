// Reads the head of a request, in one strict form only. A head is accepted if nobody could read it differently:
//
// - `POST` or `GET`, one of the given paths of the method, perhaps a query, `HTTP/1.1`;
// - lines that end in CR LF, with no byte outside 32..126;
// - field names from a closed list, none of which changes how long the request is, how its body is coded, or what the
//   route answers; no space before a colon;
// - exactly one `content-length`, of digits without a leading zero, and none behind `GET`; `connection` only as
//   `keep-alive`;
// - at most one of each field that may carry the key, and behind `GET` of languages, without a space behind its value.
//
// Every other head is refused, valid or not: `node:http` reads it then. So this file decides nothing about HTTP that
// `node:http` could decide otherwise.

import {
  API_KEY_FIELD,
  AUTHORIZATION_FIELD,
  FORWARDING_FIELDS,
  keyInFields,
  loggedUrlOf,
  type Query,
} from '../transport/transport.ts';

/** What a head is: accepted, not complete yet, or not of the strict form. */
type Verdict = 'accepted' | 'incomplete' | 'refused';

/** A longer head is refused. The server's own limit is higher, so this one never answers. */
export const HEAD_BYTES_MAX = 8_192;
/** A longer body is refused: reading it costs more than the lane saves. */
const BODY_BYTES_MAX = 65_536;
/** Node keeps at most 2,000 fields; here are far fewer. */
const FIELDS_MAX = 64;

const POST = Buffer.from('POST ');
const GET = Buffer.from('GET ');
const VERSION = Buffer.from('HTTP/1.1\r\n');
const KEEP_ALIVE = Buffer.from('keep-alive');
const ORIGIN_FIELD = 'origin';
const LENGTH_FIELD = 'content-length';
const CONNECTION_FIELD = 'connection';
const LANGUAGES_FIELD = 'accept-language';
/**
 * Fields that change nothing, as the routes read every body as JSON and know no negotiation but that of languages.
 * Those of proxies are noted (`isForwarded`).
 */
const HARMLESS_FIELDS = [
  'accept',
  'accept-charset',
  'accept-encoding',
  LANGUAGES_FIELD,
  'cache-control',
  'content-type',
  'cookie',
  'dnt',
  'host',
  ORIGIN_FIELD,
  'pragma',
  'priority',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
];

const CR = 13;
const LF = 10;
const SPACE = 32;
const HASH = 35;
const HYPHEN = 45;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const QUESTION = 63;
const UPPER_G = 71;
const LOWER_A = 97;
const LOWER_Z = 122;
const LOWEST = 32;
const HIGHEST = 126;

/** Names in lower case, by their length. */
const NAMES_BY_LENGTH: Buffer[][] = [];
for (const name of [
  LENGTH_FIELD,
  CONNECTION_FIELD,
  API_KEY_FIELD,
  AUTHORIZATION_FIELD,
  ...HARMLESS_FIELDS,
  ...FORWARDING_FIELDS,
]) {
  while (NAMES_BY_LENGTH.length <= name.length) NAMES_BY_LENGTH.push([]);
  NAMES_BY_LENGTH[name.length].push(Buffer.from(name));
}
const [LENGTH_NAME] = NAMES_BY_LENGTH[LENGTH_FIELD.length];
const [CONNECTION_NAME] = NAMES_BY_LENGTH[CONNECTION_FIELD.length];
/** Names of fields that may carry the key, in the order of `HeadReader.keyAt`. */
const KEY_NAMES = [API_KEY_FIELD, AUTHORIZATION_FIELD].map(
  field => NAMES_BY_LENGTH[field.length].find(name => name.toString() === field)!,
);

const [ORIGIN_NAME, LANGUAGES_NAME] = [ORIGIN_FIELD, LANGUAGES_FIELD].map(field =>
  NAMES_BY_LENGTH[field.length].find(name => name.toString() === field),
);

const FORWARDING_NAMES: ReadonlySet<Buffer> = new Set(
  NAMES_BY_LENGTH.flat().filter(name => (FORWARDING_FIELDS as readonly string[]).includes(name.toString())),
);

/** The paths that are accepted, by method. */
export type LanePaths = Readonly<Record<'POST' | 'GET', readonly string[]>>;

/** Reads heads one after the other. Its fields are those of the last accepted one. */
export class HeadReader {
  isGet = false;
  /** Where the target begins. */
  targetStart = 0;
  /** Index behind the target. */
  targetEnd = 0;
  /** Index behind the head. */
  bodyStart = 0;
  /** 1..BODY_BYTES_MAX; 0 behind `GET`. */
  bodyLength = 0;
  /** A field stands in it that proxies add. */
  isForwarded = false;
  /** Where the values of the fields of KEY_NAMES begin and end; 0 for a field that is not there. */
  private readonly keyAt = [0, 0, 0, 0];
  private hasKeyField = false;
  /** It names an origin, as browsers do for a page. */
  hasOrigin = false;
  /** Where the languages of a `GET` begin and end. */
  private languagesStart = 0;
  private languagesEnd = 0;
  private readonly posts: readonly Buffer[];
  private readonly gets: readonly Buffer[];
  private readonly takesForwarded: boolean;

  /**
   * @param paths the paths that are accepted
   * @param takesForwarded fields that proxies add are accepted
   */
  constructor({ POST: posts, GET: gets }: LanePaths, takesForwarded = true) {
    this.posts = posts.map(path => Buffer.from(path));
    this.gets = gets.map(path => Buffer.from(path));
    this.takesForwarded = takesForwarded;
  }

  /** Reads the head at the beginning of `bytes`. */
  read(bytes: Buffer): Verdict {
    const verdict = this.readLines(bytes);
    return verdict === 'incomplete' && bytes.length >= HEAD_BYTES_MAX ? 'refused' : verdict;
  }

  /** The key in the fields of the head, in whose bytes it was read. */
  keyIn(bytes: Buffer): string | undefined {
    if (!this.hasKeyField) return undefined;
    const [apiKeyStart, apiKeyEnd, authorizationStart, authorizationEnd] = this.keyAt;
    return keyInFields(
      bytes.toString('latin1', apiKeyStart, apiKeyEnd),
      bytes.toString('latin1', authorizationStart, authorizationEnd),
    );
  }

  /** The languages that a `GET` prefers, as sent, in whose bytes it was read. */
  languagesIn(bytes: Buffer): string | undefined {
    if (this.languagesStart === 0) return undefined;
    return bytes.toString('latin1', this.languagesStart, this.languagesEnd);
  }

  private readLines(bytes: Buffer): Verdict {
    this.isGet = bytes[0] === UPPER_G;
    const method = this.isGet ? GET : POST;
    const known = matchAll(bytes, 0, method);
    if (known !== 'accepted') return known;
    let at = method.length;
    this.targetStart = at;
    // The target is what stands before the next space.
    while (bytes[at] > SPACE && bytes[at] <= HIGHEST && bytes[at] !== HASH) at++;
    if (at === bytes.length) return 'incomplete';
    if (bytes[at] !== SPACE || !this.isPath(bytes, at)) return 'refused';
    this.targetEnd = at;
    const version = matchAll(bytes, at + 1, VERSION);
    if (version !== 'accepted') return version;
    return this.readFields(bytes, at + 1 + VERSION.length);
  }

  /** True if the target that ends here has one of the paths. */
  private isPath(bytes: Buffer, targetEnd: number): boolean {
    for (const path of this.isGet ? this.gets : this.posts) {
      const pathEnd = this.targetStart + path.length;
      if (targetEnd < pathEnd || (targetEnd > pathEnd && bytes[pathEnd] !== QUESTION)) continue;
      if (matchAll(bytes, this.targetStart, path) === 'accepted') return true;
    }
    return false;
  }

  private readFields(bytes: Buffer, start: number): Verdict {
    this.bodyLength = 0;
    this.isForwarded = false;
    if (this.hasKeyField) this.keyAt.fill(0);
    this.hasKeyField = false;
    this.hasOrigin = false;
    this.languagesStart = 0;
    let at = start;
    for (let count = 0; count < FIELDS_MAX; count++) {
      if (bytes[at] === CR) {
        if (at + 1 === bytes.length) return 'incomplete';
        this.bodyStart = at + 2;
        const isWhole = bytes[at + 1] === LF && (this.isGet || this.bodyLength > 0);
        return isWhole && this.bodyStart <= HEAD_BYTES_MAX ? 'accepted' : 'refused';
      }
      const nameStart = at;
      while (at < bytes.length && isNameByte(bytes[at])) at++;
      if (at === bytes.length) return 'incomplete';
      const name = bytes[at] === COLON ? nameAt(bytes, nameStart, at) : undefined;
      if (name === undefined) return 'refused';
      at++;
      while (bytes[at] === SPACE) at++;
      const valueStart = at;
      while (bytes[at] >= LOWEST && bytes[at] <= HIGHEST) at++;
      if (at + 1 >= bytes.length) {
        // node:http refuses what is no digit, and a second length, as soon as it comes, so it must not wait here for
        // the end of the line.
        const mayBe =
          name !== LENGTH_NAME || (!this.isGet && this.bodyLength === 0 && areDigits(bytes, valueStart, at));
        return mayBe && (at === bytes.length || bytes[at] === CR) ? 'incomplete' : 'refused';
      }
      if (bytes[at] !== CR || bytes[at + 1] !== LF) return 'refused';
      if (name === LENGTH_NAME && !this.readLength(bytes, valueStart, at)) return 'refused';
      if (name === CONNECTION_NAME && !isWord(bytes, valueStart, at, KEEP_ALIVE)) return 'refused';
      if (KEY_NAMES.includes(name) && !this.noteKey(KEY_NAMES.indexOf(name), bytes, valueStart, at)) return 'refused';
      if (FORWARDING_NAMES.has(name)) {
        if (!this.takesForwarded) return 'refused';
        this.isForwarded = true;
      }
      if (name === ORIGIN_NAME) this.hasOrigin = true;
      if (name === LANGUAGES_NAME && this.isGet && !this.noteLanguages(bytes, valueStart, at)) return 'refused';
      at += 2;
    }
    return 'refused';
  }

  /** Notes where a field has its value. @returns false if it is the second one of its name or not of the strict form */
  private noteKey(index: number, bytes: Buffer, start: number, end: number): boolean {
    if (this.keyAt[2 * index] > 0 || (end > start && bytes[end - 1] === SPACE)) return false;
    this.hasKeyField = true;
    this.keyAt[2 * index] = start;
    this.keyAt[2 * index + 1] = end;
    return true;
  }

  /** Notes where the languages are. @returns false if they are the second ones or not of the strict form */
  private noteLanguages(bytes: Buffer, start: number, end: number): boolean {
    if (this.languagesStart > 0 || (end > start && bytes[end - 1] === SPACE)) return false;
    this.languagesStart = start;
    this.languagesEnd = end;
    return true;
  }

  /** Reads the one content-length. @returns false if it is a second one or not of the strict form */
  private readLength(bytes: Buffer, start: number, end: number): boolean {
    if (this.isGet || this.bodyLength > 0 || bytes[start] === ZERO || end - start > 5 || !areDigits(bytes, start, end))
      return false;
    let length = 0;
    for (let at = start; at < end; at++) length = length * 10 + bytes[at] - ZERO;
    this.bodyLength = length;
    return length > 0 && length <= BODY_BYTES_MAX;
  }
}

function areDigits(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] < ZERO || bytes[at] > NINE) return false;
  return true;
}

/**
 * True for a byte of the names of the list: a letter or a hyphen. Any other ends the name, and if it is no colon, the
 * head is refused at once.
 */
function isNameByte(byte: number): boolean {
  const small = byte | 32;
  return (small >= LOWER_A && small <= LOWER_Z) || byte === HYPHEN;
}

/** Compares the bytes at `start` with a constant. */
function matchAll(bytes: Buffer, start: number, constant: Buffer): Verdict {
  for (let i = 0; i < constant.length; i++) {
    if (start + i >= bytes.length) return 'incomplete';
    if (bytes[start + i] !== constant[i]) return 'refused';
  }
  return 'accepted';
}

/** The name of the list that stands here in any case; undefined for others. */
function nameAt(bytes: Buffer, start: number, end: number): Buffer | undefined {
  for (const name of NAMES_BY_LENGTH[end - start] ?? []) if (isWord(bytes, start, end, name)) return name;
  return undefined;
}

/** True if the bytes are the word, in any case. @param word in lower case, of letters and hyphens */
function isWord(bytes: Buffer, start: number, end: number, word: Buffer): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[start + i];
    const letter = word[i];
    // The bit 32 makes a letter a small one. It would also make a hyphen of a carriage return.
    if (byte !== letter && (letter < LOWER_A || (byte | 32) !== letter)) return false;
  }
  return true;
}

/** A target as sent, and what is read from it. Shared by all requests that send it. */
export interface Target {
  /** As sent; empty if it is not remembered. */
  readonly bytes: Buffer;
  readonly url: string;
  readonly query: Query;
  /** For the log. */
  readonly loggedUrl: string;
}

/** As many clients may take turns before their targets are read anew. */
const REMEMBERED = 8;
/** Of a target that is not remembered. */
const NO_BYTES = Buffer.alloc(0);
const PAIR = /^([\w.~-]+)=([\w.~+%!*'(),:@/-]*)$/;

/**
 * The targets that came last, of all connections. A client sends the same target again and again, so a target whose
 * bytes are known needs no string and no parsing. Only plain queries are read: `name=value` pairs, each name once. What
 * Fastify reads from those is beyond doubt.
 */
export class Targets {
  private readonly remembered: Target[] = [];
  private next = 0;

  /**
   * Reads the target in `bytes` from `start` to `end`.
   * @param expected what it probably is
   * @param isOneOfMany it will hardly come again
   * @returns undefined if its query is not plain
   */
  read(
    bytes: Buffer,
    start: number,
    end: number,
    expected: Target | undefined,
    isOneOfMany = false,
  ): Target | undefined {
    if (expected !== undefined && isSame(expected.bytes, bytes, start, end)) return expected;
    if (!isOneOfMany) for (const target of this.remembered) if (isSame(target.bytes, bytes, start, end)) return target;
    const url = bytes.toString('latin1', start, end);
    const query = readQuery(url);
    if (query === undefined) return undefined;
    const loggedUrl = loggedUrlOf(url, query);
    if (isOneOfMany) return { bytes: NO_BYTES, url, query, loggedUrl };
    const target = { bytes: Buffer.from(url, 'latin1'), url, query, loggedUrl };
    this.remembered[this.next] = target;
    this.next = (this.next + 1) % REMEMBERED;
    return target;
  }
}

function isSame(known: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  // Targets differ at their end more often than at their beginning.
  for (let i = known.length - 1; i >= 0; i--) if (known[i] !== bytes[start + i]) return false;
  return true;
}

/** The query as Fastify reads it. @returns undefined if it is not plain */
function readQuery(url: string): Query | undefined {
  const query: Record<string, string> = Object.create(null);
  const start = url.indexOf('?') + 1;
  if (start === 0 || start === url.length) return query;
  for (const pair of url.slice(start).split('&')) {
    const [, name, value] = PAIR.exec(pair) ?? [];
    const decoded = name === undefined || name in query ? undefined : decode(value);
    if (decoded === undefined) return undefined;
    query[name] = decoded;
  }
  return query;
}

/** @returns undefined for broken percent-encoding */
function decode(value: string): string | undefined {
  const spaced = value.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
