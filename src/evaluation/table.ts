// The report for people: one aligned table, a row for each method on each set.

import type { Accuracy } from './accuracy.ts';
import type { EvaluationReport } from './evaluate.ts';
import type { FallbackAccuracy } from './hidden_cells.ts';

const COLUMNS: readonly (readonly [head: string, cell: (accuracy: Accuracy) => string])[] = [
  ['tested', ({ tested }) => tested.toLocaleString('en')],
  ['answered', ({ answeredShare }) => percent(answeredShare)],
  ['median m', ({ median }) => metres(median)],
  ['p67 m', ({ p67 }) => metres(p67)],
  ['p90 m', ({ p90 }) => metres(p90)],
  ['p95 m', ({ p95 }) => metres(p95)],
  ['inside', ({ insideShare }) => percent(insideShare)],
];

/** The table, ending with a line break; names stand to the left, figures to the right, and a dash where there is none. */
export function describeReport({ comparisons }: EvaluationReport): string {
  const rows = [['set', 'method', ...COLUMNS.map(([head]) => head)]];
  for (const { set, methods } of comparisons) {
    for (const [i, { method, accuracy }] of methods.entries())
      rows.push([i === 0 ? set : '', method, ...COLUMNS.map(([, cell]) => cell(accuracy))]);
  }
  return aligned(rows, 2);
}

const FALLBACK_COLUMNS: readonly (readonly [head: string, cell: (accuracy: FallbackAccuracy) => string])[] = [
  ['tested', ({ tested }) => tested.toLocaleString('en')],
  ['answered', ({ tested, answered }) => percent(answered / tested)],
  ['median m', ({ median }) => metres(median)],
  ['p90 m', ({ p90 }) => metres(p90)],
  ['> 50 km', ({ farShare }) => percent(farShare, 2)],
  ['abroad', ({ abroad }) => String(abroad)],
  ['inside', ({ insideShare }) => percent(insideShare)],
];

/** The table of hidden cells: a row for each fallback, by country and radio type. */
export function describeHidden(accuracies: readonly FallbackAccuracy[]): string {
  const rows = accuracies.map(each => [String(each.mcc), each.radio, each.fallback, ...FALLBACK_COLUMNS.map(([, cell]) => cell(each))]);
  return aligned([['mcc', 'radio', 'fallback', ...FALLBACK_COLUMNS.map(([head]) => head)], ...rows], 3);
}

/** Rows in columns, the first ones, of names, to the left. */
function aligned(rows: readonly (readonly string[])[], names: number): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)));
  const lines = rows.map(row =>
    row.map((cell, column) => (column < names ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
  );
  return `${lines.join('\n')}\n`;
}

function metres(value: number | null): string {
  return value === null ? '-' : value.toFixed(value < 100 ? 1 : 0);
}

function percent(share: number | null, decimals = 1): string {
  return share === null ? '-' : `${(100 * share).toFixed(decimals)} %`;
}
