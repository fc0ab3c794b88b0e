// The same over real sockets, plain and with TLS: drawn streams, slow senders and readers, a stop, and no connection
// left behind.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../../src/accounts/key.ts';
import { Dice } from '../../corpus/dice.ts';
import { type DrawnStream, StreamSource } from '../../fuzz/draw_stream.ts';
import { HAS_OPENSSL, makeCertificate } from '../../kits/certificate.ts';
import { type ServedParts, serveParts } from '../../kits/served_parts.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const STREAMS = 80;
/** Turns of the event loop in which bytes reach the other side, and are answered. */
const TURNS = 12;
const WAITS_MAX = 2_000;
/** Megabytes of a body that is too large. */
const PIECES_REFUSED = 20;
/** Rounds of requests in turns. */
const ROUNDS = 25;
const POINTS = JSON.stringify({
  wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }],
});

/** A position for the lane. */
const POSITION = `POST /?key=unlimited HTTP/1.1\r\ncontent-length: ${POINTS.length}\r\n\r\n${POINTS}`;
/** Requests for node:http, behind which the connection comes back, with their last bytes apart. */
const OTHERS = [
  ['GET /health HTTP/1.1\r\n\r\n', ''],
  ['GET /k/unlimited/reverse?lat=1.25&lon=-2.5 HTTP/1.1\r\n\r\n', ''],
  ['GET /nothing HTTP/1.1\r\ncontent-length: 3\r\n\r\n{ }', ''],
  ['HEAD /health HTTP/1.1\r\n\r\n', ''],
  [POSITION.replace('\r\n', '\r\nx-aside: 1\r\n').slice(0, -9), POSITION.slice(-9)],
  [POSITION.replace('\r\n', '\r\nexpect: 100-continue\r\n').slice(0, -POINTS.length), POINTS],
  ['POST /v2/geosubmit?key=unlimited HTTP/1.1\r\ncontent-length: 12\r\n\r\n', '{"items":[]}'],
];

const folder = folderOfFile();
let parts: ServedParts;
beforeAll(async () => {
  parts = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 });
  await parts.accountWriter.create({ keyHash: hashKey('unlimited'), createdMs: 0 });
});
afterAll(() => parts.close());

/** A client's end of a connection, with all that has come back. */
interface Client {
  socket: Socket;
  answer: string;
  isClosed: boolean;
}

async function open(server: Server, ca: string | undefined): Promise<Client> {
  const { port } = server.address() as AddressInfo;
  const socket = ca === undefined ? connect(port, '127.0.0.1') : connectSecurely({ port, host: '127.0.0.1', ca });
  // Else the second of two small pieces waits for the acknowledgement of the first, 40 ms.
  socket.setNoDelay();
  const client: Client = { socket, answer: '', isClosed: false };
  socket.on('data', chunk => {
    client.answer += chunk.toString('latin1');
  });
  // A reset connection is closed as well.
  socket.on('error', () => {});
  socket.on('close', () => {
    client.isClosed = true;
  });
  await once(socket, ca === undefined ? 'connect' : 'secureConnect');
  return client;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}

/** Waits for something, for a bounded time. @returns whether it came */
async function comes(isThere: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < WAITS_MAX; count++) {
    if (await isThere()) return true;
    await wait(5);
  }
  return false;
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const masked = ({ answer }: Client) =>
  answer
    .replace(/"(logId|credits)":\d+/g, '"$1":1')
    .replace(/^content-length: \d+\r$/gm, 'content-length: 1\r')
    .replace(/^x-log-id: \d+\r$/gm, 'x-log-id: 1\r')
    .replace(/^Date: .*GMT\r$/gm, 'Date: now\r');

/** Sends a stream piece by piece. */
async function feed({ socket }: Client, { pieces }: DrawnStream): Promise<void> {
  for (const { bytes } of pieces) {
    if (socket.writable) socket.write(bytes);
    await turns();
  }
}

const kinds: [string, boolean][] = [
  ['plain sockets', false],
  ...(HAS_OPENSSL ? [['TLS', true] as [string, boolean]] : []),
];

describe.each(kinds)('over %s', (_, isSecure) => {
  let lane: Server;
  let plain: Server;
  let ca: string | undefined;

  beforeAll(async () => {
    const certificate = isSecure ? makeCertificate(folder) : undefined;
    ca = certificate?.cert;
    lane = await parts.serveBeside([], certificate);
    plain = await parts.serveBeside(['--no-fast-lane'], certificate);
  });

  test('drawn streams are answered and closed alike, and no connection is left', async () => {
    const source = new StreamSource(new Dice(isSecure ? 11 : 7), ['unlimited', 'unknown', '']);
    let fastify = 0;
    let requests = 0;
    lane.on('request', () => fastify++);
    plain.on('request', () => requests++);
    for (let count = 0; count < STREAMS; ) {
      const drawn = source.draw();
      if (drawn.pieces.length > 40) continue;
      count++;
      const clients = [await open(lane, ca), await open(plain, ca)];
      await Promise.all(clients.map(client => feed(client, drawn)));
      const sent = drawn.pieces.map(({ bytes }) => JSON.stringify(bytes.toString('latin1'))).join('\n');
      await comes(async () => {
        await turns();
        return masked(clients[0]) === masked(clients[1]) && clients[0].isClosed === clients[1].isClosed;
      });
      expect(masked(clients[0]), sent).toBe(masked(clients[1]));
      expect(clients[0].isClosed, sent).toBe(clients[1].isClosed);
      for (const { socket } of clients) {
        if (drawn.last === 'break') socket.destroy();
        else socket.end();
      }
      expect(await comes(() => clients.every(({ isClosed }) => isClosed)), sent).toBe(true);
      expect(masked(clients[0]), sent).toBe(masked(clients[1]));
    }
    expect(await comes(async () => (await connectionsOf(lane)) === 0 && (await connectionsOf(plain)) === 0)).toBe(true);
    expect(fastify).toBeLessThan(requests * 0.7);
  });

  test('positions and other requests in turns keep to their ways, over one connection', async () => {
    const clients = [await open(lane, ca), await open(plain, ca)];
    const counts = [0, 0];
    const count = [lane, plain].map((server, i) => {
      const listener = () => void counts[i]++;
      server.on('request', listener);
      return () => server.off('request', listener);
    });
    const answers = ({ answer }: Client) =>
      answer.split('HTTP/1.1 ').filter(part => part !== '' && !part.startsWith('100')).length;
    let sent = 0;
    let others = 0;
    const ask = async (...pieces: string[]) => {
      sent++;
      for (const piece of pieces) {
        for (const { socket } of clients) socket.write(piece);
        await turns();
      }
      expect(await comes(() => clients.every(client => answers(client) === sent))).toBe(true);
      // The reply is there before node:http knows that it has been sent.
      await turns();
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (let more = 0; more < round % 3; more++) await ask(...OTHERS[others++ % OTHERS.length]);
      await ask(POSITION);
    }
    for (const stop of count) stop();
    expect(masked(clients[0])).toBe(masked(clients[1]));
    expect(counts).toEqual([others, sent]);
    for (const { socket } of clients) socket.end();
    expect(await comes(() => clients.every(({ isClosed }) => isClosed))).toBe(true);
    expect(await comes(async () => (await connectionsOf(lane)) === 0 && (await connectionsOf(plain)) === 0)).toBe(true);
  });

  test('a large body that is refused is read on, and the next request is answered', async () => {
    const clients = [await open(lane, ca), await open(plain, ca)];
    const piece = 'x'.repeat(1_000_000);
    for (const { socket } of clients) {
      socket.write(`POST /?key=unlimited HTTP/1.1\r\ncontent-length: ${PIECES_REFUSED * piece.length}\r\n\r\n${piece}`);
    }
    expect(
      await comes(() => clients.every(({ answer }) => answer.startsWith('HTTP/1.1 413 ') && answer.endsWith('}'))),
    ).toBe(true);
    for (const { socket } of clients) {
      for (let sent = 1; sent < PIECES_REFUSED; sent++) socket.write(piece);
      socket.write(POSITION);
    }
    expect(await comes(() => clients.every(({ answer }) => answer.includes('"location"')))).toBe(true);
    expect(masked(clients[0])).toBe(masked(clients[1]));
    for (const { socket } of clients) socket.destroy();
  });

  test('a request that comes byte by byte, at any pace, is answered', async () => {
    const client = await open(lane, ca);
    for (const byte of Buffer.from(POSITION)) {
      client.socket.write(Buffer.of(byte));
      await nextTurn();
    }
    expect(await comes(() => client.answer.includes('location'))).toBe(true);
    client.socket.destroy();
  });

  test('a client that reads nothing for a while gets every answer', async () => {
    const client = await open(lane, ca);
    client.socket.pause();
    const count = 200;
    for (let sent = 0; sent < count; sent++) {
      client.socket.write(POSITION);
      await nextTurn();
    }
    client.socket.resume();
    expect(await comes(() => client.answer.split('"location"').length - 1 === count)).toBe(true);
    client.socket.destroy();
  });
});
