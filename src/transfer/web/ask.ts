// Asks servers of the web for files, as a command of the operator does; the service never does. What may pass by
// itself, such as a broken connection or a server that is busy, is asked again, each time after a longer wait.

import { setTimeout as delay } from 'node:timers/promises';
import { VERSION } from '../../config/version.ts';

/** How often a server is asked, and how long to wait between. */
export interface Patience {
  /** Failures in a row that bring nothing new. */
  attempts: number;
  /** @param failures so far, from 1 @returns milliseconds */
  waitMs(failures: number): number;
  /** Ends requests and waits. */
  signal: AbortSignal | undefined;
}

/** Two minutes in all. */
const PATIENCE: Patience = {
  attempts: 7,
  waitMs: failures => Math.min(60_000, 1_000 * 2 ** failures),
  signal: undefined,
};
const PROTOCOLS = ['http:', 'https:'];
/** Some servers hide with 401 or 403 what they do not have. */
const NOT_FOUND = [401, 403, 404, 410];
/** The server asks for time: too slow a request, too early, too many. From 500 on it has a fault of its own. */
const PASSING = [408, 425, 429];
const FAULTS_FROM = 500;

/** A failure that may pass. Its message has no full stop. */
export class Interrupted extends Error {}

/** True for the address of a file in the web. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/**
 * Sends one request.
 * @param signal ends it, and the answer while it is read
 * @returns the answer, whatever its status, but none that tells of a passing failure
 * @throws Interrupted; Error with a full sentence for an address that cannot be asked
 */
export async function ask(
  address: string,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const url = URL.parse(address);
  if (url === null || !PROTOCOLS.includes(url.protocol)) throw new Error(`${address} is no address of the web.`);
  if (url.username !== '' || url.password !== '')
    throw new Error(`${url.origin}${url.pathname}: an address must not hold a user or a password.`);
  // A coding would give the answer another length than the file has.
  const all = { 'user-agent': `sextant/${VERSION}`, 'accept-encoding': 'identity', ...headers };
  const response = await heard(() => fetch(url, { headers: all, ...(signal && { signal }) }));
  if (url.protocol === 'https:' && !response.url.startsWith('https:'))
    throw new Error(`${address} leads to ${response.url}, which is not encrypted.`);
  const { status } = response;
  if (PASSING.includes(status) || status >= FAULTS_FROM) {
    await response.body?.cancel();
    throw new Interrupted(`the server answers with ${describeStatus(response)}`);
  }
  return response;
}

/** @throws Interrupted instead of the error of a connection */
export async function heard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause =
      (error as Error).cause instanceof Error ? ((error as Error).cause as NodeJS.ErrnoException) : undefined;
    // What else fetch throws for is a TypeError too.
    if (!(error instanceof TypeError)) throw error;
    throw new Interrupted(cause?.message || cause?.code || error.message, { cause: error });
  }
}

/** The error of an answer that holds no file. @param address that was asked */
export async function refusalOf(address: string, response: Response): Promise<Error> {
  await response.body?.cancel();
  return new Error(`${address} cannot be fetched: the server answers with ${describeStatus(response)}.`);
}

function describeStatus({ status, statusText }: Response): string {
  return statusText === '' ? `${status}` : `${status} ${statusText}`;
}

/**
 * A small text, or its beginning.
 * @returns undefined if the server has none
 * @throws Error with a full sentence
 */
export function fetchText(
  address: string,
  bytesMax: number,
  patience?: Partial<Patience>,
): Promise<string | undefined> {
  return patiently(address, patience, async () => {
    const response = await ask(address, {}, patience?.signal);
    if (NOT_FOUND.includes(response.status)) {
      await response.body?.cancel();
      return undefined;
    }
    if (!response.ok) throw await refusalOf(address, response);
    return heard(async () => {
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= bytesMax) break;
      }
      return Buffer.concat(chunks).toString('utf8', 0, bytesMax);
    });
  });
}

/**
 * Does something again as long as it is interrupted.
 * @param hasProgress whether the last attempt has brought something new
 * @throws what it throws otherwise; Error with a full sentence when the patience ends
 */
export async function patiently<T>(
  address: string,
  patience: Partial<Patience> = {},
  work: () => Promise<T>,
  hasProgress: () => boolean = () => false,
): Promise<T> {
  const { attempts, waitMs, signal } = { ...PATIENCE, ...patience };
  for (let failures = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      failures = hasProgress() ? 1 : failures + 1;
      if (failures >= attempts)
        throw new Error(`${address} cannot be fetched: ${error.message.replace(/\.$/, '')}.`, { cause: error });
      await delay(waitMs(failures), undefined, signal && { signal });
    }
  }
}
