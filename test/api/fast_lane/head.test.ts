import { expect, test } from 'vitest';
import { HEAD_BYTES_MAX, HeadReader, Targets } from '../../../src/api/fast_lane/head.ts';

const reader = new HeadReader({ POST: ['/', '/v1/geolocate'], GET: ['/reverse'] });
const read = (text: string) => reader.read(Buffer.from(text, 'latin1'));
const head = (...lines: string[]) => ['POST /?key=k HTTP/1.1', ...lines, '', ''].join('\r\n');

test('the plain form is accepted, and target and body are found in it', () => {
  const text = head('Host: localhost', 'CONTENT-length: 17', 'Connection: Keep-Alive', 'X-Forwarded-For: 10.0.0.1');
  expect(read(`${text}{"considerIp":true`)).toBe('accepted');
  expect(text.slice(reader.targetStart, reader.targetEnd)).toBe('/?key=k');
  expect([reader.bodyStart, reader.bodyLength]).toEqual([text.length, 17]);
});

const get = (...lines: string[]) => ['GET /reverse?lat=1 HTTP/1.1', ...lines, '', ''].join('\r\n');

test('a GET of its paths is accepted without a length, and the languages are found in it', () => {
  const text = get('Host: localhost', 'Accept-Language: de-CH,de;q=0.5');
  const bytes = Buffer.from(text);
  expect(reader.read(bytes)).toBe('accepted');
  expect(text.slice(reader.targetStart, reader.targetEnd)).toBe('/reverse?lat=1');
  expect([reader.isGet, reader.bodyStart, reader.bodyLength]).toEqual([true, text.length, 0]);
  expect(reader.languagesIn(bytes)).toBe('de-CH,de;q=0.5');
  expect(read(get('accept-language:'))).toBe('accepted');
  expect(reader.languagesIn(Buffer.from(get('accept-language:')))).toBe('');
  expect(read(get())).toBe('accepted');
  expect(reader.languagesIn(Buffer.from(get()))).toBeUndefined();
  expect(read(`${head('accept-language: de', 'Content-Length: 2')}{}`)).toBe('accepted');
  expect([reader.isGet, reader.languagesIn(Buffer.from(head('accept-language: de')))]).toEqual([false, undefined]);
});

test.each([
  ['content-length: 0'],
  ['content-length: 2'],
  ['Transfer-Encoding: chunked'],
  ['accept-language: de '],
  ['accept-language: de\t'],
  ['accept-language: de', 'Accept-Language: en'],
])('a GET with %j is refused', (...lines) => {
  expect(read(get(...lines))).toBe('refused');
});

test('each beginning of an accepted GET is incomplete', () => {
  const text = get('Host: localhost', 'accept-language: de');
  for (let length = 0; length < text.length; length++)
    expect([length, read(text.slice(0, length))]).toEqual([length, 'incomplete']);
});

test('fields that proxies add are noted, in any case, until the next head', () => {
  for (const field of [
    'Forwarded: for=x',
    'Via: 1.1 x',
    'X-FORWARDED-FOR: 10.0.0.1',
    'x-forwarded-proto: https',
    'X-Real-IP: 10.0.0.1',
  ]) {
    expect(read(`${head(field, 'Content-Length: 2')}{}`)).toBe('accepted');
    expect(reader.isForwarded, field).toBe(true);
    expect(read(`${head('Host: x', 'Content-Length: 2')}{}`)).toBe('accepted');
    expect(reader.isForwarded).toBe(false);
  }
});

test('the key is found in its fields, and forgotten with the next head', () => {
  const keyIn = (...lines: string[]) => {
    const bytes = Buffer.from(`${head(...lines, 'Content-Length: 2')}{}`, 'latin1');
    return reader.read(bytes) === 'accepted' ? (reader.keyIn(bytes) ?? 'none') : 'refused';
  };
  expect(keyIn('X-API-Key: abc')).toBe('abc');
  expect(keyIn('Host: x')).toBe('none');
  expect(keyIn('Authorization: Bearer sx_abc')).toBe('sx_abc');
  expect(keyIn('Authorization: Bearer sx_abc', 'x-api-key: abc')).toBe('abc');
  expect(keyIn('authorization: BEARER  sx_abc', 'X-API-KEY:')).toBe('sx_abc');
  expect(keyIn('Authorization: Bearer abc')).toBe('none');
  expect(keyIn('Authorization: Basic sx_abc')).toBe('none');
  expect(keyIn('X-API-Key: abc ')).toBe('refused');
  expect(keyIn('X-API-Key: abc', 'X-API-Key: abc')).toBe('refused');
  expect(keyIn('Host: x')).toBe('none');
});

test.each([
  ['/', 'accepted'],
  ['/?', 'accepted'],
  ['/v1/geolocate', 'accepted'],
  ['/v1/geolocate?key=k&x', 'accepted'],
  ['/v1/geolocate/', 'refused'],
  ['/v1/geolocat', 'refused'],
  ['/v1', 'refused'],
  ['//', 'refused'],
  ['/#', 'refused'],
  ['/?a#b', 'refused'],
  ['/?a\tb', 'refused'],
  ['/?a\0b', 'refused'],
  ['/?\xfc', 'refused'],
  ['http://x/', 'refused'],
  ['*', 'refused'],
  ['', 'refused'],
])('the target %j is %s', (target, verdict) => {
  expect(read(`POST ${target} HTTP/1.1\r\ncontent-length: 2\r\n\r\n`)).toBe(verdict);
});

test.each([
  ['GET / HTTP/1.1'],
  ['GET /v1/geolocate HTTP/1.1'],
  ['POST /reverse HTTP/1.1'],
  ['GET  /reverse HTTP/1.1'],
  ['get /reverse HTTP/1.1'],
  ['GET /reverse/ HTTP/1.1'],
  ['GET /reverse HTTP/1.0'],
  ['post / HTTP/1.1'],
  ['POST  / HTTP/1.1'],
  ['\r\nPOST / HTTP/1.1'],
  ['POST / HTTP/1.0'],
  ['POST / http/1.1'],
  ['POST / HTTP/1.1 '],
  ['POST /'],
])('the first line %j is refused', line => {
  expect(read(`${line}\r\ncontent-length: 2\r\n\r\n`)).toBe('refused');
});

test.each([
  'x-unknown: 1',
  'Connection: close',
  'Connection: keep-alive, close',
  'Connection:',
  'Transfer-Encoding: chunked',
  'Content-Encoding: identity',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'content-length: 2',
  'Host : x',
  'Host',
  ': x',
  ' folded',
  'Host: a\tb',
  'Host: a\0b',
  'Host: \xfc',
  'Host: a\rb',
  'Host: a\nVia: b',
])('a head with the line %j is refused', line => {
  expect(read(head('content-length: 2', line))).toBe('refused');
  expect(read(head(line, 'content-length: 2'))).toBe('refused');
});

test.each(['', '0', '02', '+2', '-2', '0x2', '2 ', '2, 2', '2.0', '65537', '100000'])(
  'the length %j is refused',
  length => {
    expect(read(head(`content-length: ${length}`))).toBe('refused');
  },
);

test('a name is not taken for another by the bit that makes letters small', () => {
  expect(read(head('content\rlength: 2'))).toBe('refused');
  expect(read(head('content-length: 2', 'Ho\x53t: x'))).toBe('accepted');
  expect(read(head('content-length: 2', 'Ho\x13t: x'))).toBe('refused');
});

test('a head without a length, of too many lines, or too long, is refused', () => {
  expect(read(head('Host: x'))).toBe('refused');
  expect(read(head('content-length: 2', ...Array.from({ length: 64 }, () => 'via:')))).toBe('refused');
  expect(read(head('content-length: 2', `Cookie: ${'x'.repeat(HEAD_BYTES_MAX)}`))).toBe('refused');
  expect(read(`POST /?${'x'.repeat(HEAD_BYTES_MAX)}`)).toBe('refused');
});

test('each beginning of an accepted head is incomplete', () => {
  const text = head('Host: localhost', 'content-length: 2', 'connection: keep-alive');
  for (let length = 0; length < text.length; length++)
    expect([length, read(text.slice(0, length))]).toEqual([length, 'incomplete']);
  expect(read(text)).toBe('accepted');
});

test.each([
  'content-length: 2\r\n[',
  'content-length: 2\r\nHost[',
  'content-length: 2\r\ncontent-length: 2',
  'content-length: 5{',
  'content-length: 0x',
  'Host: a\r\nHo st',
])('the beginning %j, which node:http refuses before its line ends, is refused', fields =>
  expect(read(`POST / HTTP/1.1\r\n${fields}`)).toBe('refused'),
);

const readTarget = (targets: Targets, url: string) => {
  const bytes = Buffer.from(`POST ${url} HTTP/1.1`);
  return targets.read(bytes, 5, 5 + url.length, undefined);
};

test('a plain query is read, and what the log holds of it', () => {
  expect(readTarget(new Targets(), '/v1/geolocate?key=a%20b+c&id=%C3%BC&x=1')).toMatchObject({
    url: '/v1/geolocate?key=a%20b+c&id=%C3%BC&x=1',
    query: { key: 'a b c', id: 'ü', x: '1' },
    loggedUrl: '/v1/geolocate?id=%C3%BC&x=1',
  });
  expect(readTarget(new Targets(), '/?key=secret&nr=5')).toMatchObject({
    query: { key: 'secret', nr: '5' },
    loggedUrl: '/',
  });
  for (const url of ['/', '/?']) expect(readTarget(new Targets(), url)).toMatchObject({ query: {}, loggedUrl: '/' });
});

test.each([
  '/?key',
  '/?=1',
  '/?key=1&key=2',
  '/?key=1&',
  '/?key=%zz',
  '/?key=%ff',
  '/?k%65y=1',
  '/?key=1=2',
  '/?key=1;nr=2',
  '/?key="',
])('what is not plain is left to Fastify: %s', url => {
  expect(readTarget(new Targets(), url)).toBeUndefined();
});

test('the same bytes are the same target, until eight others have come', () => {
  const targets = new Targets();
  const first = readTarget(targets, '/?key=a');
  expect(readTarget(targets, '/?key=b')).not.toBe(first);
  expect(readTarget(targets, '/?key=a')).toBe(first);
  for (let other = 0; other < 8; other++) readTarget(targets, `/?key=${other}`);
  const again = readTarget(targets, '/?key=a');
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
