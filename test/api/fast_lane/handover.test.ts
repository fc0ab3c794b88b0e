// A connection comes back from `node:http` when it has answered exactly one request, and stays there for good when
// anything else is possible.

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MemorySocket } from '../../fuzz/memory_socket.ts';
import { bodiesOf, feed, LaneServer, request, turns } from '../../kits/lane_server.ts';

const EVENTS = ['data', 'end', 'close', 'drain', 'error', 'timeout', 'pause', 'resume'];
const ODD = 'x-odd: 1';
const GET = 'GET /search HTTP/1.1\r\n\r\n';
const LENGTHY = 'x'.repeat(70_000);
const CHUNKED = 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\n2\r\n0\r\n\r\n';

let served: LaneServer;
beforeEach(async () => {
  served = await LaneServer.start();
});
afterEach(() => served.close());

/** Sends a plain request and says who answers it. */
async function nextAnswer(socket: MemorySocket): Promise<string | undefined> {
  const before = bodiesOf(socket).length;
  await feed(socket, request('"next"'));
  await served.answerAll();
  return bodiesOf(socket)[before];
}

/** The head and a thousand pieces of the body. */
function piecesOf(text: string): string[] {
  const body = text.indexOf('x');
  return [
    text.slice(0, body),
    ...Array.from({ length: 1_000 }, (_, i) => text.slice(body + 70 * i, body + 70 * (i + 1))),
  ];
}

const listenersOf = (socket: MemorySocket) => EVENTS.map(event => socket.listenerCount(event));

describe('the lane gets the connection back', () => {
  test.each([
    ['a request without a body', [GET], '[node ]'],
    ['a HEAD', ['HEAD / HTTP/1.1\r\n\r\n'], undefined],
    ['an unknown field', [request('2', ODD)], '[node 2]'],
    ['an empty body', [request('', ODD)], '[node ]'],
    ['a body that does not parse', [request('{')], '[node {]'],
    ['a body that comes later', [request('12345678', ODD).slice(0, -6), '34', '5678'], '[node 12345678]'],
    ['a body of many pieces', piecesOf(request(LENGTHY)), `[node ${LENGTHY}]`],
    ['a line in front', [`\r\n${GET}`], '[node ]'],
    ['an expectation', [request('12', 'expect: 100-continue').slice(0, -2), '12'], '[node 12]'],
  ])('behind %s', async (_, pieces, answer) => {
    for (const isFirst of [true, false]) {
      const socket = served.connect();
      if (!isFirst) expect(await nextAnswer(socket)).toBe('[lane]');
      for (const piece of pieces) await feed(socket, piece);
      expect(bodiesOf(socket).at(-1)).toBe(answer ?? (isFirst ? undefined : '[lane]'));
      expect(await nextAnswer(socket)).toBe('[lane]');
    }
  });

  test('as often as requests change, with no more on the socket than behind the first one', async () => {
    const socket = served.connect();
    let counts: number[] | undefined;
    for (let count = 0; count < 30; count++) {
      for (let odd = 0; odd < count % 3; odd++) {
        await feed(socket, GET);
        expect(bodiesOf(socket).at(-1)).toBe('[node ]');
        counts ??= listenersOf(socket);
        expect(listenersOf(socket)).toEqual(counts);
      }
      expect(await nextAnswer(socket)).toBe('[lane]');
      if (counts !== undefined) expect(listenersOf(socket)).toEqual(counts);
    }
  });

  test('and node:http again what the lane does not want', async () => {
    const socket = served.connect();
    await feed(socket, GET);
    await feed(socket, request('2', ODD).slice(0, -1), '2');
    await feed(socket, request('3'));
    await feed(socket, request('4'));
    await served.answerAll();
    await feed(socket, request('[5'));
    expect(bodiesOf(socket)).toEqual(['[node ]', '[node 2]', '[lane]', '[node 4]', '[node [5]']);
  });
});

describe('the connection stays at node:http', () => {
  test.each([
    ['pipelined requests', [GET + GET], 2],
    ['a half request behind', [`${GET}POST`, request('2').slice(4)], 2],
    ['a half request right behind', [GET, 'POST ', request('2').slice(5)], 2],
    ['an empty line behind', [`${GET}\r\n`], 1],
    ['a body in chunks', [CHUNKED], 1],
    ['a head in pieces that the lane refuses at once', ['PUT /', ' HTTP/1.1\r\n\r\n'], 1],
    ['an upgrade that nobody wants', [GET.replace('\r\n', '\r\nconnection: upgrade\r\nupgrade: h2c\r\n')], 1],
  ])('behind %s', async (_, pieces, answers) => {
    const socket = served.connect();
    await feed(socket, ...pieces);
    expect(bodiesOf(socket)).toHaveLength(answers);
    expect(await nextAnswer(socket)).toBe('[node "next"]');
  });

  test('when more arrives before the answer', async () => {
    const responses: ServerResponse[] = [];
    await served.close();
    served = await LaneServer.start((_request, response) => responses.push(response));
    const socket = served.connect();
    await feed(socket, GET);
    await feed(socket, request('"early"'));
    expect([served.waiting.length, responses.length]).toEqual([0, 2]);
    for (const response of responses) response.end('[late]');
    await turns();
    expect(bodiesOf(socket)).toEqual(['[late]', '[late]']);
  });

  test('when the answer comes before the body', async () => {
    await served.close();
    served = await LaneServer.start((_request, response) => response.writeHead(413).end('[too large]'));
    const socket = served.connect();
    await feed(socket, request('123456', ODD).slice(0, -3));
    expect(bodiesOf(socket)).toEqual(['[too large]']);
    await feed(socket, '456', request('7'));
    expect([bodiesOf(socket), served.waiting]).toEqual([['[too large]', '[too large]'], []]);
  });
});

test('an answer of node:http that ends the connection ends it', async () => {
  const socket = served.connect();
  await feed(socket, GET.replace('\r\n', '\r\nconnection: close\r\n'));
  expect([bodiesOf(socket), socket.destroyed]).toEqual([['[node ]'], true]);
});

test('nothing reaches node:http behind a CONNECT, for which it destroys the connection', async () => {
  const urls: (string | undefined)[] = [];
  served.server.on('request', ({ url }) => urls.push(url));
  const [first, second] = [served.connect(), served.connect()];
  await feed(first, request('1'));
  await feed(first, 'CONNECT example.org:443 HTTP/1.1\r\n\r\n');
  await feed(first, GET);
  // With the parser that the first connection had.
  first.prependOnceListener('data', () => second.feed(Buffer.from('GET /sec')));
  await served.answerAll();
  expect(first.destroyed).toBe(true);
  await feed(second, 'ond HTTP/1.1\r\n\r\n');
  expect(urls).toEqual(['/second']);
});

test('broken bytes behind an answer of node:http are its own, like an end in the middle of a request', async () => {
  const [broken, ended] = [served.connect(), served.connect()];
  for (const socket of [broken, ended]) await feed(socket, GET);
  await feed(broken, 'no HTTP\r\n\r\n');
  await feed(ended, request('1').slice(0, 20));
  ended.feedEnd();
  await turns();
  expect([broken, ended].map(bodiesOf)).toEqual([
    ['[node ]', '[client error]'],
    ['[node ]', '[client error]'],
  ]);
});

test('a client that ends its side while node:http has the connection is treated as without the lane', async () => {
  const [answered, waiting, half] = [served.connect(), served.connect(), served.connect()];
  await feed(answered, GET);
  await feed(half, request('12', ODD).slice(0, -1));
  for (const socket of [answered, waiting, half]) socket.feedEnd();
  await turns();
  expect([answered, waiting, half].map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  expect(bodiesOf(half)).toEqual(['[client error]']);
});

test('a client that leaves harms nobody, wherever its connection is', async () => {
  const sockets = [served.connect(), served.connect(), served.connect()];
  await feed(sockets[0], GET);
  await feed(sockets[1], request('12', ODD).slice(0, -1));
  await feed(sockets[2], GET);
  await feed(sockets[2], request('1'));
  for (const socket of sockets) socket.destroy(new Error('reset'));
  await turns();
  await served.answerAll();
  expect(sockets.map(bodiesOf)).toEqual([['[node ]'], [], ['[node ]']]);
});

test('nothing is read from a client that does not read the answer of node:http', async () => {
  await served.close();
  served = await LaneServer.start((_request, response) => response.end(`[${LENGTHY}]`));
  const socket = served.connect();
  socket.hold();
  await feed(socket, GET);
  await feed(socket, request('1'));
  expect(served.waiting).toEqual([]);
  socket.release();
  await turns();
  await served.answerAll();
  expect(bodiesOf(socket)).toHaveLength(2);
});

test('time limits hold behind an answer of node:http', async () => {
  const [idle, begun, busy] = [served.connect(), served.connect(), served.connect()];
  for (const socket of [idle, begun, busy]) await feed(socket, GET);
  await feed(begun, request('1').slice(0, 30));
  await feed(busy, request('1'));
  vi.advanceTimersByTime(6_000);
  expect([idle, begun, busy].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  vi.advanceTimersByTime(1_000);
  expect([idle, begun, busy].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  vi.advanceTimersByTime(54_000);
  await turns();
  expect([begun, busy].map(bodiesOf)).toEqual([['[node ]', '[client error]'], ['[node ]']]);
  expect(served.timedOut).toBe(1);
});

test('a quiet connection ends on a Node whose servers know no buffer for it', async () => {
  // Before Node 22.19 a server has no such member.
  Object.assign(served.server, { keepAliveTimeoutBuffer: undefined });
  const socket = served.connect();
  await feed(socket, request('1'));
  await served.answerAll();
  vi.advanceTimersByTime(5_000);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(socket.destroyed).toBe(true);
});

test('an empty line that comes alone behind answers leaves the clock of node:http running', async () => {
  const socket = served.connect();
  await feed(socket, GET);
  expect(socket.timeout).toBe(0); // the lane's own clock
  await feed(socket, request('1'));
  await served.answerAll();
  await feed(socket, '\r\n');
  expect(socket.timeout).toBeGreaterThanOrEqual(served.server.keepAliveTimeout);
  await feed(socket, GET);
  expect(bodiesOf(socket)).toEqual(['[node ]', '[lane]', '[node ]']);
  // It is set anew behind that answer.
  expect(socket.timeout).toBeGreaterThanOrEqual(served.server.keepAliveTimeout);
});

test('a stop spares what the lane or node:http answers, on connections that changed hands', async () => {
  const responses: ServerResponse[] = [];
  await served.close();
  served = await LaneServer.start((_request, response) => responses.push(response));
  const [idle, atLane, atNode] = [served.connect(), served.connect(), served.connect()];
  for (const socket of [idle, atLane]) await feed(socket, GET);
  for (const response of responses.splice(0)) response.end('[node]');
  await turns();
  await feed(atLane, request('1'));
  await feed(atNode, GET);
  served.lane.stop();
  served.server.closeIdleConnections();
  expect([idle, atLane, atNode].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  await served.answerAll();
  for (const response of responses) response.end('[node]');
  await turns();
  expect([atLane, atNode].map(bodiesOf)).toEqual([['[node]', '[lane]'], ['[node]']]);
  await feed(atNode, request('1'));
  expect(served.waiting).toEqual([]);
});
