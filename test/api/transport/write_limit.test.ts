// A client that does not read its answer. Node's clock of a socket is not moved: a test sees that it is set, and lets
// it strike.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { hashKey } from '../../../src/accounts/key.ts';
import { limitWrites } from '../../../src/api/transport/write_limit.ts';
import { bodiesOf, feed, LaneServer, request, turns } from '../../kits/lane_server.ts';
import { type ServedParts, serveParts } from '../../kits/served_parts.ts';

/** More than the system takes for a client that does not read. */
const LARGE = Buffer.alloc(64_000_000, 'x');
const POSITIONS = JSON.stringify(Array.from({ length: 10_000 }, () => ({})));
/** Each is answered by 1.6 MB. */
const REQUESTS = 30;
const WAIT = { timeout: 30_000, interval: 5 };
const WRITE_MILLISECONDS = 30_000;

let parts: ServedParts | undefined;
afterEach(async () => {
  await parts?.close();
  parts = undefined;
});

/** Connects, sends a text, and reads nothing until it is told to. @returns both ends */
async function openUnread(server: Server, text: string): Promise<[client: Socket, served: Socket]> {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => {});
  onTestFinished(() => void client.destroy());
  client.write(text);
  return [client, (await accepted)[0]];
}

/** Waits until the clock of a socket runs, lets it strike, and waits for the end. */
async function endsByItsClock(served: Socket): Promise<void> {
  await vi.waitFor(() => expect(served.timeout).toBe(WRITE_MILLISECONDS), WAIT);
  const closed = once(served, 'close');
  served.emit('timeout');
  await closed;
}

test('an answer that does not go out has a clock; one that does has the time of any idle connection', async () => {
  const server = createServer((_, response) => response.end(LARGE));
  limitWrites(server, false);
  onTestFinished(() => void server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const [client, late] = await openUnread(server, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, never] = await openUnread(server, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await vi.waitFor(() => expect(late.timeout).toBe(WRITE_MILLISECONDS), WAIT);
  let bytes = 0;
  client.on('data', data => {
    bytes += data.length;
  });
  client.resume();
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(LARGE.length), WAIT);
  await vi.waitFor(() => expect(late.timeout).not.toBe(WRITE_MILLISECONDS), WAIT);
  expect(late.timeout).toBeGreaterThanOrEqual(server.keepAliveTimeout);
  await endsByItsClock(never);
});

test.each([[[]], [['--no-fast-lane']]])(
  'the service ends the connection of a client that asks and never reads: %s',
  async flags => {
    parts = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 });
    const server = await parts.serveBeside(flags);
    await parts.accountWriter.create({ keyHash: hashKey('unlimited'), createdMs: 0 });
    const head = 'POST /v1/geolocate/batch?key=unlimited HTTP/1.1\r\nhost: x\r\n';
    const one = `${head}content-length: ${POSITIONS.length}\r\n\r\n${POSITIONS}`;
    const [, served] = await openUnread(server, one.repeat(REQUESTS));
    await endsByItsClock(served);
  },
);

test('the fast lane: a reply that does not go out has a clock, and its client may go on when it has read', async () => {
  const lane = await LaneServer.start();
  onTestFinished(() => lane.close());
  limitWrites(lane.server, false);
  const [never, late, last] = [lane.connect(), lane.connect(), lane.connect()];
  for (const socket of [never, late, last]) {
    socket.hold();
    await feed(socket, request('1'));
  }
  lane.waiting[2].transport.setHeader('connection', 'close');
  await lane.answerAll('x'.repeat(100_000));
  vi.advanceTimersByTime(1_000);
  expect([never.timeout, late.timeout, last.timeout]).toEqual([
    WRITE_MILLISECONDS,
    WRITE_MILLISECONDS,
    WRITE_MILLISECONDS,
  ]);
  late.release();
  await turns();
  vi.advanceTimersByTime(1_000);
  expect(late.timeout).toBe(0);
  for (const socket of [never, late, last]) socket.emit('timeout');
  await turns();
  expect([never.destroyed, late.destroyed, last.destroyed]).toEqual([true, false, true]);
  await feed(late, request('2'));
  await lane.answerAll();
  expect(bodiesOf(late)).toEqual(['[lane]']);
});
