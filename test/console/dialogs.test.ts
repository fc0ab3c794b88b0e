// Dialogs and forms of the console in a browser: where the keyboard is, what is wrong and where it is told, and what is
// chosen instead of typed.

import { expect } from 'vitest';
import { browserTest, type ConsolePage, openPage, serveConsole, sharedConsole } from './browser.ts';

/** A new folder, which is read without a login; and one with a key. */
const fresh = sharedConsole();

async function keysPage(
  expected = /40[019]/,
): Promise<{ opened: ConsolePage; served: Awaited<ReturnType<typeof fresh>> }> {
  const served = await serveConsole();
  await served.service.key({ name: 'fleet' });
  const opened = await openPage(served.url, '#/operate?page=keys', { expected });
  await opened.logIn(served.token);
  return { opened, served };
}

browserTest(
  'a wrong token is told in the dialog, which stays; the right one closes it, and the keyboard goes on',
  async () => {
    const { url, token } = await fresh();
    const opened = await openPage(url, '', { expected: /401/ });
    const { page } = opened;
    await page.getByRole('button', { name: 'Log in' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('token');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await dialog.getByText('This is not the token of this service.').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('token');
    await opened.expectAccessibleInBothThemes();
    await opened.picture('dialog-login-wrong');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Log in');
    await page.keyboard.press('Enter');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  },
);

browserTest('a dialog begins at its first field, and gives the keyboard back to what opened it', async () => {
  const { opened } = await keysPage();
  const { page } = opened;
  await page.getByRole('link', { name: 'fleet' }).click();
  for (const [opener, label] of [
    ['Make a key', 'Name'],
    ['Add credit', 'Credits'],
    ['Rotate', 'The old key works on for'],
  ]) {
    await page.getByRole('button', { name: opener, exact: true }).click();
    const focused = page.getByRole('dialog').getByLabel(label, { exact: true });
    await expect
      .poll(() => focused.evaluate(field => field === document.activeElement), { message: opener })
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(opener);
  }
  // What takes away begins at the way out.
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
});

browserTest('fields know their limits, and what is refused stands at its field in words', async () => {
  const { opened, served } = await keysPage();
  const { page } = opened;
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Name', { exact: true });
  expect(await name.getAttribute('maxlength')).toBe('100');
  expect(await dialog.getByLabel('Confidence by default').getAttribute('max')).toBe('99');
  await dialog.getByLabel('Clients that may use it').fill('all of them');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  const networks = dialog.locator('.field', { hasText: 'Clients that may use it' });
  await networks.getByText('must be addresses and subnets, such as 203.0.113.7').waitFor();
  await expect.poll(() => networks.locator('input').evaluate(input => input === document.activeElement)).toBe(true);
  const { y } = (await networks.locator('.field-error').boundingBox())!;
  expect(y).toBeLessThan(800);
  expect(await dialog.getByText(/must match|body\//).count()).toBe(0);
  await opened.expectAccessibleInBothThemes();
  await opened.pictures('form-error');
  await page.setViewportSize({ width: 360, height: 760 });
  await opened.expectNoOverflow();
  await opened.picture('form-error-360');
  await page.setViewportSize({ width: 1280, height: 800 });

  // Routes, fallbacks and usual networks are chosen.
  await dialog.getByLabel('Clients that may use it').fill('');
  await dialog.getByRole('button', { name: 'Private networks' }).click();
  await dialog.getByRole('group', { name: 'Routes' }).getByLabel('Positions', { exact: true }).check();
  await dialog.getByRole('group', { name: 'Routes' }).getByLabel('Searches').check();
  await dialog.getByRole('group', { name: 'Fallbacks by default' }).getByLabel('The area of the cell').check();
  await opened.pictures('form-choices');
  await name.fill('chosen');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await dialog.getByText('Copy it now.').waitFor();
  const made = await served.service.job({ verb: 'keys', action: 'show', id: 3 });
  expect(made).toMatchObject({ name: 'chosen', routes: ['position', 'search'], fallbacks: ['lacf'] });
  expect(made).toMatchObject({ networks: expect.arrayContaining(['10.0.0.0/8', '192.168.0.0/16', 'fc00::/7']) });
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'chosen', level: 2 }).waitFor();
  await page.getByText('Positions, Searches').waitFor();
  await page.getByRole('link', { name: 'Log' }).click();
  await page.getByLabel('Route').selectOption('Addresses of points');
});
