// The examples of Start and Try in a browser: they are about what the service knows, so each is answered, also once the
// demo town is gone; a service that knows no station says what to do.

import { expect } from 'vitest';
import { browserTest, openPage, serveConsole } from './browser.ts';

const IMPORTS = [
  ['wifi', 'access_points.csv'],
  ['cells', 'cells.csv'],
  ['osm', 'village.osm.pbf'],
  ['buildings', 'office.geojson'],
] as const;

browserTest('without the demo town, every example is about imported data and is answered', async () => {
  const { service, url, token } = await serveConsole();
  await service.job({ verb: 'demo-remove' });
  await service.key();
  for (const [kind, file] of IMPORTS)
    await service.job({ verb: 'import', kind, source: kind, files: [`docs/examples/${file}`] } as never);
  const opened = await openPage(url, '#/start', { expected: /401/ });
  await opened.logIn(token);
  const { page } = opened;
  await page.getByRole('link', { name: 'Locate a device' }).click();
  await page.locator('.answer-main', { hasText: /^47\.141/ }).waitFor();
  const examples = page.getByRole('combobox', { name: 'Example' });
  const titles = await examples.locator('option').allTextContents();
  expect(titles).toEqual(
    expect.arrayContaining(['Access points', 'Cells', 'A fix, with town and address', 'A fix in a building']),
  );
  for (const title of titles) {
    await examples.selectOption({ label: title });
    await page.getByRole('button', { name: 'Locate' }).click();
    await page.locator('.explanation h2', { hasText: /^Answer: -?\d/ }).waitFor();
    expect(await page.getByText('Not found').count(), title).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Request' }).textContent(), title).not.toContain(
      '02:00:5e:00:00:d3',
    );
  }
  await opened.look('examples');

  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  await page.locator('.ask').getByRole('button', { name: 'Search' }).last().click();
  await page.locator('.explanation button', { hasText: '1. ' }).first().waitFor();
  await page.getByRole('button', { name: 'Point' }).click();
  await page.getByRole('button', { name: 'Find the place' }).click();
  await page.locator('.answer-name').waitFor();
});

browserTest('a service that knows no station says so, and leads to the import', async () => {
  const { service, url, token } = await serveConsole();
  await service.job({ verb: 'demo-remove' });
  await service.key();
  const opened = await openPage(url, '#/start', { expected: /401/, drawsMaps: false });
  await opened.logIn(token);
  const { page } = opened;
  const step = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'A position' }) });
  await step.getByText('The service knows no station yet').waitFor();
  expect(await page.getByRole('link', { name: 'Locate a device' }).count()).toBe(0);
  await opened.look('examples-none-start');
  await page.goto(`${url}#/try?example=wifi`);
  await page.getByText('The service knows no station yet').waitFor();
  await opened.look('examples-none');
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.getByText('Drop files here').waitFor();
});
