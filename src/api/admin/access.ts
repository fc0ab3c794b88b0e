// Who may do what over the admin interface. A program shows a token. A browser shows the cookie of a session of the
// console, and as browsers send cookies for whoever asks them, its requests must also come from our own page: by the
// fields that no other page can set, and under a name of this machine, so that nobody's name for 127.0.0.1 (DNS
// rebinding) opens anything.
//
// A new data folder, in which there is nothing but the demo town and its key, may be read without a token: the first
// look at it needs no login, and it holds nothing of anybody (only_demo.ts).

import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../../config/values.ts';
import { AccountTable } from '../../tables/accounts/accounts.ts';
import { holdsOnlyDemo } from './only_demo.ts';
import type { Sessions } from './sessions.ts';
import { type Access, carriesToken, tokenHashOf } from './token.ts';

/** The hashes of the tokens; without one for reading, nobody has that. */
export interface TokenHashes {
  all: Buffer;
  read: Buffer | undefined;
}

/** What the head of a request says. */
interface Head {
  method: string;
  headers: IncomingHttpHeaders;
}

/** How access came about. A `demo` needs nothing. A `tenant` may deal with the keys of its tag, by a token. */
export type Granted =
  | { access: Access; by: 'token' | 'session' | 'demo' }
  | { access: 'tenant'; by: 'token'; tag: string };

/** Decides who may do what. */
export class Gate {
  private readonly folder: string;
  private readonly tokens: TokenHashes;
  private readonly sessions: Sessions;
  private accounts: AccountTable | undefined;

  /** @param folder data folder */
  constructor(folder: string, tokens: TokenHashes, sessions: Sessions) {
    this.folder = folder;
    this.tokens = tokens;
    this.sessions = sessions;
  }

  /** What a request may do; undefined if nothing. @throws Error when a table cannot be read */
  async accessOf(head: Head): Promise<Granted | undefined> {
    const { authorization, cookie } = head.headers;
    if (authorization !== undefined) {
      const access = this.accessOfToken(authorization);
      if (access !== undefined) return { access, by: 'token' };
      const tag = this.tenantOf(authorization);
      return tag === undefined ? undefined : { access: 'tenant', by: 'token', tag };
    }
    if (!isOfOurPage(head)) return undefined;
    const access = this.sessions.accessOf(cookie);
    if (access !== undefined) return { access, by: 'session' };
    if (isForwarded(head) || !(await holdsOnlyDemo(this.folder, this.accountTable()))) return undefined;
    return { access: 'read', by: 'demo' };
  }

  /** What a field `Authorization` may do; undefined if nothing. */
  accessOfToken(authorization: string): Access | undefined {
    if (carriesToken(authorization, this.tokens.all)) return 'all';
    return this.tokens.read !== undefined && carriesToken(authorization, this.tokens.read) ? 'read' : undefined;
  }

  private tenantOf(authorization: string): string | undefined {
    const hash = tokenHashOf(authorization);
    return hash && this.accountTable().tenantOf(hash);
  }

  async close(): Promise<void> {
    await this.accounts?.close();
  }

  private accountTable(): AccountTable {
    this.accounts ??= new AccountTable(this.folder, { readOnly: true });
    return this.accounts;
  }
}

/** The least that a route takes: that there is only the demo, a token that only reads, or the one for everything. */
export type Needed = 'demo' | 'read' | 'all';

/** What a route takes. What is no GET and is not said to read takes the token for everything. */
export function neededBy(route: { method: string; isReading?: true; needsToken?: true }): Needed {
  const { method, isReading, needsToken } = route;
  if (method !== 'GET') return isReading ? 'read' : 'all';
  return needsToken ? 'read' : 'demo';
}

/**
 * True if a browser sent the request for a page of ours, or a person by its address: the name is one of this machine,
 * and what is no GET carries the field of the console, which a page of another origin cannot send without our consent.
 */
export function isOfOurPage({ method, headers }: Head): boolean {
  const { host, origin, 'sec-fetch-site': site, 'x-sextant-console': marked } = headers;
  if (!isNameOfHere(host)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (method === 'GET' || method === 'HEAD') return true;
  const isOurs = site === 'same-origin' || (site === undefined && origin !== undefined && hostOf(origin) === host);
  return isOurs && marked === '1';
}

/** True if a field `Host` names this machine, with any port: a tunnel has another one. */
export function isNameOfHere(host: string | undefined): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]+))(?::\d{1,5})?$/.exec(host ?? '') ?? [];
  return isLoopback(bracketed ?? plain ?? '');
}

/** True if the browser speaks HTTPS, with a proxy that says so. */
export function isSecure({ headers }: Pick<Head, 'headers'>): boolean {
  return headers['x-forwarded-proto'] === 'https' || headers.origin?.startsWith('https://') === true;
}

/** True if a proxy passed the request on, so it may come from anywhere. */
export function isForwarded({ headers }: Head): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some(name => name in headers);
}

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}
