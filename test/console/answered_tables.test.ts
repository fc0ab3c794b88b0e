// The page of tables in a browser: a file is dropped, what is recognised is shown, columns are chosen, the first rows
// are on the map and in a table with their quality, and the whole is downloaded.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { browserTest, type ConsolePage, openPage, sharedConsole } from './browser.ts';

const EVIL = '<img src=x onerror=alert(1)>';
const shared = sharedConsole();

async function opened(hash: string, drawsMaps = true): Promise<ConsolePage> {
  const { service, url, token } = await shared();
  await service.key();
  const page = await openPage(url, hash, { expected: /40[01]/, drawsMaps });
  await page.logIn(token);
  return page;
}

const drop = ({ page }: ConsolePage, name: string, content: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });

browserTest(
  'addresses: a column is chosen, rows are on the map with their quality, and all are downloaded',
  async () => {
    const console = await opened('#/try');
    const { page } = console;
    await page.getByRole('link', { name: 'Answer a table' }).click();
    await page.getByText('No table yet').waitFor();
    const others = Array.from({ length: 120 }, (_, i) => `${i + 10},"Schaan, Liechtenstein"`);
    const rows = ['7,"Vaduz, Liechtenstein"', `8,${EVIL}`, ...others];
    await drop(console, 'customers.csv', `customer,address\n${rows.join('\n')}\n`);
    await page.getByText(/^customers\.csv, .*utf-8$/).waitFor();
    expect(await page.getByLabel('What each row is').inputValue()).toBe('geocode');
    const button = page.getByRole('button', { name: 'Answer it' });
    expect(await button.isDisabled()).toBe(true);
    await console.look('tables-choose');
    await page.getByLabel('Whole address').selectOption('address: Vaduz, Liechtenstein');
    await button.click();
    await page.waitForURL(/#\/tables\?id=\d+$/);
    await page.getByText('answered, 121 of 122 rows found').waitFor();
    const table = page.getByRole('region', { name: 'First rows' });
    await expect.poll(() => table.locator('tbody tr').count()).toBe(100);
    await table.getByText(EVIL).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await table.locator('tbody tr').nth(1).locator('.badge-bad').textContent()).toBe('not found');
    await page.locator('.map-pane[aria-busy=false] canvas').waitFor();
    await console.look('tables-answered');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the whole table' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(123);
    expect(lines[0]).toBe('customer,address,latitude,longitude,radius,place,quality');
    // The address holds the table over a reload.
    await page.reload();
    await page.getByText('answered, 121 of 122 rows found').waitFor();
  },
);

browserTest('scans and positions are recognised; what is no table is refused with the reason', async () => {
  const console = await opened('#/tables', false);
  const { page } = console;
  await drop(console, 'scans.csv', 'wifi\n"02:00:5e:00:00:d3,a,-50;02:00:5e:00:00:d4,b,-60"\n');
  await expect.poll(() => page.getByLabel('What each row is').inputValue()).toBe('locate');
  expect(await page.getByLabel('Access points').locator('option').first().textContent()).toBe('wifi (recognised)');
  await page.getByRole('button', { name: 'Answer it' }).click();
  await page.getByText('answered, 1 of 1 rows found').waitFor();
  await page.getByRole('region', { name: 'First rows' }).locator('.badge-good', { hasText: 'wifi' }).waitFor();
  await drop(console, 'points.csv', 'lat;lon\n47.14;9.52\n');
  await expect.poll(() => page.getByLabel('What each row is').inputValue()).toBe('reverse');
  await page.getByRole('button', { name: 'Close points.csv' }).click();
  await drop(console, 'x.parquet', 'PAR1 and more');
  await page.getByText('A Parquet file says at its end what it holds').waitFor();
  await console.expectAccessible();
});
