// The view Coverage in a browser: drawn stations on the map, the card of one, and what was not found.

import { resolve } from 'node:path';
import { expect } from 'vitest';
import { browserTest, type ConsolePage, openPage, serveConsole, sharedConsole } from './browser.ts';

const STATION = '02:00:5e:00:00:d3';

/** Waits until the map is drawn whole. */
async function settled({ page }: ConsolePage): Promise<void> {
  await page.locator('.map-pane[aria-busy=false]').waitFor();
}

// A demo first, which nobody has a key of.
const shared = sharedConsole();

browserTest(
  'a press on a point or a key shows its station; a name that is none is refused with a sentence',
  async () => {
    const { service, url, token } = await shared();
    const opened = await openPage(url, `#/coverage?station=${STATION}`, { expected: /40[014]/ });
    const { page } = opened;
    await page.getByRole('heading', { name: STATION, level: 3 }).waitFor();
    await settled(opened);
    await page.getByRole('button', { name: 'Show on the map', exact: true }).click();
    await settled(opened);
    await page.getByLabel('Name').fill('fleet');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('names no station').waitFor();
    // The station is in the middle of the map.
    await page.locator('.maplibregl-canvas').click();
    await page.getByRole('heading', { name: STATION, level: 3 }).waitFor();
    // A demo may be looked at: nothing can be forgotten.
    expect(await page.getByRole('button', { name: 'Forget' }).count()).toBe(0);

    // The same by the keyboard alone, and the days on which a station was heard.
    await page.getByLabel('Name').fill('fleet');
    await page.keyboard.press('Enter');
    await page.getByText('names no station').waitFor();
    await opened.goTo('Station nearest to the middle', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: STATION, level: 3 }).waitFor();
    await opened.goTo('History by day');
    await page.keyboard.press('Enter');
    // Days take a login, also where there is only the demo.
    await opened.logIn(token);
    await page.getByRole('heading', { name: STATION, level: 3 }).waitFor();
    await opened.goTo('History by day');
    await page.keyboard.press('Enter');
    await page.getByText('No report that is kept names it.').waitFor();
    await opened.goTo('Map', 'Shift+Tab');
    for (let i = 0; i < 8; i++) await page.keyboard.press('Minus');
    await settled(opened);
    await opened.goTo('Station nearest to the middle');
    await page.keyboard.press('Enter');
    await page.getByText('No single station is in view.').waitFor();
    await service.job({ verb: 'import', kind: 'observations', files: [resolve('docs/examples/sets/street.jsonl')] });
    await page.getByLabel('Name').fill('lte-295-5-2101-1280257');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'lte-295-5-2101-1280257', level: 3 }).waitFor();
    await opened.goTo('History by day');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Days on which it was heard' }).getByText('2026-03-01').first().waitFor();
    await opened.expectAccessibleInBothThemes();
    await opened.picture('coverage-history');
  },
);

browserTest('the legend has the scale of the squares, and imported cells are attributed', async () => {
  const { service, url, token } = await serveConsole();
  const cells = resolve('docs/examples/sets/cells.csv');
  await service.job({ verb: 'import', kind: 'cells', files: [cells], source: 'OpenCelliD, CC BY-SA 4.0 <b>' });
  const opened = await openPage(url, '#/coverage', { expected: /401/ });
  await opened.logIn(token);
  const { page } = opened;
  await page.getByLabel('Kind').waitFor();
  await settled(opened);
  // Folded in a narrow map.
  const attribution = page.locator('.maplibregl-ctrl-attrib-inner', {
    hasText: 'Stations: OpenCelliD, CC BY-SA 4.0 <b>',
  });
  await attribution.waitFor({ state: 'attached' });
  const legend = page.getByRole('listitem').filter({ hasText: 'Stations in a square' });
  expect(await legend.textContent()).toContain('1+10+100+1,000+');
  await page.locator('.maplibregl-canvas').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Minus');
  await settled(opened);
  await opened.look('coverage-squares');
});

browserTest('stations are drawn, a card says what is known of one, and it can be forgotten', async () => {
  const { service, url, token } = await shared();
  const { key } = await service.key({ name: '<b>fleet</b>' });
  const bodies = [
    { wifiAccessPoints: [{ macAddress: STATION, signalStrength: -60 }] },
    {
      cellTowers: [{ radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 2, locationAreaCode: 7, cellId: 9 }],
    },
    { wifiAccessPoints: [{ macAddress: '0a:11:22:33:44:55' }] },
  ];
  for (const body of bodies) expect((await service.post(key, body)).status).toBe(404);
  const opened = await openPage(url, '#/coverage', { expected: /401/ });
  await opened.logIn(token);
  const { page } = opened;
  await page.getByRole('heading', { name: 'Coverage', level: 1 }).waitFor();
  await page.getByText('Somewhere in Germany').waitFor();
  await settled(opened);
  await page.getByLabel('Kind').selectOption('wifi');
  await page.getByLabel('Show where requests were not found').check();
  await settled(opened);
  await opened.expectAccessibleInBothThemes();

  await page.getByLabel('Name').fill(STATION);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('heading', { name: STATION, level: 3 }).waitFor();
  expect(page.url()).toContain(`#/coverage?station=${encodeURIComponent(STATION)}`);
  await page.getByText('Used by lookups', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show on the map', exact: true }).click();
  await settled(opened);
  await page.evaluate(() => scrollTo(0, 0));
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme=${theme}]`).waitFor();
    await settled(opened);
    await opened.expectAccessible();
    await opened.picture(`coverage-${theme}`);
  }
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await page.getByText('Kept out').waitFor();
});

browserTest('at 360 pixels nothing is wider than the page, and an empty folder says what is missing', async () => {
  const { service, url, token } = await serveConsole();
  const opened = await openPage(url, '#/coverage', { width: 360, height: 720, expected: /401/ });
  const { page } = opened;
  await page.getByText('Everything was found').waitFor();
  await settled(opened);
  await opened.expectNoOverflow();
  await opened.expectAccessible();
  await opened.picture('coverage-360');
  await service.job({ verb: 'demo-remove' });
  await page.reload();
  await opened.logIn(token);
  // The index is made again a second after it was made at the earliest.
  const none = page.getByText('No station is known yet');
  while ((await none.count()) === 0) {
    await page.reload();
    await none.or(page.getByLabel('Kind')).first().waitFor();
  }
  await opened.expectAccessible();
});
