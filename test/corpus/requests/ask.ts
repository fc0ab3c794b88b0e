// Short ways to write requests.

import type { CorpusRequest } from '../exchange.ts';
import type { KeyName } from '../world.ts';

/** What may be said beside body or path. */
export interface Asked extends Partial<Pick<CorpusRequest, 'path' | 'headers' | 'packing' | 'cutBytes' | 'keepState'>> {
  key?: KeyName;
  /** More of the query string, beginning with `&`. */
  query?: string;
}

/** A POST. @param body text and bytes as they are, all else as JSON */
export function post(body: unknown, { key = 'main', query = '', path = '/', ...more }: Asked = {}): CorpusRequest {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return {
    method: 'POST',
    path: `${path}?key={{key:${key}}}${query}`,
    ...(text !== undefined && { body: text }),
    ...more,
  };
}

/** A GET. @param parameters undefined values are left out */
export function get(
  path: string,
  parameters: Record<string, string | number | undefined>,
  { key = 'main', query = '', headers = {} }: Asked = {},
): CorpusRequest {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const text = pairs.map(([name, value]) => `&${name}=${encodeURIComponent(value!)}`).join('');
  return { method: 'GET', path: `${path}?key={{key:${key}}}${text}${query}`, headers };
}

/** Values that no field takes. */
export const GARBAGE: readonly unknown[] = [
  'x',
  '',
  {},
  [],
  [1],
  null,
  true,
  1e300,
  -1e300,
  '1e3',
  ' 5 ',
  0.5,
  9_007_199_254_740_992,
];

/** 2026-02-01T12:00:00Z, seconds: about when the drawn requests are sent. */
export const NOON = 1_769_947_200;
