// `sextant evaluate`: measures accuracy on scans with known positions, through a running service or one of its own.

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { comparisonOf, type Evaluation, evaluateSet } from '../evaluation/evaluate.ts';
import { ALL_FOLDS } from '../evaluation/folds.ts';
import { describeResults, type EvaluationResults } from '../evaluation/results.ts';
import { openScans } from '../evaluation/scan_file.ts';
import { escapeLines } from './terminal/escape.ts';

const STDOUT = '-';
const LINE_MS = 1000;
const CLEAR_LINE = '\r\u001b[2K';

/** Flags of the verb, and of the laboratory. */
export interface EvaluateFlags {
  url?: string;
  key?: string;
  json?: string;
  follow?: boolean;
}

/** Adds the verb. */
export function addEvaluate(program: Command): void {
  program
    .command('evaluate')
    .description('measure accuracy on scans with known positions')
    .argument('<files...>', 'files of scans (jsonl, jsonl.gz)')
    .option(
      '--url <address>',
      'ask a running service as it is; without it, services with empty folders learn four fifths of the tracks ' +
        'and locate the rest, in turn',
    )
    .option('--key <key>', 'key for the service at --url; with tracking for --follow')
    .option(
      '--follow',
      'also ask as devices that send back the state of their last answer, scan by scan in the order of time',
    )
    .option(
      '--json <file>',
      'write all figures and the worst cases as JSON; - writes them to standard output instead of the table',
    )
    .addHelpText('after', '\nExample:\n  sextant evaluate scans.jsonl.gz --json report.json')
    .action(async (files: string[], flags: EvaluateFlags, command: Command) => {
      if ((flags.url === undefined) !== (flags.key === undefined))
        command.error('error: --url and --key belong together');
      const results = await run(files, flags);
      writeResults(results, describeResults(results), flags.json);
    });
}

async function run(files: readonly string[], { url, key, follow = false }: EvaluateFlags): Promise<EvaluationResults> {
  const line = new ProgressLine();
  const isTrained = url === undefined;
  const evaluation: Evaluation = {
    folds: ALL_FOLDS,
    isTrained,
    isFollowed: follow,
    withService: serviceAt(url, key) ?? (part => withOwnService(part, follow)),
    clock: { now: () => performance.now(), sleep },
    onProgress: text => line.show(text),
  };
  const sets = [];
  for (const file of files) sets.push(await openScans(file));
  try {
    const comparisons = [];
    for (const set of sets) comparisons.push(comparisonOf(await evaluateSet(set, evaluation)));
    return { isTrained, comparisons };
  } finally {
    line.end();
  }
}

/** Runs a part of an evaluation against a running service; undefined without its address. */
export function serviceAt(url: string | undefined, key: string | undefined): Evaluation['withService'] | undefined {
  return url === undefined || key === undefined ? undefined : part => part({ url, key });
}

async function withOwnService<T>(
  part: (address: { url: string; key: string }) => Promise<T>,
  tracking: boolean,
): Promise<T> {
  // Loaded only if this process serves.
  const { withTemporaryService } = await import('./service/temporary_service.ts');
  return withTemporaryService(part, { settings: tracking ? { tracking } : {} });
}

/**
 * Prints results and writes them as JSON.
 * @param described the results as tables
 * @param json file for the JSON; - is standard output, in place of the tables
 */
export function writeResults(results: object, described: string, json: string | undefined): void {
  const text = `${JSON.stringify(results, null, 2)}\n`;
  process.stdout.write(escapeLines(json === STDOUT ? text : described));
  if (json !== undefined && json !== STDOUT) writeFileSync(json, text);
}

/** Shows progress on standard error: in place on a terminal, elsewhere at most one line a second. */
export class ProgressLine {
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
