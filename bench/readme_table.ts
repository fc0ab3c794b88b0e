// The README's benchmark tables: the newest line of bench/results/<name>.jsonl as Markdown, between the markers
//
//   <!-- bench path -->  ...  <!-- bench end -->

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describeLoss } from './machine.ts';
import { type Result, resultsPath, type Table } from './report.ts';

const BENCHES = ['path', 'load', 'learn', 'micro'];

/**
 * Rewrites the tables in a README.
 * @returns names of the benchmarks whose tables were written; those without results are left as they are
 * @throws Error when there are results for which the README has no markers
 */
export function writeReadmeTables(readmePath: string): string[] {
  let readme = readFileSync(readmePath, 'utf8');
  const written = BENCHES.filter(bench => existsSync(resultsPath(bench)));
  for (const bench of written) {
    const newest = readFileSync(resultsPath(bench), 'utf8').trimEnd().split('\n').at(-1)!;
    readme = replaceBetweenMarkers(readme, bench, renderResult(JSON.parse(newest) as Result));
  }
  writeFileSync(readmePath, readme);
  return written;
}

/**
 * Puts `text` between a benchmark's markers.
 * @throws Error when a marker is missing
 */
export function replaceBetweenMarkers(readme: string, bench: string, text: string): string {
  const begin = `<!-- bench ${bench} -->`;
  const from = readme.indexOf(begin);
  const to = readme.indexOf('<!-- bench end -->', from);
  if (from < 0 || to < 0) throw new Error(`The README needs the markers "${begin}" and "<!-- bench end -->" around the ${bench} tables.`);
  return readme.slice(0, from + begin.length) + `\n${text}\n` + readme.slice(to);
}

/** Tables, promises and machine of one result as Markdown. */
export function renderResult(result: Result): string {
  const { processor, cores, memoryGigabytes, system, node, packages } = result.machine;
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  const promises = result.promises.map(({ promise, figure, met }) => `- ${met ? 'kept' : '**missed**'}: ${promise}: ${figure}`);
  const machine = `${result.date.slice(0, 10)}, ${processor}, ${cores} cores, ${memoryGigabytes} GiB, ${system}, Node ${node}, ${versions.join(', ')}.`;
  return [...result.tables.map(renderTable), ...(promises.length > 0 ? [promises.join('\n')] : []), machine].join('\n\n');
}

function renderTable(table: Table): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const alignment = table.columns.map((_, i) => (i === 0 ? '---' : '---:'));
  return [`${table.title}.`, '', row(table.columns), row(alignment), ...table.rows.map(row), '', describeLoss(table.loss)].join('\n');
}
