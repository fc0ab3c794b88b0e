// What of the console is on the public address with `--console public`: the page with its files and tiles, and nothing
// of the admin interface. In a browser: three views, the public routes, and a key that stays in the page.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/api/admin/operations.ts';
import { writeTileFile } from '../kits/places/pmtiles_file.ts';
import { serve } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile, temporaryFolder } from '../kits/temporary_folder.ts';
import { browserTest, openPage } from './browser.ts';

const MANIFEST: Record<string, { isPublic: boolean; bytes: number }> = JSON.parse(
  readFileSync('build/console/manifest.json', 'utf8'),
);
/** Paths of the admin interface that mean something else here. */
const OWN_PATHS = ['/search', '/reverse', '/lookup', '/status'];
const BATCHES_MAX = 50;
const STATION = '02:00:5e:00:00:d3';
/** All that the page may ask for. */
const ASKED = /^\/(?:console\/(?:$|assets\/|map$|examples$|statistics$|tiles\/\d+\/\d+\/\d+$)|$|search$|reverse$)/;

const folder = join(folderOfFile(), 'var');
let service: ServiceProcess;
/** A key that is typed. */
let own: string;
/** What the service said before it had an anonymous key. */
let needsKey: boolean;
beforeAll(async () => {
  const flags = ['--http-threads', '1', '--admin', 'off', '--console', 'public'];
  const first = await ServiceProcess.start(folder, ...flags);
  ({ needsKey } = (await first.request({ method: 'GET', path: '/console/map' })).json);
  const { key: anonymous } = await first.key({ name: 'all' });
  ({ key: own } = await first.key({ name: 'own', explain: true }));
  await first.stop();
  service = await ServiceProcess.start(folder, ...flags, '--anonymous-key', anonymous);
});
afterAll(async () => void (await service.stop()));

const get = (path: string, headers: Record<string, string> = {}) => service.request({ method: 'GET', path, headers });

test('the page and its files are there without a key, under the policy of the console', async () => {
  expect(service.printed).toContain(`Try, Map and Coverage are for all at ${service.url}/console/\n`);
  expect(await get('/', { accept: 'text/html' })).toMatchObject({ status: 302, headers: { location: '/console/' } });
  const page = await get('/console/');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  for (const [, name] of page.text.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)) {
    const file = await get(`/console/assets/${name}`);
    expect(file.headers['content-security-policy']).toBe(policy);
    expect(Buffer.byteLength(file.text)).toBe(MANIFEST[name].bytes);
  }
  // No page of another origin reads what is here.
  for (const path of ['/console/', '/console/map', '/console/tiles/0/0/0'])
    expect((await get(path, { origin: 'https://evil.example' })).headers, path).not.toHaveProperty(
      'access-control-allow-origin',
    );
});

test('no file of another view and no route of the admin interface is there', async () => {
  for (const [name, { isPublic }] of Object.entries(MANIFEST))
    expect((await get(`/console/assets/${name}`)).status, name).toBe(isPublic && !name.endsWith('.html') ? 200 : 404);
  for (const { method, path } of OPERATIONS) {
    if (OWN_PATHS.includes(path)) continue;
    const asked = path.replaceAll(/\{\w+\}/g, '0');
    const { status, json } = await service.request({ method, path: asked, body: method === 'GET' ? '' : {} });
    expect([status, json.error?.errors[0].reason], `${method} ${path}`).toEqual([404, 'notFound']);
  }
});

test('the map says what it shows and whether a key is needed; a tile is that of the map of places', async () => {
  expect((await get('/console/map')).json).toEqual({
    attribution: expect.any(String),
    bounds: [-180, -85, 180, 85],
    parts: [],
    version: expect.any(String),
    needsKey: false,
  });
  expect(needsKey).toBe(true);
  const tile = await get('/console/tiles/0/0/0');
  expect(tile).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/vnd.mapbox-vector-tile',
      'cache-control': 'public, max-age=600',
      'x-content-type-options': 'nosniff',
    },
  });
  expect((await get('/console/tiles/0/0/0', { 'if-none-match': String(tile.headers.etag) })).status).toBe(304);
  expect(await get('/console/tiles/0/0/1')).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining('A tile has a zoom') },
  });
});

test('statistics are told without a key, and no station, place or time of one is in them', async () => {
  const ask = async () => (await get('/console/statistics')).json;
  await expect.poll(async () => (await ask()).isReady, { timeout: 60_000 }).toBe(true);
  const told = await ask();
  expect(Object.keys(told).sort()).toEqual(['done', 'isReady', 'kinds', 'months', 'squares', 'total']);
  expect(told.kinds.wifi).toBeGreaterThanOrEqual(50);
  for (const square of told.squares) {
    expect(Object.keys(square).sort()).toEqual(['atLeast', 'high', 'latitude', 'longitude', 'wide']);
    expect([50, 500, 5_000]).toContain(square.atLeast);
    expect(square.high).toBeGreaterThanOrEqual(0.045);
  }
  expect(JSON.stringify(told)).not.toMatch(/[0-9a-f]{2}:[0-9a-f]{2}/);
});

test('a flood of tiles is refused, and meanwhile positions are answered', async () => {
  const wifiAccessPoints = ['d3', 'd4'].map(octet => ({ macAddress: `02:00:5e:00:00:${octet}`, signalStrength: -50 }));
  const ask = (path: string) => fetch(service.url + path);
  let refused: Response | undefined;
  for (let batch = 0; refused === undefined && batch < BATCHES_MAX; batch++) {
    const flood = Array.from({ length: 100 }, (_, i) => ask(`/console/tiles/7/${i}/${batch}`));
    expect((await service.post(own, { wifiAccessPoints })).status).toBe(200);
    const answers = await Promise.all(flood);
    for (const { status } of answers) expect([200, 429]).toContain(status);
    refused = answers.find(({ status }) => status === 429);
  }
  expect(refused!.headers.get('retry-after')).toBe('1');
  expect(await refused!.json()).toEqual({ error: expect.stringMatching(/^Too many tiles .*ask again in a moment\.$/) });
  await expect.poll(async () => (await ask('/console/tiles/0/0/0')).status, { timeout: 60_000 }).toBe(200);
});

browserTest(
  'all may try and look at the map, by the anonymous key or one that no address and no storage holds',
  async () => {
    const opened = await openPage(`${service.url}/console/`, '', { expected: /40[04]/ });
    const { page } = opened;
    const asked = new Set<string>();
    page.on('request', request => void asked.add(new URL(request.url()).pathname));
    await page.getByRole('heading', { name: 'Try', level: 1 }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(['Try', 'Map', 'Coverage']);
    await page.getByRole('button', { name: 'Locate' }).click();
    await page.getByText('± 14 m').waitFor();
    expect(await page.locator('.explanation').getByText(STATION).count()).toBe(0);
    await opened.expectAccessibleInBothThemes();

    const useKey = async (key: string): Promise<void> => {
      await page.getByRole('button', { name: 'Use a key' }).click();
      await page.getByRole('dialog').getByLabel('Key').fill(key);
      await page.getByRole('dialog').getByRole('button', { name: 'Use the key' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await useKey(own);
    await page.getByRole('button', { name: 'Locate' }).click();
    const line = page.locator('.explanation li', { hasText: STATION });
    await line.getByText(/^used, weight \d+ %, \d+ m away$/).waitFor();
    expect(await page.locator('.explanation').textContent()).not.toMatch(/, at -?\d/);
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect(kept).not.toContain(own);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 760 });
      await opened.expectNoOverflow();
      await opened.picture(`public-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('link', { name: 'Map' }).click();
    await page.locator('.map-pane[aria-busy=false] canvas').waitFor();
    await page.getByRole('combobox', { name: 'Search the map' }).fill('Vadzu');
    await page.getByRole('option').first().click();
    await page.getByRole('region', { name: 'Address' }).getByText('Liechtenstein').first().waitFor();
    await opened.expectAccessible();
    await opened.picture('public-map');
    await page.getByRole('button', { name: 'Forget the key' }).click();

    await page.getByRole('link', { name: 'Coverage' }).click();
    await page.getByRole('region', { name: 'Stations by kind' }).getByText('Access points').waitFor();
    await opened.look('public-coverage');

    await page.goto(`${service.url}/console/#/try?log=1`);
    await page.getByText('Only the operator of the service is told this.').waitFor();
    await useKey('nobody');
    await page.getByRole('button', { name: 'Locate' }).click();
    await page.getByText('The service does not take this key, or none at all.').waitFor();
    await opened.expectAccessible();
    for (const path of asked) expect(path).toMatch(ASKED);
    expect(asked).toContain('/');
  },
);

browserTest('another map lies below the public page too, read from the file that the operator has named', async () => {
  const file = writeTileFile(join(temporaryFolder(), 'world.pmtiles'), 'Nowhere');
  const open = await serve('--admin', 'off', '--console', 'public', '--map', file);
  const { url } = open;
  const { key } = await open.key();
  const opened = await openPage(`${url}/console/`, '#/map');
  const asked: string[] = [];
  opened.page.on('response', response => void asked.push(`${response.status()} ${new URL(response.url()).pathname}`));
  await opened.page.getByLabel('Key').fill(key);
  await opened.page.getByRole('button', { name: 'Use the key' }).click();
  await opened.page.locator('.map-pane[aria-busy=false] canvas').waitFor();
  await opened.picture('public-map-of-file');
  expect(asked).toContain('206 /console/map/file');
  expect(asked.filter(each => each.includes('/console/tiles/'))).toEqual([]);
  await opened.expectAccessibleInBothThemes();
  const ask = () => fetch(`${url}/console/map/file`, { headers: { range: 'bytes=0-9' } });
  expect((await ask()).status).toBe(206);
  rmSync(file);
  const gone = await ask();
  expect([gone.status, await gone.json()]).toEqual([404, { error: 'The file of --map cannot be read.' }]);
});

test('tiles from elsewhere are let in by the policy of the public page, and no file is there', async () => {
  const { url } = await serve('--admin', 'off', '--console', 'public', '--map', 'https://maps.example/{z}/{x}/{y}.png');
  const { headers } = await fetch(`${url}/console/`);
  expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://maps.example;");
  expect(await (await fetch(`${url}/console/map`)).json()).toMatchObject({
    ground: 'https://maps.example/{z}/{x}/{y}.png',
  });
  expect((await fetch(`${url}/console/map/file`, { headers: { range: 'bytes=0-9' } })).status).toBe(404);
});
