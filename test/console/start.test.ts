// The first run in a browser: a key is made, data is seen, and the requests for clients are right as they stand.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { browserTest, openPage, sharedConsole } from './browser.ts';

const shared = sharedConsole();

browserTest('a key is made, shown once, and stands in the requests, which are answered', async () => {
  const { service, url, token } = await shared();
  const opened = await openPage(url);
  const { page } = opened;
  await page.getByText('So far there is only the demo key').waitFor();
  await page.getByText('npx sextant keys create --name fleet').waitFor();
  await page.getByText('Nothing is imported yet.').waitFor();
  expect(await page.getByRole('button', { name: 'Make a key' }).count()).toBe(0);
  await opened.expectAccessibleInBothThemes();

  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
  const name = `<img src=x onerror=alert(1)> 'fleet'`;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByText('There is a key of your own.').waitFor();
  const [, made] = (await service.job({ verb: 'keys', action: 'list' })) as { id: number; name: string }[];
  expect(made.name).toBe(name);
  const key = (await page.locator('.made-key code').textContent())!;
  expect(await page.getByRole('textbox', { name: 'Key' }).inputValue()).toBe(key);
  await opened.expectAccessibleInBothThemes();
  await opened.picture('start-key');

  await page.locator('.client code').first().waitFor();
  const texts = await page.locator('.client code').allInnerTexts();
  for (const text of texts) expect(text).toContain(key);
  const { stdout } = await promisify(execFile)('sh', ['-c', `${texts[0]} -s`]);
  expect(JSON.parse(stdout)).toMatchObject({ location: { lat: expect.any(Number) } });
  const firefox = await fetch(texts[1], { method: 'POST', body: '{"considerIp":false,"homeMobileCountryCode":1}' });
  expect(firefox.status).toBe(404);
  expect(await firefox.json()).toMatchObject({ error: { errors: [{ reason: 'notFound' }] } });

  // The key is nowhere but on the page.
  expect(page.url()).not.toContain(key);
  await page.reload();
  await page.getByText('There is a key of your own.').waitFor();
  expect(await page.content()).not.toContain(key);
});

browserTest('what is imported ticks its step', async () => {
  const { service, url, token } = await shared();
  await service.job({ verb: 'import', kind: 'cells', source: 'own', files: ['docs/examples/cells.csv'] });
  const opened = await openPage(url, '', { width: 360, expected: /401/ });
  await opened.logIn(token);
  await opened.page.getByText('One source is imported.').waitFor();
  await opened.expectNoOverflow();
  await opened.expectAccessible();
  await opened.picture('start-360');
});
