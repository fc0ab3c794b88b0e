// Forgetting and the secret in the page Care: by the keyboard, with what is wrong at its field, in both themes.

import { expect } from 'vitest';
import { browserTest, openPage, serveConsole, THEMES } from './browser.ts';

const STATION = '02:00:5e:00:00:d3';

browserTest(
  'a station is forgotten and a secret made, after a question each; what is wrong stands at its field',
  async () => {
    const served = await serveConsole();
    await served.service.key({ name: 'fleet' });
    const opened = await openPage(served.url, '#/operate?page=care', { expected: /40[01]/ });
    await opened.logIn(served.token);
    const { page } = opened;
    const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Forget', level: 2 }) });
    await card.getByText('Stations that are kept out: 0').waitFor();
    await card.getByRole('button', { name: 'Forget' }).click();
    await card.getByText('Say what goes.').waitFor();
    await card.getByLabel('What goes').selectOption('A logged request');
    await card.getByLabel('Number in the log').fill('x');
    await page.keyboard.press('Enter');
    await card.getByText('A number is needed.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await card.getByLabel('What goes').selectOption('Stations');
    await card.getByLabel('Names of stations').fill('fleet');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).press('Enter');
    await card.getByText('names no station').waitFor();
    await card.getByLabel('Names of stations').fill(STATION);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).press('Enter');
    await card.getByText('Stations that are kept out: 1').waitFor();
    await page.getByLabel('The old one opens states').selectOption('no more');
    await page.getByRole('button', { name: 'Make a new secret' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).press('Enter');
    await page.getByText('The old one opens nothing any more.').waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await card.scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector('.card .form')?.scrollIntoView());
      await opened.expectNoOverflow();
      await opened.expectAccessibleInBothThemes();
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        await opened.picture(`care-forget-${width}-${colorScheme}`);
      }
    }
  },
);
