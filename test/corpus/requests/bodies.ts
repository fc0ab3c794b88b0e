// Bodies that are wrong, strange, compressed or large, on every route that reads one.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { TOWNS } from '../world/geography.ts';
import { hearAccessPoints, hearCells, type Members, stranger } from '../world/hearing.ts';
import { NEIGHBOURHOODS } from '../world/radios.ts';
import { type Asked, NOON, post } from './ask.ts';

const PATHS = ['/', '/v1/geolocate', '/v1/country', '/reverse', '/v2/geosubmit', '/v1/submit'];
const POINTS = hearAccessPoints(new Dice(601), NEIGHBOURHOODS[0], TOWNS[0], 4);
const BODY = JSON.stringify({ wifiAccessPoints: POINTS });
const MEGABYTE = 1_048_576;

const MALFORMED: readonly (string | Buffer)[] = [
  '{"cellTowers": [',
  '{} {}',
  '{',
  '}',
  '[',
  ']',
  '"',
  'nul',
  'undefined',
  "{'a': 1}",
  '{"a": 1,}',
  '{"a": 01}',
  '{"a": +1}',
  '{"a": .5}',
  '{"a": 1e}',
  '{"a": NaN}',
  '{"a": "\t"}',
  '{"a": "\\x"}',
  '{"a": "\\u12"}',
  '{a: 1}',
  '// comment\n{}',
  'key=value&other=1',
  '<xml/>',
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0]),
];

const STRANGE: readonly (string | Buffer)[] = [
  '',
  ' \r\n\t ',
  'null',
  '0',
  '5',
  '1e999',
  'true',
  '"text"',
  '[]',
  '[[]]',
  '{}',
  '\ufeff{}',
  '{"__proto__": {"gps": 1}}',
  '{"gps": {"\\u005f_proto__": 1}}',
  '{"constructor": {"prototype": {}}}',
  '{"constructor": 1, "prototype": 2}',
  '{"toString": 1, "hasOwnProperty": {}}',
  '{"gps": {"latitude": 1, "longitude": 2, "accuracy": 3}, "gps": {"latitude": 4, "longitude": 5, "accuracy": 6}}',
  '{"wifiAccessPoints": [], "wifiAccessPoints": null}',
  '{"state": "\\ud800", "radioType": "\\udfff"}',
  '{"gps": {"latitude": 1e400, "longitude": -1e400, "accuracy": 1e-400}}',
  `{"timestamp": ${'9'.repeat(400)}}`,
  `{"a": "${'x'.repeat(70_000)}"}`,
  Buffer.concat([
    Buffer.from('{"wifiAccessPoints": [{"ssid": "'),
    Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]),
    Buffer.from('"}]}'),
  ]),
  '['.repeat(50_000),
  `${'['.repeat(4000)}${']'.repeat(4000)}`,
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
];

/** Members whose structure is wrong. */
const STRUCTURES: readonly Members[] = [
  ...['cellTowers', 'wifiAccessPoints', 'bluetoothBeacons', 'sensors'].flatMap(list =>
    [{}, 'x', 1, true, null].map(value => ({ [list]: value })),
  ),
  ...['gps', 'lastLocation', 'fallbacks'].flatMap(object =>
    [[], 'x', 1, false, null, {}].map(value => ({ [object]: value })),
  ),
  ...[{}, [], 1, true, null, ''].map(state => ({ state })),
  ...[91, -91, 'x', null, {}, '12', '12.5 '].map(latitude => ({ gps: { latitude, longitude: 1 } })),
  ...[181, -181, 'x', null, [], '12'].map(longitude => ({ gps: { latitude: 1, longitude } })),
  { gps: { longitude: 1 } },
  { gps: { latitude: 1 } },
  ...[91, 'x', null].map(lat => ({ lastLocation: { lat, lng: 1 } })),
  ...[181, 'x', null].map(lng => ({ lastLocation: { lat: 1, lng } })),
  { lastLocation: { lng: 1 } },
  { lastLocation: { lat: 1 } },
];

/** All of them. */
export function* bodyRequests(): Generator<CorpusRequest> {
  for (const path of PATHS) {
    for (const body of [...MALFORMED, ...STRANGE]) yield post(body, { path });
    yield* compressed(path);
  }
  for (const path of ['/', '/v1/geolocate', '/v1/country']) for (const body of STRUCTURES) yield post(body, { path });
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'x',
    '',
    'application/json; charset=latin1',
    'multipart/form-data',
  ]) {
    yield post(BODY, { headers: { 'content-type': type } });
    yield post(BODY, { headers: { 'content-type': type }, path: '/v1/country' });
  }
  yield* large(new Dice(602));
}

function* compressed(path: string): Generator<CorpusRequest> {
  const encodings = {
    gzip: 'gzip',
    'x-gzip': 'gzip',
    deflate: 'deflate',
    br: 'br',
    GZIP: 'gzip',
    ' gzip ': 'gzip',
  } as const;
  for (const [encoding, packing] of Object.entries(encodings))
    yield post(BODY, { path, packing, headers: { 'content-encoding': encoding } });
  yield post(BODY, { path, packing: 'deflate-raw', headers: { 'content-encoding': 'deflate' } });
  for (const encoding of ['identity', '', 'compress', 'zstd', 'gzip, br', 'x'])
    yield post(BODY, { path, headers: { 'content-encoding': encoding } });
  for (const encoding of ['gzip', 'deflate', 'br']) {
    const headers = { 'content-encoding': encoding };
    yield post('not compressed', { path, headers });
    yield post('', { path, headers });
    yield post(BODY, { path, headers, packing: encoding as 'gzip', cutBytes: 9 });
    yield post('{"a": ', { path, headers, packing: encoding as 'gzip' });
  }
}

/** Bodies that a worker reads whole where there are workers, and those over the limit. */
function* large(dice: Dice): Generator<CorpusRequest> {
  const padding = 'x'.repeat(280_000);
  const town = TOWNS[0];
  const wifiAccessPoints = [...POINTS];
  const many = Array.from({ length: 3000 }, () => stranger(dice));
  const cellTowers = hearCells(dice, 0, town, 4);
  const gps = { latitude: town.lat, longitude: town.lng, accuracy: 30, age: 5, speed: 2 };
  const filtered: Asked = { key: 'filtered', query: '&id=heavy' };
  yield post({ padding, wifiAccessPoints });
  yield post({ padding, wifiAccessPoints: [...many, ...wifiAccessPoints] });
  yield post({ padding, cellTowers, geoname: 1, address: 1, credits: 1, expires: 1 }, { key: 'prepaid' });
  yield post({ padding, gps, cellTowers, confidence: 90 });
  yield post({ padding });
  yield post({ padding, cellTowers: [{ ...cellTowers[0], cellId: 77 }], fallbacks: { all: 1 } });
  yield post({ padding, gps: [] });
  yield post({ padding, wifiAccessPoints: {} });
  yield post({ padding, ['__proto__']: null });
  yield post(`{"padding": "${padding}", "__proto__": 1}`);
  yield post(`{"padding": "${padding}"`);
  yield post(`[${'['.repeat(100)}"${padding}"${']'.repeat(101)}`);
  yield post(`{"a": "${padding}", "b": ${'[{"c":'.repeat(31)}1${'}]'.repeat(31)}}`);
  yield post(`{"a": "${padding}", "b": ${'[{"c":'.repeat(32)}1${'}]'.repeat(32)}}`);
  yield post({ padding, wifiAccessPoints, timestamp: NOON }, { ...filtered, keepState: 'heavy' });
  yield post({ padding, wifiAccessPoints, timestamp: NOON + 10, state: '{{state:heavy}}' }, filtered);
  yield post(
    { padding, wifiAccessPoints, timestamp: NOON + 10, state: '{{state:heavy}}' },
    { ...filtered, query: '&id=light' },
  );
  yield post({ padding, wifiAccessPoints }, { key: 'expired' });
  for (const path of ['/v1/geolocate', '/v1/country']) {
    yield post({ padding, wifiAccessPoints }, { path });
    yield post({ padding, cellTowers: [{ mobileCountryCode: 228 }] }, { path });
    yield post({ padding, cellTowers: 5 }, { path });
    yield post({ padding }, { path, packing: 'gzip', headers: { 'content-encoding': 'gzip' } });
  }
  for (const path of PATHS) {
    yield post(' '.repeat(MEGABYTE + 1), { path, packing: 'gzip', headers: { 'content-encoding': 'gzip' } });
    // Submissions are refused by what arrives, not by what is announced.
    if (path.endsWith('submit')) continue;
    yield {
      method: 'POST',
      path,
      raw: `POST ${path}?key={{key:main}} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2000000\r\n\r\n`,
    };
  }
  yield post(' '.repeat(65 * MEGABYTE), {
    path: '/v2/geosubmit',
    packing: 'gzip',
    headers: { 'content-encoding': 'gzip' },
  });
}
