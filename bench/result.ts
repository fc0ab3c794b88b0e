// The result of a benchmark: tables on the terminal, the promises with their figures, and the same as one line of JSON.
// The line is printed last and appended to bench/results/<name>.jsonl, from which the tables of docs/ are generated.

import { appendFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeStealTime, type Machine, type StealTime } from './machine.ts';

const RESULTS = new URL('./results/', import.meta.url);

export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
  /** Steal time just before the table was measured. */
  loss: StealTime[];
}

/** A promise of the project, and the measured figure. */
export interface Promised {
  promise: string;
  figure: string;
  met: boolean;
}

export interface Result {
  bench: string;
  /** ISO 8601, UTC. */
  date: string;
  machine: Machine;
  settings: Record<string, number | number[]>;
  tables: Table[];
  promises: Promised[];
  /** The figures of every round. */
  rounds: unknown[];
}

/** Path of the results of a benchmark. */
export function resultsPath(bench: string): string {
  return fileURLToPath(new URL(`${bench}.jsonl`, RESULTS));
}

/** Prints a finished table, with its steal time. */
export function printTable(table: Table): void {
  const widths = table.columns.map((column, i) => Math.max(column.length, ...table.rows.map(row => row[i].length)));
  const line = (cells: string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  console.log(`\n${table.title}\n`);
  console.log(line(table.columns));
  console.log(widths.map(width => '-'.repeat(width)).join('  '));
  for (const row of table.rows) console.log(line(row));
  console.log(`\n${describeStealTime(table.loss)}`);
}

/**
 * Prints machine, promises and the line of JSON, and appends the line to the results.
 * @returns whether every promise was kept
 */
export function publish(result: Result): boolean {
  const { processor, cores, memoryGigabytes, system, node, packages } = result.machine;
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  console.log(
    `\n${processor}, ${cores} cores, ${memoryGigabytes} GiB, ${system}, Node ${node}, ${versions.join(', ')}; ` +
      `${result.date}\n`,
  );
  for (const { promise, figure, met } of result.promises)
    console.log(`${met ? 'kept  ' : 'MISSED'}  ${promise}: ${figure}`);
  const line = JSON.stringify(result);
  mkdirSync(RESULTS, { recursive: true });
  appendFileSync(resultsPath(result.bench), line + '\n');
  console.log(line);
  return result.promises.every(({ met }) => met);
}
