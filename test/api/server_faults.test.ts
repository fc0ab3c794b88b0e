// Answers to our own faults, 500 and 503, from a server of real parts in this process: its pool has a small ring, or
// workers that die on demand.

import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { StationCache } from '../../src/tables/stations/cache.ts';
import { Racer } from '../kits/racer.ts';
import { BALANCE, KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';
import { POISON } from '../pool/poison.ts';

let served: ServedParts;
afterEach(() => served.close());

async function serve(pool: Parameters<typeof serveParts>[0]): Promise<ServedParts> {
  served = await serveParts(pool);
  return served;
}

/** Access points of a block of the demo town, whose rows have twenty. */
const points = (count: number) => ({
  wifiAccessPoints: Array.from({ length: count }, (_, i) => {
    const address = 0x02005e000001 + 20 * Math.floor(i / 6) + (i % 6);
    return { macAddress: address.toString(16).padStart(12, '0') };
  }),
});

test('a request that ends its workers is answered 500, others beside it as always', async () => {
  const { post, errors, accountWriter } = await serve({
    mode: 'pool',
    workers: 2,
    ringBytes: 65_536,
    workerFile: new URL('../pool/poisoned_worker.ts', import.meta.url),
  });
  const others = Array.from({ length: 10 }, () => post(points(20)));
  const poisoned = post({ gps: { latitude: POISON.exit, longitude: 1, accuracy: 1 } });
  expectError(await poisoned, 500, 'internalError', 'global', 'Internal server error.');
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
  expect(errors.join('\n')).toContain('A request ended two compute workers and is answered 500');
  expect(accountWriter.get(1)).toMatchObject({ credits: BALANCE - 10 });
});

test('a request for which there is no room is answered 503 with Retry-After, and costs nothing', async () => {
  const { post, accountWriter } = await serve({ mode: 'pool', workers: 1, ringBytes: 8192 });
  const answers = await Promise.all(Array.from({ length: 40 }, () => post(points(40))));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(40);
  for (const answer of refused) {
    expectError(answer, 503, 'backendError', 'global', 'The service is busy; try again shortly.');
    expect(answer.headers['retry-after']).toBe('1');
  }
  expect((await post(points(40))).status).toBe(200);
  expect(accountWriter.get(1)).toMatchObject({ credits: BALANCE - (40 - refused.length) - 1 });
});

test('a writer that fails is answered 500, and the operator reads why', async () => {
  const { post, errors, accountWriter } = await serve({ mode: 'inline', workers: 1, ringBytes: 8192 });
  await accountWriter.update(1, { devices: 1 });
  accountWriter.table.registerDevice = async () => {
    throw new Error('The disk is full.');
  };
  expectError(await post(points(20)), 500, 'internalError', 'global', 'Internal server error.');
  expect(errors.join('\n')).toContain('The disk is full.');
});

test('a table that cannot be read is answered 500, and the operator reads why', async () => {
  const { post, errors, accountWriter, cache } = await serve({ mode: 'inline', workers: 1, ringBytes: 8192 });
  // The writer names a generation that is not there; of the stations asked for the cache knows nothing.
  new StationCache(cache).startGeneration(99);
  const unknown = { wifiAccessPoints: [{ macAddress: '06:00:00:00:00:01' }, { macAddress: '06:00:00:00:00:02' }] };
  expectError(await post(unknown), 500, 'internalError', 'global', 'Internal server error.');
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('stations');
  expect(errors[0]).not.toContain(KEY);
  expect(accountWriter.get(1)).toMatchObject({ credits: BALANCE });
});

test('a client that leaves before its answer harms nobody', async () => {
  const { post, errors, port } = await serve({ mode: 'pool', workers: 1, ringBytes: 65_536 });
  const body = JSON.stringify(points(20));
  await Promise.all(
    Array.from({ length: 20 }, () => {
      const racer = new Racer(port, `/?key=${encodeURIComponent(KEY)}`, body, () => true);
      racer.leave();
      return racer.closed;
    }),
  );
  expect((await post(points(20))).status).toBe(200);
  expect(errors).toEqual([]);
});

test.each([[[]], [['--no-fast-lane']]])(
  'a client that sends no HTTP, piece by piece, and never ends its side keeps no connection: %s',
  async flags => {
    const { serveBeside } = await serve({ mode: 'inline', workers: 1, ringBytes: 8192 });
    const server = await serveBeside(flags);
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    const ended = once(client, 'end');
    let text = '';
    client.setEncoding('utf8').on('data', data => {
      text += data;
    });
    for (const piece of ['POST / HTTP/1.1\r\nCONTENT-LENGTH: 0x', '13\r\n\r\n{}', 'more']) {
      client.write(piece);
      await wait(20);
    }
    await ended;
    expect(text).toContain('HTTP/1.1 400 Bad Request');
    expect(text.match(/HTTP\/1/g)).toHaveLength(1);
    const connections = promisify(server.getConnections.bind(server));
    for (let i = 0; i < 100 && (await connections()) > 0; i++) await wait(100);
    expect(await connections()).toBe(0);
    client.destroy();
  },
);

describe('a request that is not complete in time is answered 408', () => {
  const head = `POST /?key=${encodeURIComponent(KEY)} HTTP/1.1\r\nhost: x\r\n`;

  test('after a minute for the body of a query', async () => {
    const { port } = await serve({ mode: 'inline', workers: 1, ringBytes: 8192 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = connect(port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{"\r\n`);
    while (vi.getTimerCount() === 0) await promisify(setImmediate)();
    vi.advanceTimersByTime(60_000);
    expect(String((await once(socket, 'data'))[0])).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n.*connection: close.*"reason":"requestTimeout"/is,
    );
    await closed;
  });

  test('a head has a minute, and the whole request an hour', async () => {
    const { server } = await serve({ mode: 'inline', workers: 1, ringBytes: 8192 });
    expect([server.headersTimeout, server.requestTimeout]).toEqual([60_000, 3_600_000]);
  });

  test('by the limit of the server for its head', async () => {
    const { port, server } = await serve({ mode: 'inline', workers: 1, ringBytes: 8192 });
    const socket = connect(port, '127.0.0.1');
    const [served] = await once(server, 'connection');
    socket.write(head);
    server.emit(
      'clientError',
      Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      served,
    );
    expect(String((await once(socket, 'data'))[0])).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n.*"reason":"requestTimeout"/s,
    );
    socket.destroy();
  });
});
