import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { lowerHelperThreads, probePort } from '../../../src/commands/service/prepare_service.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise(done => server.close(done));
});

/** Listens on loopback and resolves with the port. */
function listen(options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', ...options }, () => {
      servers.push(server);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

test('a free port is found and can be listened on afterwards', async () => {
  const { port, shareable } = await probePort('127.0.0.1', 0);
  expect(port).toBeGreaterThan(0);
  expect(await probePort('127.0.0.1', port)).toEqual({ port, shareable });
  expect(await listen({ port })).toBe(port);
});

test('where the system can share a port, threads may share the one that was probed', async () => {
  const { port, shareable } = await probePort('127.0.0.1', 0);
  const both = listen({ port, reusePort: shareable }).then(() => listen({ port, reusePort: shareable }));
  if (shareable) expect(await both).toBe(port);
  else await expect(both).rejects.toThrow('EADDRINUSE');
});

test('a port in use is refused', async () => {
  const port = await listen({ port: 0 });
  await expect(probePort('127.0.0.1', port)).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use; stop what uses it, or choose another with --port.`,
  );
});

test('a port that a running service shares among its threads is refused too', async () => {
  const { port, shareable } = await probePort('127.0.0.1', 0);
  await listen({ port, reusePort: shareable });
  await expect(probePort('127.0.0.1', port)).rejects.toThrow('is in use');
});

test('an address of another machine is refused', async () => {
  await expect(probePort('192.0.2.1', 0)).rejects.toThrow(
    'This machine has no address 192.0.2.1; choose one of its own with --host.',
  );
});

test.skipIf(process.platform !== 'linux')("V8's helper threads run behind all others", () => {
  const isHelper = (id: string) => readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('V8Worker');
  const threads = readdirSync('/proc/self/task');
  const before = getPriority();

  // A thread that has ended since the list was made.
  const tasks = temporaryFolder();
  mkdirSync(join(tasks, '1'));
  expect(lowerHelperThreads(tasks)).toBe(0);
  expect(lowerHelperThreads()).toBeGreaterThan(0);

  expect(threads.filter(isHelper).map(id => getPriority(Number(id)))).toEqual(threads.filter(isHelper).map(() => 10));
  expect(getPriority()).toBe(before);
});
