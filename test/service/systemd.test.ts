// The service tells systemd when it is ready and when it stops, wherever it listens. The receiver is a socket for
// datagrams as systemd has it, made by Python, because Node has none.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HAS_OPENSSL, makeCertificate } from '../kits/certificate.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const CAN_TELL = [
  ['python3', '-c', 'import socket; socket.AF_UNIX'],
  ['systemd-notify', '--version'],
].every(([program, ...words]) => spawnSync(program, words).status === 0);
if (!CAN_TELL) console.log('Skipped: what systemd is told needs systemd-notify and Python.');

/** Prints each datagram on a line of its own. An address that begins with @ is none of the file system. */
const RECEIVER = `
import socket, sys
address = sys.argv[1]
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind('\\0' + address[1:] if address.startswith('@') else address)
print('bound', flush=True)
while True:
    print(receiver.recv(4096).decode().replace('\\n', ' '), flush=True)
`;

/**
 * Listens as systemd does, and has the service that is started next know of it. @returns what it hears, and a way to
 * wait for more
 */
async function listen(address: string): Promise<{ hears: (text: string) => Promise<void>; lines: () => string[] }> {
  const child = spawn('python3', ['-c', RECEIVER, address], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  process.env.NOTIFY_SOCKET = address;
  onTestFinished(() => {
    delete process.env.NOTIFY_SOCKET;
    child.kill('SIGKILL');
  });
  const hears = async (text: string): Promise<void> => {
    while (!heard.includes(text)) await once(child.stdout, 'data');
  };
  await hears('bound\n');
  return { hears, lines: () => heard.split('\n') };
}

const KINDS: [string, boolean][] = [
  ['plain HTTP', false],
  ...(HAS_OPENSSL ? [['HTTPS', true] as [string, boolean]] : []),
];
test.skipIf(!CAN_TELL).each(KINDS)(
  'a service of %s on any port says that it is ready, and that it stops',
  async (_, isSecure) => {
    const folder = temporaryFolder();
    const { hears, lines } = await listen(isSecure ? `@${folder}` : join(folder, 'notify'));
    const files = isSecure ? makeCertificate(folder) : undefined;
    const tls = files === undefined ? [] : ['--tls-cert', files.certFile, '--tls-key', files.keyFile];
    const service = await ServiceProcess.start(join(folder, 'var'), ...FEW_THREADS, ...tls);
    await hears(`READY=1 STATUS=Listens on ${service.url}\n`);
    expect(lines().filter(line => /READY=1|STOPPING=1/.test(line))).toHaveLength(1);
    await service.stop();
    await hears('STOPPING=1 STATUS=Stopping on SIGTERM\n');
  },
);

test('a service that systemd has not started tells nobody', async () => {
  expect(process.env.NOTIFY_SOCKET).toBeUndefined();
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...FEW_THREADS);
  const ended = await service.stop();
  expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('systemd')]);
});

test('where systemd cannot be told, the log says so, and the service goes on', async () => {
  const environment = { NOTIFY_SOCKET: '/nowhere', PATH: '/nowhere' };
  for (const [name, value] of Object.entries(environment)) {
    const before = process.env[name];
    process.env[name] = value;
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...FEW_THREADS);
  await service.hasPrinted('systemd could not be told that the service is ready (spawn systemd-notify ENOENT)');
  expect((await service.request({ method: 'GET', path: '/health' })).status).toBe(200);
  expect((await service.stop()).code).toBe(0);
});
