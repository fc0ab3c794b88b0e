// What signals do to a running service.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { HAS_OPENSSL, makeCertificate } from '../kits/certificate.ts';
import { serve } from '../kits/served_service.ts';
import type { ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

describe('a signal to npm stops the service that npm started', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('%s', async signal => {
    const folder = join(temporaryFolder(), 'var');
    const npm = spawn('npm', ['start', '--', '--data', folder, '--port', '0', '--http-threads', '1'], {
      stdio: 'pipe',
    });
    let printed = '';
    for (const output of [npm.stdout, npm.stderr])
      output.setEncoding('utf8').on('data', text => {
        printed += text;
      });
    while (!printed.includes('Demo key')) await once(npm.stdout, 'data');
    npm.kill(signal);
    // The service has the same output as npm: it is closed when both have ended.
    await once(npm, 'close');
    expect(printed).toContain('Stopping ');
  });
});

test('a second signal does not break off a stop', async () => {
  const service = await serve('--compute', 'auto');
  process.kill(service.pid, 'SIGINT');
  process.kill(service.pid, 'SIGINT');
  process.kill(service.pid, 'SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0, signal: null });
});

test('SIGHUP without a change changes nothing and says so', async () => {
  const service = await serve();
  process.kill(service.pid, 'SIGHUP');
  await service.hasPrinted('The configuration was read again: nothing has changed.');
  expect((await service.post(service.demoKey, {})).status).toBe(404);
});

test('SIGUSR1 opens no debugger', async () => {
  const service = await serve();
  process.kill(service.pid, 'SIGUSR1');
  // A later signal is seen later.
  process.kill(service.pid, 'SIGHUP');
  await service.hasPrinted('The configuration was read again');
  expect((await service.post(service.demoKey, {})).status).toBe(404);
  expect(service.printed).not.toContain('Debugger');
});

describe.skipIf(!HAS_OPENSSL)('SIGHUP reads the certificate again', () => {
  /** The fingerprint of the certificate that new connections see. */
  async function shown(service: ServiceProcess): Promise<string> {
    const socket = connect({ port: service.port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  }

  test('and a damaged one leaves the old in use', async () => {
    const folder = temporaryFolder();
    const { certFile, keyFile } = makeCertificate(folder);
    const service = await serve('--tls-cert', certFile, '--tls-key', keyFile);
    const first = await shown(service);
    makeCertificate(folder);
    expect(await shown(service)).toBe(first);
    process.kill(service.pid, 'SIGHUP');
    await service.hasPrinted('The certificate was read again.');
    const second = await shown(service);
    expect(second).not.toBe(first);
    writeFileSync(certFile, 'damaged');
    process.kill(service.pid, 'SIGHUP');
    await service.hasPrinted('the old one stays in use');
    expect(await shown(service)).toBe(second);
  });

  test('and so does a change of its files, without a signal', async () => {
    const folder = temporaryFolder();
    const { certFile, keyFile } = makeCertificate(folder);
    const service = await serve('--tls-cert', certFile, '--tls-key', keyFile);
    const first = await shown(service);
    makeCertificate(folder);
    await service.hasPrinted('The certificate was read again.');
    expect(await shown(service)).not.toBe(first);
  });
});
