// The page of a place in a browser: reached from results, with address, names, tags, outline, licence and why it ranks;
// names that are markup stay text.

import { join } from 'node:path';
import { expect } from 'vitest';
import { writeOsmPbf } from '../kits/places/osm_pbf.ts';
import { serve } from '../kits/served_service.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { browserTest, openPage, serveConsole, sharedConsole } from './browser.ts';

const EVIL = '<img src=x onerror=alert(1)>';
const shared = sharedConsole();

/** A square town with a tavern whose names are markup. */
function writeTown(): string {
  const path = join(temporaryFolder(), 'town.osm.pbf');
  const corners = [
    [47.0, 9.5],
    [47.0, 9.52],
    [47.02, 9.52],
    [47.02, 9.5],
  ].map(([lat, lon], i) => ({ type: 'node' as const, id: i + 1, lat, lon }));
  const town = { name: 'Squaretown', 'name:de': 'Viereckstadt', population: '1200', wikidata: 'Q4000000001' };
  writeOsmPbf(path, [
    ...corners,
    { type: 'node', id: 5, lat: 47.01, lon: 9.51, tags: { place: 'town', ...town } },
    {
      type: 'node',
      id: 6,
      lat: 47.011,
      lon: 9.511,
      tags: { amenity: 'pub', name: EVIL, description: EVIL, website: EVIL },
    },
    { type: 'way', id: 1, nodes: [1, 2, 3, 4, 1] },
    {
      type: 'relation',
      id: 1,
      members: [{ type: 'way', ref: 1, role: 'outer' }],
      tags: { type: 'boundary', boundary: 'administrative', admin_level: '8', ...town },
    },
  ]);
  return path;
}

browserTest('a result leads to its page, with outline, tags, licence and why it ranks', async () => {
  const { service, url, token } = await serveConsole();
  await service.job({ verb: 'import', kind: 'osm', source: 'town', files: [writeTown()] });
  const opened = await openPage(url, '#/try?q=Squaretown', { expected: /401/ });
  await opened.logIn(token);
  const { page } = opened;
  await page.locator('.answer-places a').first().click();
  await page.getByRole('heading', { name: 'Squaretown', level: 1 }).waitFor();
  expect(page.url()).toMatch(/#\/place\?osm=R1&q=Squaretown$/);
  await page.getByRole('link', { name: 'Relation 1 on OpenStreetMap' }).waitFor();
  await page.getByText('OpenStreetMap contributors').first().waitFor();
  await page.getByRole('region', { name: 'Names' }).getByText('Viereckstadt').waitFor();
  await page.getByText(/^Place 1 of \d+ for “Squaretown”:$/).waitFor();
  expect(await page.locator('.place-why li').count()).toBeGreaterThan(0);
  expect(await page.getByRole('navigation').getByRole('link').count()).toBe(7);
  await opened.look('place');

  // Other words, by the keyboard.
  const words = page.getByRole('searchbox', { name: 'Words of a search' });
  await words.fill('Vaduz');
  await words.press('Enter');
  await page.getByText('It is not among the first places for “Vaduz”.').waitFor();

  // Names that are markup are text, and the back button comes back.
  await page.goto(`${url}#/place?osm=N6`);
  await page.getByRole('heading', { name: EVIL, level: 1 }).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await opened.look('place-markup');
  await page.goBack();
  await page.getByRole('heading', { name: 'Squaretown', level: 1 }).waitFor();
  await page.goto(`${url}#/place?osm=N7`);
  await page.getByText('There is no such place').waitFor();
  await opened.look('place-none');
});

browserTest('a place without an object is found again by its search, or by its point', async () => {
  const { url, token } = await shared();
  const opened = await openPage(url, '#/place', { drawsMaps: false });
  const { page } = opened;
  await page.getByText('There is no such place').waitFor();
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
  await page.goto(`${url}#/try?q=Vaduz`);
  await page.locator('.answer-places a').first().click();
  await page.getByRole('heading', { name: 'Vaduz', level: 1 }).waitFor();
  await page.getByText('None of OpenStreetMap').waitFor();
  await page.getByText(/^Place 1 of \d+ for “Vaduz”:$/).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Vaduz', level: 1 }).waitFor();
  await page.goto(`${url}#/try?lat=47.141&lon=9.521`);
  await page.locator('.answer-places a').click();
  await page.getByText('Why it is at this point:').waitFor();
  await opened.expectAccessible();
});

browserTest('the public page has it too, by its public routes', async () => {
  const service = await serve('--admin', 'off', '--console', 'public');
  const { key } = await service.key({ explain: true });
  const opened = await openPage(`${service.url}/console/`, '#/try?q=Vaduz', { drawsMaps: false });
  const { page } = opened;
  await page.getByLabel('Key').fill(key);
  await page.getByRole('button', { name: 'Use the key' }).click();
  await page.locator('.answer-places a').first().click();
  await page.getByRole('heading', { name: 'Vaduz', level: 1 }).waitFor();
  await page.getByText(/^Place 1 of \d+ for “Vaduz”:$/).waitFor();
  await opened.expectNoOverflow();
  await opened.expectAccessibleInBothThemes();
});
