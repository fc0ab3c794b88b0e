// Connections to the admin interface that do not show the token: few, short, and never in the way of one that does.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { admitStrangers } from '../../../src/api/admin/strangers.ts';
import { administered } from './administered.ts';

const UPLOAD =
  'POST /imports?kind=cells&source=own HTTP/1.1\r\nhost: x\r\ncontent-type: ' +
  'application/octet-stream\r\ncontent-length: 1000\r\n';

/** Opens a connection and sends a text. */
async function open(port: number, text: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', data => {
    answer += data;
  });
  socket.on('error', () => {}); // a reset connection is closed as well
  await once(socket, 'connect');
  socket.write(text);
  return { socket, answer: new Promise(resolve => socket.once('close', () => resolve(answer))) };
}

test('401 ends the connection, also in the middle of an upload', async () => {
  const { url } = await administered();
  const port = Number(new URL(url).port);
  for (const authorization of ['', 'authorization: Bearer wrong\r\n']) {
    const { answer } = await open(port, `${UPLOAD}${authorization}\r\nx`);
    expect(await answer).toMatch(/^HTTP\/1\.1 401 .*connection: close.*admin\.token/s);
  }
});

test('64 connections without the token keep nobody out who has it', async () => {
  const { url, ask } = await administered();
  const port = Number(new URL(url).port);
  const strangers = await Promise.all(Array.from({ length: 64 }, () => open(port, UPLOAD)));
  expect((await ask('GET', '/status')).status).toBe(200);
  const closed = strangers.slice(0, 40).map(({ answer }) => answer);
  expect(new Set(await Promise.all(closed))).toEqual(new Set(['']));
});

test('a connection that does not show the token in time is closed; one that has is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer(socket => socket.on('error', () => {}));
  onTestFinished(() => void server.close());
  const { welcome } = admitStrangers(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const known = await open(port, 'x');
  welcome((await accepted)[0]);
  const stranger = await open(port, 'x');
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 5_000, interval: 1 });
  vi.advanceTimersByTime(4_999);
  expect(stranger.socket.readyState).toBe('open');
  vi.advanceTimersByTime(1);
  await stranger.answer;
  expect(known.socket.readyState).toBe('open');

  // One whose token has come in time, while the process had no turn to read it.
  const late = once(server, 'connection');
  const slow = connect(port, '127.0.0.1');
  const [[accepting]] = await Promise.all([late, once(slow, 'connect')]);
  const welcomed = new Promise<void>(resolve => {
    accepting.once('data', () => {
      welcome(accepting);
      resolve();
    });
  });
  slow.write('x');
  vi.advanceTimersByTime(5_000);
  await welcomed;
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
  expect([slow.readyState, accepting.destroyed]).toEqual(['open', false]);
  slow.destroy();
  known.socket.destroy();
});
