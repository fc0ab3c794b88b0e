// `sextant evaluate`: accuracy on scans with known truth, through a running service.

import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type Evaluation, evaluate, usualFolds } from '../evaluation/evaluate.ts';
import { evaluateHidden, type HiddenEvaluation } from '../evaluation/hidden_cells.ts';
import { openScans, type ScanSet } from '../evaluation/scan_file.ts';
import { describeHidden, describeReport } from '../evaluation/table.ts';

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
}

/** Adds the verb. */
export function addEvaluate(program: Command): void {
  program
    .command('evaluate')
    .description('measure accuracy on scans with known truth: contribute some tracks, locate the others, compare with simple methods')
    .argument('[sets...]', 'files of scans (jsonl, jsonl.gz), or folders of them')
    .option('--url <address>', 'a running service to ask; without, one of its own with an empty folder for each fold')
    .option('--key <key>', 'key for that service; trusted, where it is to learn')
    .option('--folds <list>', 'folds to test, 0..4 with commas between, training on all others; 1,2,3,4, for walks 1', folds)
    .option('--hidden <tables...>', 'cell tables: hide a fifth of their cells and have a service guess where they are, by each fallback')
    .option('--no-train', 'contribute nothing: ask the service as it is')
    .option('--json <file>', 'write all figures and the worst cases as JSON; - writes them to standard output instead of the table')
    .addHelpText('after', '\nExample:\n  sextant evaluate scans.jsonl.gz --json report.json')
    .action(async (paths: string[], flags: EvaluateFlags, command: Command) => {
      const { url, key, train, hidden } = flags;
      if ((hidden === undefined) === (paths.length === 0)) command.error('error: name sets of scans, or cell tables with --hidden');
      if (hidden !== undefined && (url !== undefined || key !== undefined || flags.folds !== undefined || !train))
        command.error('error: --hidden has a service of its own: it goes with --json alone');
      if (hidden !== undefined) return await runHidden(hidden, flags);
      if ((url === undefined) !== (key === undefined)) command.error('error: --url and --key belong together');
      if (url === undefined && !train) command.error('error: --no-train needs --url and --key: a service of its own knows nothing');
      const sets = await openSets(paths);
      if (url !== undefined && train) requireOneFold(sets, flags.folds, command);
      await run({ sets, folds: flags.folds, isTrained: train }, flags);
    });
}

async function run(evaluation: Pick<Evaluation, 'sets' | 'folds' | 'isTrained'>, { url, key, json }: EvaluateFlags): Promise<void> {
  const line = new ProgressLine();
  const withService: Evaluation['withService'] =
    url !== undefined && key !== undefined
      ? part => part({ url, key })
      : // Loaded only where this process serves.
        async part => (await import('./own_service.ts')).withOwnService(part);
  const clock = { now: () => performance.now(), sleep };
  const report = await evaluate({ ...evaluation, withService, clock, onProgress: text => line.show(text) }).finally(() => line.end());
  write(report, describeReport(report), json);
}

async function runHidden(files: readonly string[], { json }: EvaluateFlags): Promise<void> {
  const line = new ProgressLine();
  const withService: HiddenEvaluation['withService'] = async (cells, part) =>
    (await import('./own_service.ts')).withOwnService(part, cells);
  const accuracies = await evaluateHidden({ files, withService, onProgress: text => line.show(text) }).finally(() => line.end());
  write(accuracies, describeHidden(accuracies), json);
}

function write(report: unknown, table: string, json: string | undefined): void {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  process.stdout.write(json === STDOUT ? text : table);
  if (json !== undefined && json !== STDOUT) writeFileSync(json, text);
}

/** A service that has learned the training tracks of one fold has seen those held back in the next. */
function requireOneFold(sets: readonly ScanSet[], folds: number[] | undefined, command: Command): void {
  const set = sets.find(({ kind }) => (folds ?? usualFolds(kind)).length > 1);
  if (set !== undefined)
    command.error(
      `error: ${set.name} is tested on several folds, and the service at --url would have seen the later ones while training: name one fold with --folds, or leave out --url`,
    );
}

/** The sets in the order named; a folder stands for the files of scans in it, by name. */
async function openSets(paths: readonly string[]): Promise<ScanSet[]> {
  const sets: ScanSet[] = [];
  for (const path of paths) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      sets.push(await openScans(path));
      continue;
    }
    const names = readdirSync(path).filter(name => /\.jsonl(\.gz)?$/.test(name));
    if (names.length === 0) throw new Error(`The folder ${path} holds no files of scans.`);
    for (const name of names.sort()) sets.push(await openScans(join(path, name)));
  }
  return sets;
}

function folds(text: string): number[] {
  const numbers = text.split(',').map(Number);
  if (!/^[0-4](,[0-4])*$/.test(text) || new Set(numbers).size < numbers.length)
    throw new InvalidArgumentError('It must be different numbers from 0 to 4 with commas between.');
  return numbers;
}

/** What is going on, on standard error: on a terminal in place, elsewhere a line a second at most. */
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
