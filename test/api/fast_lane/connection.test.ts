// The life of a connection: what the lane answers itself, and when `node:http` gets the connection instead. Each says
// who it is.

import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bodiesOf, feed, getRequest, LaneServer, request, turns } from '../../kits/lane_server.ts';

const LENGTHY = 'x'.repeat(100_000);

let served: LaneServer;
beforeEach(async () => {
  served = await LaneServer.start();
});
afterEach(() => served.close());

test('the lane answers one plain request after the other, whole or in pieces', async () => {
  const socket = served.connect();
  await feed(socket, request('1'));
  expect(served.waiting).toMatchObject([{ body: 1 }]);
  await served.answerAll();
  const text = request('"two"', 'host: x');
  await feed(socket, text.slice(0, 7), text.slice(7, 30), text.slice(30));
  expect(served.waiting).toMatchObject([{ body: 'two' }]);
  await served.answerAll();
  expect(bodiesOf(socket)).toEqual(['[lane]', '[lane]']);
  expect(socket.answer).toMatch(
    /^HTTP\/1.1 200 OK\r\ncontent-type: text\/plain\r\ncontent-length: 6\r\nDate: .*\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n\[/,
  );
});

test('the lane answers a GET for pages of any origin, in turn with positions', async () => {
  const socket = served.connect();
  await feed(
    socket,
    getRequest('q=a', 'accept-language: de').slice(0, 20),
    getRequest('q=a', 'accept-language: de').slice(20),
  );
  const [{ transport, body }] = served.waiting;
  const { method, url, query, languages } = transport;
  expect({ method, url, query, languages, body }).toEqual({
    method: 'GET',
    url: '/places?q=a',
    query: { q: 'a' },
    languages: 'de',
    body: undefined,
  });
  await served.answerAll();
  expect(socket.answer).toContain('access-control-allow-origin: *\r\n');
  await feed(socket, request('1'));
  const [{ transport: next }] = served.waiting;
  expect([next.method, next.languages]).toEqual(['POST', undefined]);
  await served.answerAll();
  await feed(socket, getRequest('q=b'));
  await served.answerAll();
  await feed(socket, getRequest('other=1'));
  await feed(socket, getRequest('q=c') + getRequest('q=d'));
  expect(bodiesOf(socket)).toEqual(['[lane]', '[lane]', '[lane]', '[node ]', '[node ]', '[node ]']);
});

test('node:http gets every byte of anything else', async () => {
  const socket = served.connect();
  await feed(socket, request('1'));
  await served.answerAll();
  await feed(socket, request('2', 'x-other: 1'));
  expect(bodiesOf(socket)).toEqual(['[lane]', '[node 2]']);
});

test.each([
  ['byte for byte', [...request('12345')], ['[node 12345]']],
  ['with a body that does not parse', [request('{')], ['[node {]']],
  ['with a query that is not plain', [request('1').replace('/ ', '/?a ')], ['[node 1]']],
  ['with the next one behind it', [request('1') + request('2')], ['[node 1]', '[node 2]']],
  ['with a half one behind it', [`${request('1')}POST`], ['[node 1]']],
])('a request %s goes to node:http', async (_, pieces, answers) => {
  const socket = served.connect();
  await feed(socket, ...pieces);
  expect(bodiesOf(socket)).toEqual(answers);
});

test('what arrives behind a request under way waits for its reply', async () => {
  const socket = served.connect();
  await feed(socket, request('1'));
  await feed(socket, request('2'), request('3').slice(0, 5));
  await feed(socket, request('3').slice(5));
  expect(bodiesOf(socket)).toEqual([]);
  await served.answerAll();
  expect(bodiesOf(socket)).toEqual(['[lane]', '[node 2]', '[node 3]']);
});

test('a client that ends its side gets no reply, and the connection is closed', async () => {
  const socket = served.connect();
  await feed(socket, request('1'));
  socket.feedEnd();
  await turns();
  await served.answerAll();
  expect([socket.answer, socket.destroyed]).toEqual(['', true]);
});

test('a client that ends its side in the middle of a request is told by node:http', async () => {
  const socket = served.connect();
  await feed(socket, request('1').slice(0, 20));
  socket.feedEnd();
  await turns();
  expect(socket.answer).toBe('[client error]');
});

test('a client that leaves harms nobody', async () => {
  const socket = served.connect();
  await feed(socket, request('1'));
  socket.destroy(new Error('reset'));
  await turns();
  await served.answerAll();
  expect(socket.answer).toBe('');
});

test('nothing is read from a client that does not read', async () => {
  const socket = served.connect();
  socket.hold();
  await feed(socket, request('1'));
  await served.answerAll(LENGTHY);
  await feed(socket, request('2'));
  expect(served.waiting).toEqual([]);
  socket.release();
  await turns();
  expect(served.waiting.length + bodiesOf(socket).length).toBe(1);
  await served.answerAll('[lane]');
  expect(bodiesOf(socket)).toHaveLength(1);
});

test('headers of a route stand before its content type, and may end the connection', async () => {
  const socket = served.connect();
  await feed(socket, request('1'));
  served.waiting[0].transport.setHeader('retry-after', 7);
  served.waiting[0].transport.setHeader('connection', 'close');
  await served.answerAll('[bye]');
  expect(socket.answer.replace(/^Date.*\r\n/m, '')).toBe(
    'HTTP/1.1 200 OK\r\nretry-after: 7\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ' +
      '5\r\n\r\n[bye]',
  );
  expect(socket.destroyed).toBe(true);
});

test('a connection without a whole request is ended after the time limit of requests', async () => {
  const [silent, begun, busy] = [served.connect(), served.connect(), served.connect()];
  await feed(begun, request('1').slice(0, 30));
  await feed(busy, request('1'));
  vi.advanceTimersByTime(60_000);
  expect(served.timedOut).toBe(0);
  vi.advanceTimersByTime(1_000);
  await turns();
  expect(served.timedOut).toBe(2);
  expect([silent.answer, begun.answer, busy.answer]).toEqual(['[client error]', '[client error]', '']);
});

test('a connection between two requests is closed after its time', async () => {
  const socket = served.connect();
  await feed(socket, request('1'));
  await served.answerAll();
  vi.advanceTimersByTime(6_000);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(socket.destroyed).toBe(true);
});

test('a reply that is still on its way at a stop ends the connection behind it', async () => {
  const socket = served.connect();
  socket.hold();
  await feed(socket, request('1'));
  await served.answerAll(LENGTHY);
  served.lane.stop();
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
  const socket = served.connect();
  await feed(socket, request('1'));
  served.waiting[0].transport.sendFault(fault);
  expect(socket.answer).toMatch(/^HTTP\/1.1 500 Internal Server Error\r\n/);
  expect(socket.answer).toContain(
    `\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${headers['content-length']}\r\n`,
  );
  expect(socket.answer.endsWith(`\r\n\r\n${body}`)).toBe(true);
});

test('a stop closes idle connections, answers what is under way, and leaves the rest to node:http', async () => {
  const [idle, busy, begun] = [served.connect(), served.connect(), served.connect()];
  await feed(idle, request('1'));
  await served.answerAll();
  await feed(busy, request('1'));
  await feed(begun, request('1').slice(0, 30));
  served.lane.stop();
  expect([idle.destroyed, busy.destroyed, begun.destroyed]).toEqual([true, false, false]);
  expect(served.waiting[0].transport.isStopping).toBe(true);
  await served.answerAll();
  await feed(begun, request('1').slice(30));
  const late = served.connect();
  await feed(late, request('2'));
  expect([busy, begun, late].map(bodiesOf)).toEqual([['[lane]'], ['[node 1]'], ['[node 2]']]);
});
