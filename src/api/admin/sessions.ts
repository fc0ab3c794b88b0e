// Sessions of the console: who has shown a token in a browser gets a cookie with a random id, and the session ends when
// nothing happens in it. They live in memory only, by the hash of their id, so a restart ends them, and what somebody
// reads out of the memory opens none. An id begins with a part that all of a running service have in common, and how a
// session has ended is kept for a while: so a browser that comes back is told why it has to log in again.

import { hash, randomBytes } from 'node:crypto';
import type { Access } from './token.ts';

/** A session ends when nothing has happened in it for this long. */
const IDLE_MILLISECONDS = 1_800_000;
/** The one that was idle longest ends for one more. */
const SESSIONS_MAX = 64;
/** Random bytes of an id: those that all of a running service begin with, and its own. Multiples of 3 fill base64. */
const RUN_BYTES = 6;
const OWN_BYTES = 30;
const RUN_LENGTH = (RUN_BYTES / 3) * 4;
const COOKIE = 'sextant_console';
const COOKIE_VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{48})(?:;|$)`);

/**
 * How a session has ended: nothing happened in it for too long, somebody logged out, more others were begun than are
 * kept, or the service was started again. `over`: so long ago that nobody knows.
 */
export const SESSION_ENDS = ['idle', 'loggedOut', 'displaced', 'restarted', 'over'] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];
/** So many ends are kept, the latest. */
const ENDS_MAX = 256;

/** What a session may do, and when something last happened in it. */
interface Session {
  access: Access;
  lastMs: number;
}

/** The sessions of a running service. */
export class Sessions {
  private readonly now: () => number;
  /** By the SHA-256 of the id, the one that was idle longest first. */
  private readonly sessions = new Map<string, Session>();
  /** How sessions have ended, by the same, the oldest end first. */
  private readonly ends = new Map<string, SessionEnd>();
  private readonly run = randomBytes(RUN_BYTES).toString('base64url');

  /** @param now milliseconds; does not go back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Begins a session. @returns its id */
  begin(access: Access): string {
    const id = this.run + randomBytes(OWN_BYTES).toString('base64url');
    this.dropEnded();
    if (this.sessions.size >= SESSIONS_MAX) this.drop(this.sessions.keys().next().value!, 'displaced');
    this.sessions.set(hashOf(id), { access, lastMs: this.now() });
    return id;
  }

  /** What the session of a field `Cookie` may do, which keeps it alive; undefined without one. */
  accessOf(cookie: string | undefined): Access | undefined {
    const id = idOf(cookie);
    if (id === undefined) return undefined;
    this.dropEnded();
    const key = hashOf(id);
    const session = this.sessions.get(key);
    if (session === undefined) return undefined;
    // Those that were used last stand last.
    this.sessions.delete(key);
    this.sessions.set(key, { ...session, lastMs: this.now() });
    return session.access;
  }

  /** Ends the session of a field `Cookie`, if it is one. */
  end(cookie: string | undefined): void {
    const id = idOf(cookie);
    if (id !== undefined && this.sessions.has(hashOf(id))) this.drop(hashOf(id), 'loggedOut');
  }

  /** How the session of a field `Cookie` has ended; undefined if it has not, or there is none. */
  endOf(cookie: string | undefined): SessionEnd | undefined {
    const id = idOf(cookie);
    if (id === undefined) return undefined;
    this.dropEnded();
    const key = hashOf(id);
    if (this.sessions.has(key)) return undefined;
    return this.ends.get(key) ?? (id.slice(0, RUN_LENGTH) === this.run ? 'over' : 'restarted');
  }

  private drop(key: string, end: SessionEnd): void {
    this.sessions.delete(key);
    this.ends.set(key, end);
    if (this.ends.size > ENDS_MAX) this.ends.delete(this.ends.keys().next().value!);
  }

  private dropEnded(): void {
    const before = this.now() - IDLE_MILLISECONDS;
    for (const [key, { lastMs }] of this.sessions) {
      if (lastMs > before) return;
      this.drop(key, 'idle');
    }
  }
}

/**
 * The field `Set-Cookie` that begins a session, or ends it without an id. The browser gives it to no script, and sends
 * it with no request of another site. @param isSecure the browser speaks HTTPS
 */
export function sessionCookie(id: string | undefined, isSecure: boolean): string {
  const life = id === undefined ? '; Max-Age=0' : '';
  return `${COOKIE}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${life}`;
}

function idOf(cookie: string | undefined): string | undefined {
  return cookie === undefined ? undefined : COOKIE_VALUE.exec(cookie)?.[1];
}

function hashOf(id: string): string {
  return hash('sha256', id);
}
