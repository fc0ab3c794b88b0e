// An operator's own requests: one JSON object a line, in the order in which they are sent, from the first again after
// the last.
//
//   {"method": "POST", "path": "/?id=tracker-1", "body": {"wifiAccessPoints": [...]}}
//   {"method": "GET", "path": "/search?q=Vaduz"}
//
// `method` is GET or POST, POST if it is missing; `body` is JSON, or a string that is sent as it is. The file needs no
// keys: each request gets the key of the measurement, in place of its own `key`.

import { renderRequest } from '../requests.ts';
import type { Scenario } from './scenarios.ts';

/** @param key account of all requests @throws Error with the number of the line that cannot be read */
export function ownScenario(text: string, key: string): Scenario {
  const lines = text.split('\n').map((line, i) => ({ line, number: i + 1 }));
  const requests = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => renderLine(line, number, key));
  if (requests.length === 0) throw new Error('The file of requests is empty.');
  return {
    name: 'own',
    about: `${requests.length.toLocaleString('en')} requests from a file`,
    isLearned: false,
    requests: () => requests,
  };
}

function renderLine(line: string, number: number, key: string): Buffer {
  const refuse = (why: string, cause?: unknown) => new Error(`Line ${number} of the requests ${why}.`, { cause });
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw refuse('is not JSON', error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('is not an object');
  const { method = 'POST', path, body, ...others } = value as Record<string, unknown>;
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw refuse(`has the member ${unknown[0]}, which means nothing here`);
  if (method !== 'GET' && method !== 'POST') throw refuse('has a method that is neither GET nor POST');
  if (typeof path !== 'string' || !/^\/[\x21-\x7e]*$/.test(path))
    throw refuse('needs a path that begins with / and has no spaces');
  if (method === 'GET' && body !== undefined) throw refuse('is a GET with a body');
  if (method === 'POST' && body === undefined) throw refuse('is a POST without a body');
  const url = new URL(path, 'http://localhost');
  url.searchParams.set('key', key);
  return renderRequest(
    url.pathname + url.search,
    body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  );
}
