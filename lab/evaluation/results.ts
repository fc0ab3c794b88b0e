// The columns and rows of a table of results: one row for each method on each set of scans.

import { metres, percent, type TextTable } from '../../src/commands/terminal/table.ts';
import type { Accuracy } from './accuracy.ts';
import type { Comparison } from './evaluate.ts';

/** A column: its head, and its cell for some figures. */
export type Column<T> = readonly [head: string, cell: (figures: T) => string];

/** The figures of an accuracy. */
export const ACCURACY_COLUMNS: readonly Column<Accuracy>[] = [
  ['tested', ({ tested }) => tested.toLocaleString('en')],
  ['answered', ({ answeredShare }) => percent(answeredShare)],
  ['median m', ({ median }) => metres(median)],
  ['p67 m', ({ p67 }) => metres(p67)],
  ['p90 m', ({ p90 }) => metres(p90)],
  ['p95 m', ({ p95 }) => metres(p95)],
  ['inside', ({ insideShare }) => percent(insideShare)],
  ['in 68', ({ inside68Share }) => percent(inside68Share)],
  ['in 95', ({ inside95Share }) => percent(inside95Share)],
];

/** The figures on scans. */
export function scanTable(comparisons: readonly Comparison[]): TextTable {
  return comparisonTable(comparisons, ACCURACY_COLUMNS);
}

/** One row for each method on each set. */
export function comparisonTable<T>(
  comparisons: readonly { set: string; methods: readonly { method: string; accuracy: T }[] }[],
  columns: readonly Column<T>[],
): TextTable {
  const rows = comparisons.flatMap(({ set, methods }) =>
    methods.map(({ method, accuracy }, i) => [
      i === 0 ? set : '',
      method,
      ...columns.map(([, cell]) => cell(accuracy)),
    ]),
  );
  return { names: 2, columns: ['set', 'method', ...columns.map(([head]) => head)], rows };
}
