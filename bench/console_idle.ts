// node bench/console_idle.ts [--seconds N]: what does a console cost that somebody has left open? Starts a service
// whose folder holds the demo town, and counts processor time by /proc: of the service alone, of the service while the
// page of the last hour is open, and of the browser then. Needs Linux and chromium.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { ServiceProcess } from '../test/kits/service_process.ts';
import { headerOf, readArguments } from './command_line.ts';

const BROWSER = '/usr/bin/chromium';
const CONSOLE = /^The console is at (\S+)$/m;
/** Ticks of processor time a second, on Linux. */
const TICKS = 100;
/** Steps that the page must have to draw, before it counts. */
const STEPS = 3;
const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

const { values } = readArguments(headerOf(import.meta.url), {
  options: { seconds: { type: 'string', default: '60' } },
});
const seconds = Number(values.seconds);
const folder = mkdtempSync(join(tmpdir(), 'console-idle-'));
const service = await ServiceProcess.start(join(folder, 'var'), '--admin', '127.0.0.1:0');
try {
  const url = CONSOLE.exec(service.printed)![1];
  await service.post(service.demoKey, POINTS);
  // What a start leaves to do is not the console's.
  await wait(10_000);
  const alone = await coresOf(() => ticksOf(service.pid));
  console.log(`the service alone: ${percent(alone)} of a core`);
  if (!existsSync(BROWSER)) throw new Error('There is no chromium, so no page can be opened.');
  const browser = await chromium.launchServer({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await (await chromium.connect(browser.wsEndpoint())).newPage();
  await page.goto(`${url}#/operate`);
  await page.locator('.plot canvas').first().waitFor({ timeout: 120_000 });
  await wait(STEPS * 10_000);
  const browserPid = browser.process().pid!;
  let inBrowser = 0;
  const open = await coresOf(
    () => ticksOf(service.pid),
    async () => {
      inBrowser = await coresOf(() => familyOf(browserPid).reduce((sum, pid) => sum + ticksOf(pid), 0));
    },
  );
  console.log(`the service while the page is open: ${percent(open)}; the browser: ${percent(inBrowser)}`);
  await browser.close();
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Processor time of a while, in cores. @param during what happens in it */
async function coresOf(
  ticks: () => number,
  during: () => Promise<unknown> = () => wait(seconds * 1000),
): Promise<number> {
  const [before, beganMs] = [ticks(), performance.now()];
  await during();
  return ((ticks() - before) / TICKS / (performance.now() - beganMs)) * 1000;
}

/** Processor time of a process so far; 0 when it has ended. */
function ticksOf(pid: number): number {
  const [user, system] = fieldsOf(pid).slice(11, 13);
  return user === undefined ? 0 : Number(user) + Number(system);
}

/** A process and those that it has started. */
function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc').flatMap(name =>
    /^\d+$/.test(name) ? [[Number(name), fieldsOf(Number(name))[1]]] : [],
  );
  const found = [pid];
  for (const parent of found) for (const [child, of] of parents) if (Number(of) === parent) found.push(Number(child));
  return found;
}

/** Fields of a process from its state on. */
function fieldsOf(pid: number): string[] {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').split(') ')[1].split(' ');
}

function percent(cores: number): string {
  return `${(100 * cores).toFixed(2)} %`;
}
