// What stands where there is nothing, where something failed or is under way, in a browser: no old answer under a new
// question, and what to do next.

import { request } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { browserTest, openPage, sharedConsole } from './browser.ts';

const served = sharedConsole();

browserTest('suggestions of an earlier search go when the next one is refused', async () => {
  const { url } = await served();
  const opened = await openPage(url, '#/map', { expected: /ERR_FAILED/, drawsMaps: false });
  const { page } = opened;
  const box = page.getByRole('combobox', { name: 'Search the map' });
  await box.fill('Vaduz');
  await page.getByRole('option').first().waitFor();
  await page.route('**/search?*', route => route.abort());
  await box.fill('Vaduz Schaan');
  await page.locator('.map-found-none:not([hidden])').waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
});

browserTest('a view whose code does not come has a button of its size to load the page again', async () => {
  const { url } = await served();
  const opened = await openPage(url, '#/start', { expected: /ERR_FAILED/ });
  const { page } = opened;
  await page.getByText('Nothing to warn about.').waitFor();
  await page.route('**/assets/*.js', route => route.abort());
  await page.evaluate(() => {
    location.hash = '#/operate';
  });
  const button = page.getByRole('button', { name: 'Load the page again' });
  await button.waitFor();
  expect((await button.boundingBox())!.width).toBeLessThan(260);
  await opened.expectAccessibleInBothThemes();
});

browserTest(
  'empty pages say what to do next; an import under way has a bar; a narrow table shows that it scrolls',
  async () => {
    const { url, token, service } = await served();
    await service.key({ name: 'fleet' });
    const opened = await openPage(url, '#/operate?page=log', { expected: /401/ });
    const { page } = opened;
    await opened.logIn(token);
    await page.getByText('Nobody has asked yet.').waitFor();
    await page.getByRole('link', { name: 'Connect a device' }).waitFor();
    await page.getByLabel('Device').fill('nobody');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('A wider search finds more.').waitFor();
    await opened.look('log-empty');
    await page.getByRole('link', { name: 'Data' }).click();
    await page.getByRole('link', { name: 'See what can be imported' }).waitFor();
    const upload = request(new URL('/imports?kind=cells&source=large', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        'content-length': 1_000_000,
      },
    });
    onTestFinished(() => void upload.destroy());
    upload.on('error', () => {}).write('radio,mcc\n'.padEnd(300_000, 'x'));
    await page.reload();
    const bar = page.getByRole('progressbar', { name: /^Cells: large/ });
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(20);
    expect((await bar.boundingBox())!.height).toBe(6);
    upload.write('x'.repeat(200_000));
    await page.getByText(/arriving/).waitFor();
    await page.getByText(/% · about \d+ s left/).waitFor();
    await opened.look('data-empty');
    await page.getByRole('link', { name: 'Keys' }).click();
    const table = page.locator('.table-frame').first();
    await table.waitFor();
    expect(await table.evaluate(frame => getComputedStyle(frame).backgroundAttachment)).toContain('local');
  },
);

browserTest('views without a building or a station lead to where files are imported', async () => {
  const { url, token, service } = await served();
  await service.job({ verb: 'demo-remove' });
  const opened = await openPage(url, '#/operate', { expected: /401/ });
  const { page } = opened;
  await opened.logIn(token);
  for (const view of ['buildings', 'coverage']) {
    await page.evaluate(hash => {
      location.hash = hash;
    }, `#/${view}`);
    const link = page.getByRole('link', { name: 'Import a file' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('#/operate?page=data');
    await opened.expectAccessibleInBothThemes();
  }
});

browserTest(
  'on a phone the first request of the log is on the first screen, and the search is a press away',
  async () => {
    const { url, token, service } = await served();
    const { key } = await service.key();
    await service.post(key, {});
    const opened = await openPage(url, '#/operate?page=log', { expected: /401/ });
    const { page } = opened;
    const height = 740;
    await page.setViewportSize({ width: 360, height });
    await page.reload();
    await opened.logIn(token);
    const row = page.getByRole('row').nth(1);
    await row.waitFor();
    const box = (await row.boundingBox())!;
    expect(box.y + box.height).toBeLessThan(height);
    await opened.expectAccessibleInBothThemes();
    expect(await page.getByLabel('Device').isVisible()).toBe(false);
    await page.locator('summary').press('Enter');
    await page.getByLabel('Device').fill('nobody');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('A wider search finds more.').waitFor();
    expect(await page.getByLabel('Device').isVisible()).toBe(true);
  },
);
