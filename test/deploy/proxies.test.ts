// The examples for nginx and Caddy in front of a live service, where those programs are installed. Only what a test
// cannot have is replaced in them: addresses, ports, the certificate, and the files where a proxy keeps something.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../bench/server.ts';
import { makeCertificate } from '../kits/certificate.ts';
import { serve } from '../kits/served_service.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const HOST = 'sextant.example.org';
/** Between two looks at whether a proxy answers yet. */
const LOOK_MILLISECONDS = 100;
const LARGEST_BODY = 64 * 1024 * 1024;
const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

interface Proxy {
  name: string;
  /** Whether it is installed. */
  isThere: boolean;
  /** Starts it. @param folder for what it writes, all of it in `log` that it says of requests */
  start(folder: string, port: number, service: number): ChildProcess;
}

const read = (name: string): string => readFileSync(join('deploy', name), 'utf8');

const nginx: Proxy = {
  name: 'nginx',
  isThere: spawnSync('nginx', ['-v']).status === 0,
  start(folder, port, service) {
    const { certFile, keyFile } = makeCertificate(folder);
    const site = read('nginx.conf')
      .replaceAll(':8080', `:${service}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('listen [::]:443 ssl;', '')
      .replace('/etc/ssl/sextant/chain.pem', certFile)
      .replace('/etc/ssl/sextant/key.pem', keyFile)
      .replace('/var/log/nginx/sextant.log', `${folder}/log`);
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map(what => `${what}_temp_path ${folder}/${what};`)
      .join(' ');
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; user root; pid ${folder}/pid; error_log ${folder}/start.log;\nevents {}\nhttp ` +
        `{\n${kept}\n${site}}\n`,
    );
    return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  },
};

const caddy: Proxy = {
  name: 'caddy',
  isThere: spawnSync('caddy', ['version']).status === 0,
  start(folder, port, service) {
    expect(spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile'])).toMatchObject({
      status: 0,
    });
    const site = read('Caddyfile')
      .replace(
        '\tlog {',
        `\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tlog {\n\t\toutput file ${folder}/log`,
      )
      .replace(`${HOST} {`, `${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls internal`);
    writeFileSync(join(folder, 'Caddyfile'), site);
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      stdio: 'ignore',
      env: {
        ...process.env,
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        SEXTANT_UPSTREAM: `127.0.0.1:${service}`,
      },
    });
  },
};

/**
 * Asks the proxy over HTTPS; its certificate is its own. @returns status and body; status 0 when there was no answer
 */
function ask(
  agent: Agent,
  port: number,
  path: string,
  body?: string | Buffer,
  headers = {},
): Promise<{ status: number; text: string }> {
  return new Promise(resolve => {
    const options = {
      agent,
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      servername: HOST,
      rejectUnauthorized: false,
    };
    const sent = request({ ...options, headers: { host: HOST, ...headers } }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      response.on('close', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', () => resolve({ status: 0, text: '' }));
    sent.end(body);
  });
}

describe.each([nginx, caddy])('$name', proxy => {
  if (!proxy.isThere)
    console.log(`Skipped: ${proxy.name} is not installed, so its example in deploy/ cannot be tried.`);

  test.skipIf(!proxy.isThere)(
    'passes on requests of every kind with the address of their client, and writes no key into its log',
    async () => {
      const folder = temporaryFolder();
      mkdirSync(folder, { recursive: true });
      const accessLog = join(folder, 'access.log');
      const service = await serve('--trust-proxy', '127.0.0.1', '--access-log', 'text', '--access-log-file', accessLog);
      const { key } = await service.key();
      const [port] = await freePorts(1);
      const child = proxy.start(folder, port, service.port);
      const ended = once(child, 'close');
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(async () => {
        agent.destroy();
        child.kill('SIGTERM');
        await ended;
      });
      while ((await ask(agent, port, '/ready')).status !== 200) {
        expect(child.exitCode).toBe(null);
        await delay(LOOK_MILLISECONDS);
      }
      const forged = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
      const position = await ask(agent, port, `/?key=${key}`, JSON.stringify(POINTS), forged);
      expect([position.status, JSON.parse(position.text).location]).toEqual([
        200,
        { lat: expect.any(Number), lng: expect.any(Number) },
      ]);
      const chunked = { 'transfer-encoding': 'chunked' };
      expect((await ask(agent, port, `/?key=${key}`, JSON.stringify(POINTS), chunked)).status).toBe(200);
      const batch = await ask(agent, port, `/v1/geolocate/batch?key=${key}`, JSON.stringify([POINTS, POINTS]));
      expect([batch.status, JSON.parse(batch.text).length]).toEqual([200, 2]);
      expect((await ask(agent, port, `/search?q=demo&key=${key}`)).status).toBe(200);
      // Behind a proxy the demo key is nobody's.
      expect((await ask(agent, port, `/?key=${service.demoKey}`, JSON.stringify(POINTS))).status).toBe(400);
      // As large as the service takes it: it is read, and is no JSON. Larger ones are refused.
      expect((await ask(agent, port, `/v2/geosubmit?key=${key}`, Buffer.alloc(LARGEST_BODY))).status).toBe(400);
      expect([0, 413]).toContain(
        (await ask(agent, port, `/v2/geosubmit?key=${key}`, Buffer.alloc(LARGEST_BODY + 1))).status,
      );
      expect(await service.stop()).toMatchObject({ code: 0 });
      const lines = readFileSync(accessLog, 'utf8');
      expect(lines.match(/ 127\.0\.0\.1 POST \/ 200 /g)).toHaveLength(2);
      expect(lines).not.toContain('203.0.113.9');
      // Nobody is behind it any more.
      expect([502, 503]).toContain((await ask(agent, port, `/?key=${key}`, JSON.stringify(POINTS))).status);
      child.kill('SIGTERM');
      await ended;
      expect(existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '').not.toContain(key);
    },
  );
});
