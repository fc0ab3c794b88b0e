// Who looks at the page: what it may do, and how that began and ended.

import { signal } from '@preact/signals';
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
}

/** Undefined until the service has answered. */
export const session = signal<Session | undefined>(undefined);
/** The page is on the public address: a key takes the place of the token, and nothing can be changed. */
export const isPublic = signal(false);
/** Why the page asks for a token again. */
export const hasExpired = signal(false);
/** The service does not answer. */
export const isOffline = signal(false);

onAnswer(status => {
  isOffline.value = status === 0;
  if (status !== 401 || session.value === undefined || session.value.access === 'none') return;
  hasExpired.value = session.value.isLoggedIn;
  session.value = { ...session.value, access: 'none', isLoggedIn: false };
});

/** True if the page may change something. */
export const mayChange = (): boolean => session.value?.access === 'all';

/** Asks who we are. Without an answer everything stays as it was. */
export async function readSession(): Promise<void> {
  try {
    session.value = await call('GET /console/session');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Shows the token. @throws Refusal when it is none */
export async function logIn(token: string): Promise<void> {
  session.value = await call('POST /console/session', { body: { token } });
  hasExpired.value = false;
}

/** Ends the session. @throws Refusal */
export async function logOut(): Promise<void> {
  session.value = await call('DELETE /console/session');
}
