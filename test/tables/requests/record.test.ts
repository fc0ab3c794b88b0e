import { describe, expect, test } from 'vitest';
import {
  LOG_ROUTES,
  LOGGED_BYTES_LIMIT,
  type LogEntry,
  readRecord,
  recordBytesAtMost,
  recordLength,
  withoutKey,
  writeRecord,
} from '../../../src/tables/requests/record.ts';

const ENTRY: LogEntry = {
  logId: 2 ** 52 + 1,
  timeMs: Date.parse('2025-11-03T12:34:56.789Z'),
  latencyUs: 412.4,
  status: 200,
  route: LOG_ROUTES.indexOf('position'),
  accountId: 7,
  nr: -3,
  deviceId: 'tracker-ä',
  query: '/?id=tracker-%C3%A4&nr=-3',
  request: Buffer.from('{"wifiAccessPoints":[{"macAddress":"aa:bb:cc:00:00:01"}]}'),
  response: '{"location":{"lat":50.1,"lng":8.6},"accuracy":30}',
};

function written(entry: LogEntry): { bytes: Buffer; view: DataView; length: number } {
  const bytes = Buffer.from(new SharedArrayBuffer(recordBytesAtMost(entry)));
  const view = new DataView(bytes.buffer);
  return { bytes, view, length: writeRecord(bytes, view, 0, entry) };
}

function readBack(entry: LogEntry) {
  const { bytes, view } = written(entry);
  return readRecord(bytes, view, 0);
}

describe('a record', () => {
  test('gives back everything that was logged', () => {
    expect(readBack(ENTRY)).toEqual({
      logId: 2 ** 52 + 1,
      time: '2025-11-03T12:34:56.789Z',
      route: 'position',
      status: 200,
      latencyMs: 0.412,
      account: 7,
      device: 'tracker-ä',
      nr: -3,
      query: '/?id=tracker-%C3%A4&nr=-3',
      request: { wifiAccessPoints: [{ macAddress: 'aa:bb:cc:00:00:01' }] },
      response: { location: { lat: 50.1, lng: 8.6 }, accuracy: 30 },
    });
  });

  test('leaves out what the request did not have', () => {
    const bare = {
      ...ENTRY,
      accountId: 0,
      nr: undefined,
      deviceId: undefined,
      query: '',
      request: undefined,
      response: '',
    };
    expect(Object.keys(readBack(bare))).toEqual(['logId', 'time', 'route', 'status', 'latencyMs']);
  });

  test('keeps an empty id, an empty body and request number 0 apart from none', () => {
    expect(readBack({ ...ENTRY, deviceId: '', request: Buffer.alloc(0), nr: 0 })).toMatchObject({
      device: '',
      request: '',
      nr: 0,
    });
  });

  test('shows a body that is not JSON as text', () => {
    expect(readBack({ ...ENTRY, request: Buffer.from('{"cellTowers":') }).request).toBe('{"cellTowers":');
  });

  test('cuts long texts and keeps their true length', () => {
    const long = readBack({
      ...ENTRY,
      request: Buffer.alloc(LOGGED_BYTES_LIMIT + 5, 'x'),
      response: 'ü'.repeat(LOGGED_BYTES_LIMIT),
    });
    expect(long.request).toBe('x'.repeat(LOGGED_BYTES_LIMIT));
    expect(long.requestBytes).toBe(LOGGED_BYTES_LIMIT + 5);
    expect(long.response).toBe('ü'.repeat(LOGGED_BYTES_LIMIT / 2));
    expect(long.responseBytes).toBe(2 * LOGGED_BYTES_LIMIT);
  });

  test('holds the body and all texts wherever they lie in memory', () => {
    const chunk = Buffer.from(Array.from({ length: 64 }, (_, i) => 97 + (i % 26)));
    for (let skipped = 0; skipped < 8; skipped++) {
      for (let length = 0; length < 40; length++) {
        const request = chunk.subarray(skipped, skipped + length);
        const query = `/?${'q'.repeat(length)}`;
        expect(readBack({ ...ENTRY, query, request })).toMatchObject({
          query,
          request: request.toString(),
          response: readBack(ENTRY).response,
        });
      }
    }
  });

  test('keeps whole what is just short enough', () => {
    const entry = {
      ...ENTRY,
      request: Buffer.alloc(LOGGED_BYTES_LIMIT, 'x'),
      response: 'x'.repeat(LOGGED_BYTES_LIMIT),
    };
    expect(readBack(entry)).toEqual({
      ...readBack(ENTRY),
      request: entry.request.toString(),
      response: entry.response,
    });
  });

  test('needs no more bytes than announced, whatever the device sends', () => {
    const entry = { ...ENTRY, deviceId: '😀'.repeat(40), query: '€'.repeat(3000), response: '€'.repeat(3000) };
    const { length, bytes } = written(entry);
    expect(length).toBeLessThanOrEqual(bytes.length);
    expect(readBack(entry)).toMatchObject({ device: '😀'.repeat(20), query: entry.query, response: entry.response });
  });

  test('is refused when it is cut, damaged or of another format', () => {
    const { view, length } = written(ENTRY);
    expect(recordLength(view, 0)).toBe(length);
    expect(() => recordLength(new DataView(view.buffer, 0, length - 8), 0)).toThrow('damaged at byte 0');
    expect(() => recordLength(new DataView(view.buffer, 0, 40), 0)).toThrow('damaged at byte 0');
    view.setUint32(40, length, true);
    expect(() => recordLength(view, 0)).toThrow('is damaged');
    view.setUint8(61, 2);
    expect(() => recordLength(view, 0)).toThrow('has format 2; this version reads format 1');
  });
});

describe('an address is logged without its key', () => {
  test.each([
    ['/?key=SECRET', '/?'],
    ['/?key=SECRET&id=d1', '/?id=d1'],
    ['/?id=d1&key=SECRET', '/?id=d1&'],
    ['?id=d1&key=SECRET&nr=2', '?id=d1&nr=2'],
    ['key=SECRET&id=d1', 'id=d1'],
    ['a=1&key=SECRET&key=SECRET2&b=2', 'a=1&b=2'],
    ['/?%6bey=SECRET&id=d1', '/?id=d1'],
    ['/?%4B%65%79=SECRET&id=d1', '/?id=d1'],
    ['/?KEY=SECRET&id=d1', '/?id=d1'],
    ['/?apiKey=SECRET&id=d1', '/?id=d1'],
    ['/?id=d1&%54oken=SECRET', '/?id=d1&'],
    ['/?key=SECRET;SECRET?SECRET=/SECRET&id=d1', '/?id=d1'],
    ['/;key=SECRET', '/;'],
    ['/?wifi=a,b,c;key=SECRET', '/?wifi=a,b,c;'],
    ['/??key=SECRET', '/??'],
    ['/?key%3DSECRET&id=d1', '/?id=d1'],
    ['url=http://x&key=SECRET', 'url=http://x&'],
    ['/k/SECRET/search?q=a', '/k//search?q=a'],
    ['/k/SECRET', '/k/'],
    ['/%6B/SECRET/search?key=SECRET', '/%6B//search?'],
    ['//k//SECRET/search', '//k///search'],
    ['/geo/k/SECRET/reverse?lat=1', '/geo/k//reverse?lat=1'],
    ['http://host/k/SECRET/search?key=SECRET', 'http://host/k//search?'],
    ['/k%2FSECRET%2Fsearch', '/k%2F'],
    ['/k/./sx_0123456789abcdefghjkmnpqrs/search', '/k///search'],
    ['/kk/sx_0123456789abcdefghjkmnpqrs/search?appkey=SX%5F0123456789abcdefghjkmnpqrs', '/kk//search?appkey='],
  ])('%s', (address, logged) => {
    expect(withoutKey(address)).toBe(logged);
  });

  test.each(['/?monkey=1&keys=2&keyboard=3', '/search?q=key', '/kk/abc/search', '/?key2=1', ''])(
    '%s stays',
    address => {
      expect(withoutKey(address)).toBe(address);
    },
  );
});
