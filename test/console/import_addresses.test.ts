// The dialog of an import of addresses in a browser: what is recognised, what is missing, and what it is told.

import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import { browserTest, type ConsolePage, openPage, sharedConsole, THEMES } from './browser.ts';

const OWN =
  'Nr,Weg,Ort,lat,lon\n12,Lindenweg,Aheim,47.1,9.5\n13,Lindenweg,Aheim,,9.5\n14,Lindenweg,Aheim,-35.3,149.1\n';
const served = sharedConsole();

async function dropped(name: string, content: string, expected: RegExp): Promise<ConsolePage> {
  const { service, url, token } = await served();
  await service.key();
  const opened = await openPage(url, '#/operate?page=data', { expected });
  await opened.logIn(token);
  await opened.page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
  return opened;
}

browserTest('a table of addresses is looked at, told what it lacks, and imported with its licence', async () => {
  const opened = await dropped('addresses.csv', OWN, /40[01]/);
  const { page } = opened;
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('What it is').inputValue()).toBe('addresses');
  await dialog.getByText('A table, utf-8').waitFor();
  // What is recognised stands in its field, what is not says so there, and nothing can be imported.
  const shown = async (label: string) =>
    dialog.getByLabel(label, { exact: true }).locator('option').first().textContent();
  expect(await shown('Town')).toBe('Ort');
  expect(await shown('Postcode')).toBe('not recognised');
  const number = dialog.getByLabel('House number', { exact: true });
  expect(await number.getAttribute('aria-invalid')).toBe('true');
  expect(await dialog.getByLabel('Street', { exact: true }).getAttribute('aria-invalid')).toBeNull();
  const button = dialog.getByRole('button', { name: 'Import' });
  expect(await button.isDisabled()).toBe(true);
  await number.selectOption('Nr: 12');
  await dialog.getByLabel('Street', { exact: true }).selectOption('Weg: Lindenweg');
  await dialog.getByText('2 can be imported, 1 not').waitFor();
  await dialog.getByText('line 3: "", "9.5" is no position').waitFor();
  const rows = dialog.getByRole('region', { name: 'First rows' }).locator('tbody tr');
  expect(await rows.first().locator('td').allTextContents()).toEqual(['12', 'Lindenweg', 'Aheim', '', '47.1', '9.5']);
  expect(await number.getAttribute('aria-invalid')).toBeNull();

  await dialog.getByLabel('Name', { exact: true }).fill('register');
  await dialog.getByLabel('Licence').fill('CC BY 4.0');
  await dialog.getByLabel('Country').fill('L');
  await dialog.getByText('It is a code of two letters').waitFor();
  await dialog.getByLabel('Country').fill('li');
  await dialog.getByText('1 can be imported, 2 not').waitFor();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      await opened.expectNoOverflow();
      await opened.expectAccessible(colorScheme === 'light' ? 'all' : 'colours');
      await opened.picture(`operate-import-addresses-${width}-${colorScheme}`);
    }
  }
  // What the service refuses of a parameter stands at its field, once.
  await dialog.getByLabel('Encoding').fill('no one');
  await dialog.getByText('It must be the name of an encoding').waitFor();
  expect(await dialog.getByLabel('Encoding').getAttribute('aria-invalid')).toBe('true');
  expect(await dialog.getByText('It must be the name of an encoding').count()).toBe(1);
  await dialog.getByLabel('Encoding').fill('');
  await dialog.getByText('1 can be imported, 2 not').waitFor();
  // The field takes no more than the service.
  await dialog.getByLabel('Licence').fill('x'.repeat(301));
  expect((await dialog.getByLabel('Licence').inputValue()).length).toBe(300);
  await dialog.getByLabel('Licence').fill('CC BY 4.0');
  await button.click();
  await page
    .getByRole('article', { name: /^Addresses: register/ })
    .getByText('1 accepted, 2 refused')
    .waitFor();
  await page.getByRole('cell', { name: 'CC BY 4.0' }).waitFor();
});

browserTest('postcodes and finished places are told by their names, and a file that is no table says so', async () => {
  const opened = await dropped('geonames-LI.txt', 'LI\t9490\tVaduz\t\t\t\t\t\t\t47.14\t9.52\t6\n', /40[01]/);
  const { page } = opened;
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('What it is').inputValue()).toBe('postcodes');
  await dialog.getByText('GeoNames, utf-8').waitFor();
  await dialog.getByRole('cell', { name: '9490' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const choose = (name: string, content: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content, 'latin1') });
  await choose('addresses.csv', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
  await dialog.getByRole('alert').getByText('it holds binary data').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await choose('austria.places', 'no');
  expect(await dialog.getByLabel('What it is').inputValue()).toBe('places');
});
