// What is asked: a position, a search, a point, or a request of the log. It stands in the address of the page, so going
// back and passing on a link need nothing else. A request that is too large for that is kept in the page. No key
// is ever in it: explanations need none.

import { call } from '../../api/call.ts';
import type { Example } from './examples.ts';
import { isLarge, keep, keptOf } from './kept.ts';
import type { Result } from './result.ts';

/** What may be asked for. */
export type Kind = 'position' | 'search' | 'point';

/** A question. */
export type Question =
  | { kind: 'position'; body: object }
  | { kind: 'search'; words: string }
  | { kind: 'point'; latitude: string; longitude: string; zoom: string }
  | { kind: 'log'; id: string };

/** The finest zoom: a house. */
export const ZOOM_DEFAULT = '18';

/** The question of an address; undefined if it asks for nothing. */
export function questionOf(parameters: URLSearchParams, examples: readonly Example[]): Question | undefined {
  const [id, words, latitude, given, kept] = ['log', 'q', 'lat', 'body', 'kept'].map(name => parameters.get(name));
  const body = kept === null ? given : keptOf(kept);
  if (id !== null) return { kind: 'log', id };
  if (words !== null) return { kind: 'search', words };
  if (latitude !== null)
    return {
      kind: 'point',
      latitude,
      longitude: parameters.get('lon') ?? '',
      zoom: parameters.get('zoom') ?? ZOOM_DEFAULT,
    };
  if (kept !== null && body === undefined) return undefined;
  if (body !== null && body !== undefined) return bodyQuestion(body);
  const example = examples.find(each => each.id === parameters.get('example'));
  return example && { kind: 'position', body: example.body };
}

/** The parameters of an address that asks this. */
export function parametersOf(question: Question, examples: readonly Example[]): Record<string, string> {
  switch (question.kind) {
    case 'position': {
      const body = JSON.stringify(question.body);
      const example = examples.find(each => JSON.stringify(each.body) === body);
      if (example !== undefined) return { example: example.id };
      return isLarge(body) ? { kept: keep(body) } : { body };
    }
    case 'search':
      return { q: question.words };
    case 'point': {
      const { latitude, longitude, zoom } = question;
      return { lat: latitude, lon: longitude, ...(zoom !== ZOOM_DEFAULT && { zoom }) };
    }
    default:
      return { log: question.id };
  }
}

/** Has a question answered and explained. @throws Refusal */
export async function ask(question: Question, signal: AbortSignal): Promise<Answered> {
  switch (question.kind) {
    case 'position':
      return {
        question,
        result: await call('POST /explain', { body: question.body as Record<string, unknown>, signal }),
      };
    case 'search':
      return { question, result: await call('GET /explain/search', { query: { q: question.words }, signal }) };
    case 'point': {
      const { latitude, longitude, zoom } = question;
      const query = { lat: latitude.trim(), lon: longitude.trim(), zoom: zoom.trim() };
      return { question, result: await call('GET /explain/reverse', { query, signal }) };
    }
    default:
      return logged(await call('GET /explain/log/{id}', { path: { id: question.id }, signal }));
  }
}

/** An answered question: of a logged request, what it asked. */
export interface Answered {
  question: Exclude<Question, { kind: 'log' }>;
  result: Result;
}

type Logged = Awaited<ReturnType<typeof call<'GET /explain/log/{id}'>>>;

function logged(result: Logged): Answered {
  const { route, query = '', body } = result.asked;
  const parameters = new URLSearchParams(query.slice(query.indexOf('?') + 1));
  const shown = result as Result;
  if (route === 'search') return { question: { kind: 'search', words: parameters.get('q') ?? '' }, result: shown };
  if (route !== 'reverse') return { question: { kind: 'position', body: body ?? {} }, result: shown };
  const [latitude, longitude, zoom] = ['lat', 'lon', 'zoom'].map(name => parameters.get(name) ?? '');
  return { question: { kind: 'point', latitude, longitude, zoom: zoom || ZOOM_DEFAULT }, result: shown };
}

function bodyQuestion(text: string): Question | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body === 'object' && body !== null ? { kind: 'position', body } : undefined;
  } catch {
    return undefined; // a link that was cut asks for nothing
  }
}
