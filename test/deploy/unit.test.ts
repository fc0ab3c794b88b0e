// The unit of systemd by its commands: what it starts with its environment and the settings of /etc/sextant.env, how it
// reloads and how it stops; over HTTP, over HTTPS and on another port. systemd itself is not needed.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../bench/server.ts';
import { HAS_OPENSSL, makeCertificate } from '../kits/certificate.ts';
import { send } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const UNIT = readFileSync('deploy/sextant.service', 'utf8');
const settingOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT)![1];
/** `NAME=VALUE` of a line, as pairs. */
const variables = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/\s+/).map(each => each.split(/=(.*)/, 2) as [string, string]));

/** Starts what the unit starts. @param settings of /etc/sextant.env */
function startUnit(folder: string, settings: Record<string, string>) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'sextant'), `#!/bin/sh\nexec "${process.execPath}" "${resolve('src/sextant.js')}" "$@"\n`);
  chmodSync(join(bin, 'sextant'), 0o755);
  const environment = { ...variables(settingOf('Environment')), ...settings, SEXTANT_DATA: join(folder, 'data') };
  const [program, ...words] = settingOf('ExecStart').split(' ');
  const child: ChildProcess = spawn(program, words, { env: { PATH: `${bin}:/usr/bin:/bin`, ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
  const prints = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(text)) await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data')]);
  };
  return { child, prints };
}

/** The status of GET /ready over HTTPS. */
function securely(port: number): Promise<number | undefined> {
  return new Promise((done, fail) => {
    request({ port, path: '/ready', rejectUnauthorized: false }, answer => {
      answer.resume();
      done(answer.statusCode);
    })
      .on('error', fail)
      .end();
  });
}

const KINDS: [string, boolean][] = [['HTTP', false], ...(HAS_OPENSSL ? [['HTTPS', true] as [string, boolean]] : [])];

test.each(KINDS)('on another port, over %s, it serves, reloads and stops', async (_, isSecure) => {
  const folder = temporaryFolder();
  const [port] = await freePorts(1);
  const files = isSecure ? makeCertificate(folder) : undefined;
  const tls = files && { SEXTANT_TLS_CERT: files.certFile, SEXTANT_TLS_KEY: files.keyFile };
  const { child, prints } = startUnit(folder, { SEXTANT_PORT: `${port}`, SEXTANT_HTTP_THREADS: '1', ...tls });
  await prints(new RegExp(`Sextant listens on ${isSecure ? 'https' : 'http'}://127\\.0\\.0\\.1:${port}\n`));
  expect(
    isSecure
      ? await securely(port)
      : (await send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/ready' })).status,
  ).toBe(200);
  const reload = settingOf('ExecReload').replace('$MAINPID', `${child.pid}`).split(' ');
  execFileSync(reload[0], reload.slice(1));
  await prints(/The configuration was read again: nothing has changed\./);
  if (isSecure) await prints(/The certificate was read again\./);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

const HAS_LOGROTATE = spawnSync('logrotate', ['--version']).status === 0;
if (!HAS_LOGROTATE) console.log('Skipped: logrotate is not installed, so its file in deploy/ cannot be tried.');

test.skipIf(!HAS_LOGROTATE)('logrotate moves the files away', () => {
  const folder = temporaryFolder();
  const [user, group] = ['-un', '-gn'].map(flag => execFileSync('id', [flag], { encoding: 'utf8' }).trim());
  const text = readFileSync('deploy/logrotate', 'utf8')
    .replaceAll(/\/var\/(?:log|lib)\/sextant/g, folder)
    .replace('su sextant sextant', `su ${user} ${group}`);
  writeFileSync(join(folder, 'rotate'), text, { mode: 0o644 });
  writeFileSync(join(folder, 'access.log'), 'a line\n');
  execFileSync('logrotate', ['--force', '--state', join(folder, 'state'), join(folder, 'rotate')]);
  expect(readFileSync(join(folder, 'access.log.1'), 'utf8')).toBe('a line\n');
});

test('log files belong where the unit may write, and logrotate has the service open them anew', () => {
  expect([settingOf('LogsDirectory'), settingOf('StateDirectory')]).toEqual(['sextant', 'sextant']);
  const text = readFileSync('deploy/logrotate', 'utf8');
  expect(text).toContain('/var/log/sextant/*.log {');
  const [, command] = /postrotate\n\s+#.*\n(.*)\n/.exec(text)!;
  const folder = temporaryFolder();
  // Without a service the command does nothing, and says nothing.
  const run = () => execFileSync('sh', ['-c', command.replaceAll('/var/lib/sextant', folder)], { encoding: 'utf8' });
  expect(run()).toBe('');
  const child = spawn('sh', ['-c', "trap 'echo reopened' HUP; echo ready; while :; do sleep 0.05; done"]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return (async () => {
    let heard = '';
    child.stdout.setEncoding('utf8').on('data', chunk => {
      heard += chunk;
    });
    while (!heard.includes('ready')) await once(child.stdout, 'data');
    writeFileSync(join(folder, 'owner.lock'), `${child.pid}\n`);
    run();
    while (!heard.includes('reopened')) await once(child.stdout, 'data');
  })();
});
