// The life of a connection: what the lane answers itself, and when `node:http` gets the connection instead. Each says who it is.

import { createServer, type Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FastLane } from '../../../src/api/fast_lane/fast_lane.ts';
import type { Transport } from '../../../src/api/transport/transport.ts';
import { MemorySocket } from '../../fuzz/memory_socket.ts';

const LENGTHY = 'x'.repeat(100_000);

let server: Server;
let lane: FastLane;
/** Requests that the lane has and has not answered. */
let waiting: { transport: Transport; body: unknown }[];
let timedOut: number;

beforeEach(async () => {
  // The lane checks time limits on an interval.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  waiting = [];
  timedOut = 0;
  server = createServer({ keepAliveTimeout: 5_000, requestTimeout: 60_000, requireHostHeader: false }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk)).on('end', () => response.end(`[node ${Buffer.concat(chunks)}]`));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') timedOut++;
    socket.end('[client error]');
  });
  lane = new FastLane({
    server,
    isSecure: false,
    paths: ['/'],
    parse: body => JSON.parse(body.toString()),
    answer: (transport, _received, body) => waiting.push({ transport, body }),
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  lane.stop();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  vi.useRealTimers();
});

function connect(): MemorySocket {
  const socket = new MemorySocket();
  server.emit('connection', socket);
  return socket;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

async function feed(socket: MemorySocket, ...pieces: string[]): Promise<void> {
  for (const piece of pieces) socket.feed(Buffer.from(piece));
  await turns();
}

const request = (body: string, ...lines: string[]) =>
  ['POST / HTTP/1.1', ...lines, `content-length: ${body.length}`, '', body].join('\r\n');

/** Answers what waits for the lane. */
async function answerAll(text = '[lane]'): Promise<void> {
  for (const { transport } of waiting.splice(0)) transport.send(200, 'text/plain', text);
  await turns();
}

/** What was answered by whom. */
const bodiesOf = ({ answer }: MemorySocket) => answer.match(/\[[^\]]*\]/g) ?? [];

test('the lane answers one plain request after the other, whole or in pieces', async () => {
  const socket = connect();
  await feed(socket, request('1'));
  expect(waiting).toMatchObject([{ body: 1 }]);
  await answerAll();
  const text = request('"two"', 'host: x');
  await feed(socket, text.slice(0, 7), text.slice(7, 30), text.slice(30));
  expect(waiting).toMatchObject([{ body: 'two' }]);
  await answerAll();
  expect(bodiesOf(socket)).toEqual(['[lane]', '[lane]']);
  expect(socket.answer).toMatch(
    /^HTTP\/1.1 200 OK\r\ncontent-type: text\/plain\r\ncontent-length: 6\r\nDate: .*\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n\[/,
  );
});

test('node:http gets every byte of anything else, and keeps the connection', async () => {
  const socket = connect();
  await feed(socket, request('1'));
  await answerAll();
  await feed(socket, request('2', 'x-other: 1'));
  await feed(socket, request('3'));
  expect(bodiesOf(socket)).toEqual(['[lane]', '[node 2]', '[node 3]']);
});

test.each([
  ['byte for byte', [...request('12345')], ['[node 12345]']],
  ['with a body that does not parse', [request('{')], ['[node {]']],
  ['with a query that is not plain', [request('1').replace('/ ', '/?a ')], ['[node 1]']],
  ['with the next one behind it', [request('1') + request('2')], ['[node 1]', '[node 2]']],
  ['with a half one behind it', [`${request('1')}POST`], ['[node 1]']],
])('a request %s goes to node:http', async (_, pieces, answers) => {
  const socket = connect();
  await feed(socket, ...pieces);
  expect(bodiesOf(socket)).toEqual(answers);
});

test('what arrives behind a request under way waits for its reply', async () => {
  const socket = connect();
  await feed(socket, request('1'));
  await feed(socket, request('2'), request('3').slice(0, 5));
  await feed(socket, request('3').slice(5));
  expect(bodiesOf(socket)).toEqual([]);
  await answerAll();
  expect(bodiesOf(socket)).toEqual(['[lane]', '[node 2]', '[node 3]']);
});

test('a client that ends its side gets no reply, and the connection is closed', async () => {
  const socket = connect();
  await feed(socket, request('1'));
  socket.feedEnd();
  await turns();
  await answerAll();
  expect([socket.answer, socket.destroyed]).toEqual(['', true]);
});

test('a client that ends its side in the middle of a request is told by node:http', async () => {
  const socket = connect();
  await feed(socket, request('1').slice(0, 20));
  socket.feedEnd();
  await turns();
  expect(socket.answer).toBe('[client error]');
});

test('a client that leaves harms nobody', async () => {
  const socket = connect();
  await feed(socket, request('1'));
  socket.destroy(new Error('reset'));
  await turns();
  await answerAll();
  expect(socket.answer).toBe('');
});

test('nothing is read from a client that does not read', async () => {
  const socket = connect();
  socket.hold();
  await feed(socket, request('1'));
  await answerAll(LENGTHY);
  await feed(socket, request('2'));
  expect(waiting).toEqual([]);
  socket.release();
  await turns();
  expect(waiting.length + bodiesOf(socket).length).toBe(1);
  await answerAll('[lane]');
  expect(bodiesOf(socket)).toHaveLength(1);
});

test('headers of a route stand before its content type, and may end the connection', async () => {
  const socket = connect();
  await feed(socket, request('1'));
  waiting[0].transport.setHeader('retry-after', 7);
  waiting[0].transport.setHeader('connection', 'close');
  await answerAll('[bye]');
  expect(socket.answer.replace(/^Date.*\r\n/m, '')).toBe(
    'HTTP/1.1 200 OK\r\nretry-after: 7\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\n[bye]',
  );
  expect(socket.destroyed).toBe(true);
});

test('a connection without a whole request is ended after the time limit of requests', async () => {
  const [silent, begun, busy] = [connect(), connect(), connect()];
  await feed(begun, request('1').slice(0, 30));
  await feed(busy, request('1'));
  vi.advanceTimersByTime(60_000);
  expect(timedOut).toBe(0);
  vi.advanceTimersByTime(1_000);
  await turns();
  expect(timedOut).toBe(2);
  expect([silent.answer, begun.answer, busy.answer]).toEqual(['[client error]', '[client error]', '']);
});

test('a connection between two requests is closed after its time', async () => {
  const socket = connect();
  await feed(socket, request('1'));
  await answerAll();
  vi.advanceTimersByTime(6_000);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(socket.destroyed).toBe(true);
});

test('a reply that is still on its way at a stop ends the connection behind it', async () => {
  const socket = connect();
  socket.hold();
  await feed(socket, request('1'));
  await answerAll(LENGTHY);
  lane.stop();
  await turns();
  expect(socket.destroyed).toBe(false);
  socket.release();
  await turns();
  expect(socket.destroyed).toBe(true);
  expect(socket.answer).toContain(LENGTHY);
});

test('a fault without a log id is answered in the form of Fastify', async () => {
  const fault = new Error('No "id" left.');
  const fastify = Fastify().post('/', (_request, reply) => void reply.send(fault));
  const { body, headers } = await fastify.inject({ method: 'POST', url: '/' });
  await fastify.close();
  const socket = connect();
  await feed(socket, request('1'));
  waiting[0].transport.sendFault(fault);
  expect(socket.answer).toMatch(/^HTTP\/1.1 500 Internal Server Error\r\n/);
  expect(socket.answer).toContain(`\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${headers['content-length']}\r\n`);
  expect(socket.answer.endsWith(`\r\n\r\n${body}`)).toBe(true);
});

test('a stop closes idle connections, answers what is under way, and leaves the rest to node:http', async () => {
  const [idle, busy, begun] = [connect(), connect(), connect()];
  await feed(idle, request('1'));
  await answerAll();
  await feed(busy, request('1'));
  await feed(begun, request('1').slice(0, 30));
  lane.stop();
  expect([idle.destroyed, busy.destroyed, begun.destroyed]).toEqual([true, false, false]);
  expect(waiting[0].transport.isStopping).toBe(true);
  await answerAll();
  await feed(begun, request('1').slice(30));
  const late = connect();
  await feed(late, request('2'));
  expect([busy, begun, late].map(bodiesOf)).toEqual([['[lane]'], ['[node 1]'], ['[node 2]']]);
});
