// What the recorded corpus covers: enough exchanges, every route and method, every error that a client can bring about,
// and every fallback. It reads the recording and asks no service. openapi.test.ts holds every member of an answer.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAnswers } from './answers.ts';
import { type CorpusRequest, type KeptAnswer, nameOf } from './exchange.ts';
import { FALLBACKS } from './requests/fallbacks.ts';
import { ROUTES } from './requests/protocol.ts';
import { allSteps } from './requests.ts';

const EXCHANGES_MIN = 5000;

/** Status, domain and reason of every error that a client can bring about. */
const ERRORS = [
  '400 global parseError',
  '400 usageLimits keyInvalid',
  '400 usageLimits settingsKeyInvalid',
  '403 usageLimits creditsExceeded',
  '403 usageLimits deviceLimitExceeded',
  '404 geolocation notFound',
  '404 global notFound',
  '405 global methodNotAllowed',
  '413 global bodyTooLarge',
  '415 global encodingUnsupported',
  '429 usageLimits strayLimitExceeded',
  '429 usageLimits userRateLimitExceeded',
  '431 global parseError',
];

/** Reasons that no request brings about, and why. */
const UNREACHABLE: Record<string, string> = {
  internalError: 'a fault of the service itself: a query that ends two workers, or a table that cannot be read',
  backendError: 'no room for more queries or contributions, which one request at a time cannot fill',
  accessNotConfigured: 'a key that is limited to some routes, which the keys of the recording are not',
  ipRefererBlocked: 'a key that is limited to some pages or networks, likewise',
  storageExceeded: 'reports that take a gigabyte, which recorded requests do not',
  requestTimeout: 'a body that stands still, which recorded requests do not',
};

const requests = [...allSteps()].filter(step => step !== 'aggregate');
const answers = readAnswers();
const exchanges = requests.map((request, i): [CorpusRequest, KeptAnswer] => [request, answers[i]]);
/** Bodies that are JSON objects. */
const bodies = answers
  .map(({ body }) => body)
  .filter(body => body.startsWith('{'))
  .map(body => JSON.parse(body));
const positions = bodies.filter(body => 'location' in body);

test('the recording belongs to these requests', () => {
  expect(answers.map(({ request }) => request)).toEqual(requests.map(nameOf));
  expect(answers.length).toBeGreaterThanOrEqual(EXCHANGES_MIN);
});

test.each(Object.entries(ROUTES))('%s answers by each of its methods and refuses all others', (path, methods) => {
  const there = exchanges.filter(([request]) => request.path.split('?', 1)[0] === path && request.raw === undefined);
  const answered = new Set(there.filter(([, { status }]) => status !== 405).map(([{ method }]) => method));
  expect([...answered].sort()).toEqual([...methods]);
  const refused = there.filter(([, { status }]) => status === 405);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(([, { headers }]) => headers.allow))).toEqual(new Set([methods.join(', ')]));
});

test('every error that a client can bring about, and no other', () => {
  const rows = bodies.filter(({ error }) => Array.isArray(error?.errors)).map(({ error }) => error);
  const met = rows.map(({ code, errors: [{ domain, reason }] }) => `${code} ${domain} ${reason}`);
  expect([...new Set(met)].sort()).toEqual(ERRORS);
});

test('every reason that stands in the source is met, or cannot be', () => {
  const source = join(import.meta.dirname, '../../src');
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(join(source, name), 'utf8'));
  const named = texts.flatMap(text =>
    [...text.matchAll(/status: \d+, domain: '\w+', reason: '(\w+)'|^\s+reason: '(\w+)',$/gm)].map(([, a, b]) => a ?? b),
  );
  expect(named.length).toBeGreaterThan(10);
  const covered = ERRORS.map(row => row.split(' ')[2]);
  expect([...new Set(named)].sort()).toEqual([...new Set([...covered, ...Object.keys(UNREACHABLE)])].sort());
});

test.each(FALLBACKS)('the fallback %s finds a position', fallback => {
  expect(positions.filter(position => position.fallback === fallback).length).toBeGreaterThanOrEqual(10);
});

test('every form of an answer about places', () => {
  const texts = answers.map(({ body }) => body);
  const starts = [
    '{"address":',
    '[{"place_id":',
    '{"place_id":',
    '{"type":"FeatureCollection","licence":',
    '{"type":"FeatureCollection","geocoding":',
    '{"error":"Unable to geocode"}',
    '{"country_code":',
    '[]',
    'status=0;',
    'status=1',
    'status=2',
    'status=3',
    'status=4',
  ];
  for (const start of starts) expect(texts.filter(text => text.startsWith(start)).length, start).toBeGreaterThan(0);
});
