// The map in a browser: a drawn place, and Liechtenstein where its extract is there. What the map draws is looked at in
// the pictures; that it comes from our own tiles, and stands still in the end, the tests see.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DrawnMap } from '../kits/places/drawn_map.ts';
import { writeTileFile } from '../kits/places/pmtiles_file.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import {
  browserTest,
  type ConsolePage,
  openPage,
  type Served,
  serveConsole,
  sharedConsole,
  THEMES,
} from './browser.ts';

const LIECHTENSTEIN = new URL('../../../shared/data/osm/liechtenstein-2025-09-19.osm.pbf', import.meta.url).pathname;
const hasLiechtenstein = existsSync(LIECHTENSTEIN);
if (!hasLiechtenstein) console.log('The map of Liechtenstein is skipped: its extract is not beside the checkout.');

/** A village with a street, houses, a name of an enemy, and one from right to left. */
function drawVillage(map = new DrawnMap()): string {
  map.boundary(2, [47.14, 9.52], 0.1, { name: 'Liechtenstein', 'ISO3166-1': 'LI' });
  map.boundary(8, [47.14, 9.52], 0.03, { name: 'Vaduz' });
  map.node([47.1402, 9.5205], { place: 'town', name: 'Vaduz' });
  map.node([47.1425, 9.5225], { place: 'hamlet', name: 'قرية صغيرة' });
  map.node([47.138, 9.518], { place: 'hamlet', name: '<img src=x onerror=alert(1)>' });
  map.way(
    [
      [47.14, 9.505],
      [47.1402, 9.52],
      [47.14, 9.535],
    ],
    { highway: 'residential', name: 'Äulestrasse' },
  );
  map.way(
    [
      [47.13, 9.5195],
      [47.15, 9.5215],
    ],
    { highway: 'primary', name: 'Landstrasse', ref: '28' },
  );
  for (let i = 1; i <= 9; i++) {
    const [south, west] = [47.14035, 9.518 + i / 2_000];
    map.rectangle(south, south + 0.00012, west, west + 0.0002, {
      building: 'house',
      'addr:housenumber': String(i),
      'addr:street': 'Äulestrasse',
      'addr:city': 'Vaduz',
      'addr:postcode': '9490',
    });
  }
  return map.write(join(temporaryFolder(), 'village.osm.pbf'));
}

const shared = sharedConsole();
let imported: Promise<unknown> | undefined;

/** A service that has the village. */
async function village(): Promise<Served> {
  const served = await shared();
  imported ??= served.service.job({ verb: 'import', kind: 'osm', files: [drawVillage()] });
  await imported;
  return served;
}

/** Waits until all that can be seen of the map is drawn. */
async function drawn({ page }: ConsolePage): Promise<void> {
  await page.locator('.map-pane[aria-busy=false] canvas').waitFor();
}

browserTest('a search by keyboard goes to a place, the slider makes its answer coarser, and a click asks', async () => {
  const { url, token } = await village();
  const opened = await openPage(url, '', { expected: /401|429/ });
  await opened.logIn(token);
  const { page } = opened;
  // A service that draws too much already refuses the first tile, and takes it a second later.
  const refused = { status: 429, headers: { 'retry-after': '1' }, json: { error: 'Too many tiles are under way.' } };
  await page.route('**/tiles/map/**', route => route.fulfill(refused), { times: 1 });
  const tiles: number[] = [];
  page.on('response', response => void (response.url().includes('/tiles/map/') && tiles.push(response.status())));
  await page.getByRole('link', { name: 'Map' }).click();
  await drawn(opened);
  expect(tiles.toSorted().at(-1)).toBe(429);
  expect(tiles.filter(status => status === 429)).toHaveLength(1);
  tiles.length = 0;
  const box = page.getByRole('combobox', { name: 'Search the map' });
  await box.fill('Aulestrase 3');
  await page.getByRole('option').first().waitFor();
  await box.press('ArrowDown');
  await box.press('Enter');
  const card = page.getByRole('region', { name: 'Address' });
  await card.getByText('Äulestrasse', { exact: true }).waitFor();
  await card.getByText('9490', { exact: true }).waitFor();
  await drawn(opened);
  expect(new Set(tiles)).toEqual(new Set([200]));
  await opened.expectAccessibleInBothThemes();
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await drawn(opened);
    await opened.picture(`map-village-${colorScheme}`);
  }
  const slider = page.getByRole('slider', { name: /Detail/ });
  await slider.fill('3');
  await card.getByRole('heading', { name: 'Liechtenstein' }).waitFor();
  expect(page.url()).toMatch(/#\/map\?lat=47\.14\d+&lon=9\.5\d+&zoom=3$/);
  await page.locator('.map-pane canvas').click({ position: { x: 700, y: 300 } });
  await page.waitForURL(/zoom=3$/);
  // The address of the page brings the same answer.
  await page.reload();
  await card.getByRole('heading', { name: 'Liechtenstein' }).waitFor();
});

browserTest('names are text, whatever they are, and what is nowhere is said', async () => {
  const { url, token } = await village();
  const opened = await openPage(url, '#/map?lat=47.138&lon=9.518&zoom=18', { expected: /401|404/ });
  await opened.logIn(token);
  const { page } = opened;
  page.on('dialog', () => expect.fail('a name has run a script'));
  await drawn(opened);
  const box = page.getByRole('combobox', { name: 'Search the map' });
  await box.fill('img src onerror');
  await page.getByRole('option', { name: '<img src=x onerror=alert(1)>' }).click();
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  await box.fill('zzzzqqqq');
  await page.getByText('Nothing found').waitFor();
  await page.goto(`${url}#/map?lat=0&lon=-30&zoom=18`);
  await page.reload();
  await page.getByText('There is no place at this point.').waitFor();
  await opened.expectAccessibleInBothThemes();
});

browserTest('on a small page the card lies at the foot, and nothing is wider than the page', async () => {
  const { url, token } = await village();
  const opened = await openPage(url, '#/map?lat=47.1402&lon=9.5205&zoom=18', {
    width: 360,
    height: 720,
    expected: /401/,
  });
  await opened.logIn(token);
  await opened.page.getByRole('heading', { level: 2 }).waitFor();
  await drawn(opened);
  await opened.expectNoOverflow();
  await opened.expectAccessible();
  for (const colorScheme of THEMES) {
    await opened.page.emulateMedia({ colorScheme });
    await drawn(opened);
    await opened.picture(`map-360-${colorScheme}`);
  }
});

/** The colour of a point of the page, as three numbers. */
async function colourAt({ page }: ConsolePage, x: number, y: number): Promise<number[]> {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(
    async ([encoded, left, top]) => {
      const bytes = Uint8Array.from(atob(encoded), each => each.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(1, 1).getContext('2d')!;
      context.drawImage(image, -left, -top);
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    },
    [picture, x, y] as const,
  );
}

const LAND = [246, 245, 241];
const SEA = [207, 223, 236];

browserTest('while tiles load there is land already, and a sign that they come; then the sea covers it', async () => {
  const { url, token } = await village();
  const opened = await openPage(url, '', { expected: /40[14]/ });
  await opened.logIn(token);
  const { page } = opened;
  let letGo = () => {};
  const isFree = new Promise<void>(resolve => {
    letGo = resolve;
  });
  await page.route('**/tiles/map/**', async route => {
    await isFree;
    await route.continue();
  });
  // Before the coast of Normandy: land as one sees it from afar.
  await page.goto(`${url}#/map?lat=49.5&lon=-0.15&zoom=18`);
  await page.reload();
  await expect.poll(() => colourAt(opened, 900, 600), { timeout: 30_000 }).toEqual(LAND);
  const sign = () =>
    page.evaluate(() => getComputedStyle(document.querySelector('.map-frame')!, '::after').getPropertyValue('opacity'));
  await expect.poll(sign).toBe('1');
  letGo();
  await drawn(opened);
  expect(await page.evaluate(() => getComputedStyle(document.querySelector('.map-frame')!, '::after').content)).toBe(
    'none',
  );
  await expect.poll(() => colourAt(opened, 900, 600), { timeout: 30_000 }).toEqual(SEA);
});

browserTest('of two places far apart the larger is shown first, and a press shows the other', async () => {
  const { service, url, token } = await serveConsole();
  const far = new DrawnMap();
  far.boundary(2, [35.9, 14.45], 0.1, { name: 'Malta', 'ISO3166-1': 'MT' });
  far.way(
    [
      [35.9, 14.44],
      [35.9, 14.46],
    ],
    { highway: 'residential', name: 'Triq' },
  );
  await service.job({ verb: 'import', kind: 'osm', files: [drawVillage(far)] });
  const opened = await openPage(url, '', { expected: /40[14]/ });
  await opened.logIn(token);
  const { page } = opened;
  await page.getByRole('link', { name: 'Map' }).click();
  const parts = page.getByRole('navigation', { name: 'Imported places' });
  await parts.waitFor();
  expect(await parts.getByRole('button').allInnerTexts()).toEqual(['Liechtenstein', 'Malta']);
  await opened.look('map-parts');
  await parts.getByRole('button', { name: 'Malta' }).click();
  await drawn(opened);
  await page.getByRole('button', { name: 'Address of the middle' }).click();
  await page.getByRole('region', { name: 'Address' }).getByText('Malta').first().waitFor();
});

browserTest(
  'another map is read from the file that the operator has named, and nothing is drawn by the service',
  async () => {
    const { url } = await serveConsole('--map', writeTileFile(join(temporaryFolder(), 'world.pmtiles'), 'Nowhere'));
    const opened = await openPage(url, '#/start');
    const asked: string[] = [];
    opened.page.on('response', response => void asked.push(`${response.status()} ${new URL(response.url()).pathname}`));
    await opened.page.getByRole('link', { name: 'Map' }).click();
    await drawn(opened);
    expect(asked).toContain('206 /map/file');
    expect(asked.filter(each => each.includes('/tiles/map/'))).toEqual([]);
    await opened.picture('map-of-file');
  },
);

(hasLiechtenstein ? browserTest : test.skip)(
  'Liechtenstein is shown whole, and its capital with all names',
  async () => {
    const { service, url, token } = await serveConsole();
    await service.job({ verb: 'import', kind: 'osm', files: [LIECHTENSTEIN] });
    const opened = await openPage(url, '#/map', { expected: /401/ });
    await opened.logIn(token);
    await drawn(opened);
    for (const colorScheme of THEMES) {
      await opened.page.emulateMedia({ colorScheme });
      await drawn(opened);
      await opened.picture(`map-liechtenstein-${colorScheme}`);
    }
    await opened.page.getByRole('combobox', { name: 'Search the map' }).fill('Vaduz Stadtle 1');
    await opened.page.getByRole('option').first().click();
    await opened.page.getByRole('region', { name: 'Address' }).getByText('Vaduz').first().waitFor();
    await drawn(opened);
    for (const colorScheme of THEMES) {
      await opened.page.emulateMedia({ colorScheme });
      await drawn(opened);
      await opened.picture(`map-${colorScheme}`);
    }
  },
);
