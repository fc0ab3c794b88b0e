// npm run bench -- capacity: how much load does a service on this machine carry, and how much would it carry elsewhere?
// Measures scenarios up to their knees, fits a model, and writes a page with plots and the same as JSON.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../command_line.ts';
import type { Promised } from '../result.ts';
import { compareReports, describeComparison, parseReport } from './compare.ts';
import { renderPage } from './page.ts';
import { slicesOf, tellingMinutes } from './plan.ts';
import { plotLatency } from './plots.ts';
import { prepareDrawn, prepareOwn } from './prepare.ts';
import { RunProgress } from './progress.ts';
import { runCapacity } from './run.ts';
import { parseTargets } from './targets.ts';

const TARGETS = fileURLToPath(new URL('./targets.json', import.meta.url));

const HELP = `npm run bench -- capacity [options]
npm run bench -- capacity --compare A.json B.json

Measures what load a service on this machine carries, predicts what it would carry with more cores, and writes a page with plots, and the same as JSON.

  --minutes N       length of the run, about (10)
  --stations N      access points of the drawn world (10000000)
  --seed N          seed of world and requests (1)
  --only A,B        only these scenarios: trackers, phones, cells, addresses, reverse, search, contributions, own
  --requests FILE   your own requests as the scenario own: a JSON object a line, {"method","path","body"}
  --data FOLDER     your own data folder for them; no service may use it. It is copied, and only the scenario own is measured.
  --targets FILE    p99 targets (bench/capacity/targets.json)
  --page FILE       page to write (var/capacity.html); the JSON has the same name with .json
  --picture FILE    writes the plot of latencies as SVG too
  --compare         says what got slower from one JSON file to another, and whether that is more than noise

Exits with 1 when a target was missed, or a comparison found something slower.`;

const OPTIONS = {
  minutes: { type: 'string', default: '10' },
  stations: { type: 'string', default: '10000000' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  requests: { type: 'string' },
  data: { type: 'string' },
  targets: { type: 'string', default: TARGETS },
  page: { type: 'string', default: 'var/capacity.html' },
  picture: { type: 'string' },
  compare: { type: 'boolean', default: false },
} as const;

/**
 * Runs the command line after the word `capacity`. @returns exit code @throws Error with a full sentence for options
 * that it does not understand
 */
export async function benchCapacity(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(HELP, { args: argv, allowPositionals: true, options: OPTIONS });
  if (values.compare) return compareFiles(positionals);
  if (positionals.length > 0) throw new Error(`${positionals[0]} means nothing here. --help lists the options.`);
  if (!/\.html$/.test(values.page)) throw new Error(`--page must end in .html, not "${values.page}".`);
  if (values.data !== undefined && values.requests === undefined)
    throw new Error('--data needs --requests: the drawn requests fit drawn data only.');
  const targets = parseTargets(readFileSync(values.targets, 'utf8'));
  const [minutes, stations, seed] = [values.minutes, values.stations, values.seed].map(requireCount);
  const requests = values.requests === undefined ? undefined : readFileSync(values.requests, 'utf8');
  const prepared =
    values.data === undefined ? await prepareDrawn(stations, seed, requests) : prepareOwn(values.data, requests!);
  try {
    prepared.scenarios = chooseScenarios(prepared.scenarios, values.only);
    const telling = tellingMinutes(prepared.scenarios.length);
    if (minutes < telling)
      console.error(`The p99 of so short a run says little: --minutes ${telling}, or fewer scenarios (--only).`);
    const progress = new RunProgress(process.stderr, slicesOf(prepared.scenarios.length));
    const settings = { minutes, stations: values.data === undefined ? stations : 0, seed, targets };
    const report = await runCapacity(prepared, settings, progress);
    progress.end();
    const page = resolve(values.page);
    write(page, renderPage(report));
    write(page.replace(/\.html$/, '.json'), `${JSON.stringify(report, null, 1)}\n`);
    if (values.picture !== undefined) write(resolve(values.picture), plotLatency(report));
    return printVerdicts(report.verdicts) ? 0 : 1;
  } finally {
    prepared.remove();
  }
}

function compareFiles(files: readonly string[]): number {
  if (files.length !== 2) throw new Error('--compare needs two JSON files.');
  const [first, second] = files.map(file => parseReport(readFileSync(file, 'utf8'), file));
  const comparison = compareReports(first, second);
  console.log(describeComparison(comparison));
  return comparison.differences.some(({ verdict }) => verdict === 'slower') ? 1 : 0;
}

function chooseScenarios<T extends { name: string }>(all: T[], only: string | undefined): T[] {
  if (only === undefined) return all;
  return only.split(',').map(name => {
    const found = all.find(scenario => scenario.name === name);
    if (found === undefined) throw new Error(`There is no scenario "${name}".`);
    return found;
  });
}

function requireCount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`Minutes, stations and seed are whole numbers above 0, not "${text}".`);
  return value;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`Wrote ${path}`);
}

function printVerdicts(verdicts: readonly Promised[]): boolean {
  for (const { promise, figure, met } of verdicts) console.log(`${met ? 'met   ' : 'MISSED'}  ${promise}: ${figure}`);
  return verdicts.every(({ met }) => met);
}
