// The results of an evaluation and their tables for people: one row for each method on each set of scans, and one for each fallback on the hidden cells of each
// country and radio type. Both tables have the same columns for the same figures.

import type { Accuracy } from './accuracy.ts';
import type { Comparison } from './evaluate.ts';
import type { FallbackAccuracy } from './hidden_cells.ts';

/** All figures of an evaluation. */
export interface EvaluationResults {
  /** True if the service learned the training tracks first. */
  isTrained: boolean;
  /** Figures on scans. */
  comparisons: readonly Comparison[];
  /** Figures on hidden cells. */
  hidden: readonly FallbackAccuracy[];
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

const COLUMNS: readonly Column<Accuracy>[] = [
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

const FALLBACK_COLUMNS: readonly Column<FallbackAccuracy>[] = [
  ...COLUMNS,
  ['> 50 km', ({ farShare }) => percent(farShare, 2)],
  ['abroad', ({ abroad }) => String(abroad)],
];

/** The tables of an evaluation: scans, then hidden cells. A part that was not evaluated has no table. */
export function tablesOf({ comparisons, hidden }: EvaluationResults): ResultTable[] {
  return [...(comparisons.length > 0 ? [scanTable(comparisons)] : []), ...(hidden.length > 0 ? [hiddenTable(hidden)] : [])];
}

/** The tables as text, with names aligned left and figures right, and an empty line between tables. Each line ends with a line break. */
export function describeResults(results: EvaluationResults): string {
  return tablesOf(results).map(aligned).join('\n');
}

function scanTable(comparisons: readonly Comparison[]): ResultTable {
  const rows = comparisons.flatMap(({ set, methods }) =>
    methods.map(({ method, accuracy }, i) => [i === 0 ? set : '', method, ...COLUMNS.map(([, cell]) => cell(accuracy))]),
  );
  return { names: 2, columns: ['set', 'method', ...COLUMNS.map(([head]) => head)], rows };
}

/** A fallback that answered nothing has no row: most fallbacks do not apply to most radio types. */
function hiddenTable(hidden: readonly FallbackAccuracy[]): ResultTable {
  const rows = hidden
    .filter(({ fallback, answered }) => fallback === 'all' || answered > 0)
    .map(each => [String(each.mcc), each.radio, each.fallback, ...FALLBACK_COLUMNS.map(([, cell]) => cell(each))]);
  return { names: 3, columns: ['mcc', 'radio', 'fallback', ...FALLBACK_COLUMNS.map(([head]) => head)], rows };
}

/** A table with names aligned left and figures right. */
export function aligned({ names, columns, rows }: ResultTable): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map(line => line[column].length)));
  const texts = lines.map(line =>
    line.map((cell, column) => (column < names ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
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
