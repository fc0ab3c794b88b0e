import { describe, expect, test } from 'vitest';
import { RequestSource } from './draw_request.ts';
import { Invariants } from './invariants.ts';
import { fuzzRoutes } from './routes.ts';
import { readAnswer } from './wire.ts';

const POST = { method: 'POST', path: '/?key=x' };
const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  return { status, headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) };
}

function error(status: number, code: number, reason: string, logId: number) {
  const domain = reason === 'notFound' ? 'geolocation' : 'global';
  return answer(status, {
    error: { errors: [{ domain, reason, message: 'A message' }], code, message: 'A message' },
    logId,
  });
}

test('four thousand drawn requests break no invariant of any route', async () => {
  const { requests, statuses, findings } = await fuzzRoutes({
    seed: 20_261_130,
    first: 0,
    goesOn: drawn => drawn < 4_000,
  });
  expect(findings.join('\n')).toBe('');
  expect(requests).toBe(4_000);
  // Every route is asked, and every kind of answer occurs.
  const answered = [...new Set([...statuses.values()].flatMap(counts => [...counts.keys()]))];
  expect(statuses.size).toBeGreaterThan(20);
  expect(answered).toEqual(expect.arrayContaining([200, 204, 400, 403, 404, 405, 413, 415, 429, 431]));
});

test('a request is drawn again by its seed and number alone', () => {
  const draw = (source: RequestSource, number: number) => source.draw(number).bytes.toString('latin1');
  const [one, again, other] = [1, 1, 2].map(seed => new RequestSource(seed, text => text));
  draw(again, 5);
  expect(draw(one, 77)).toBe(draw(again, 77));
  expect(draw(one, 77)).not.toBe(draw(one, 78));
  expect(draw(one, 77)).not.toBe(draw(other, 77));
});

describe('the invariants', () => {
  test('let a position, an error and a busy service pass', () => {
    const invariants = new Invariants();
    expect(invariants.check(POST, answer(200, { location: { lat: 1, lng: 2 }, accuracy: 5, logId: 1 }))).toEqual([]);
    expect(invariants.check(POST, error(404, 404, 'notFound', 2))).toEqual([]);
    const busy = error(503, 503, 'backendError', 3);
    expect(invariants.check(POST, { ...busy, headers: { ...busy.headers, 'retry-after': '1' } })).toEqual([]);
  });

  test.each([
    ['a fault of the service', error(500, 500, 'internalError', 1), 'The status is 500.'],
    ['a busy service without a time', error(503, 503, 'backendError', 1), 'does not say when'],
    ['another code than the status', error(404, 400, 'notFound', 1), 'the code of the error 400'],
    ['a place off the Earth', answer(200, { location: { lat: 91, lng: 2 }, accuracy: 5, logId: 1 }), 'lat is 91.'],
    ['no logId', answer(200, { location: { lat: 1, lng: 2 }, accuracy: 5 }), 'does not fit'],
    ['no JSON', { status: 200, headers: HEADERS, body: '{' }, 'cannot be read'],
    ['a status that is not documented', answer(202, {}), 'no such status'],
  ])('find %s', (_, given, sentence) => {
    expect(new Invariants().check(POST, given).join(' ')).toContain(sentence);
  });

  test('find a logId that was given before', () => {
    const invariants = new Invariants();
    invariants.check(POST, error(404, 404, 'notFound', 7));
    expect(invariants.check(POST, error(404, 404, 'notFound', 7))).toEqual(['The logId 7 was given before.']);
  });
});

describe('an answer on the wire', () => {
  const read = (text: string, isHead = false) => readAnswer(Buffer.from(text), isHead);

  test('is read to its end and no further', () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n\r\n{}';
    expect(read(text)).toEqual({
      answer: { status: 200, headers: { 'content-length': '2', 'x-a': 'b' }, body: '{}' },
      end: text.length,
    });
    expect(read(`${text}HTTP`)?.end).toBe(text.length);
    for (let end = 0; end < text.length; end++) expect(read(text.slice(0, end))).toBeUndefined();
  });

  test('may come in chunks, behind an interim answer, or without a body', () => {
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n';
    expect(read(chunked)).toMatchObject({ answer: { body: '[1,2]' }, end: chunked.length });
    expect(read(`HTTP/1.1 100 Continue\r\n\r\n${chunked}`)).toMatchObject({ answer: { status: 200, body: '[1,2]' } });
    expect(read('HTTP/1.1 404 Not Found\r\ncontent-length: 50\r\n\r\n', true)).toMatchObject({
      answer: { status: 404, body: '' },
    });
    expect(() => read('SSH-2.0\r\n\r\n')).toThrow('What came is not HTTP: SSH-2.0');
  });
});
