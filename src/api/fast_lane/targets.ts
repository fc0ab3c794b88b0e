// The targets of requests, read once. A client sends the same target again and again, so a target whose bytes are known
// needs no string and no parsing.
//
// Only plain queries are read: `name=value` pairs, each name once. What Fastify reads from those is beyond doubt.

import { loggedUrlOf, type Query } from '../transport/transport.ts';

/** A target as sent, and what is read from it. Shared by all requests that send it. */
export interface Target {
  readonly bytes: Buffer;
  readonly url: string;
  readonly query: Query;
  /** For the log. */
  readonly loggedUrl: string;
}

/** As many clients may take turns before their targets are read anew. */
const REMEMBERED = 8;
const PAIR = /^([\w.~-]+)=([\w.~+%!*'(),:@/-]*)$/;

/** The targets that came last, of all connections. */
export class Targets {
  private readonly remembered: Target[] = [];
  private next = 0;

  /**
   * Reads the target in `bytes` from `start` to `end`.
   * @param expected what it probably is
   * @returns undefined if its query is not plain
   */
  read(bytes: Buffer, start: number, end: number, expected: Target | undefined): Target | undefined {
    if (expected !== undefined && isSame(expected.bytes, bytes, start, end)) return expected;
    for (const target of this.remembered) if (isSame(target.bytes, bytes, start, end)) return target;
    const url = bytes.toString('latin1', start, end);
    const query = readQuery(url);
    if (query === undefined) return undefined;
    const target = { bytes: Buffer.from(url, 'latin1'), url, query, loggedUrl: loggedUrlOf(url, query) };
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
