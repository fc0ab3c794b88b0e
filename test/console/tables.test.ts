// Tables of the console in a browser: they are filtered, sorted and turned over, the address holds their place, and
// what was chosen stands beside.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, openPage, serveConsole, sharedConsole } from './browser.ts';

const KEYS = 153;
/** The key and the demo's are there before. */
const MANY = 10_000;
const RIGHT_TO_LEFT = 'שלום עולם מפתח של חברת המשאיות בירושלים';
const ONE = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

/** For what changes nothing. */
const shared = sharedConsole();

const rowsOf = (page: Page, table: string) =>
  page.getByRole('region', { name: table, exact: true }).locator('tbody tr');

browserTest(
  'the card of a key stands beside the table, which keeps its place back, forward and over a reload',
  async () => {
    const { service, url, token } = await serveConsole();
    for (let i = 1; i <= KEYS; i++) await service.key({ name: `holder ${i}`, credits: i * 10 });
    const opened = await openPage(url, '#/operate?page=keys', { expected: /401/, height: 900 });
    await opened.logIn(token);
    const { page } = opened;
    const rows = rowsOf(page, 'Keys');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByText(`1–50 of ${KEYS + 1}`).waitFor();

    // Turned over, a key of the second page is chosen: its card is seen, and the table has not moved.
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`51–100 of ${KEYS + 1}`).waitFor();
    const link = page.getByRole('link', { name: 'holder 80' });
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    await link.click();
    const heading = page.getByRole('heading', { name: 'holder 80', level: 2 });
    await heading.waitFor();
    const { y } = (await heading.boundingBox())!;
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(900);
    expect(await page.evaluate(() => scrollY)).toBe(before);
    expect(await link.getAttribute('aria-current')).toBe('true');
    await opened.expectAccessibleInBothThemes();
    await opened.pictures('tables-keys');

    // Sorted by credits, the largest first, and filtered by words, also over a reload.
    await page.getByRole('button', { name: 'Credits', exact: true }).click();
    await page.getByRole('button', { name: 'Credits', exact: true }).click();
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Credits' }).getAttribute('aria-sort'))
      .toBe('descending');
    await page.getByRole('searchbox', { name: 'Find in Keys' }).fill('holder 15');
    // 15, 115 and 150 to 153 by their names, 14, 114 and 149 by their numbers.
    await expect.poll(() => rows.count()).toBe(9);
    expect(await rows.first().textContent()).toContain('holder 153');
    await page.reload();
    await expect.poll(() => rows.count()).toBe(9);
    expect(await page.getByRole('searchbox', { name: 'Find in Keys' }).inputValue()).toBe('holder 15');
    expect(await rows.first().textContent()).toContain('holder 153');
    await heading.waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText(`51–100 of ${KEYS + 1}`).waitFor();
    await page.goForward();
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Credits' }).getAttribute('aria-sort'))
      .toBe('ascending');

    // Closed, the card gives the keyboard back to the table.
    await page.getByRole('link', { name: 'holder 1', exact: true }).click();
    await page.getByRole('button', { name: 'Close holder 1' }).click();
    await page.getByRole('heading', { name: 'holder 1', level: 2 }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('holder 1');
  },
);

browserTest('on a narrow page the card is scrolled to; nothing found is told', async () => {
  const { service, url, token } = await shared();
  for (let i = 1; i <= 30; i++) await service.key({ name: `holder ${i}` });
  const opened = await openPage(url, '#/operate?page=keys', { expected: /401/, width: 360, height: 760 });
  await opened.logIn(token);
  const { page } = opened;
  await page.getByRole('link', { name: 'holder 3', exact: true }).click();
  const heading = page.getByRole('heading', { name: 'holder 3', level: 2 });
  await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeGreaterThan(0);
  await expect.poll(async () => (await heading.boundingBox())?.y ?? 1_000).toBeLessThan(400);
  await opened.expectNoOverflow();
  await opened.expectAccessible();
  await opened.picture('tables-card-360');
  await page.getByRole('searchbox', { name: 'Find in Keys' }).fill('nobody has this');
  await page.getByText('No row fits').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => rowsOf(page, 'Keys').count()).toBeGreaterThan(30);
});

browserTest('ten thousand keys, long names and names from right to left stay in their table', async () => {
  const { service, url, token } = await shared();
  await service.key({ name: 'fleet' });
  const opened = await openPage(url, '', { expected: /401/ });
  const { page } = opened;
  await opened.logIn(token);
  await page.route('**/keys', route =>
    route.fulfill({
      json: {
        keys: Array.from({ length: MANY }, (_, i) => ({
          id: i + 1,
          created: '2026-11-30T08:00:00Z',
          revoked: i % 7 === 0,
          name: [`holder ${i}`, 'W'.repeat(100), RIGHT_TO_LEFT, `${'long name '.repeat(9)}${i}`][i % 4],
        })),
      },
    }),
  );
  await page.evaluate(() => {
    location.hash = '#/operate?page=keys&key=1';
  });
  await page.getByText('1–50 of 10,000').waitFor();
  await opened.look('tables-many');
  await page.getByRole('searchbox', { name: 'Find in Keys' }).fill('holder 9996');
  await expect.poll(() => rowsOf(page, 'Keys').count()).toBe(1);
});

browserTest(
  'a page of the log further back is in the address: back from an explanation it is there again',
  async () => {
    const { service, url, token } = await serveConsole();
    const { key } = await service.key();
    for (let i = 0; i < 60; i++) await service.post(key, ONE, `&id=tracker-${i}`);
    const logged = async (): Promise<number> => {
      const asked = await fetch(new URL('/log?limit=100', url), { headers: { authorization: `Bearer ${token}` } });
      return ((await asked.json()) as { requests: unknown[] }).requests.length;
    };
    await expect.poll(logged).toBe(60);
    const opened = await openPage(url, '#/operate?page=log', { expected: /401/, drawsMaps: false });
    await opened.logIn(token);
    const { page } = opened;
    const rows = rowsOf(page, 'Requests');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Search further back' }).click();
    await expect.poll(() => rows.count()).toBe(10);
    await rows.last().getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Try', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(10);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(10);
    await page.getByRole('button', { name: 'The newest' }).click();
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('searchbox', { name: 'Find in Requests' }).fill('tracker-59');
    await expect.poll(() => rows.count()).toBe(1);
  },
);
