// Who looks at the page: what it may do, and how that began and ended.

import { signal } from '@preact/signals';
import type { AdminSchemas } from '../../../build/console_api.ts';
import { call, onAnswer, Refusal } from '../api/call.ts';

/** What the page may do: everything, read, or nothing before a login. */
type Access = 'all' | 'read' | 'none';

/** Who looks at the page. */
interface Session {
  access: Access;
  /** There is a session: it can be ended. Without one, a demo may be read. */
  isLoggedIn: boolean;
  /** Of the service. */
  version: string;
  /** The public address, for requests that people copy. */
  publicUrl: string;
  /** Path of the file with the token; undefined where the service does not say it. */
  tokenFile?: string;
}

/** Why the page asks again: how the session has ended, no cookie is left, or the service takes no such key. */
type End = NonNullable<AdminSchemas['Session']['ended']> | 'gone' | 'refused';

/** Undefined until the service has answered. */
export const session = signal<Session | undefined>(undefined);
/** The page is on the public address: a key takes the place of the token, and nothing can be changed. */
export const isPublic = signal(false);
/** Why the page asks for a token again; undefined if it does not. */
export const ended = signal<End | undefined>(undefined);
/** The service does not answer. */
export const isOffline = signal(false);

/** A token that is refused at the login ends nothing. */
const LOGIN = 'POST /console/session';

onAnswer((status, route) => {
  isOffline.value = status === 0;
  if (status !== 401 || route === LOGIN || session.value === undefined || session.value.access === 'none') return;
  if (session.value.isLoggedIn) void tellEnd();
  session.value = { ...session.value, access: 'none', isLoggedIn: false };
});

/** Asks how the session has ended. */
async function tellEnd(): Promise<void> {
  try {
    ended.value = (await call('GET /console/session')).ended ?? 'gone';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ended.value = 'over';
  }
}

/** True if the page may change something. */
export const mayChange = (): boolean => session.value?.access === 'all';

/** Asks who we are. Without an answer everything stays as it was. */
export async function readSession(): Promise<void> {
  try {
    const { ended: end, ...state } = await call('GET /console/session');
    session.value = state;
    ended.value = end;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Shows the token. @throws Refusal when it is none */
export async function logIn(token: string): Promise<void> {
  session.value = { ...session.value, ...(await call(LOGIN, { body: { token } })) };
  ended.value = undefined;
}

/** Ends the session. @throws Refusal */
export async function logOut(): Promise<void> {
  session.value = { ...session.value, ...(await call('DELETE /console/session')) };
}
