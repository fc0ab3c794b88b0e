// A key in the path, for clients that take a base address and no parameter: `/k/KEY` may stand before the path of every
// route, or behind the first segment of a dialect (`/photon/k/KEY/api`). It is taken off before the router sees the
// path, so no route knows of it. So are the endings of the routes of OpenStreetMap's geocoder, which were once programs
// in PHP and still are for many clients.

import type { IncomingMessage } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** The key that stood in the path. */
    keyInPath?: string;
  }
}

const KEY_IN_PATH = /^((?:https?:\/\/[^/]*)?(?:\/+photon)?)\/+k\/+([^/?]+)/i;

/** An address without the key in its path, and the key; undefined where there is none. */
export function splitKey(url: string): { url: string; key: string | undefined } {
  const match = KEY_IN_PATH.exec(url);
  const key = match === null ? undefined : decoded(match[2]);
  // The router refuses an address that does not decode.
  if (match === null || key === undefined) return { url, key: undefined };
  const rest = url.slice(match[0].length);
  return { url: match[1] + (rest.startsWith('/') ? rest : `/${rest}`), key };
}

const PHP_ENDING = /^(\/+(?:search|reverse|lookup|status))\.php(?=\/*(?:\?|$))/;

/** Takes the key off the path of a request and notes it there. @returns the address that is left */
export function takeKey(request: IncomingMessage): string {
  const { url, key } = splitKey(request.url ?? '');
  if (key !== undefined) request.keyInPath = key;
  return url.includes('.php') ? url.replace(PHP_ENDING, '$1') : url;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
