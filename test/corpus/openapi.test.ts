// Every exchange of the corpus against docs/openapi.json. Status, headers and body of each answer fit its operation;
// what the document allows is never refused for its form, and what is answered has the structure that the document
// demands; and nothing stands in the document that no exchange shows.

import { expect, test } from 'vitest';
import { DIALECT_TABLE } from '../../src/protocol/dialects/table.ts';
import { committedDocument, documentedPath, type Json, operationsOf } from '../protocol/openapi/committed_document.ts';
import { bodyOf, Conformity, parametersOf } from '../protocol/openapi/conformity.ts';
import { readAnswers } from './answers.ts';
import type { CorpusRequest } from './exchange.ts';
import { allSteps } from './requests.ts';

const document = committedDocument();
const operations = operationsOf(document);
const conformity = new Conformity(document);
const answers = readAnswers();
const exchanges = [...allSteps()]
  .filter(step => step !== 'aggregate')
  .map((request, i) => ({ request, answer: answers[i], ...targetOf(request) }));

/** Names of the operations and schemas of dialects. */
const DIALECT_NAMES = Object.values(DIALECT_TABLE)
  .flatMap(({ title, schemas, routes }) => [
    `${title.replace(/\W/g, '')}Error`,
    ...Object.keys(schemas),
    ...routes.map(({ operation }) => operation.name),
  ])
  .join('|');

/** What no exchange of the corpus shows, and why. */
const NEVER_SHOWN: readonly (readonly [what: RegExp, why: string])[] = [
  [
    new RegExp(`^As \\w|^(?:${DIALECT_NAMES})(?:Alias\\d+)?(?:Preflight)?(?:[ :.]|$)`),
    'The corpus asks no dialects; test/api/dialects/ holds their answers against the document.',
  ],
  [
    /: (?:500|503)$|^(?:InternalError|BackendError)\b/,
    'A fault of the service itself, or no room for more: one request at a time brings about neither.',
  ],
  [/: 408$|^RequestTimeout\b/, 'A recorded request is complete at once; server_faults.test.ts shows it.'],
  [/^Locate a device in the compact form: \?cells$/, 'test/protocol/requests/compact.test.ts shows it.'],
  [
    /^Find (?:places by words|the address(?:es)? of (?:a|many) points?): \?(?:exclude_place_ids|layer|feature[tT]ype)$/,
    'It chooses among what the corpus finds; test/api/nominatim.test.ts shows it.',
  ],
  [/^Find the addresses of many points: \?polygon_threshold$/, 'As for one point; geocodejson.test.ts shows it.'],
  [/^Position\.fallback = upstream$/, 'The world of the corpus has no other service; upstream.test.ts shows it.'],
  [
    /^Position\.fallback = ipf$|^Country\.fallback\b|^countryWithoutBody: 200$|^PositionRequest\.(?:fallbacks\.ipf|considerIp)\b/,
    'It has no places of addresses; geoip.test.ts shows them.',
  ],
  [
    /^(?:AccessNotConfigured|IpRefererBlocked)\b/,
    'No key of the world is limited so; restricted_keys.test.ts shows it.',
  ],
  [/^StorageExceeded\b/, 'The reports of no key of the world take a gigabyte; submission.test.ts shows it.'],
  [/: 431$/, 'Headers that are too large are refused before their operation is known.'],
  [/^PointError \([234]\)/, 'Others spend the balance meanwhile, a fault of the service itself, or no room for more.'],
  [/^Contribute measurements: 403$/, 'The plan of devices is asked about on the way that all routes share.'],
  [
    /^Expla|^RadiusParts\b|: \?explain\b|\.explain\b/,
    'No key of the corpus is answered with explanations; test/protocol/answers/explanation.test.ts shows them.',
  ],
  [/: \?nr$/, 'The request number is for the log alone; positions have it.'],
  [/^Find places by words: \?autocomplete = 0$|: \?(?:namedetails|extratags|polygon_\w+) = 0$/, 'It is the default.'],
  [/^Find places by their objects of OpenStreetMap: 429$/, 'The rate is asked about on the way that all routes share.'],
  [
    /^(?:Find places by their objects of OpenStreetMap|Ask whether the geocoder is ready): \?id$/,
    'The device is for the log and the limits.',
  ],
  [
    /^Status\b|^Ask whether the geocoder is ready: \?format = json$/,
    'It tells when the places were built; lookup.test.ts shows it.',
  ],
  [/^Shape \(3\)/, 'The drawn world has no such shapes; geocodejson.test.ts shows them.'],
  [/^Sensor\.activity = /, 'No answer depends on the activity.'],
  [
    /^(?:Measurement|FlatMeasurement|OldMeasurement)\b/,
    'No answer tells what was read of a submission; request_schemas.test.ts does.',
  ],
  [
    /^Explained(?:Search|Point)\b|^(?:Reverse|Places?\w*|UnableToGeocode)\.explain$|^Find .*: \?explain\b/,
    'It tells how long each step took; explain_places.test.ts shows it.',
  ],
  [
    /^Address\.(?:city_block|neighbourhood|city_district|municipality)$|\.locality$/,
    'The drawn world has no such places.',
  ],
];

/**
 * Refusals of what no schema can forbid, such as parameters that need another one; the description of the document
 * names them.
 */
const REFUSED_BY_BYTES =
  /^q is missing\.|^The key \S+ is not allowed\.|^mac must be|nested more than|does not inflate|^The body is not JSON|not percent-encoded|address of the request|^The request is not valid HTTP/;

/** Path as documented, all operations there, and the one of the request. */
function targetOf({ method, path, raw }: CorpusRequest): { there: typeof operations; operation: Json | undefined } {
  const [sentMethod, sentPath] = raw === undefined ? [method, path] : raw.split(' ', 2);
  const plain = documentedPath(sentPath ?? '');
  const there = operations.filter(each => each.path === plain);
  return { there, operation: there.find(each => each.method === sentMethod)?.operation };
}

test('every answer fits its operation', () => {
  const wrong = exchanges.flatMap(({ request, answer, there, operation }) => {
    // Bytes that are no good HTTP are answered before anything is known of their operation.
    const isRefusedRaw = request.raw !== undefined && answer.status >= 400;
    const found =
      operation === undefined || isRefusedRaw
        ? conformity.checkError(answer, request.method === 'HEAD')
        : conformity.checkAnswer(operation, answer);
    if (operation === undefined && there.length > 0 && answer.status === 405) {
      const methods = there.map(({ method }) => method).sort();
      if (answer.headers.allow !== methods.join(', ')) found.push(`allow is ${answer.headers.allow}`);
    }
    return found.map(problem => `${request.method} ${request.path.slice(0, 100)} ${answer.status}: ${problem}`);
  });
  expect(wrong.slice(0, 20)).toEqual([]);
});

test('every answer of a place in a format has the form of that format', () => {
  const FORMS: Record<string, string[]> = {
    '': ['Reverse', 'Place'],
    json: ['PlaceJson', 'UnableToGeocode'],
    jsonv2: ['PlaceJsonV2', 'UnableToGeocode'],
    geojson: ['PlacesGeoJson', 'UnableToGeocode'],
    geocodejson: ['PlacesGeocodeJson', 'UnableToGeocode'],
  };
  const seen = new Set<string>();
  for (const { request, answer, operation } of exchanges) {
    if (!/^(reverse|search)/.test(operation?.operationId ?? '') || answer.status !== 200 || request.raw !== undefined)
      continue;
    const format = parametersOf(request.path)?.get('format') ?? '';
    if (format === 'xml') {
      expect(answer.body).toMatch(/^<\?xml version="1\.0" encoding="UTF-8" \?>\s*<(?:reversegeocode|searchresults)\b/i);
      continue;
    }
    for (const item of [JSON.parse(answer.body)].flat()) {
      if (Array.isArray(item?.error?.errors)) continue;
      const form = FORMS[format].find(name => conformity.fits(name, item));
      expect([format, form, JSON.stringify(item)]).toEqual([format, expect.any(String), expect.any(String)]);
      seen.add(form!);
    }
  }
  expect([...seen].sort()).toEqual([...new Set(Object.values(FORMS).flat())].sort());
});

test('the geocoder lets any web page read every answer to an address that decodes', () => {
  for (const { request, answer, operation } of exchanges) {
    if (operation?.tags[0] !== 'places' || request.raw !== undefined || /address of the request/.test(answer.body))
      continue;
    expect({ request, ...answer.headers }).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after, x-log-id',
    });
  }
});

test('what the document allows is never refused for its form, and what is answered has its structure', () => {
  let allowed = 0;
  const wrong: string[] = [];
  for (const { request, answer, operation } of exchanges) {
    if (operation === undefined || request.raw !== undefined || request.method === 'OPTIONS') continue;
    const problems = conformity.checkRequest(operation, request);
    const isRefused = answer.status === 400 && /parseError|status=4/.test(answer.body);
    const message = isRefused && answer.body.startsWith('{') ? JSON.parse(answer.body).error.message : '';
    if (problems.length === 0) allowed++;
    if (problems.length === 0 && isRefused && !REFUSED_BY_BYTES.test(message))
      wrong.push(
        `allowed, but refused: ${request.method} ${request.path} ${JSON.stringify(bodyOf(request))}: ${message}`,
      );
    if (answer.status !== 200) continue;
    const structural = problems.filter(({ isStructural }) => isStructural);
    if (structural.length > 0)
      wrong.push(
        `answered, but not allowed: ${request.method} ${request.path} ${JSON.stringify(bodyOf(request))}: ` +
          `${JSON.stringify(structural)}`,
      );
  }
  expect(wrong.slice(0, 20).map(sentence => sentence.slice(0, 600))).toEqual([]);
  expect(allowed).toBeGreaterThan(exchanges.length / 2);
});

test('nothing stands in the document that no exchange shows', () => {
  const missing = conformity.neverShown();
  expect(missing.filter(what => !NEVER_SHOWN.some(([pattern]) => pattern.test(what)))).toEqual([]);
  // An exception that the corpus shows by now is one too many.
  expect(NEVER_SHOWN.filter(([pattern]) => !missing.some(what => pattern.test(what)))).toEqual([]);
});
