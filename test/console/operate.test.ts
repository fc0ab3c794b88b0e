// The view Operate in a browser: each page with real data, each action done and undone, both themes, wide and narrow.

import { mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { browserTest, type ConsolePage, openPage, type Served, serveConsole, sharedConsole } from './browser.ts';

const TOWN = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
const CELLS =
  'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n' +
  'LTE,262,2,801,86355,0,13.28,52.52,1000,7,1,1459692342,1488347104,0\n' +
  'LTE,262,2,801,86356,0,13.28,99,1000,7,1,1459692342,1488347104,0\n';

/** For what asks for nothing that others leave there. */
const shared = sharedConsole('--admin-read-token');

/** A page of the view, after a login. There is a key of somebody, so the demo does not let in. */
async function operating(page: string, served: Served, expected = /401/): Promise<ConsolePage> {
  const opened = await openPage(served.url, `#/operate?page=${page}`, { expected });
  await opened.logIn(served.token);
  await opened.page.getByRole('heading', { name: 'Operate', level: 1 }).waitFor();
  return opened;
}

/** Looks at the page as it is, wide and narrow, in both themes. */
const look = (opened: ConsolePage, name: string): Promise<void> => opened.look(`operate-${name}`);

browserTest('now: what was asked is plotted, and what is refused', async () => {
  const served = await serveConsole();
  const { service } = served;
  const { key } = await service.key({ name: 'fleet', credits: 1_000 });
  const opened = await operating('now', served);
  const { page } = opened;
  await page.getByText('No figures yet').waitFor();
  for (let i = 0; i < 40; i++) await service.post(key, TOWN, '&id=tracker-1');
  for (let i = 0; i < 5; i++) await service.post('nobody', TOWN);
  await service.request({ method: 'GET', path: `/search?key=${key}&q=Vaduz` });
  const plot = page.getByRole('figure', { name: 'Requests a second, by route' });
  await plot.locator('canvas').waitFor();
  await plot.getByText('position').waitFor();
  const refused = page.getByRole('figure', { name: 'Not found and refused in ten seconds, by reason' });
  await refused.getByText('keyInvalid').waitFor();
  // The legend shows what stands under the pointer.
  await plot.locator('.u-over').hover();
  await page.getByLabel('Route', { exact: true }).selectOption('search');
  await page.getByRole('figure', { name: 'Latency: search' }).waitFor();
  await look(opened, 'now');
});

browserTest('keys: one is made, credited, changed, rotated and revoked; a form explains each setting', async () => {
  const served = await serveConsole();
  const { service } = served;
  const { key } = await service.key({ name: 'buses', credits: 50_000, ratePerSecond: 20, expires: '2030-12-31' });
  for (let i = 0; i < 12; i++) await service.post(key, TOWN);
  const opened = await operating('keys', served);
  const { page } = opened;
  const shown = (id: number) => service.job({ verb: 'keys', action: 'show', id });
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Prepaid requests; without, requests are only counted.').waitFor();
  for (const title of ['Credits a month', 'Tags', 'Lists of cells']) await dialog.getByLabel(title).first().waitFor();
  await look(opened, 'key-form');
  await dialog.getByLabel('Name').fill('fleet');
  await dialog.getByLabel('Credits', { exact: true }).fill('5');
  await dialog.getByLabel('Indoors by default').check();
  const routes = dialog.getByRole('group', { name: 'Routes' });
  for (const title of ['Positions', 'Searches']) await routes.getByLabel(title, { exact: true }).check();
  await dialog.getByLabel('Requests a second').fill('0');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  // The browser knows the limits; nothing was sent.
  expect(await dialog.getByLabel('Requests a second').evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(
    false,
  );
  await dialog.getByLabel('Requests a second').fill('50.5');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await dialog.getByText('Copy it now.').waitFor();
  const made = await dialog.locator('code').textContent();
  expect(made).toMatch(/^sx_/);
  expect(await shown(3)).toMatchObject({
    name: 'fleet',
    credits: 5,
    indoor: true,
    rate: 50.5,
    routes: ['position', 'search'],
  });
  expect((await service.post(made!, TOWN)).status).toBe(200);
  await opened.expectAccessible();
  await dialog.getByRole('button', { name: 'I have it' }).click();
  // The new key is shown, and nowhere its text.
  await page.getByRole('heading', { name: 'fleet', level: 2 }).waitFor();
  expect(page.url()).toContain('key=3');
  expect(await page.content()).not.toContain(made);

  await page.getByRole('button', { name: 'Add credit' }).click();
  await dialog.getByText('It has').waitFor();
  await dialog.getByLabel('Credits').fill('7');
  await dialog.getByRole('button', { name: 'Add credit' }).click();
  await expect.poll(async () => ((await shown(3)) as { credits: number }).credits).toBeGreaterThan(10);

  await page.getByRole('button', { name: 'Change', exact: true }).click();
  expect(await dialog.getByLabel('Indoors by default').isChecked()).toBe(true);
  await dialog.getByLabel('Indoors by default').uncheck();
  for (const title of ['Positions', 'Searches']) await routes.getByLabel(title, { exact: true }).uncheck();
  await dialog.getByLabel('Requests a second').fill('');
  await dialog.getByLabel('Name').fill('vans');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'vans', level: 2 }).waitFor();
  const changed = await shown(3);
  expect(changed).toMatchObject({ name: 'vans' });
  for (const member of ['rate', 'indoor', 'routes']) expect(changed).not.toHaveProperty(member);

  await page.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByLabel('The old key works on for').selectOption('a day');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByText('Copy it now.').waitFor();
  const rotated = await dialog.locator('code').textContent();
  await dialog.getByRole('button', { name: 'I have it' }).click();
  for (const each of [made!, rotated!]) expect((await service.post(each, TOWN)).status).toBe(200);

  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByText('This cannot be undone.').waitFor();
  await opened.expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await shown(3)).toMatchObject({ revoked: false });
  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('revoked').first().waitFor();
  expect((await service.post(rotated!, TOWN)).status).toBe(400);

  await page.getByRole('link', { name: 'buses' }).click();
  await page.getByRole('figure', { name: 'Requests by day, last 30 days' }).getByText('12').waitFor();
  await look(opened, 'keys');
});

browserTest('data: a file is dropped in, one is chosen, an upload is broken off, and all is taken out', async () => {
  const served = await shared();
  await served.service.key();
  const opened = await operating('data', served, /401|ERR_FAILED/);
  const { page } = opened;
  await page.getByText('Nothing was imported yet.').waitFor();
  const dropped = await page.evaluateHandle(text => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'town.csv'));
    return transfer;
  }, CELLS);
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('What it is').inputValue()).toBe('cells');
  expect(await dialog.getByLabel('Name').inputValue()).toBe('town');
  await look(opened, 'import');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('article', { name: 'Cells: town, number 1' }).getByText('1 accepted, 1 refused').waitFor();
  await page.getByText('line 3').waitFor();
  await page.getByRole('cell', { name: 'town', exact: true }).waitFor();

  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  const office = { name: 'office.geojson', mimeType: '', buffer: readFileSync('docs/examples/office.geojson') };
  await (await chooser).setFiles(office);
  expect(await dialog.getByLabel('What it is').inputValue()).toBe('buildings');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('cell', { name: 'office', exact: true }).waitFor();
  await look(opened, 'data');

  // A service that takes no more of a file: the upload goes nowhere.
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>();
  await page.route('**/imports?*', hold);
  await page.locator('input[type=file]').setInputFiles({ name: 'slow.csv', mimeType: '', buffer: Buffer.from(CELLS) });
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByRole('button', { name: 'Break off' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Without this the request would go on where the browser has not heard of the end yet.
  await (await held).abort();
  await page.unroute('**/imports?*');

  // A list that gets lost on its way is asked for again.
  await page.route('**/sources', route => route.abort(), { times: 1 });
  for (const [name, empty] of [
    ['town', 'Nothing was imported yet.'],
    ['office', 'There are no building models.'],
  ]) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText(empty).waitFor();
  }
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'map.osm.pbf', mimeType: '', buffer: Buffer.from('no') });
  expect(await dialog.getByLabel('What it is').inputValue()).toBe('osm');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByText('is not an OpenStreetMap PBF file').waitFor();
  await opened.expectAccessible();

  // One that is under way, of a file that does not end, is cancelled.
  const upload = request(new URL('/imports?kind=cells&source=large', served.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${served.token}`,
      'content-type': 'application/octet-stream',
      'content-length': 1_000_000,
    },
  });
  onTestFinished(() => void upload.destroy());
  const broken = new Promise(resolve => upload.once('response', resolve).once('error', resolve));
  upload.write(CELLS);
  await page.getByRole('link', { name: 'Care' }).click();
  await page.getByRole('link', { name: 'Data' }).click();
  await page.getByRole('button', { name: /^Cancel: Cells: large, / }).click();
  await page
    .getByRole('article', { name: /^Cells: large/ })
    .getByText('cancelled')
    .waitFor();
  await broken;
});

browserTest('data: files that are dropped beside the zone are asked about one after the other', async () => {
  const served = await shared();
  const opened = await operating('data', served);
  const { page } = opened;
  const dropped = (...names: string[]) =>
    page.evaluateHandle(
      ([names, text]) => {
        const transfer = new DataTransfer();
        for (const name of names) transfer.items.add(new File([text], name));
        return transfer;
      },
      [names, CELLS] as const,
    );
  const dialog = page.getByRole('dialog');
  await page.locator('.drop').waitFor();
  await page.locator('h1').dispatchEvent('drop', { dataTransfer: await dropped('one.csv', 'two.csv', 'three.csv') });
  await page.getByRole('dialog', { name: 'Import file 1 of 3' }).waitFor();
  await dialog.getByRole('button', { name: 'Leave it out' }).click();
  await page.getByRole('dialog', { name: 'Import file 2 of 3' }).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('two');
  await opened.expectAccessible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('dialog', { name: 'Import file 3 of 3' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('article', { name: /^Cells: two,/ })
    .getByText('1 accepted, 1 refused')
    .waitFor();
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: await dropped('four.csv') });
  await page.getByRole('dialog', { name: 'Import a file' }).waitFor();
  await dialog.getByLabel('Name').fill('mine');
  // What comes while one is asked about waits behind it.
  await page.locator('h1').dispatchEvent('drop', { dataTransfer: await dropped('five.csv') });
  await page.getByRole('dialog', { name: 'Import file 1 of 2' }).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('mine');
  await dialog.getByRole('button', { name: 'Leave all out' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove two' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Nothing was imported yet.').waitFor();
});

browserTest('log: requests are found by key, device and error, page by page, and each opens in Try', async () => {
  const served = await serveConsole();
  const { service } = served;
  const { id, key } = await service.key();
  const logIds: number[] = [];
  for (let i = 0; i < 60; i++) logIds.push((await service.post(key, TOWN, `&id=tracker-${i % 3}`)).json.logId);
  await service.post('nobody', TOWN);
  await service.post(key, {}, '&id=tracker-1');
  const opened = await operating('log', served, /40[01]/);
  const { page } = opened;
  const rows = page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole('button', { name: 'Search further back' }).click();
  await expect.poll(() => rows.count()).toBe(12);
  await look(opened, 'log');
  await page.getByLabel('Answer').selectOption('Any error');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByText('keyInvalid: Missing or invalid API key.').waitFor();
  await page.getByLabel('Key').fill(String(id));
  await page.getByLabel('Device').fill('tracker-1');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(1);
  // The address is the search.
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await page.getByLabel('Device').inputValue()).toBe('tracker-1');
  await page.getByLabel('Key').fill('key');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('alert').getByText('key').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => rows.count()).toBe(50);
  const link = rows.first().getByRole('link').first();
  expect(await link.getAttribute('href')).toMatch(/^#\/try\?log=\d+$/);
});

browserTest('care: a warning says what to do; backup and check run and are told of; settings are shown', async () => {
  const folder = join(temporaryFolder(), 'backups');
  mkdirSync(folder);
  const served = await serveConsole('--backup-folder', folder);
  const { service } = served;
  await service.key({ name: 'fleet' });
  const opened = await operating('care', served);
  const { page } = opened;
  await page.getByText('Nothing is wrong.').waitFor();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText('complete', { exact: true }).waitFor();
  await page.getByLabel('Quick').check();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('all is sound').waitFor();
  await page.getByRole('cell', { name: folder }).waitFor();
  await look(opened, 'care');
  for (const id of [1, 2]) await service.job({ verb: 'keys', action: 'revoke', id });
  // The service looks at its tables every few seconds.
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Warnings' }).waitFor();
        await page.locator('.warning-list, .well').first().waitFor();
        return page.getByText('No key is valid, so every request is refused.').count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  await look(opened, 'warnings');
  await page.getByRole('link', { name: 'Go to Keys' }).click();
  await page.getByRole('button', { name: 'Make a key' }).waitFor();
});

browserTest('what others have named is text: a key, a device, an address, a source', async () => {
  const served = await shared();
  const { service } = served;
  const hostile = '<img src=x onerror="document.title=1">';
  const { id, key } = await service.key({ name: hostile });
  const device = '<b onclick=x>id</b>';
  await service.post(key, TOWN, `&id=${encodeURIComponent(device)}`);
  await service.request({ method: 'GET', path: `/${encodeURIComponent(hostile)}?q=${encodeURIComponent(hostile)}` });
  const opened = await operating(`keys&key=${id}`, served);
  const { page } = opened;
  await page.getByRole('heading', { name: hostile, level: 2 }).waitFor();
  await page.getByRole('link', { name: 'Log' }).click();
  await page.getByRole('cell', { name: device, exact: true }).waitFor();
  await page.getByRole('link', { name: 'Data' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: `${hostile.replaceAll('/', '')}.csv`,
    mimeType: '',
    buffer: Buffer.from(CELLS),
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(hostile);
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('cell', { name: hostile, exact: true }).waitFor();
  expect(await page.locator('img[src=x], b[onclick]').count()).toBe(0);
  expect(await page.title()).toContain('Operate');
});

browserTest('who may only read sees all and is offered nothing that changes', async () => {
  const served = await shared();
  await served.service.key({ name: 'fleet' });
  const token = readFileSync(join(served.service.folder, 'admin_read.token'), 'utf8').trim();
  const opened = await operating('keys', { ...served, token });
  const { page } = opened;
  await page.getByRole('link', { name: 'fleet' }).click();
  for (const name of ['Make a key', 'Add credit', 'Change', 'Rotate', 'Revoke'])
    expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
  await page.getByRole('link', { name: 'Data' }).click();
  await page.getByText('Importing needs the token that may change things.').waitFor();
  await page.getByRole('link', { name: 'Care' }).click();
  for (const name of ['Back up now', 'Check now'])
    expect(await page.getByRole('button', { name }).isDisabled(), name).toBe(true);
  await opened.expectAccessible();
});

browserTest('the pages are reached and used by the keyboard alone', async () => {
  const served = await shared();
  await served.service.key({ name: 'fleet' });
  const opened = await operating('now', served);
  const { page } = opened;
  await page.getByRole('link', { name: 'Keys' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Make a key' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.getByLabel('Name').focus();
  await page.keyboard.type('typed');
  await page.keyboard.press('Enter');
  await page.getByText('Copy it now.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'typed' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
