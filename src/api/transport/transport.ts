// What a route knows of HTTP: the parts of a request that it reads, and the way to answer. Fastify's requests
// (../routes.ts) and those that the thread reads itself (fast_lane/) both come in this form, so a route does
// not know which of the two it serves.

import { withoutKey } from '../../tables/requests/record.ts';

/** Fields that proxies add to a request, in lower case. */
export const FORWARDING_FIELDS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

/** Fields that may carry the key, in lower case. */
export const API_KEY_FIELD = 'x-api-key';
export const AUTHORIZATION_FIELD = 'authorization';
/** What clients of gateways send in the place of `x-api-key`. */
export const SUBSCRIPTION_KEY_FIELD = 'ocp-apim-subscription-key';

/** Keys begin with `sx_`. Any other value is for a proxy in front of the service. */
const AUTHORIZED_KEY = /^(?:(?:bearer|token) +)?(sx_\S+)$/i;

/**
 * The key that the fields of a request carry. `X-API-Key` goes before `Authorization`.
 * @param authorization a bearer token, a `token`, or the bare key, if it has the form of a key
 */
export function keyInFields(apiKey: string | undefined, authorization: string | undefined): string | undefined {
  if (apiKey !== undefined && apiKey !== '') return apiKey;
  return authorization === undefined ? undefined : AUTHORIZED_KEY.exec(authorization)?.[1];
}

/** Query parameters of any route; a repeated one is an array. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The key in the query. An empty value and `null`, which some clients send, are none. */
export function keyInQuery(query: Query): string | undefined {
  return givenKey(query.key) ?? givenKey(query.apiKey) ?? givenKey(query.apikey) ?? givenKey(query.token);
}

/** A key that was sent: the first where it is repeated. Some clients send an empty one or `null` for none. */
export function givenKey(sent: string | string[] | undefined): string | undefined {
  const key = typeof sent === 'object' ? sent[0] : sent;
  return key === '' || key === 'null' ? undefined : key;
}

/** A request, and the way to answer it. */
export interface Transport {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly query: Query;
  /** The path segment after `/k/`, decoded. */
  readonly keyInPath: string | undefined;
  /** The key in the fields of the head. */
  readonly keyInFields: string | undefined;
  /** A field of the head, for the few requests that are asked for more than the others. @param name in lower case */
  field(name: string): string | undefined;
  /** Value of the Accept-Language header. */
  readonly languages: string | undefined;
  /** Address of the client; undefined when it has already disconnected. */
  readonly address: string | undefined;
  /** The request carries a field that proxies add, so its client may be elsewhere than its address says. */
  readonly isForwarded: boolean;
  /** Path and query for the log, without the key and without parameters that have their own fields. */
  readonly loggedUrl: string;
  /** The server no longer listens: each answer must end its connection, because nothing else does. */
  readonly isStopping: boolean;
  /** Adds a header to the answer. @param name in lower case */
  setHeader(name: string, value: string | number): void;
  /** Answers. Does nothing when the client has disconnected. */
  send(status: number, contentType: string, body: string): void;
  /** Answers 500 in Fastify's own form, for a fault that leaves no log id to answer with. */
  sendFault(fault: Error): void;
}

/** Parameters that have their own fields in the log, or must not be in it. */
const LOGGED_APART = new Set(['key', 'id', 'nr']);

/** The url of a route for the log, without the key and without parameters that have their own fields. */
export function loggedUrlOf(url: string, query: Query): string {
  if (!Object.keys(query).every(name => LOGGED_APART.has(name))) return withoutKey(url);
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
