// The tools as a model's program uses them: its own client of the protocol, over standard input and output and over
// HTTP, against a real service.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FEW_THREADS } from '../../../test/kits/served_service.ts';
import { ServiceProcess, send } from '../../../test/kits/service_process.ts';
import { folderOfFile } from '../../../test/kits/temporary_folder.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(FOLDER, 'build', 'main.js');
const VADUZ = { latitude: 47.141, longitude: 9.521 };
const WIFI = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4'].map(macAddress => ({ macAddress, signalStrength: -60 }));
const base = folderOfFile();

let service: ServiceProcess;
let key: string;
beforeAll(async () => {
  // As a shell of its own, not as the script that runs the tests.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd: FOLDER, encoding: 'utf8', env });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  service = await ServiceProcess.start(join(base, 'var'), ...FEW_THREADS);
  ({ key } = await service.key({ explain: true }));
});
afterAll(() => service.stop());

const client = () => new Client({ name: 'test', version: '1' });

/** Calls a tool. @returns what its text says */
async function call(tools: Client, name: string, args: Record<string, unknown>) {
  const { content, isError } = await tools.callTool({ name, arguments: args });
  const [{ text }] = content as { text: string }[];
  return isError ? text : JSON.parse(text);
}

describe('over standard input and output', () => {
  const tools = client();
  beforeAll(async () => {
    const env = { SEXTANT_URL: service.url, SEXTANT_KEY: key };
    await tools.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM], env }));
  });
  afterAll(() => tools.close());

  test('a program sees which tools there are, and that they change nothing', async () => {
    const { tools: listed } = await tools.listTools();
    expect(listed.map(({ name }) => name)).toEqual(['search', 'nearby', 'reverse', 'locate', 'explain', 'table']);
    for (const { description, annotations } of listed) {
      expect(description!.length).toBeGreaterThan(50);
      expect(annotations).toMatchObject({ readOnlyHint: true });
    }
  });

  test('places are found by words, near a point and at one', async () => {
    const [vaduz] = await call(tools, 'search', { query: 'Vaduz', limit: 1, countries: ['li'] });
    expect(vaduz).toMatchObject({
      name: 'Vaduz',
      address: { country_code: 'li' },
      kind: expect.stringMatching(/^place=/),
    });
    expect(Math.abs(vaduz.latitude - VADUZ.latitude)).toBeLessThan(0.1);
    expect(await call(tools, 'reverse', { ...VADUZ, zoom: 10 })).toMatchObject({ address: { country_code: 'li' } });
    expect(await call(tools, 'nearby', { what: 'village', ...VADUZ })).toBeInstanceOf(Array);
    expect((await call(tools, 'search', { query: 'Munich', language: 'de', limit: 1 }))[0].name).toBe('München');
  });

  test('a device is located, and what is not known is an answer', async () => {
    expect(await call(tools, 'locate', { wifi: WIFI })).toMatchObject({ accuracy: expect.any(Number) });
    expect(await call(tools, 'locate', { wifi: WIFI.slice(0, 1) })).toBe('Not found (notFound)');
    const cells = [
      { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1, cellId: 256_001 },
    ];
    expect(await call(tools, 'locate', { cells })).toMatchObject({ location: expect.anything() });
  });

  test('answers are explained', async () => {
    expect((await call(tools, 'explain', { query: 'Vaduz' }))[0]).toMatchObject({ explain: expect.anything() });
    expect(await call(tools, 'explain', { point: VADUZ })).toMatchObject({ explain: expect.anything() });
    expect(await call(tools, 'explain', { scan: { wifi: WIFI } })).toMatchObject({ explain: expect.anything() });
    expect(await call(tools, 'explain', {})).toContain('Give a query, a point or a scan.');
  });

  test('a table is answered row by row', async () => {
    const rows = ['Vaduz', { latitude: 0, longitude: -140 }, 'qqxxyyzz', VADUZ, 'Paris'];
    const [vaduz, sea, nothing, at, paris] = await call(tools, 'table', { rows });
    expect(vaduz.name).toBe('Vaduz');
    expect([sea.error, nothing.error]).toEqual([expect.any(String), 'Not found']);
    expect(at.address.country_code).toBe('li');
    expect(paris.name).toBe('Paris');
  });

  test('what no tool takes is refused before it is asked', async () => {
    expect(await call(tools, 'reverse', { latitude: 91, longitude: 0 })).toMatch(/latitude/);
    expect(await call(tools, 'table', { rows: Array(101).fill('x') })).toMatch(/rows/);
  });
});

describe('over HTTP', () => {
  const running: ChildProcess[] = [];
  afterAll(() => {
    for (const child of running) child.kill();
  });

  async function serve(...flags: string[]): Promise<URL> {
    const child = spawn(process.execPath, [PROGRAM, '--url', service.url, ...flags], { stdio: 'pipe' });
    running.push(child);
    let printed = '';
    child.stderr!.on('data', chunk => {
      printed += chunk;
    });
    await vi.waitFor(() => expect(printed).toMatch(/Serves \S+\n/), 10_000);
    return new URL(/Serves (\S+)/.exec(printed)![1]);
  }

  test('the same tools, for programs of this machine', async () => {
    writeFileSync(join(base, 'key'), `${key}\n`);
    const url = await serve('--http', '127.0.0.1:0', '--key-file', join(base, 'key'));
    const tools = client();
    await tools.connect(new StreamableHTTPClientTransport(url));
    expect(await call(tools, 'locate', { wifi: WIFI })).toMatchObject({ accuracy: expect.any(Number) });
    await tools.close();
    const ask = (headers: Record<string, string>) =>
      send(url.origin, { method: 'POST', path: '/mcp', headers, body: {} });
    expect((await ask({ host: 'sextant.example.org' })).status).toBe(403);
    expect((await ask({ origin: 'https://example.org' })).status).toBe(403);
    expect((await send(url.origin, { method: 'GET', path: '/' })).status).toBe(404);
  });

  test('for others by a token', async () => {
    writeFileSync(join(base, 'token'), 'secret\n');
    const url = await serve('--http', '127.0.0.1:0', '--token-file', join(base, 'token'));
    const ask = (authorization: string) =>
      send(url.origin, { method: 'POST', path: '/mcp', headers: { authorization }, body: {} });
    expect((await ask('Bearer wrong!')).status).toBe(401);
    expect((await ask('')).status).toBe(401);
    expect((await ask('Bearer secret')).status).not.toBe(401);
    const tools = client();
    const requestInit = { headers: { authorization: 'Bearer secret' } };
    await tools.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    // The service wants a key, which this one has not been given.
    expect(await call(tools, 'locate', { wifi: WIFI })).toContain('keyInvalid');
    await tools.close();
  });

  test('nobody else', async () => {
    for (const [address, message] of [
      ['0.0.0.0:0', 'would ask under your key'],
      ['8090', 'must be an address and a port'],
    ]) {
      const child = spawn(process.execPath, [PROGRAM, '--http', address], { stdio: 'pipe' });
      let printed = '';
      child.stderr!.on('data', chunk => {
        printed += chunk;
      });
      const [code] = await once(child, 'close');
      expect([code, printed]).toEqual([1, expect.stringContaining(message)]);
    }
  });
});

test('the package is one file and what its parts ask to be named', () => {
  expect(statSync(PROGRAM).size).toBeLessThan(3_000_000);
  const { stdout } = spawnSync(process.execPath, [PROGRAM, '--help'], { encoding: 'utf8' });
  expect(stdout).toContain('--http <address>');
});
