// The view Buildings in a browser, with the office of the documents.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { browserTest, type ConsolePage, openPage, type Served, sharedConsole } from './browser.ts';

/** Imports a file, and waits until it is imported. */
async function imported({ url, token }: Served, kind: string, source: string, file: string | Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const begun = await fetch(new URL(`/imports?kind=${kind}&source=${source}`, url), {
    method: 'POST',
    headers,
    body: new Uint8Array(typeof file === 'string' ? readFileSync(`docs/examples/${file}`) : file),
  });
  const { id } = (await begun.json()) as { id: number };
  for (let state = ''; state !== 'done'; ) {
    const answer = await fetch(new URL(`/imports/${id}`, url), { headers });
    ({ state } = (await answer.json()) as { state: string });
    expect(state).not.toBe('failed');
  }
}

async function settled({ page }: ConsolePage): Promise<void> {
  await page.locator('.map-pane[aria-busy=false]').waitFor();
}

const shared = sharedConsole();

browserTest('without a building the view says what to import', async () => {
  const { url } = await shared();
  const opened = await openPage(url, '#/buildings', { drawsMaps: false });
  await opened.page.getByText('No building yet').waitFor();
  await opened.expectAccessibleInBothThemes();
});

browserTest('the office has floors with rooms, levels of a radio, and a walk that is played back', async () => {
  const served = await shared();
  const { service, url, token } = served;
  await imported(served, 'buildings', 'office', 'office.geojson');
  await imported(served, 'fingerprints', 'survey', 'office_survey.csv');
  const { key } = await service.key({ indoor: true, tracking: true });
  const heard = (levels: number[]) =>
    levels.map((signalStrength, i) => ({ macAddress: `02:00:5e:1c:e0:0${i + 1}`, signalStrength }));
  let logId = 0;
  for (const levels of [
    [-53, -87, -80],
    [-58, -80, -78],
    [-64, -75, -76],
  ])
    ({ logId } = (await service.post(key, { wifiAccessPoints: heard(levels) }, '&id=walker')).json);

  const opened = await openPage(url, '#/buildings', { expected: /401/ });
  await opened.logIn(token);
  const { page } = opened;
  await page.getByRole('heading', { name: 'Harbour Office' }).waitFor();
  await settled(opened);
  await page.locator('.building-room-name', { hasText: 'Lobby' }).waitFor();
  // By the keyboard alone: floors, rooms, the radio, the device, and the positions of its walk.
  await opened.goTo('Floor 1');
  await page.keyboard.press('Enter');
  await page.locator('.building-room-name', { hasText: 'Open plan' }).waitFor();
  expect(page.url()).toContain('floor=1');
  await opened.goTo('Floor G', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await opened.goTo('Rooms');
  await page.keyboard.press('Enter');
  await page.locator('.building-rooms').getByText('Lobby').waitFor();
  await opened.goTo('Radio');
  await page.keyboard.type('*:00:5e:1c:e0:01');
  await page.getByText(/^Strongest: −5\d dBm$/).waitFor();
  await opened.goTo('Device');
  await page.keyboard.type('walker');
  await page.keyboard.press('Enter');
  const slider = page.getByLabel('Position');
  await slider.waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^1 of 3, /);
  await opened.goTo('Position');
  await page.keyboard.press('ArrowRight');
  await page.getByText(/^2 of 3, /).waitFor();
  await opened.goTo('Play');
  await page.keyboard.press('Enter');
  await page.getByText(/^3 of 3, /).waitFor();
  await page.getByText(/^floor G, Lobby, within/).waitFor();
  await page.setViewportSize({ width: 1280, height: 960 });
  await page.evaluate(() => scrollTo(0, 0));
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme=${theme}]`).waitFor();
    await settled(opened);
    await opened.expectAccessible();
    await opened.picture(`buildings-${theme}`);
  }
  await page.setViewportSize({ width: 360, height: 720 });
  await opened.expectNoOverflow();
  await opened.expectAccessible();
  await opened.picture('buildings-360');

  // Try shows the outlines around a position of the walk, and the way to it; a line lights them up.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${url}#/try?log=${logId}`);
  await page.getByText('Harbour Office, G, Lobby').waitFor();
  for (const line of ['building Harbour Office', 'floor G', '2 positions before', 'room Lobby']) {
    await page.locator('.explanation').getByRole('button', { name: line }).hover();
    await page.locator('.explanation button[aria-pressed=true]').getByText(line).waitFor();
  }
  await settled(opened);
  await opened.expectAccessibleInBothThemes();
  await opened.picture('try-indoors');

  // A request that does not ask for its building is placed by the map of one all the same: that line has its outline.
  const body = JSON.stringify({ wifiAccessPoints: heard([-53, -87, -80]) });
  await page.goto(`${url}#/try?body=${encodeURIComponent(body)}`);
  await page.locator('.explanation').getByRole('button', { name: 'Harbour Office: its map knows' }).hover();
  await page.locator('.explanation button[aria-pressed=true]').getByText('its map knows').waitFor();
  await page.locator('.legend').getByText('Building, floor and room').waitFor();
});

browserTest('names of buildings and rooms are text, whatever stands in them', async () => {
  const served = await shared();
  const name = '<img src=x onerror=alert(1)>';
  const square = [
    [
      [9, 47],
      [9.001, 47],
      [9.001, 47.001],
      [9, 47.001],
      [9, 47],
    ],
  ];
  const features = [{ building: name }, { floorIndex: 0, floorLabel: name, room: name }].map(properties => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Polygon', coordinates: square },
  }));
  await imported(served, 'buildings', 'hostile', Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })));
  const opened = await openPage(served.url, '#/buildings', { expected: /401/ });
  const { page } = opened;
  if ((await page.getByLabel('Token').count()) > 0) await opened.logIn(served.token);
  await page.getByLabel('Building').selectOption({ label: name });
  await page.getByRole('heading', { name }).waitFor();
  await page.locator('.building-room-name', { hasText: name }).waitFor();
  expect(await page.locator('img[src=x]').count()).toBe(0);
});
