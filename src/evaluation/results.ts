// The results of an evaluation, and their table: one row for each method on each set of scans.

import type { Accuracy } from './accuracy.ts';
import type { Comparison } from './evaluate.ts';

/** All figures of an evaluation. */
export interface EvaluationResults {
  /** True if the service learned the training tracks first. */
  isTrained: boolean;
  /** Figures on scans. */
  comparisons: readonly Comparison[];
}

/** A table as text. */
export interface ResultTable {
  /** Number of columns with names; the others have figures. */
  names: number;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

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

/** The results as text. */
export function describeResults({ comparisons }: EvaluationResults): string {
  return aligned(scanTable(comparisons));
}

/** The figures on scans. */
export function scanTable(comparisons: readonly Comparison[]): ResultTable {
  return comparisonTable(comparisons, ACCURACY_COLUMNS);
}

/** One row for each method on each set. */
export function comparisonTable<T>(
  comparisons: readonly { set: string; methods: readonly { method: string; accuracy: T }[] }[],
  columns: readonly Column<T>[],
): ResultTable {
  const rows = comparisons.flatMap(({ set, methods }) =>
    methods.map(({ method, accuracy }, i) => [
      i === 0 ? set : '',
      method,
      ...columns.map(([, cell]) => cell(accuracy)),
    ]),
  );
  return { names: 2, columns: ['set', 'method', ...columns.map(([head]) => head)], rows };
}

/** A table with names aligned left and figures right. Each line ends with a line break. */
export function aligned({ names, columns, rows }: ResultTable): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map(line => line[column].length)));
  const texts = lines.map(line =>
    line
      .map((cell, column) => (column < names ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  '),
  );
  return `${texts.join('\n')}\n`;
}

/** A length in metres. A dash means that there is no figure. */
export function metres(value: number | null): string {
  return value === null ? '-' : value.toFixed(value < 100 ? 1 : 0);
}

/** A share 0..1 in percent. A dash means that there is no figure. */
export function percent(share: number | null, decimals = 1): string {
  return share === null ? '-' : `${(100 * share).toFixed(decimals)} %`;
}
