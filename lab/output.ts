// What the laboratory prints: progress on standard error, results on standard output and into a file.

import { writeFileSync } from 'node:fs';
import { escapeLines } from '../src/commands/terminal/escape.ts';

const STDOUT = '-';
const LINE_MS = 1000;
const CLEAR_LINE = '\r\u001b[2K';

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
