// Every error of the interface as a client meets it: status, domain, reason, message, headers, the specification's
// shape, a logId under which `sextant log` has the request, and no key anywhere in the log or in what the service
// prints at its most talkative level.

import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, expectError, type RequestOptions, runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
const MEGABYTE = 1_048_576;

const base = folderOfFile();
let service: ServiceProcess;
let key: string;
const keys: string[] = [];
const failed: Answer[] = [];

beforeAll(async () => {
  service = await ServiceProcess.start(
    join(base, 'var'),
    '--http-threads',
    '1',
    '--max-body-mb',
    '1',
    '--log-level',
    'trace',
  );
  ({ key } = await newKey());
  keys.push(service.demoKey);
});

afterAll(async () => {
  const ended = await service?.stop();
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('SEXTANT_LOG_LEVEL=trace');
  for (const known of keys) expect(ended.stderr).not.toContain(known);
  // The demo key is shown once, to whoever made the folder.
  expect(ended.stdout.match(/sx_/g)).toHaveLength(2);
});

async function newKey(settings: Parameters<ServiceProcess['key']>[0] = {}): Promise<{ id: number; key: string }> {
  const made = await service.key(settings);
  keys.push(made.key);
  return made;
}

/** Sends a request that must fail, and keeps the answer for the tests of the log. */
async function refuse(
  options: RequestOptions,
  ...error: Parameters<typeof expectError> extends [Answer, ...infer Rest] ? Rest : never
): Promise<Answer> {
  const answer = await service.request(options);
  expectError(answer, ...error);
  failed.push(answer);
  return answer;
}

/** Sends bytes that are no good HTTP; resolves with the answer in the same form. */
async function sendRaw(text: string): Promise<Answer> {
  const [head, ...bodies] = (await service.raw(text)).split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const body = bodies.join('\r\n\r\n');
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
  return { status: Number(statusLine.split(' ')[1]), headers, text: body, json: JSON.parse(body) };
}

describe('400 parseError', () => {
  test.each([
    ['malformed JSON', '{"cellTowers": [', /^The body is not JSON: /],
    ['two values', '{} {}', /^The body is not JSON: /],
    ['an array', '[]', 'The body must be an object.'],
    ['cellTowers that are no array', '{"cellTowers": {}}', 'cellTowers must be an array.'],
    ['a fix that is no object', '{"gps": "48.1, 11.5"}', 'gps must be an object.'],
    ['the key __proto__', '{"__proto__": {"gps": 1}}', 'The key __proto__ is not allowed.'],
    ['the key __proto__ escaped', '{"gps": {"\\u005f_proto__": 1}}', 'The key __proto__ is not allowed.'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /^The body is not JSON: /],
    ['a nest of brackets', '['.repeat(50_000), /^The body is not JSON: /],
    ['a nest of whole brackets', `${'['.repeat(4_000)}${']'.repeat(4_000)}`, 'The body must be an object.'],
  ])('%s', async (_, body, message) => {
    await refuse({ path: `/?key=${key}`, body }, 400, 'parseError', 'global', message);
  });

  test('more than 64 levels in a large body', async () => {
    const nest = (levels: number) =>
      `{"a": "${'['.repeat(70_000)}\\"[", "b": ${'[{"c":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}}`;
    await refuse({ path: `/?key=${key}`, body: nest(62) }, 404, 'notFound', 'geolocation');
    await refuse(
      { path: `/?key=${key}`, body: nest(64) },
      400,
      'parseError',
      'global',
      'The body is nested more than 64 levels deep.',
    );
    await refuse({ path: `/?key=${key}`, body: '['.repeat(1_000_000) }, 400, 'parseError', 'global', /levels deep/);
    const headers = { 'content-encoding': 'gzip' };
    await refuse(
      { path: `/?key=${key}`, headers, body: gzipSync('{"a":'.repeat(100_000)) },
      400,
      'parseError',
      'global',
      /levels deep/,
    );
  });

  test('a damaged compressed body', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const headers = { 'content-encoding': encoding };
      await refuse(
        { path: `/?key=${key}`, headers, body: 'not compressed' },
        400,
        'parseError',
        'global',
        `The body does not inflate as ${encoding}.`,
      );
    }
    const cut = gzipSync('{"wifiAccessPoints": []}').subarray(0, -9);
    await refuse(
      { path: `/?key=${key}`, headers: { 'content-encoding': 'gzip' }, body: cut },
      400,
      'parseError',
      'global',
    );
  });

  test('an address that does not decode', async () => {
    await refuse({ path: `/%zz?key=${key}` }, 400, 'parseError', 'global', 'The address of the request is not valid.');
  });

  test('an id of more than 20 characters', async () => {
    await refuse({ path: `/?key=${key}&id=${'x'.repeat(21)}`, body: {} }, 400, 'parseError', 'global', /\bid\b/);
  });
});

describe('400 keyInvalid', () => {
  const message = 'Missing or invalid API key.';

  test.each([
    '',
    '?key=',
    '?key=null',
    '?key=sx_00000000000000000000000000',
    '?key=x&key=y',
    '?Key=x',
    `?key=${'x'.repeat(5000)}`,
    '?key=%00',
  ])('%s', async query => {
    await refuse({ path: `/${query}`, body: DEMO_POINTS }, 400, 'keyInvalid', 'usageLimits', message);
  });

  test('the hash of a key, or a key in another case', async () => {
    for (const text of [key.toUpperCase(), key.slice(0, -1), `${key}0`, `${key}%20`]) {
      await refuse({ path: `/?key=${text}`, body: DEMO_POINTS }, 400, 'keyInvalid', 'usageLimits', message);
    }
  });

  test('a revoked key', async () => {
    const revoked = await newKey();
    expect((await service.post(revoked.key, DEMO_POINTS)).status).toBe(200);
    await service.job({ verb: 'keys', action: 'revoke', id: revoked.id });
    await refuse({ path: `/?key=${revoked.key}`, body: DEMO_POINTS }, 400, 'keyInvalid', 'usageLimits', message);
  });

  test('an expired key', async () => {
    const expired = await newKey({ expires: '2020-01-01' });
    await refuse({ path: `/?key=${expired.key}`, body: DEMO_POINTS }, 400, 'keyInvalid', 'usageLimits', message);
    const today = await newKey({ expires: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) });
    expect((await service.post(today.key, DEMO_POINTS)).status).toBe(200);
  });

  test('before anything in the body is looked at', async () => {
    await refuse({ path: '/', body: '[]' }, 400, 'keyInvalid', 'usageLimits', message);
  });
});

describe('403', () => {
  test('creditsExceeded: the balance is spent to the last credit and not below', async () => {
    const { id, key } = await newKey({ credits: 2 });
    const notFound = await service.post(key, {});
    expect(notFound.status).toBe(404);
    for (const left of [1, 0])
      expect((await service.post(key, { ...DEMO_POINTS, credits: 1 })).json.credits).toBe(left);
    await refuse({ path: `/?key=${key}`, body: DEMO_POINTS }, 403, 'creditsExceeded', 'usageLimits', 'Out of credits.');
    expect(await service.job({ verb: 'keys', action: 'show', id })).toMatchObject({ credits: 0 });
  });

  test('deviceLimitExceeded: the device after the last of a plan', async () => {
    const { key } = await newKey({ devices: 2 });
    const as = (id: string) => ({ path: `/?key=${key}${id}`, body: DEMO_POINTS });
    for (const id of ['&id=a', '', '&id=', '&id=a']) expect((await service.request(as(id))).status).toBe(200);
    await refuse(as('&id=b'), 403, 'deviceLimitExceeded', 'usageLimits');
    expect((await service.request(as('&id=a'))).status).toBe(200);
  });
});

describe('404', () => {
  test('notFound: no position', async () => {
    await refuse({ path: `/?key=${key}`, body: {} }, 404, 'notFound', 'geolocation', 'Not found');
  });

  test('no such path', async () => {
    for (const path of [
      '/v3/geolocate',
      '/index.html',
      '/v1',
      '/..',
      '/%2e%2e/etc/passwd',
      '/__proto__',
      '/constructor',
    ]) {
      await refuse({ path: `${path}?key=${key}`, body: {} }, 404, 'notFound', 'global', 'Not found');
      await refuse({ method: 'GET', path: `${path}?key=${key}` }, 404, 'notFound', 'global', 'Not found');
    }
  });
});

describe('405', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE'])('%s', async method => {
    const { headers } = await refuse({ method, path: `/?key=${key}` }, 405, 'methodNotAllowed', 'global');
    expect(headers.allow).toBe('GET, OPTIONS, POST');
    const alias = await refuse({ method, path: `//v1//geolocate/?key=${key}` }, 405, 'methodNotAllowed', 'global');
    expect(alias.headers.allow).toBe('OPTIONS, POST');
  });

  test('GET of an alias, and HEAD', async () => {
    expect(
      (await refuse({ method: 'GET', path: '/v1/geolocate' }, 405, 'methodNotAllowed', 'global')).headers.allow,
    ).toBe('OPTIONS, POST');
    const head = await service.request({ method: 'HEAD', path: '/' });
    expect([head.status, head.headers.allow, head.text]).toEqual([405, 'GET, OPTIONS, POST', '']);
  });
});

describe('413', () => {
  test('a body over the limit', async () => {
    await refuse({ path: `/?key=${key}`, body: ' '.repeat(MEGABYTE + 1) }, 413, 'bodyTooLarge', 'global');
    await refuse({ path: `/?key=${key}`, body: ' '.repeat(MEGABYTE) }, 404, 'notFound', 'geolocation');
  });

  test('a body over the limit once inflated', async () => {
    const headers = { 'content-encoding': 'gzip' };
    await refuse(
      { path: `/?key=${key}`, headers, body: gzipSync(' '.repeat(MEGABYTE + 1)) },
      413,
      'bodyTooLarge',
      'global',
      /inflated/,
    );
    await refuse(
      { path: `/?key=${key}`, headers, body: gzipSync(Buffer.alloc(128 * MEGABYTE, ' ')) },
      413,
      'bodyTooLarge',
      'global',
      /inflated/,
    );
    await refuse(
      { path: `/?key=${key}`, headers, body: gzipSync(' '.repeat(MEGABYTE)) },
      404,
      'notFound',
      'geolocation',
    );
  });

  test('a body of unknown length', async () => {
    const chunk = `10000\r\n${' '.repeat(65536)}\r\n`;
    const answer = await sendRaw(
      `POST /?key=${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: ` +
        `chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
    );
    expectError(answer, 413, 'bodyTooLarge', 'global');
    failed.push(answer);
  });
});

describe('413 while the client still sends', () => {
  const head = (path: string, length: number, more = '') =>
    `POST ${path}?key=${key} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}${more}\r\n\r\n`;

  test.each([
    ['/', 24 * MEGABYTE],
    ['/v2/geosubmit', 80 * MEGABYTE],
    ['/v1/geolocate/batch', 80 * MEGABYTE],
  ])('%s: a client that reads only after it has sent all sees the answer', async (path, length) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.pause();
    socket.write(head(path, length));
    for (let sent = 0; sent < length; sent += MEGABYTE)
      if (!socket.write(Buffer.alloc(MEGABYTE, ' '))) await once(socket, 'drain');
    const [answer] = await once(socket.resume(), 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    // The connection can be used on.
    socket.write(head('/', 2));
    socket.write('{}');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });

  test('a client that asks before it sends is refused before it sends', async () => {
    const expects = '\r\nexpect: 100-continue';
    for (const [path, length] of [
      ['/', 2 * MEGABYTE],
      ['/v2/geosubmit/', 80 * MEGABYTE],
      ['/v1/geolocate/batch', 80 * MEGABYTE],
    ] as const) {
      const answer = await service.raw(head(path, length, expects));
      expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
      expect(answer).not.toContain('100 Continue');
    }
    const socket = connect(service.port, '127.0.0.1');
    socket.write(head('/', 2, expects));
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });
});

test.each(['compress', 'zstd', 'gzip, br', 'x'])('415: %s', async encoding => {
  await refuse(
    { path: `/?key=${key}`, headers: { 'content-encoding': encoding }, body: '{}' },
    415,
    'encodingUnsupported',
    'global',
  );
});

test('429: more than the rate of a key, with the seconds to wait', async () => {
  const { key } = await newKey({ ratePerSecond: 0.01 });
  expect((await service.post(key, {})).status).toBe(404);
  const { headers } = await refuse(
    { path: `/?key=${key}`, body: DEMO_POINTS },
    429,
    'userRateLimitExceeded',
    'usageLimits',
  );
  expect(Number(headers['retry-after'])).toBeGreaterThan(90);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(100);
});

describe('bytes that are no good HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a length that is none', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}', 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers over the limit', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_, text, status) => {
    const answer = await sendRaw(text);
    expectError(answer, status, 'parseError', 'global');
    expect(answer.headers.connection).toBe('close');
    failed.push(answer);
  });

  test('headers over the limit of a HEAD, whose answer has no body', async () => {
    const text = await service.raw(`HEAD / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 431 .*\r\n\r\n$/s);
  });

  test('bytes that begin like a HEAD in the middle of another request, whose answer has a body', async () => {
    const socket = connect(service.port, '127.0.0.1');
    const answered = socket.setEncoding('utf8').toArray();
    socket.write('GET / HTTP/1');
    await delay(100);
    socket.write('HEAD / HTTP/1.1\r\n\r\n');
    expect((await answered).join('')).toContain('The request is not valid HTTP.');
  });

  test('an address with letters that are not percent-encoded, which is said', async () => {
    const answer = await sendRaw(`GET /search?key=${key}&q=Zürich HTTP/1.1\r\nhost: x\r\n\r\n`);
    const message = 'The address of the request is not valid: what is not ASCII must be percent-encoded.';
    expectError(answer, 400, 'parseError', 'global', message);
    failed.push(answer);
  });

  test('a chunk that is none, in the middle of a body', async () => {
    const answer = await sendRaw(
      `POST /?key=${key} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\nxyz\r\n`,
    );
    expectError(answer, 400, 'parseError', 'global');
    failed.push(answer);
  });

  test('no Host is no error, since nothing depends on it', async () => {
    const answer = await sendRaw(`POST /?key=${key} HTTP/1.1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`);
    expectError(answer, 404, 'notFound', 'geolocation');
  });

  test('an expectation that nobody can meet', async () => {
    const answer = await sendRaw(
      `POST /?key=${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: the unexpected\r\ncontent-length: ` +
        `2\r\n\r\n{}`,
    );
    expectError(answer, 404, 'notFound', 'geolocation');
  });
});

describe('the log', () => {
  test('has every error under its logId, and no key', async () => {
    expect(failed.length).toBeGreaterThan(60);
    expect(new Set(failed.map(({ json }) => json.logId)).size).toBe(failed.length);
    for (const { status, json } of failed) {
      const logged = await service.logged(json.logId);
      expect(logged, JSON.stringify(json)).toMatchObject({ logId: json.logId, status, response: json });
      const text = JSON.stringify(logged);
      for (const known of keys) expect(text.toLowerCase()).not.toContain(known.toLowerCase());
    }
  });

  test('has the request, and is printed by the command line', async () => {
    const body = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }], fallbacks: { all: 1 } };
    const { json } = await service.post(key, body, '&nr=7&id=bus%2012&x=1');
    const { code, stdout } = await runSextant('log', String(json.logId), '--data', service.folder);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      logId: json.logId,
      route: 'position',
      status: 404,
      device: 'bus 12',
      nr: 7,
      request: body,
      response: json,
    });
    expect(stdout).not.toContain(key);
    expect(stdout).toContain('x=1');
  });
});
