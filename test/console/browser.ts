// The console of a real service in a real browser, for tests. A page belongs to the running test: when it ends, it fails
// if the browser said anything (an error, a warning, a broken policy) or asked another host, which is never let out.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

/** Where the system's packages put the browser. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PROGRAM = PROGRAMS.find(existsSync);
/** No window, no network of its own, and WebGL by the processor. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];
const CONSOLE = /^The console is at (\S+)$/m;
/** What the driver of the graphics says of its own speed. */
const DRIVER = /GL Driver Message|Automatic fallback to software WebGL/;
/** Longest wait for a condition: machines may be busy. */
const WAIT_MILLISECONDS = 60_000;
/** What axe fails with when an element that it names has gone, and how often it is asked. */
const AXE_LOST_ELEMENT = /reading 'nthChild'/;
const AXE_RUNS_MAX = 5;
/** So long nothing comes or goes on a page that is drawn; pages that tick are looked at as they are. */
const STILL_MILLISECONDS = 200;
const STILL_WAIT_MILLISECONDS = 3_000;
/** Nothing on a page is further away by the keyboard. */
const FOCUS_STEPS = 60;
/** Of a hundred: text is sharp, and a picture takes 60 KB. */
const WEBP_QUALITY = 82;
const TAKES_PICTURES = process.env.PICTURES !== undefined;
const PICTURES = resolve('build/pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 AA, and what axe calls best practice. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those of its rules that look at colours. */
const AXE_COLOURS = ['color-contrast', 'link-in-text-block'];
export const THEMES = ['light', 'dark'] as const;

if (PROGRAM === undefined)
  console.log('Tests of the console are skipped: there is no chromium (apt-get install chromium).');

/** A test that needs a browser; skipped without one. */
export const browserTest = test.skipIf(PROGRAM === undefined);

let browser: Promise<Browser> | undefined;
afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

/** How a page looks at the service. */
export interface PageOptions {
  width?: number;
  height?: number;
  theme?: (typeof THEMES)[number];
  /** Messages of the browser that belong to the test, such as that of an answer 401. */
  expected?: RegExp;
  reducedMotion?: boolean;
  /** False for a test that does not look at the map: the browser then draws none, as one without WebGL. */
  drawsMaps?: boolean;
  /** Other hosts that the page may ask. */
  hosts?: readonly string[];
}

/** A service with its console. */
export interface Served {
  service: ServiceProcess;
  /** Address of the page. */
  url: string;
  /** The token of the admin interface. */
  token: string;
}

/** Starts a service with a console, which shows its workers; it is stopped after the test. */
export async function serveConsole(...flags: string[]): Promise<Served> {
  return servedBy(await serve('--compute', 'auto', '--admin', '127.0.0.1:0', ...flags));
}

/** A service for several tests of a file, which starts with the first one that asks for it. */
export function sharedConsole(...flags: string[]): () => Promise<Served> {
  const folder = join(folderOfFile(), 'var');
  let served: Promise<Served> | undefined;
  afterAll(async () => void (await (await served)?.service.stop()));
  return () => {
    served ??= ServiceProcess.start(folder, '--http-threads', '1', '--admin', '127.0.0.1:0', ...flags).then(servedBy);
    return served;
  };
}

/** The same of a data folder that is there. */
export async function serveConsoleOf(folder: string, ...flags: string[]): Promise<Served> {
  const service = await ServiceProcess.start(folder, '--http-threads', '1', '--admin', '127.0.0.1:0', ...flags);
  onTestFinished(async () => void (await service.stop()));
  return servedBy(service);
}

function servedBy(service: ServiceProcess): Served {
  const url = CONSOLE.exec(service.printed)![1];
  return { service, url, token: readFileSync(join(service.folder, 'admin.token'), 'utf8').trim() };
}

/** Opens a page of the console, at a hash like `#/try`. It is closed after the test. */
export async function openPage(url: string, hash = '', options: PageOptions = {}): Promise<ConsolePage> {
  browser ??= chromium.launch({ executablePath: PROGRAM!, args: FLAGS });
  const { width = 1280, height = 800, theme = 'light', expected, reducedMotion = true, hosts = [] } = options;
  const { drawsMaps = true } = options;
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(WAIT_MILLISECONDS);
  if (!drawsMaps && !TAKES_PICTURES) await context.addInitScript(withoutWebgl);
  const page = await context.newPage();
  const opened = new ConsolePage(context, page, url, expected);
  onTestFinished(() => opened.close());
  await opened.watch(hosts);
  await page.goto(url + hash);
  await page.locator('main').waitFor();
  return opened;
}

/** Has the page find no WebGL. */
function withoutWebgl(): void {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...rest]);
  } as typeof getContext;
}

/** A page, and what the browser said of it. */
export class ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  private readonly url: string;
  private readonly expected: RegExp | undefined;
  /** What the browser said and the test did not expect. */
  private readonly said: string[] = [];

  constructor(context: BrowserContext, page: Page, url: string, expected: RegExp | undefined) {
    this.context = context;
    this.page = page;
    this.url = url;
    this.expected = expected;
  }

  /** Notes messages, errors and requests, and lets none of them reach another host. */
  async watch(hosts: readonly string[]): Promise<void> {
    const { host } = new URL(this.url);
    this.page.on('console', message => this.note(`${message.type()}: ${message.text()}`));
    this.page.on('pageerror', error => this.note(`error: ${error.stack ?? error.message}`));
    await this.context.route('**/*', async route => {
      const { host: asked, href } = new URL(route.request().url());
      if (asked === host || hosts.includes(asked)) await route.continue();
      else {
        this.note(`asked another host: ${href}`);
        await route.abort();
      }
    });
  }

  private note(message: string): void {
    if (!DRIVER.test(message) && this.expected?.test(message) !== true) this.said.push(message);
  }

  /** Moves the focus by a key to what has this name, or begins with it. */
  async goTo(name: string, key = 'Tab'): Promise<void> {
    for (let i = 0; i < FOCUS_STEPS; i++) {
      await this.page.keyboard.press(key);
      if ((await this.focused()).startsWith(name)) return;
    }
    throw new Error(`The keyboard does not come to ${name}, but to ${await this.focused()}.`);
  }

  /** The name of what has the focus. */
  private focused(): Promise<string> {
    return this.page.evaluate(() => {
      const inside = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      const label = (inside as HTMLInputElement | null)?.labels?.[0]?.textContent;
      return (inside?.getAttribute('aria-label') ?? label ?? inside?.textContent ?? '').trim();
    });
  }

  /** Logs in by the form on the page. */
  async logIn(token: string): Promise<void> {
    await this.page.getByLabel('Token').fill(token);
    await this.page.getByRole('button', { name: 'Log in' }).click();
    await this.page.getByRole('button', { name: 'Log out' }).waitFor();
  }

  /** Waits until no element has come or gone for a moment: axe cannot name one that goes while it reads the page. */
  private async untilStill(): Promise<void> {
    await this.page.evaluate(
      ([still, longest]) =>
        new Promise<void>(resolve => {
          const end = () => {
            observer.disconnect();
            resolve();
          };
          let timer = setTimeout(end, still);
          const observer = new MutationObserver(() => {
            clearTimeout(timer);
            timer = setTimeout(end, still);
          });
          observer.observe(document.body, { childList: true, subtree: true });
          setTimeout(end, longest);
        }),
      [STILL_MILLISECONDS, STILL_WAIT_MILLISECONDS] as const,
    );
  }

  /** Expects axe to find nothing on the page as it is. @param rules all, or those of which the theme decides */
  async expectAccessible(rules: 'all' | 'colours' = 'all'): Promise<void> {
    for (let run = 1; ; run++) {
      await this.untilStill();
      try {
        return expect(await this.violations(rules)).toEqual([]);
      } catch (error) {
        // Axe scrolls, and an editor with a long line draws another part of it then: no finding, but no result either.
        if (run === AXE_RUNS_MAX || !AXE_LOST_ELEMENT.test(String(error))) throw error;
      }
    }
  }

  private async violations(rules: 'all' | 'colours'): Promise<string[]> {
    // biome-ignore lint/suspicious/noExplicitAny: axe is put into the page as text
    if (await this.page.evaluate(() => (globalThis as any).axe === undefined)) await this.page.evaluate(AXE);
    const only = rules === 'all' ? AXE_TAGS : AXE_COLOURS;
    return await this.page.evaluate(async runOnly => {
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const { violations } = await (globalThis as any).axe.run(document, { runOnly });
      return violations.flatMap((each: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        each.nodes.map(({ html, failureSummary }) => `${each.id}: ${html}: ${failureSummary}`),
      );
    }, only);
  }

  /** Looks at the page as it is, wide and narrow, in both themes. @param name of the pictures */
  async look(name: string): Promise<void> {
    const { page } = this;
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: width === 360 ? 760 : 900 });
      await page.evaluate(() => scrollTo(0, 0));
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        await page.waitForFunction(() => document.querySelector('.map-pane[aria-busy=true]') === null);
        await this.expectNoOverflow();
        await this.expectAccessible(colorScheme === 'light' ? 'all' : 'colours');
        await this.picture(`${name}-${width}-${colorScheme}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  /** The same in both themes, which have the same elements in other colours. */
  async expectAccessibleInBothThemes(): Promise<void> {
    for (const colorScheme of THEMES) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      await this.expectAccessible(colorScheme === 'light' ? 'all' : 'colours');
    }
  }

  /** Expects that nothing is wider than the page, and that all views are in the rail without scrolling. */
  async expectNoOverflow(): Promise<void> {
    const widths = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.querySelector('nav')!;
      return { content: document.documentElement.scrollWidth, page: innerWidth, views: scrollWidth, rail: clientWidth };
    });
    expect(widths.content).toBeLessThanOrEqual(widths.page);
    expect(widths.views).toBeLessThanOrEqual(widths.rail);
  }

  /**
   * Takes a picture of what is seen, for people to look at: build/pictures/NAME.png, and NAME.webp for the documents.
   * Only where PICTURES is set.
   */
  async picture(name: string): Promise<void> {
    if (!TAKES_PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
    const session = await this.context.newCDPSession(this.page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: WEBP_QUALITY });
    await session.detach();
    writeFileSync(join(PICTURES, `${name}.webp`), Buffer.from(data, 'base64'));
  }

  /** The same in both themes, once a map is drawn: NAME-light and NAME-dark. */
  async pictures(name: string): Promise<void> {
    if (!TAKES_PICTURES) return;
    for (const colorScheme of THEMES) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      const map = this.page.locator('.map-pane');
      if ((await map.count()) > 0) await this.page.locator('.map-pane[aria-busy=false]').waitFor();
      await this.picture(`${name}-${colorScheme}`);
    }
  }

  /** Closes the page. @throws Error when the browser said something */
  async close(): Promise<void> {
    await this.context.close();
    expect(this.said).toEqual([]);
  }
}
