// What stands before any body: keys, paths, methods, headers, and bytes that are no good HTTP.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { TOWNS } from '../world/geography.ts';
import { hearAccessPoints } from '../world/hearing.ts';
import { NEIGHBOURHOODS } from '../world/radios.ts';
import type { KeyName } from '../world.ts';
import { get, post } from './ask.ts';

const POINTS = JSON.stringify({ wifiAccessPoints: hearAccessPoints(new Dice(701), NEIGHBOURHOODS[0], TOWNS[0], 4) });

/** Every path that the service knows, and the methods that each answers. */
export const ROUTES: Readonly<Record<string, readonly string[]>> = {
  '/': ['GET', 'OPTIONS', 'POST'],
  '/v1/geolocate': ['OPTIONS', 'POST'],
  '/v1/geolocate/batch': ['OPTIONS', 'POST'],
  '/geolocation/v1/geolocate': ['OPTIONS', 'POST'],
  '/v2/geosubmit': ['OPTIONS', 'POST'],
  '/v1/geosubmit': ['OPTIONS', 'POST'],
  '/v1/submit': ['OPTIONS', 'POST'],
  '/reverse': ['GET', 'OPTIONS', 'POST'],
  '/search': ['GET', 'OPTIONS'],
  '/lookup': ['GET', 'OPTIONS'],
  '/status': ['GET', 'OPTIONS'],
  '/v1/country': ['GET', 'OPTIONS', 'POST'],
  '/trail': ['GET'],
  '/health': ['GET'],
  '/ready': ['GET'],
  '/__lbheartbeat__': ['GET'],
  '/__heartbeat__': ['GET'],
  '/k/{{key:main}}/reverse': ['GET', 'OPTIONS', 'POST'],
  '/k/{{key:main}}/search': ['GET', 'OPTIONS'],
  '/k/{{key:main}}/lookup': ['GET', 'OPTIONS'],
  '/k/{{key:main}}/status': ['GET', 'OPTIONS'],
  '/k/{{key:main}}/v1/country': ['GET', 'OPTIONS', 'POST'],
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'LINK'];
const NO_PATHS = [
  '/v3/geolocate',
  '/index.html',
  '/v1',
  '/..',
  '/%2e%2e/etc/passwd',
  '/k/x/',
  '/k/x',
  '/k//reverse',
  '/__proto__',
  '/constructor',
  '/V1/geolocate',
  '/reverse/x',
  '/healthz',
  '/*',
  '/v1/geolocate.json',
  '/;',
  '/k/x/v1/geolocate',
];

/** All of them. */
export function* protocolRequests(): Generator<CorpusRequest> {
  for (const path of Object.keys(ROUTES)) {
    for (const method of METHODS) {
      yield { method, path };
      yield {
        method,
        path: path.startsWith('/k/') ? path : `${path}?key={{key:main}}`,
        headers: { origin: 'https://example.org' },
      };
    }
    yield { method: 'PUT', path: `/${path}/?x=1` };
    yield {
      method: 'OPTIONS',
      path,
      headers: {
        origin: 'https://example.org',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    };
  }
  for (const path of NO_PATHS)
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) yield { method, path: `${path}?key={{key:main}}` };
  for (const path of ['/%zz', '/%', '/reverse%', '/k/%zz/reverse', '/%c3%28'])
    for (const method of ['GET', 'POST']) yield { method, path };
  yield* keys();
  yield* headers();
  yield* raws();
}

function* keys(): Generator<CorpusRequest> {
  const sent = [
    '',
    '?key=',
    '?key=null',
    '?key=sx_00000000000000000000000000',
    '?key=x&key={{key:main}}',
    '?key={{key:main}}&key=x',
    '?Key={{key:main}}',
    `?key=${'x'.repeat(5000)}`,
    '?key=%00',
    '?key={{key:main}}0',
    '?key=%20{{key:main}}',
    '?key={{key:main}}%20',
    '?key=%zz',
    '?id=a',
  ];
  for (const query of sent) {
    for (const path of ['/', '/v1/geolocate', '/v2/geosubmit', '/v1/country', '/reverse'])
      yield { method: 'POST', path: path + query, body: POINTS };
    for (const path of ['/', '/search', '/reverse', '/v1/country']) yield { method: 'GET', path: path + query };
    yield { method: 'POST', path: `/${query}`, body: '[' };
  }
  const wrong: readonly KeyName[] = ['expired', 'revoked', 'demo', 'dated', 'empty'];
  for (const key of wrong) {
    for (const path of Object.keys(ROUTES).filter(path => !path.startsWith('/k/'))) {
      if (ROUTES[path].includes('POST')) yield post(POINTS, { path, key });
      if (ROUTES[path].includes('GET')) yield get(path, { lat: 47.14, lon: 9.52, q: 'Vaduz' }, { key });
    }
    yield { method: 'GET', path: `/k/{{key:${key}}}/search?q=Vaduz` };
  }
  for (const key of ['x', 'null', '%00', '%20', 'x'.repeat(3000), '{{key:main}}x', '{{key:main}}%20']) {
    for (const path of ['search?q=Vaduz', 'reverse?lat=47.14&lon=9.52', 'v1/country'])
      yield { method: 'GET', path: `/k/${key}/${path}` };
  }
  yield { method: 'GET', path: '/k/x/search?q=Vaduz&key={{key:main}}' };
  yield { method: 'GET', path: '/k/{{key:main}}/search?q=Vaduz&key=x' };
}

function* headers(): Generator<CorpusRequest> {
  for (const more of [
    { expect: 'the unexpected' },
    { accept: 'text/html' },
    { 'accept-encoding': 'gzip, br' },
    { 'if-none-match': '*' },
    { range: 'bytes=0-1' },
    { cookie: 'a=b' },
    { 'x-forwarded-for': '1.2.3.4' },
    { 'x-http-method-override': 'DELETE' },
    { upgrade: 'websocket' },
    { 'transfer-encoding': 'chunked' },
  ]) {
    yield post(POINTS, { headers: more });
    yield get('/search', { q: 'Vaduz' }, { headers: more });
  }
}

function* raws(): Generator<CorpusRequest> {
  const close = 'host: x\r\nconnection: close\r\n';
  const texts: Record<string, string> = {
    'no HTTP': 'hello\r\n\r\n',
    'an unknown method': 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n',
    'a length that is none': 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n',
    'two lengths': 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
    'length and chunks':
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'large headers': `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    'a long address': `GET /search?q=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'an address that is not ASCII': 'GET /search?key={{key:main}}&q=Zürich HTTP/1.1\r\nhost: x\r\n\r\n',
    'a chunk that is none':
      'POST /?key={{key:main}} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\nxyz\r\n',
    'no host': 'POST /?key={{key:main}} HTTP/1.1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}',
    'an expectation': `POST /?key={{key:main}} HTTP/1.1\r\n${close}expect: the unexpected\r\ncontent-length: 2\r\n\r\n{}`,
    'HTTP/1.0': 'POST /?key={{key:main}} HTTP/1.0\r\ncontent-length: 2\r\n\r\n{}',
    chunks:
      `POST /?key={{key:main}} HTTP/1.1\r\n${close}transfer-encoding: ` +
      `chunked\r\n\r\n${Buffer.byteLength(POINTS).toString(16)}\r\n${POINTS}\r\n0\r\n\r\n`,
    'chunks over the limit':
      `POST /?key={{key:main}} HTTP/1.1\r\n${close}transfer-encoding: ` +
      `chunked\r\n\r\n${`10000\r\n${' '.repeat(65_536)}\r\n`.repeat(17)}0\r\n\r\n`,
    'the whole address': `GET http://x/search?key={{key:main}}&q=Vaduz HTTP/1.1\r\n${close}\r\n`,
    'an asterisk': `OPTIONS * HTTP/1.1\r\n${close}\r\n`,
  };
  for (const [path, raw] of Object.entries(texts)) yield { method: 'RAW', path, raw };
}
