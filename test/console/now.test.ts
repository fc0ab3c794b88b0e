// The page Now of Operate in a browser: an hour, a day and a week of a service that has run that long, what is drawn on
// the plots, and a part of them.

import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { figureRings, writeFigureFile } from '../../src/metrics/figure_file.ts';
import { FIGURE_RANGES, type FigureRange, type Step } from '../../src/metrics/figure_steps.ts';
import { LATENCY_SECONDS } from '../../src/metrics/request_counts.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { browserTest, openPage, type Served, serveConsoleOf } from './browser.ts';

const REQUESTS = 'Requests a second, by route';

/** Requests of a step by route: all take 3 ms. */
function latenciesOf(requests: Record<string, number>): Step['latencies'] {
  return Object.fromEntries(
    Object.entries(requests).map(([route, count]) => [
      route,
      [...LATENCY_SECONDS, Number.POSITIVE_INFINITY].map(bound => (bound >= 0.003 ? count : 0)),
    ]),
  );
}

/** What a service did until a moment: more by day than at night, a search now and then, and a stop of some steps. */
function pastOf(range: FigureRange, endMs: number): Step[] {
  const { stepSeconds, steps } = FIGURE_RANGES[range];
  return Array.from({ length: steps }, (_, n): Step => {
    const wave = 1 + Math.sin((2 * Math.PI * n) / (steps / 3));
    return {
      endMs: endMs - (steps - 1 - n) * stepSeconds * 1000,
      seconds: stepSeconds,
      latencies: latenciesOf({ position: Math.round(40 * wave) + 1, ...(n === 60 && { search: 1 }) }),
      errors: { notFound: 3, ...(n % 10 === 0 && { keyInvalid: 1 }) },
      creditsSpent: Math.round(40 * wave),
      backlog: n % 50,
      memory: { service: 700e6 + 1e6 * n, main: 60e6 },
      processor: { service: 0.2 * wave, 'http 0': 0.15 * wave },
      workers: { count: 1, busy: 0.05 * wave },
    };
  }).filter((_, n) => n < 90 || n >= 130);
}

/** A service that has run for a week. */
async function servePast(ranges: readonly FigureRange[] = ['hour', 'day', 'week']): Promise<Served> {
  const folder = join(temporaryFolder(), 'var');
  await (await ServiceProcess.start(folder, '--http-threads', '1')).stop();
  const now = Date.now();
  const past = Object.fromEntries(ranges.map(range => [range, pastOf(range, now)]));
  await writeFigureFile(folder, figureRings(past));
  return serveConsoleOf(folder);
}

/** A text that was drawn on a canvas, in pixels of it. */
interface Drawn {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Notes what is written on each canvas; it stays with the canvas until it is cleared. */
function noteTexts(): void {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  const noted = new WeakMap<HTMLCanvasElement, Drawn[]>();
  (globalThis as unknown as { textsOn: unknown }).textsOn = (canvas: HTMLCanvasElement) => noted.get(canvas) ?? [];
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    noted.set(this.canvas, []);
    clearRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const size = this.measureText(text);
    const place = this.getTransform().transformPoint({ x, y });
    noted.get(this.canvas)?.push({
      text,
      left: place.x - size.actualBoundingBoxLeft,
      right: place.x + size.actualBoundingBoxRight,
      top: place.y - size.actualBoundingBoxAscent,
      bottom: place.y + size.actualBoundingBoxDescent,
    });
    fillText.call(this, text, x, y);
  };
}

/** The texts on each plot of the page, and how large the plot is. */
function textsOf(page: Page): Promise<{ plot: string; width: number; height: number; texts: Drawn[] }[]> {
  return page.locator('figure.plot').evaluateAll(figures =>
    figures.map(figure => {
      const canvas = figure.querySelector('canvas')!;
      const { textsOn } = globalThis as unknown as { textsOn(canvas: HTMLCanvasElement): Drawn[] };
      const { width, height } = canvas;
      return { plot: figure.getAttribute('aria-label')!, width, height, texts: textsOn(canvas) };
    }),
  );
}

/** Pixels of a plot in the colour of a series. */
function pixelsOf(plot: Locator, series: number): Promise<number> {
  return plot.locator('canvas').evaluate((canvas: HTMLCanvasElement, n) => {
    const probe = document.createElement('span');
    probe.className = `swatch series-${n}`;
    document.body.append(probe);
    const [red, green, blue] = getComputedStyle(probe).backgroundColor.match(/\d+/g)!.map(Number);
    probe.remove();
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i] === red && data[i + 1] === green && data[i + 2] === blue && data[i + 3] > 100) found++;
    return found;
  }, series);
}

/** What a tile says. */
const tileOf = (page: Page, label: string): Promise<string> =>
  page.locator('.tile').filter({ hasText: label }).locator('dd').first().textContent().then(String);

browserTest('an hour, a day and a week: all plots show the same time, and no mark of an axis is cut', async () => {
  const { url, token } = await servePast();
  const opened = await openPage(url, '#/operate?page=now', { expected: /401/ });
  const { page } = opened;
  await page.addInitScript(noteTexts);
  await page.reload();
  if (await page.getByLabel('Token').isVisible()) await opened.logIn(token);
  for (const range of ['Hour', 'Day', 'Week']) {
    await page.getByRole('button', { name: range, exact: true }).click();
    await page.getByRole('region', { name: `In the last ${range.toLowerCase()}` }).waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const marksOf = async () => {
        // Those of the other axis end left of it.
        const marks = (await textsOf(page)).map(({ texts }) => texts.filter(({ right }) => right > 56));
        return marks.map(each => each.map(({ text }) => text).join(' '));
      };
      await expect
        .poll(async () => {
          const [first, ...others] = await marksOf();
          return first.includes(' ') && others.every(each => each === first);
        })
        .toBe(true);
      const plots = await textsOf(page);
      expect(plots).toHaveLength(6);
      for (const plot of plots)
        for (const { text, left, right, top, bottom } of plot.texts) {
          const where = `${range}, ${width}, ${plot.plot}: ${text}`;
          expect([Math.min(left, top), where]).toEqual([Math.max(0, Math.min(left, top)), where]);
          expect(right, where).toBeLessThanOrEqual(plot.width);
          expect(bottom, where).toBeLessThanOrEqual(plot.height);
        }
    }
    await opened.look(`now-${range.toLowerCase()}`);
  }
  // The address names the range.
  expect(page.url()).toContain('range=week');
  await page.reload();
  await page.getByRole('region', { name: 'In the last week' }).waitFor();
});

browserTest('a part is chosen by dragging and by buttons, for all plots', async () => {
  const { url } = await servePast(['day']);
  const opened = await openPage(url, '#/operate?page=now&range=day');
  const { page } = opened;
  const span = page.getByText('Drag over a plot');
  const whole = await span.textContent().then(String);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  for (const name of ['Earlier', 'Later', 'Zoom out']) expect(await button(name).isDisabled(), name).toBe(true);
  const plot = page.getByRole('figure', { name: REQUESTS }).locator('.u-over');
  const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => span.textContent().then(String)).not.toBe(whole);
  expect(await minutesOf(span)).toBeCloseTo(6 * 60, -1);
  const dragged = await span.textContent().then(String);
  await button('Earlier').focus();
  await page.keyboard.press('Enter');
  expect(await span.textContent().then(String)).not.toBe(dragged);
  await button('Later').click();
  expect(await span.textContent().then(String)).toBe(dragged);
  await button('Zoom in').click();
  expect(await minutesOf(span)).toBeCloseTo(3 * 60, -1);
  for (let i = 0; i < 9; i++) await button('Zoom in').click();
  // Six steps of five minutes: nearer there is nothing to see.
  expect(await minutesOf(span)).toBe(30);
  await opened.expectAccessibleInBothThemes();
  for (let i = 0; i < 7; i++) if (!(await button('Zoom out').isDisabled())) await button('Zoom out').click();
  expect(await span.textContent().then(String)).toBe(whole);
});

/** How long the part is that the page names. */
async function minutesOf(span: Locator): Promise<number> {
  const [from, to] = [...(await span.textContent().then(String)).matchAll(/(\d+) \w+ (\d\d):(\d\d)/g)].map(
    ([, day, hours, minutes]) => Number(day) * 1_440 + Number(hours) * 60 + Number(minutes),
  );
  // From the last of a month to the first of the next there is no more than a day.
  return to >= from ? to - from : (to % 1_440) + 1_440 - (from % 1_440);
}

browserTest(
  'a single sample is drawn; tiles say of which time they are, and what was not found is not refused',
  async () => {
    const { url } = await servePast(['day']);
    const opened = await openPage(url, '#/operate?page=now&range=day');
    const { page } = opened;
    await page.getByLabel('Route', { exact: true }).selectOption('search');
    const latencies = page.getByRole('figure', { name: 'Latency: search' });
    await latencies.locator('canvas').waitFor();
    await expect.poll(() => pixelsOf(latencies, 2)).toBeGreaterThan(3);
    const steps = FIGURE_RANGES.day.steps - 40;
    expect(await tileOf(page, 'Not found')).toBe((3 * steps).toLocaleString('en'));
    expect(await tileOf(page, 'Refused')).toBe(String(Math.ceil(steps / 10)));
    expect(await tileOf(page, '99 of 100 answered within')).toBe('4.98 ms');
    const now = page.getByRole('region', { name: /^Now, at / });
    await now.waitFor();
    for (const label of ['Memory', 'Workers busy', 'To learn']) await now.getByText(label, { exact: true }).waitFor();
    expect(await now.getByText('Refused').count()).toBe(0);
  },
);
