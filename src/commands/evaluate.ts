// `sextant evaluate`: measures accuracy on scans with known positions and on hidden cells, through a running service.

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { demoScans } from '../evaluation/demo_scans.ts';
import { type Evaluation, evaluate, usualFolds } from '../evaluation/evaluate.ts';
import { evaluateHidden, type HiddenEvaluation } from '../evaluation/hidden_cells.ts';
import { evaluateIndoors } from '../evaluation/indoors/evaluate_indoors.ts';
import { describeIndoors, type IndoorResults } from '../evaluation/indoors/indoor_results.ts';
import { describeResults, type EvaluationResults } from '../evaluation/results.ts';
import type { ScanSet } from '../evaluation/scan_file.ts';
import { findSets, type Sets } from '../evaluation/sets.ts';
import { demoAccessPoints } from '../folder/demo_town.ts';
import { escapeLines } from './terminal/escape.ts';

const STDOUT = '-';
const LINE_MS = 1000;
const CLEAR_LINE = '\r\u001b[2K';

interface EvaluateFlags {
  url?: string;
  key?: string;
  json?: string;
  folds?: number[];
  train: boolean;
  hidden?: string[];
  indoors?: string[];
  unseen?: boolean;
  follow?: boolean;
}

/** Adds the verb. */
export function addEvaluate(program: Command): void {
  program
    .command('evaluate')
    .description('measure accuracy through a service: on scans with known truth, beside simple methods, and on hidden cells')
    .argument(
      '[sets...]',
      'files of scans (jsonl, jsonl.gz), or folders of them and of cell tables; without, synthetic scans of the demo town',
    )
    .option('--url <address>', 'a running service to ask, on scans alone; without, one of its own with an empty folder for each fold')
    .option('--key <key>', 'key for that service; trusted, where it is to learn, and with tracking for --follow')
    .option('--folds <list>', 'folds to test, 0..4 with commas between, training on all others; 1,2,3,4, for walks 1', folds)
    .option('--hidden <tables...>', 'cell tables: hide a fifth of their cells and have a service guess where they are, by each fallback')
    .option('--indoors <files...>', 'UJIIndoorLoc.zip, or walks with floors: import fingerprints, and have positions in buildings found')
    .option('--unseen', 'also with priors that have not seen a set, fitted to all others, and a service that measures itself from there')
    .option('--follow', 'also ask as devices that send back the state of their last answer do, scan by scan in the order of time')
    .option('--no-train', 'contribute nothing: ask the service as it is')
    .option('--json <file>', 'write all figures and the worst cases as JSON; - writes them to standard output instead of the tables')
    .addHelpText('after', '\nExample:\n  sextant evaluate scans.jsonl.gz --json report.json')
    .action(async (paths: string[], flags: EvaluateFlags, command: Command) => {
      const { url, key, train, hidden, indoors } = flags;
      if (indoors !== undefined) {
        if (paths.length > 0 || url !== undefined || key !== undefined || hidden !== undefined || flags.unseen || flags.follow || !train)
          command.error('error: --indoors has services of its own: it goes with --folds and --json alone');
        const results = await runIndoors(indoors, flags);
        writeText(results, describeIndoors(results.indoors), flags.json);
        return;
      }
      if (hidden !== undefined && paths.length > 0) command.error('error: name sets of scans, or cell tables with --hidden');
      if (hidden !== undefined && (url !== undefined || key !== undefined || flags.folds !== undefined || flags.follow || !train))
        command.error('error: --hidden has a service of its own: it goes with --json alone');
      if (url !== undefined && flags.unseen) command.error('error: --unseen has services of its own: leave out --url');
      if ((url === undefined) !== (key === undefined)) command.error('error: --url and --key belong together');
      if (url === undefined && !train) command.error('error: --no-train needs --url and --key: a service of its own knows nothing');
      const sets = hidden === undefined ? await setsOf(paths) : { scans: [], cellTables: hidden };
      if (url !== undefined && sets.scans.length === 0) command.error('error: the service at --url is asked for scans, and there are none');
      if (url !== undefined && train) requireOneFold(sets.scans, flags.folds, command);
      const results = await run(sets, flags);
      writeText(results, describeResults(results), flags.json);
    });
}

/** The named sets, or without any the scans of the demo town. */
async function setsOf(paths: readonly string[]): Promise<Sets> {
  if (paths.length > 0) return findSets(paths);
  process.stderr.write('No sets are named: these are synthetic scans of the demo town, whose figures say nothing about a real place.\n');
  return { scans: [demoScans(demoAccessPoints())], cellTables: [] };
}

async function run({ scans, cellTables }: Sets, { url, key, folds, train, unseen, follow }: EvaluateFlags): Promise<EvaluationResults> {
  const line = new ProgressLine();
  const onProgress = (text: string) => line.show(text);
  // Loaded only if this process serves.
  const temporary = () => import('./service/temporary_service.ts');
  const withService: Evaluation['withService'] =
    url !== undefined && key !== undefined
      ? part => part({ url, key })
      : async (part, priors) => (await temporary()).withTemporaryService(part, { priors, settings: follow ? { tracking: true } : {} });
  const withCells: HiddenEvaluation['withService'] = async (cells, part) => (await temporary()).withTemporaryService(part, { cells });
  const clock = { now: () => performance.now(), sleep };
  try {
    const asked = { isTrained: train, isUnseen: unseen === true, isFollowed: follow === true };
    const comparisons = await evaluate({ sets: scans, folds, ...asked, withService, clock, onProgress });
    // Hidden cells need a service of their own: a running one may know them.
    const files = url === undefined ? cellTables : [];
    return { isTrained: train, comparisons, hidden: await evaluateHidden({ files, withService: withCells, onProgress }) };
  } finally {
    line.end();
  }
}

async function runIndoors(files: readonly string[], { folds }: EvaluateFlags): Promise<IndoorResults> {
  const line = new ProgressLine();
  const { withIndoorService } = await import('./service/indoor_service.ts');
  try {
    return { indoors: await evaluateIndoors({ files, folds, withService: withIndoorService, onProgress: text => line.show(text) }) };
  } finally {
    line.end();
  }
}

/** @param described the results for people */
function writeText(results: object, described: string, json: string | undefined): void {
  const text = `${JSON.stringify(results, null, 2)}\n`;
  process.stdout.write(escapeLines(json === STDOUT ? text : described));
  if (json !== undefined && json !== STDOUT) writeFileSync(json, text);
}

/** A service that has learned the training tracks of one fold knows those held back in the next. */
function requireOneFold(sets: readonly ScanSet[], folds: number[] | undefined, command: Command): void {
  const set = sets.find(({ kind }) => (folds ?? usualFolds(kind)).length > 1);
  if (set !== undefined)
    command.error(
      `error: ${set.name} is tested on several folds, and the service at --url would have seen the later ones while training: name one fold with --folds, or leave out --url`,
    );
}

function folds(text: string): number[] {
  const numbers = text.split(',').map(Number);
  if (!/^[0-4](,[0-4])*$/.test(text) || new Set(numbers).size < numbers.length)
    throw new InvalidArgumentError('It must be different numbers from 0 to 4 with commas between.');
  return numbers;
}

/** Shows progress on standard error: in place on a terminal, elsewhere at most one line a second. */
class ProgressLine {
  private shownAt = Number.NEGATIVE_INFINITY;

  show(text: string): void {
    const isTerminal = process.stderr.isTTY === true;
    if (performance.now() - this.shownAt < (isTerminal ? LINE_MS / 10 : LINE_MS)) return;
    this.shownAt = performance.now();
    process.stderr.write(isTerminal ? `${CLEAR_LINE}${text}` : `${text}\n`);
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  }
}
