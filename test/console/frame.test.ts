// The frame of the console in a browser: login and its end, themes, the rail, and a service that goes away.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { browserTest, openPage, serveConsole, sharedConsole } from './browser.ts';

/** A new folder, and one with a key of somebody. */
const fresh = sharedConsole();
const keyed = sharedConsole();

browserTest('a new folder is read without a login; the page is quiet and accessible in both themes', async () => {
  const { url } = await fresh();
  const opened = await openPage(url);
  const { page } = opened;
  await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
  await page.getByText('Read only').waitFor();
  await page.getByText('Nothing to warn about.').waitFor();
  await opened.expectAccessibleInBothThemes();
  await opened.pictures('start');
  await page.setViewportSize({ width: 360, height: 720 });
  await opened.expectNoOverflow();
  await opened.expectAccessible();
  await opened.picture('start-360');
});

browserTest('once there is a key of somebody, the page asks for the token, and refuses another', async () => {
  const { service, url, token } = await keyed();
  await service.key({ name: 'fleet' });
  const opened = await openPage(url, '', { expected: /401/ });
  const { page } = opened;
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await opened.expectAccessibleInBothThemes();
  await opened.picture('login');
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('This is not the token of this service.').waitFor();
  await opened.expectAccessible();
  await opened.logIn(token);
  await page.getByText('Nothing to warn about.').waitFor();
  expect(await page.getByText('Read only').count()).toBe(0);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
});

browserTest('a session that has ended asks for the token again, and says why', async () => {
  const { service, url, token } = await keyed();
  await service.key({ name: 'fleet' });
  const opened = await openPage(url, '', { expected: /401/ });
  await opened.logIn(token);
  await opened.context.clearCookies();
  await opened.page.reload();
  await opened.logIn(token);
  await opened.page.getByText('Nothing to warn about.').waitFor();
  // The service forgets the session while the page is open.
  const [cookie] = await opened.context.cookies();
  const ended = await fetch(new URL('/console/session', url), {
    method: 'DELETE',
    headers: {
      cookie: `${cookie.name}=${cookie.value}`,
      origin: new URL(url).origin,
      'x-sextant-console': '1',
    },
  });
  expect(await ended.json()).toMatchObject({ access: 'none' });
  await opened.page.evaluate(() => {
    location.hash = '#/nothing';
  });
  await opened.page.getByText('There is no such view.').waitFor();
  await opened.page.goBack();
  await opened.page.getByText('The session has ended: it was logged out elsewhere.').waitFor();
  await opened.expectAccessibleInBothThemes();
  await opened.picture('login-ended');
  // Another window of the browser logs out, and takes the cookie with it.
  await opened.logIn(token);
  await opened.page.getByText('Nothing to warn about.').waitFor();
  await opened.context.clearCookies();
  await opened.page.goto(`${url}#/operate?page=keys`);
  await opened.page.getByText('another window of this browser logged out').waitFor();
});

browserTest('after a restart the page says that it was one, and where the token of this service is', async () => {
  const folder = join(temporaryFolder(), 'a folder');
  const flags = ['--http-threads', '1', '--admin'] as const;
  const first = await ServiceProcess.start(folder, ...flags, '127.0.0.1:0');
  await first.key({ name: 'fleet' });
  const [, address] = /^The console is at (\S+)$/m.exec(first.printed)!;
  const token = readFileSync(join(folder, 'admin.token'), 'utf8').trim();
  const opened = await openPage(address, '', { expected: /401|ERR_CONNECTION/ });
  await opened.page.getByText(`it stands in the file ${join(folder, 'admin.token')}.`).waitFor();
  await opened.logIn(token);
  await opened.page.getByText('Nothing to warn about.').waitFor();
  await first.stop();
  const second = await ServiceProcess.start(folder, ...flags, new URL(address).host);
  onTestFinished(() => void second.stop());
  await opened.page.goto(`${address}#/operate?page=keys`);
  await opened.page.getByText('The session has ended, as the service was started again.').waitFor();
});

browserTest('the theme is that of the system or the chosen one, which stays', async () => {
  const { url } = await fresh();
  const opened = await openPage(url, '', { theme: 'dark' });
  const { page } = opened;
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('button', { name: 'Theme: As the system' }).click();
  await page.locator('html[data-theme=light]').waitFor();
  await page.reload();
  await page.locator('html[data-theme=light]').waitFor();
  await page.getByRole('button', { name: 'Theme: Light' }).click();
  await page.getByRole('button', { name: 'Theme: Dark' }).click();
  await page.getByRole('button', { name: 'Theme: As the system' }).waitFor();
});

browserTest('a service that goes away is told of', async () => {
  const { service, url } = await serveConsole();
  const opened = await openPage(url, '', { expected: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET/ });
  await opened.page.getByText('Nothing to warn about.').waitFor();
  await service.stop();
  await opened.page.getByRole('button', { name: 'Log in' }).click();
  await opened.page.getByLabel('Token').fill('any');
  await opened.page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
  await opened.page.getByText('The service does not answer. What you see').waitFor();
  await opened.expectAccessibleInBothThemes();
});

browserTest('nobody frames the page', async () => {
  const { url } = await fresh();
  const host = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>x</title><main><iframe title="x" src="${url}"></iframe></main>`,
    );
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  onTestFinished(() => void host.close());
  const { port } = host.address() as AddressInfo;
  const opened = await openPage(`http://127.0.0.1:${port}/`, '', {
    expected: /frame-ancestors|Refused to display|X-Frame-Options|asked another host|ERR_FAILED|404/,
    hosts: [new URL(url).host],
  });
  await opened.page.locator('iframe').waitFor();
  const [, framed] = opened.page.frames();
  await framed.waitForURL(/chrome-error:/);
  expect(await framed.locator('#app').count()).toBe(0);
});
