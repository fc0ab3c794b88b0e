// Try in a browser: every example is answered, lines and objects light up together, a link opens the same question, and
// all of it by the keyboard alone.

import { expect } from 'vitest';
import { browserTest, type ConsolePage, openPage, type PageOptions, sharedConsole } from './browser.ts';

/** A new folder with the demo town. */
const shared = sharedConsole();

/** The page after a login, which an explanation takes also where there is only the demo. */
async function openLoggedIn(hash = '', options: PageOptions = {}): Promise<ConsolePage> {
  const { url, token } = await shared();
  const opened = await openPage(url, '', options);
  const { page } = opened;
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  if (hash !== '') await page.goto(url + hash);
  return opened;
}

/** Waits until the map has drawn what was asked for. */
async function drawn({ page }: ConsolePage): Promise<void> {
  await page.locator('.try-map .map-pane[aria-busy=false]').waitFor();
}

browserTest('from a new folder, a demo request is located in two clicks after the login', async () => {
  const opened = await openLoggedIn();
  const { page } = opened;
  await page.getByRole('link', { name: 'Locate a device' }).click();
  await page.getByText(/^1\.250\d+, -2\.499\d+/).waitFor();
  await page.getByText('± 14 m').waitFor();
  await page.getByText('used for the estimate by access points').first().waitFor();
  await drawn(opened);
  await opened.expectAccessibleInBothThemes();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html[data-theme=light]').waitFor();
  await page.locator('.explanation button', { hasText: '02:00:5e:00:00:d4' }).hover();
  await page.locator('.explanation button[aria-pressed=true]', { hasText: '02:00:5e:00:00:d4' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 1080 });
  await page.evaluate(() => scrollTo(0, 0));
  await opened.pictures('try');
  expect(page.url()).toMatch(/#\/try\?example=wifi$/);
});

browserTest('every example is answered, or says why not', async () => {
  const opened = await openLoggedIn('#/try', { drawsMaps: false });
  const { page } = opened;
  await page.getByText('Nothing is asked yet').waitFor();
  for (const id of ['wifi', 'cells', 'beacons', 'gps', 'mixed', 'refused', 'fallback']) {
    // A browser that draws no maps says so, and the answers stand beside.
    if (process.env.PICTURES === undefined) await page.getByText('This browser draws no maps').waitFor();
    await page.getByRole('combobox', { name: 'Example' }).selectOption(id);
    await page.getByRole('button', { name: 'Locate' }).click();
    await page.waitForURL(new RegExp(`example=${id}$`));
    await page.locator('.answer-main').waitFor();
    await page.locator('.explanation h2', { hasText: /^Answer: -?\d/ }).waitFor();
    if (id === 'refused') {
      for (const reason of [
        'left out, as it is not near the place of most devices',
        'not known',
        'its address is that of a group',
        'its owner has opted out (_nomap)',
      ])
        await page.locator('.explanation').getByText(reason).first().waitFor();
      await opened.expectAccessibleInBothThemes();
      await opened.picture('try-refused');
    }
    if (id === 'gps') await page.getByText('Vaduz').first().waitFor();
  }
});

browserTest('a search and a point are asked for by box and click, and explained', async () => {
  const opened = await openLoggedIn('#/try');
  const { page } = opened;
  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  await page.getByRole('searchbox', { name: 'Words' }).fill('Vadzu, Liechtenstein');
  await page.getByRole('searchbox', { name: 'Words' }).press('Enter');
  await page.getByText('may be a typing error for vaduz').first().waitFor();
  await page.locator('.explanation button', { hasText: '1. Vaduz' }).waitFor();
  await drawn(opened);
  await opened.expectAccessibleInBothThemes();
  await opened.picture('try-search');
  await page.getByRole('button', { name: 'Point' }).click();
  await page.locator('.maplibregl-canvas').click({ position: { x: 200, y: 200 } });
  await page.waitForURL(/#\/try\?lat=[\d.]+&lon=[\d.]+$/);
  await page.locator('.explanation h2', { hasText: 'Answer: ' }).waitFor();
  await opened.expectAccessible();
  await opened.picture('try-point');
});

browserTest('the number of a logged request opens it, and the page shows no key', async () => {
  const { service } = await shared();
  const wifiAccessPoints = ['d3', 'd4'].map(octet => ({ macAddress: `02:00:5e:00:00:${octet}`, signalStrength: -50 }));
  const { logId } = (await service.post(service.demoKey, { wifiAccessPoints })).json;
  const opened = await openLoggedIn(`#/try?log=${logId}`, { drawsMaps: false });
  await opened.page.getByText(`Request ${logId} of `).waitFor();
  await opened.page.locator('.answer-main').waitFor();
  await opened.page.getByText('"macAddress"').first().waitFor();
  expect(await opened.page.content()).not.toContain(service.demoKey);
  const absent = await openLoggedIn('#/try?log=5', { expected: /404/, drawsMaps: false });
  await absent.page.getByText('There is no logged request 5').waitFor();
  await absent.expectAccessible();
});

browserTest('Try by the keyboard alone', async () => {
  const opened = await openLoggedIn('#/try', { drawsMaps: false });
  const { page } = opened;
  await page.locator('.cm-content').waitFor();
  const press = (key: string) => page.keyboard.press(key);
  await opened.goTo('Request');
  await press('Control+A');
  await page.keyboard.type('{"wifi');
  await page.locator('.cm-tooltip-autocomplete').waitFor();
  await press('Enter');
  await page.locator('.cm-content', { hasText: '"wifiAccessPoints": []' }).waitFor();
  await press('Control+A');
  await page.keyboard.insertText(
    '{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:d3"},{"macAddress":"02:00:5e:00:00:d4"}]}',
  );
  await press('Control+Enter');
  await page.locator('.answer-main').waitFor();
  await opened.goTo('Locate');
  await opened.goTo('02:00:5e:00:00:d4');
  await page.locator('.explanation button[aria-pressed=true]', { hasText: '02:00:5e:00:00:d4' }).waitFor();
});

browserTest('what is wrong with a request is said where it is', async () => {
  const body = JSON.stringify({
    confidence: 100,
    wifiAccesPoints: [],
    cellTowers: [{ radioType: 'lte', cellId: 'x' }],
  });
  const opened = await openLoggedIn(`#/try?${new URLSearchParams({ body })}`, { drawsMaps: false });
  await opened.page.locator('.cm-lintRange-warning').first().waitFor();
  expect(await opened.page.locator('.cm-lintRange-warning').count()).toBeGreaterThanOrEqual(2);
  await opened.page.locator('.cm-lintRange-warning').first().hover();
  await opened.page.locator('.cm-diagnostic').first().waitFor();
});

browserTest('names of networks that are markup stay text, and a long request fits 360 pixels', async () => {
  const evil = '<img src=x onerror=alert(1)>';
  const body = JSON.stringify({
    wifiAccessPoints: [
      { macAddress: evil, ssid: `${evil}_nomap` },
      { macAddress: '02:00:5e:00:00:d3', ssid: evil },
    ],
    [evil]: 1,
  });
  const opened = await openLoggedIn(`#/try?${new URLSearchParams({ body })}`, { width: 360, height: 720 });
  await opened.page.locator('.explanation').waitFor();
  expect(await opened.page.locator('main img').count()).toBe(0);
  await opened.expectNoOverflow();
  await opened.expectAccessibleInBothThemes();
  await opened.picture('try-360');
});

browserTest(
  'a large request is kept in the page, as no address holds it; one beyond the limit is told the limit',
  async () => {
    const opened = await openLoggedIn('#/try', { drawsMaps: false, expected: /413/ });
    const { page } = opened;
    const wifiAccessPoints = ['d3', 'd4'].map(octet => ({ macAddress: `02:00:5e:00:00:${octet}` }));
    const body = JSON.stringify({ wifiAccessPoints, note: 'x'.repeat(5_000) });
    const editor = page.getByRole('textbox', { name: 'Request' });
    const put = async (text: string) => {
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
      await page.getByRole('button', { name: 'Locate' }).click();
    };
    await put(body);
    await page.getByText('The address does not hold this request').waitFor();
    expect(page.url().length).toBeLessThan(200);
    expect(await page.getByRole('button', { name: 'Copy a link to this question' }).count()).toBe(0);
    await page.locator('.answer-main').waitFor();
    await page.locator('.explanation').waitFor();
    await opened.expectAccessibleInBothThemes();
    await opened.picture('try-kept');
    await page.reload();
    await page.locator('.answer-main').waitFor();
    await expect.poll(() => editor.textContent()).toContain('02:00:5e:00:00:d3');
    // Another page has it not, and says so.
    const other = await opened.context.newPage();
    await other.goto(page.url());
    await other.getByText('was kept in the page that asked it').waitFor();
    await other.close();
    await put(JSON.stringify({ wifiAccessPoints, note: 'x'.repeat(280_000) }));
    await page.getByText(/The body is larger than 65,536 bytes/).waitFor();
    expect(page.url().length).toBeLessThan(200);
  },
);
