// The report for people: one aligned table, a row for each method on each set.

import type { Accuracy } from './accuracy.ts';
import type { EvaluationReport } from './evaluate.ts';

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
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)));
  const lines = rows.map(row =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
  );
  return `${lines.join('\n')}\n`;
}

function metres(value: number | null): string {
  return value === null ? '-' : value.toFixed(value < 100 ? 1 : 0);
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(100 * share).toFixed(1)} %`;
}
