import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { welcome } from '../../../src/commands/service/welcome.ts';
import { HAS_OPENSSL, makeCertificate } from '../../kits/certificate.ts';
import { serve } from '../../kits/served_service.ts';
import { runSextant, type ServiceProcess } from '../../kits/service_process.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

/** Runs the lines that are printed to try the service, as they stand; resolves with what they print. */
async function tryIt(service: ServiceProcess): Promise<string> {
  await service.hasPrinted('Take both out');
  const lines = service.printed.split('\n').filter(line => line.startsWith('  '));
  const shell = spawn('bash', ['-c', lines.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const output of [shell.stdout, shell.stderr])
    output.on('data', text => {
      printed += text;
    });
  await once(shell, 'close');
  return printed;
}

const outside = Object.values(networkInterfaces())
  .flat()
  .find(one => one?.family === 'IPv4' && !one.internal)?.address;
if (outside === undefined) console.log('Skipped: this machine has no address beside the loopback interface.');

describe.skipIf(spawnSync('curl', ['--version']).status !== 0)('the line to try works as it is printed', () => {
  test('on the loopback interface', async () => {
    expect(await tryIt(await serve())).toContain('"location"');
  });

  test('behind a proxy', async () => {
    expect(await tryIt(await serve('--trust-proxy', '127.0.0.1', '--host', '0.0.0.0'))).toContain('"location"');
  });

  test.skipIf(!HAS_OPENSSL)('with a certificate, on all addresses', async () => {
    const { certFile, keyFile } = makeCertificate(temporaryFolder());
    expect(await tryIt(await serve('--host', '0.0.0.0', '--tls-cert', certFile, '--tls-key', keyFile))).toContain(
      '"location"',
    );
  });

  test.skipIf(!HAS_OPENSSL || outside === undefined)('with a certificate, on an address of its own', async () => {
    const { certFile, keyFile } = makeCertificate(temporaryFolder());
    expect(await tryIt(await serve('--host', outside!, '--tls-cert', certFile, '--tls-key', keyFile))).toContain(
      '"location"',
    );
  });
});

test('an address of version 6 stands in brackets', () => {
  const text = welcome(
    { host: '::', tlsCertificateFile: undefined, trustProxy: undefined, dataFolder: '/x' },
    8080,
    'sx_1',
  );
  expect(text).toContain("curl 'http://[::1]:8080/?key=sx_1'");
});

test('the demo key is refused with fields that proxies add, on the short way and on the long one', async () => {
  for (const flags of [[], ['--no-fast-lane']]) {
    const service = await serve(...flags);
    const { key } = await service.key();
    const ask = (of: string, headers: Record<string, string>) =>
      service.request({ path: `/?key=${of}`, body: {}, headers });
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']) {
      expect((await ask(service.demoKey, { [name]: '127.0.0.1' })).json.error.errors[0].reason).toBe('keyInvalid');
      expect((await ask(key, { [name]: '127.0.0.1' })).status).toBe(404);
    }
    expect((await ask(service.demoKey, {})).status).toBe(404);
  }
});

test('a key for requests without one is looked up at the start', async () => {
  const service = await serve();
  const revoked = await service.key();
  await service.job({ verb: 'keys', action: 'revoke', id: revoked.id });
  const expired = await service.key({ expires: '2020-01-01' });
  const trails = await service.key({ trail: true });
  const { demoKey, folder } = service;
  await service.stop();
  const start = (key: string) =>
    runSextant('serve', '--data', folder, '--port', '0', '--http-threads', '1', '--anonymous-key', key);
  for (const [key, why] of [
    ['sx_wrong', 'unknown'],
    [revoked.key, 'revoked'],
    [expired.key, 'expired'],
    [demoKey, 'the demo key, which is for this machine only'],
    [trails.key, 'one that may ask for trails'],
  ])
    expect(await start(key)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The key of --anonymous-key is ${why}; name another, or make one with: sextant keys create\n`,
    });
});
