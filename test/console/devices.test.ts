// The view Devices in a browser: where devices were last, one with its trail and its requests, and its forgetting.

import { expect } from 'vitest';
import { browserTest, openPage, serveConsole } from './browser.ts';

const STATIONS = ['d3', 'd4', 'd5', 'd6', 'd7', 'd8'];
const HOSTILE = '<b>مركبة</b>';

/** What a device hears at one of some places. */
function heard(first: number): object {
  return {
    wifiAccessPoints: STATIONS.slice(first, first + 2).map(octet => ({
      macAddress: `02:00:5e:00:00:${octet}`,
      signalStrength: -60,
    })),
  };
}

browserTest(
  'devices of a key are listed with age and radius; one has its trail, its requests, and is forgotten',
  async () => {
    const served = await serveConsole();
    const { service } = served;
    const fleet = await service.key({ name: 'fleet' });
    const other = await service.key({ name: 'other' });
    for (const first of [0, 1, 2, 4]) await service.post(fleet.key, heard(first), '&id=van-7');
    await service.post(fleet.key, {}, '&id=van-7');
    await service.post(fleet.key, heard(3), `&id=${encodeURIComponent(HOSTILE)}`);
    await service.post(fleet.key, {}, '&id=lost');
    await service.post(other.key, heard(0), '&id=van-7');
    const opened = await openPage(served.url, '#/devices', { expected: /401/ });
    await opened.logIn(served.token);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
    // The log is written a moment later.
    const rows = page.getByRole('region', { name: 'Last positions' }).getByRole('row');
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Look again' }).click();
        return rows.count();
      })
      .toBe(5);
    await page.getByRole('cell', { name: HOSTILE, exact: true }).waitFor();
    await page.getByRole('row', { name: /lost.*none found/ }).waitFor();
    await opened.look('devices-all');

    // The keyboard alone: a key is chosen, an id typed, Enter shows the one device.
    await page.getByLabel('Key').selectOption('fleet (2)');
    await page.getByLabel('Device').focus();
    await page.keyboard.type('van-7');
    await page.keyboard.press('Enter');
    const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'van-7', level: 2 }) });
    await card.getByText('4 positions').waitFor();
    await card.getByText('just now').or(card.getByText('1 min ago')).waitFor();
    await expect.poll(() => page.url()).toContain('#/devices?key=2&device=van-7');
    const entries = card.getByRole('region', { name: 'Latest requests' });
    await expect.poll(() => entries.getByRole('row').count()).toBe(6);
    await entries.getByText('404').waitFor();
    await opened.look('devices-one');
    expect(await card.getByRole('link', { name: 'All its requests' }).getAttribute('href')).toBe(
      '#/operate?page=log&device=van-7&key=2',
    );
    await opened.goTo('Forget this device');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Forget this device' }).click();
    await page.getByText('van-7 is forgotten.').waitFor();
    await page.getByText('No device', { exact: true }).waitFor();

    // Under the other key it is still there: the same id is another device.
    await page.getByRole('link', { name: 'All devices' }).click();
    await page.getByLabel('Key').selectOption('All keys');
    await page.getByLabel('Device').fill('van-7');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await card.getByText('1 position', { exact: true }).waitFor();
    expect(await page.locator('main b').count()).toBe(0);
  },
);

browserTest('without a device, the view says how one comes there', async () => {
  const { service, url, token } = await serveConsole();
  await service.key({ name: 'fleet' });
  const opened = await openPage(url, '#/devices', { width: 360, height: 720, expected: /401/ });
  await opened.logIn(token);
  await opened.page.getByText('No device', { exact: true }).waitFor();
  await opened.expectNoOverflow();
  await opened.expectAccessibleInBothThemes();
  await opened.picture('devices-none-360');
});
