// The room for the memory of bodies: how large it is, when a request is refused, and that nothing of it is lost,
// however a request ends.

import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BodyMemory, bodyRoom } from '../../src/api/body_memory.ts';
import { Garbage } from '../../src/pool/garbage.ts';
import { KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';

const MEGABYTE = 1_048_576;
/** Room for a megabyte of body: it counts six times. */
const ROOM_BYTES = 6 * MEGABYTE;

/** Of whatever comes in its time. */
const WAIT = { timeout: 30_000 };

let served: ServedParts;
beforeAll(async () => {
  served = await serveParts({ mode: 'auto', workers: 1, ringBytes: 65_536 }, undefined, ROOM_BYTES);
});
afterAll(() => served.close());

const KNOWN = [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }];
const position = (bytes: number) => JSON.stringify({ padding: 'x'.repeat(bytes), wifiAccessPoints: KNOWN });
const gzip = { headers: { 'content-encoding': 'gzip' } };
const allGivenBack = () => vi.waitFor(() => expect(served.bodies.takenBytes).toBe(0), WAIT);

const SETTINGS = { cacheMegabytes: 64, httpThreads: 1, workers: 1, compute: 'auto', maxBodyMegabytes: 8 } as const;

test('the room is what the ceiling leaves beside cache and threads', () => {
  expect(bodyRoom({ ...SETTINGS, maxMemoryMegabytes: undefined })).toBeUndefined();
  const room = bodyRoom({ ...SETTINGS, maxMemoryMegabytes: 1000 })!;
  expect(bodyRoom({ ...SETTINGS, maxMemoryMegabytes: 1001 })).toBe(room + MEGABYTE);
  expect(bodyRoom({ ...SETTINGS, maxMemoryMegabytes: 1000, cacheMegabytes: 65 })).toBe(room - MEGABYTE);
  expect(bodyRoom({ ...SETTINGS, maxMemoryMegabytes: 2000, httpThreads: 2, workers: 2 })).toBeLessThan(
    room + 1000 * MEGABYTE,
  );
});

test('a ceiling below what the service needs is refused with the figure that is enough', () => {
  const message =
    /^A ceiling of 100 MB of memory is too low: cache and threads need \d+ MB, and a body of 8 MB needs 96 MB more\. Give --max-memory at least (\d+),/;
  let needed = 0;
  try {
    bodyRoom({ ...SETTINGS, maxMemoryMegabytes: 100 });
  } catch (error) {
    needed = Number(message.exec((error as Error).message)?.[1]);
  }
  expect(bodyRoom({ ...SETTINGS, maxMemoryMegabytes: needed })).toBe(96 * MEGABYTE);
  expect(() => bodyRoom({ ...SETTINGS, maxMemoryMegabytes: needed - 1 })).toThrow(`at least ${needed},`);
});

test('threads share the room, small bodies need none, and a new thread begins with nothing', () => {
  const counters = new SharedArrayBuffer(8);
  const garbage = new Garbage(false);
  const memoryOf = (index: number) => new BodyMemory(counters, index, ROOM_BYTES, garbage);
  const [first, second] = [memoryOf(0), memoryOf(1)];
  const [a, b] = [first.hold(), second.hold()];
  a.growTo(MEGABYTE);
  a.growTo(MEGABYTE);
  expect(second.takenBytes).toBe(ROOM_BYTES);
  b.growTo(65_536);
  expect(() => b.growTo(65_537)).toThrow('The service is busy');
  expect(second.takenBytes).toBe(ROOM_BYTES);
  a.release();
  a.release();
  expect(second.takenBytes).toBe(0);
  expect(garbage.droppedBytes).toBe(MEGABYTE);
  b.growTo(65_537);
  expect(first.takenBytes).toBeGreaterThan(0);
  expect(memoryOf(1).takenBytes).toBe(0);
});

test.each<[string, string, unknown, object, number]>([
  ['a position', '/', position(900_000), {}, 200],
  ['a compressed position', '/', gzipSync(position(900_000)), gzip, 200],
  ['a body that is no JSON', '/', `{"a":"${'x'.repeat(900_000)}`, {}, 400],
  ['a smaller one that is no JSON', '/', `{"a":"${'x'.repeat(100_000)}`, {}, 400],
  ['a body that does not inflate', '/', Buffer.alloc(900_000, 'x'), gzip, 400],
  ['a batch of measurements', '/v2/geosubmit', { items: [], padding: 'x'.repeat(900_000) }, {}, 200],
  ['a list of points', '/reverse', { padding: 'x'.repeat(900_000) }, {}, 400],
  ['a batch of positions', '/v1/geolocate/batch', `[${position(50_000)},${position(50_000)}]`, {}, 200],
  ['an unknown path', '/nowhere', position(300_000), {}, 404],
])('%s gives back what it took', async (_, path, body, options, status) => {
  const answer = await served.post(body, path, options);
  expect([answer.status, answer.text.slice(0, status === answer.status ? 0 : 300)]).toEqual([status, '']);
  await allGivenBack();
  expect(served.errors).toEqual([]);
});

test.each<[string, string, unknown, object]>([
  ['a position', '/', position(1_100_000), {}],
  ['a position that is large only when inflated', '/', gzipSync(position(1_100_000)), gzip],
  ['a batch of measurements', '/v2/geosubmit', { items: [], padding: 'x'.repeat(2_000_000) }, {}],
  ['a batch of positions, compressed', '/v1/geolocate/batch', gzipSync(`[${Array(40).fill(position(50_000))}]`), gzip],
])('%s for which there is no room is answered 503 with Retry-After', async (_, path, body, options) => {
  const answer = await served.post(body, path, options);
  expectError(answer, 503, 'backendError', 'global', 'The service is busy; try again shortly.');
  expect(answer.headers['retry-after']).toBe('1');
  await allGivenBack();
  expect((await served.post(position(60_000))).status).toBe(200);
});

test('while the room is taken, small bodies are answered and large ones refused', async () => {
  const hold = served.bodies.hold();
  hold.growTo(MEGABYTE);
  expect((await served.post(position(100))).status).toBe(200);
  expect((await served.post(position(60_000))).status).toBe(200);
  expect((await served.post(position(70_000))).status).toBe(503);
  hold.release();
  expect((await served.post(position(70_000))).status).toBe(200);
  await allGivenBack();
});

test('a client that leaves in the middle of its body leaves nothing behind', async () => {
  const socket = connect(served.port, '127.0.0.1');
  socket.write(`POST /?key=${encodeURIComponent(KEY)} HTTP/1.1\r\nhost: a\r\ncontent-length: 900000\r\n\r\n`);
  socket.write('x'.repeat(500_000));
  await vi.waitFor(() => expect(served.bodies.takenBytes).toBeGreaterThan(0), WAIT);
  socket.destroy();
  await once(socket, 'close');
  await allGivenBack();
});
