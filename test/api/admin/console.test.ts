// The page of the console and its files.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { freePorts } from '../../../bench/server.ts';
import { consoleFile } from '../../../src/api/console/console_files.ts';
import { serve } from '../../kits/served_service.ts';
import { send } from '../../kits/service_process.ts';
import { sharedAdministered } from './administered.ts';

const MANIFEST: Record<string, { type: string; bytes: number; br: number }> = JSON.parse(
  readFileSync('build/console/manifest.json', 'utf8'),
);
/** What may be loaded before the first map, compressed. */
const FIRST_BYTES_MAX = 700_000;

const served = sharedAdministered();

test('the page and its files are served without a token, with a policy that lets in nothing of others', async () => {
  const { url } = await served();
  const get = (path: string) => send(url, { method: 'GET', path });
  for (const path of ['/', '/console'])
    expect(await get(path), path).toMatchObject({ status: 302, headers: { location: '/console/' } });
  const page = await get('/console/');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const policy = page.headers['content-security-policy'] as string;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const named = [...page.text.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)].map(([, name]) => name);
  expect(named.length).toBe(3);
  for (const name of named) {
    const file = await get(`/console/assets/${name}`);
    expect(file.headers).toMatchObject({
      'content-type': MANIFEST[name].type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': policy,
    });
    expect(Buffer.byteLength(file.text)).toBe(MANIFEST[name].bytes);
  }
});

test('only names of the table are files', async () => {
  const { url } = await served();
  for (const name of [
    'index.html',
    'manifest.json',
    '..%2f..%2fcore.wasm',
    '%2e%2e/main.js',
    'main.js',
    'x'.repeat(500),
  ])
    expect((await send(url, { method: 'GET', path: `/console/assets/${name}` })).status, name).not.toBe(200);
});

test('no path leads to another host', async () => {
  const { url } = await served();
  const paths = [
    '/',
    '/console',
    '/console?to=//evil.example',
    '//evil.example/',
    '/console//evil.example',
    '/?next=x',
  ];
  for (const path of paths) {
    const { status, headers } = await send(url, { method: 'GET', path });
    if (status >= 300 && status < 400) expect(headers.location, path).toBe('/console/');
    else expect(headers.location, path).toBeUndefined();
  }
});

test('a file is compressed as the client takes it, and not compressed for one that takes neither', () => {
  const [name, { bytes }] = Object.entries(MANIFEST).find(([each]) => each.endsWith('.css'))!;
  const plain = consoleFile('admin', name, undefined)!;
  expect(plain.body.length).toBe(bytes);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(consoleFile('admin', name, 'identity')!.body).toBe(plain.body);
  const br = consoleFile('admin', name, 'gzip, deflate, br')!;
  expect(br.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br.body)).toEqual(plain.body);
  const gzip = consoleFile('admin', name, 'gzip, br;q=0')!;
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body)).toEqual(plain.body);
});

test('the page has no script or style in itself, and everything together stays below the limit', () => {
  const page = consoleFile('admin', undefined, undefined)!.body.toString();
  expect(page).not.toMatch(/<style|\bstyle=|\bon\w+=|javascript:/);
  for (const [script] of page.matchAll(/<script[^>]*>[^<]*<\/script>/g))
    expect(script).toMatch(/src="[^"]+"><\/script>$/);
  expect(Object.values(MANIFEST).reduce((sum, { br }) => sum + br, 0)).toBeLessThan(FIRST_BYTES_MAX);
});

test('nothing of the console is on the public address', async () => {
  const service = await serve();
  for (const path of ['/console/', '/console/session', '/console/assets/main.js'])
    expect((await service.request({ method: 'GET', path })).status, path).toBe(404);
});

test('a service has its console on the port after its own, or on the next free one, and says so', async () => {
  const first = await serve('--port', '0');
  expect(first.printed).not.toContain('The console is at');
  await first.stop();
  const [port] = await freePorts(3);
  const named = await serve('--port', String(port));
  expect(named.printed).toContain(`The console is at http://127.0.0.1:${port + 1}/console/\n`);
  await named.stop();
  const off = await serve('--port', String(port), '--admin', 'off');
  expect(off.printed).not.toContain('The admin interface listens');
  await off.stop();
  const holder = await listen(port + 1);
  const beside = await serve('--port', String(port));
  expect(beside.printed).toContain(`The console is at http://127.0.0.1:${port + 2}/console/\n`);
  expect(beside.printed).toContain(`Port ${port + 1} is taken, so the console is on port ${port + 2}.`);
  holder.close();
});

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
