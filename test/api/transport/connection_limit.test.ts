import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectionsOfThread, limitConnections } from '../../../src/api/transport/connection_limit.ts';
import { serve } from '../../kits/served_service.ts';

/** Opens a connection that says nothing. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('a connection over the cap is closed at once, and there is room again when another one ends', async () => {
  const service = await serve('--max-connections', '3');
  const held = [await open(service.port), await open(service.port), await open(service.port)];
  await once(await open(service.port), 'close');
  await expect(service.post(service.demoKey, {})).rejects.toThrow();
  await service.hasPrinted(
    'A connection was refused: an HTTP thread has 3 connections, all that --max-connections leaves it.',
  );
  const isClosed = once(held[0], 'close');
  held[0].destroy();
  await isClosed;
  // The service may hear of the end a little later.
  let status: number | undefined;
  while (status === undefined) status = (await service.post(service.demoKey, {}).catch(() => undefined))?.status;
  expect(status).toBe(404);
});

test('the operator reads of refused connections once a minute, with their number', async () => {
  const told: string[] = [];
  let nowMs = 0;
  const server = createServer();
  onTestFinished(() => void server.close());
  limitConnections(
    server,
    1,
    message => told.push(message),
    () => nowMs,
  );
  server.emit('drop');
  server.emit('drop');
  server.emit('drop');
  nowMs = 60_000;
  server.emit('drop');
  const rest = 'refused: an HTTP thread has 1 connections, all that --max-connections leaves it.';
  expect(told).toEqual([`A connection was ${rest}`, `3 connections were ${rest}`]);
});

test('threads share the connections', () => {
  expect(connectionsOfThread(10_000, 1)).toBe(10_000);
  expect(connectionsOfThread(10_000, 3)).toBe(3_334);
});
