// The README's generated tables: of each benchmark the newest line of bench/results/<name>.jsonl, of the evaluation bench/results/evaluate.json, as
// Markdown between the markers
//
//   <!-- bench path -->  ...  <!-- bench end -->

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type EvaluationReport, tablesOf } from '../src/evaluation/report.ts';
import { describeLoss } from './machine.ts';
import { type Result, resultsPath, type Table } from './report.ts';

const BENCHES = ['path', 'load', 'learn', 'micro'];
const EVALUATION = 'evaluate';
const EVALUATION_PATH = fileURLToPath(new URL('./results/evaluate.json', import.meta.url));

/**
 * Puts the figures of a report aside as the result of the evaluation. Its worst cases stay behind: they name tracks, which belong to who owns the scans.
 * @param path what `sextant evaluate --json` wrote
 */
export function storeEvaluation(path: string): void {
  const report = JSON.parse(readFileSync(path, 'utf8')) as EvaluationReport;
  const comparisons = report.comparisons.map(comparison => ({ ...comparison, worst: [] }));
  writeFileSync(EVALUATION_PATH, `${JSON.stringify({ ...report, comparisons })}\n`);
}

/**
 * A README with its tables as the stored results have them.
 * @returns its text, and the names of the tables written; those without results are left as they are
 * @throws Error when there are results for which the README has no markers
 */
export function withTables(readme: string): { text: string; written: string[] } {
  let text = readme;
  const written = BENCHES.filter(bench => existsSync(resultsPath(bench)));
  for (const bench of written) {
    const newest = readFileSync(resultsPath(bench), 'utf8').trimEnd().split('\n').at(-1)!;
    text = replaceBetweenMarkers(text, bench, renderResult(JSON.parse(newest) as Result));
  }
  if (!existsSync(EVALUATION_PATH)) return { text, written };
  const report = JSON.parse(readFileSync(EVALUATION_PATH, 'utf8')) as EvaluationReport;
  return { text: replaceBetweenMarkers(text, EVALUATION, renderEvaluation(report)), written: [...written, EVALUATION] };
}

/**
 * Puts `text` between a table's markers.
 * @throws Error when a marker is missing
 */
export function replaceBetweenMarkers(readme: string, name: string, text: string): string {
  const begin = `<!-- bench ${name} -->`;
  const from = readme.indexOf(begin);
  const to = readme.indexOf('<!-- bench end -->', from);
  if (from < 0 || to < 0) throw new Error(`The README needs the markers "${begin}" and "<!-- bench end -->" around the ${name} tables.`);
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

/** The tables of an evaluation as Markdown; of hidden cells each radio type by all fallbacks, and each fallback on all radio types. */
export function renderEvaluation(report: EvaluationReport): string {
  const hidden = report.hidden.filter(({ radio, fallback }) => radio === 'any' || fallback === 'all');
  return tablesOf({ ...report, hidden })
    .map(renderFigures)
    .join('\n\n');
}

function renderTable({ title, columns, rows, loss }: Table): string {
  return [`${title}.`, '', renderFigures({ names: 1, columns, rows }), '', describeLoss(loss)].join('\n');
}

/** Figures to the right, names in front of them to the left. */
function renderFigures({
  names,
  columns,
  rows,
}: {
  names: number;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const alignment = columns.map((_, i) => (i < names ? '---' : '---:'));
  return [row(columns), row(alignment), ...rows.map(row)].join('\n');
}
