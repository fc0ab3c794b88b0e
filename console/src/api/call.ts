// The one way in which the console asks the service. Routes, what they take and what they answer are typed by the
// OpenAPI documents (console/api_types.ts).

import type { AdminRoutes } from '../../../build/console_api.ts';

/** A route of the admin interface. */
type AdminRoute = keyof AdminRoutes;

/** What a request carries: numbers in the path, parameters, and a body of JSON, or a file as it is. */
export interface Sent<Query = object, Body = unknown> {
  path?: Record<string, string | number>;
  query?: Query;
  body?: Body | Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** What the service answered instead of what was asked for. Its message is a sentence for people. */
export class Refusal extends Error {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The body of the answer, if it is JSON. */
  readonly answer: unknown;

  constructor(status: number, message: string, answer?: unknown) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/** What wants to know how requests end. */
const listeners = new Set<(status: number, route: string) => void>();

/** Calls back with the status of each answer, 0 where none came, and the route that was asked. */
export function onAnswer(listener: (status: number, route: string) => void): void {
  listeners.add(listener);
}

/** How the page asks on an address without the admin interface: the routes that have an answer there. */
type Ways = Partial<Record<AdminRoute, (sent: Sent) => Promise<unknown>>>;
let ways: Ways | undefined;

/** Has routes of the admin interface answered in another way, and the others by nothing. */
export function answerBy(others: Ways): void {
  ways = others;
}

/**
 * Asks the admin interface, or what stands in its place.
 * @throws Refusal when it answers with an error, or not at all; AbortError of the signal
 */
export function call<R extends AdminRoute>(
  route: R,
  sent: Sent<AdminRoutes[R]['query'], AdminRoutes[R]['body']> = {},
): Promise<AdminRoutes[R]['answer']> {
  const way = ways === undefined ? (each: Sent) => ask(route, each) : ways[route];
  if (way === undefined) return Promise.reject(new Refusal(404, 'Only the operator of the service is told this.'));
  return way(sent) as Promise<AdminRoutes[R]['answer']>;
}

/** Asks any route of the origin. @param route `GET /path` @throws as `call` */
export async function ask(route: string, sent: Sent): Promise<unknown> {
  const [method, path] = route.split(' ');
  const response = await fetch(addressOf(path, sent), {
    method,
    headers: { ...headersOf(sent.body), ...sent.headers },
    ...(sent.body !== undefined && { body: sent.body instanceof Blob ? sent.body : JSON.stringify(sent.body) }),
    ...(sent.signal && { signal: sent.signal }),
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    return undefined;
  });
  const status = response?.status ?? 0;
  for (const listener of listeners) listener(status, route);
  if (response === undefined) throw new Refusal(0, 'The service does not answer.');
  const answer = await readAnswer(response);
  if (!response.ok) throw new Refusal(status, sentenceOf(answer, response), answer);
  return answer;
}

/** The path of a request with its parameters. */
export function addressOf(path: string, { path: numbers = {}, query = {} }: Pick<Sent, 'path' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(numbers[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? filled : `${filled}?${parameters}`;
}

/** The field by which the service tells our page from others: no other origin can send it. */
function headersOf(body: unknown): Record<string, string> {
  const type = body instanceof Blob ? 'application/octet-stream' : 'application/json';
  return { accept: 'application/json', 'x-sextant-console': '1', ...(body !== undefined && { 'content-type': type }) };
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The sentence of an error: `{"error":"SENTENCE"}` of the admin interface, or the message of a public one. */
function sentenceOf(answer: unknown, { status, statusText }: Response): string {
  const error = (answer as { error?: unknown } | undefined)?.error;
  if (typeof error === 'string') return error;
  const message = (error as { message?: unknown } | undefined)?.message;
  return typeof message === 'string' ? message : `The service answered ${status} ${statusText}.`;
}
