// The laboratory: `npm run evaluate`. Measures accuracy on scans with known positions, beside simple methods on the
// same split, on hidden cells, with radii that have not seen a set, on contest data of buildings, and on scans that are
// drawn.

import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { runCommandLine } from '../src/cli.ts';
import { demoAccessPoints } from '../src/folder/demo_town.ts';
import { demoScans } from './demo_scans.ts';
import { evaluateSets, type LabEvaluation, usualFolds } from './evaluate.ts';
import type { ScanSet } from './evaluation/scan_file.ts';
import { evaluateHidden } from './hidden_cells.ts';
import { evaluateIndoors } from './indoors/evaluate_indoors.ts';
import { describeIndoors, type IndoorResults } from './indoors/indoor_results.ts';
import { withIndoorService } from './indoors/indoor_service.ts';
import { withLabService } from './lab_service.ts';
import { ProgressLine, writeResults } from './output.ts';
import { describeLabResults, type LabResults } from './results.ts';
import { findSets, type Sets } from './sets.ts';
import { FOLDS_BY_PLACE, splitByPlace } from './split_by_place.ts';

interface LabFlags {
  url?: string;
  key?: string;
  json?: string;
  follow?: boolean;
  folds?: number[];
  train: boolean;
  hidden?: string[];
  indoors?: string[];
  unseen?: boolean;
  split: 'track' | 'place';
  calibrate: 'on' | 'off';
}

function commandLine(): Command {
  return new Command('npm run evaluate --')
    .description(
      'measure accuracy: on scans with known positions, beside simple methods; on hidden cells; in buildings',
    )
    .exitOverride()
    .argument(
      '[sets...]',
      'files of scans (jsonl, jsonl.gz), or folders of them and of cell tables; without any, synthetic scans ' +
        'of the demo town',
    )
    .option(
      '--url <address>',
      'ask a running service, on scans alone; without it, services with empty folders learn and are asked',
    )
    .option('--key <key>', 'key for that service: trusted if it is to learn, with tracking for --follow')
    .option(
      '--folds <list>',
      'folds to test, 0..4 with commas between, training on all others; 1,2,3,4, for walks 1',
      folds,
    )
    .option(
      '--hidden <tables...>',
      'cell tables: hide a fifth of their cells and have a service guess where they are, by each fallback',
    )
    .option(
      '--indoors <files...>',
      'UJIIndoorLoc.zip, or walks with floors: import fingerprints, and locate scans in buildings',
    )
    .option(
      '--unseen',
      'also with priors that have not seen a set, fitted to all others, and a service that measures itself from there',
    )
    .option(
      '--follow',
      'also ask as devices that send back the state of their last answer, scan by scan in the order of time',
    )
    .addOption(
      choice(
        'split',
        ['track', 'place'],
        'what to hold back: tracks, or one side of the median meridian after the other',
      ),
    )
    .addOption(
      choice('calibrate', ['on', 'off'], 'whether its own services test what they learn, and correct their radii'),
    )
    .option('--no-train', 'contribute nothing: ask the service as it is')
    .option(
      '--json <file>',
      'write all figures and the worst cases as JSON; - writes them to standard output instead of the tables',
    )
    .addHelpText('after', '\nExample:\n  npm run evaluate -- scans.jsonl.gz --json report.json')
    .action(async (paths: string[], flags: LabFlags, command: Command) => {
      requireSense(paths, flags, command);
      const { url, hidden, indoors, json } = flags;
      if (indoors !== undefined) {
        const results = await runIndoors(indoors, flags);
        writeResults(results, describeIndoors(results.indoors), json);
        return;
      }
      const sets = hidden === undefined ? await setsOf(paths) : { scans: [], cellTables: hidden };
      if (url !== undefined && sets.scans.length === 0)
        command.error('error: the service at --url is asked for scans, and there are none');
      if (url !== undefined && flags.train) requireOneFold(sets.scans, flags.folds, command);
      const results = await run(sets, flags);
      writeResults(results, describeLabResults(results), json);
    });
}

/** A flag with one of two values, by default the first. */
function choice(name: string, values: readonly [string, string], description: string): Option {
  return new Option(`--${name} <${values.join('|')}>`, description).choices(values).default(values[0]);
}

/** Refuses flags that do not belong together. */
function requireSense(
  paths: readonly string[],
  { url, key, train, hidden, indoors, folds: chosen, unseen, follow, split }: LabFlags,
  command: Command,
): void {
  const isAsked = url !== undefined || key !== undefined || follow === true || !train;
  if (indoors !== undefined && (paths.length > 0 || isAsked || hidden !== undefined || unseen))
    command.error('error: --indoors has services of its own: it goes with --folds and --json alone');
  if (hidden !== undefined && paths.length > 0)
    command.error('error: name sets of scans, or cell tables with --hidden');
  if (hidden !== undefined && (isAsked || chosen !== undefined))
    command.error('error: --hidden has a service of its own: it goes with --json alone');
  if (split === 'place' && (url !== undefined || indoors !== undefined || hidden !== undefined || chosen !== undefined))
    command.error('error: --split place has services and folds of its own, for sets of scans');
  if (url !== undefined && unseen) command.error('error: --unseen has services of its own: leave out --url');
  if ((url === undefined) !== (key === undefined)) command.error('error: --url and --key belong together');
  if (url === undefined && !train)
    command.error('error: --no-train needs --url and --key: a service of its own knows nothing');
}

/** The named sets, or without any the scans of the demo town. */
async function setsOf(paths: readonly string[]): Promise<Sets> {
  if (paths.length > 0) return findSets(paths);
  process.stderr.write(
    'No sets are named: these are synthetic scans of the demo town, whose figures say nothing about a real place.\n',
  );
  return { scans: [demoScans(demoAccessPoints())], cellTables: [] };
}

async function run({ scans, cellTables }: Sets, flags: LabFlags): Promise<LabResults> {
  const { url, key, train, unseen = false, follow = false, calibrate } = flags;
  const isByPlace = flags.split === 'place';
  const sets = isByPlace ? await Promise.all(scans.map(splitByPlace)) : scans;
  const folds = isByPlace ? Object.values(FOLDS_BY_PLACE) : flags.folds;
  const line = new ProgressLine();
  const onProgress = (text: string) => line.show(text);
  const withService: LabEvaluation['withService'] = (part, priors) =>
    url !== undefined && key !== undefined
      ? part({ url, key })
      : withLabService(part, {
          priors,
          // The scale of the others is that of radii which nothing has corrected.
          calibrate: unseen && priors === undefined ? 'off' : calibrate,
          settings: follow ? { tracking: true } : {},
        });
  const clock = { now: () => performance.now(), sleep };
  try {
    const asked = { sets, folds, isTrained: train, isUnseen: unseen, isFollowed: follow };
    const comparisons = await evaluateSets({ ...asked, withService, clock, onProgress });
    // Hidden cells need a service of their own: a running one may know them.
    const files = url === undefined ? cellTables : [];
    const hidden = await evaluateHidden({
      files,
      withService: (cells, part) => withLabService(part, { cells }),
      onProgress,
    });
    return { isTrained: train, comparisons, hidden };
  } finally {
    line.end();
  }
}

async function runIndoors(files: readonly string[], { folds: chosen }: LabFlags): Promise<IndoorResults> {
  const line = new ProgressLine();
  const onProgress = (text: string) => line.show(text);
  try {
    return { indoors: await evaluateIndoors({ files, folds: chosen, withService: withIndoorService, onProgress }) };
  } finally {
    line.end();
  }
}

/** A service that has learned the training tracks of one fold knows those held back in the next. */
function requireOneFold(sets: readonly ScanSet[], chosen: number[] | undefined, command: Command): void {
  const set = sets.find(({ kind }) => (chosen ?? usualFolds(kind)).length > 1);
  if (set !== undefined)
    command.error(
      `error: ${set.name} is tested on several folds, and the service at --url would have seen the later ones ` +
        `while training: name one fold with --folds, or leave out --url`,
    );
}

function folds(text: string): number[] {
  const numbers = text.split(',').map(Number);
  if (!/^[0-4](,[0-4])*$/.test(text) || new Set(numbers).size < numbers.length)
    throw new InvalidArgumentError('It must be different numbers from 0 to 4 with commas between.');
  return numbers;
}

process.exitCode = await runCommandLine(commandLine(), process.argv.slice(2));
