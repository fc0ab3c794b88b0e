// The results of the laboratory and their tables: one row for each method on each set of scans, and one for each
// fallback on the hidden cells of each country and radio type. Both tables have the same columns for the same figures.

import { aligned, percent, type TextTable } from '../src/commands/terminal/table.ts';
import type { LabComparison } from './evaluate.ts';
import { ACCURACY_COLUMNS, type Column, scanTable } from './evaluation/results.ts';
import type { FallbackAccuracy } from './hidden_cells.ts';

/** All figures of an evaluation. */
export interface LabResults {
  /** True if the service learned the training tracks first. */
  isTrained: boolean;
  /** Figures on scans. */
  comparisons: readonly LabComparison[];
  /** Figures on hidden cells. */
  hidden: readonly FallbackAccuracy[];
}

const FALLBACK_COLUMNS: readonly Column<FallbackAccuracy>[] = [
  ...ACCURACY_COLUMNS,
  ['> 50 km', ({ farShare }) => percent(farShare, 2)],
  ['abroad', ({ abroad }) => String(abroad)],
];

/** The tables of an evaluation: scans, then hidden cells. A part that was not evaluated has no table. */
export function tablesOf({ comparisons, hidden }: LabResults): TextTable[] {
  return [
    ...(comparisons.length > 0 ? [scanTable(comparisons)] : []),
    ...(hidden.length > 0 ? [hiddenTable(hidden)] : []),
  ];
}

/** The tables as text, with an empty line between them. */
export function describeLabResults(results: LabResults): string {
  return tablesOf(results).map(aligned).join('\n');
}

/** A fallback that answered nothing has no row: most fallbacks do not apply to most radio types. */
function hiddenTable(hidden: readonly FallbackAccuracy[]): TextTable {
  const rows = hidden
    .filter(({ fallback, answered }) => fallback === 'all' || answered > 0)
    .map(each => [String(each.mcc), each.radio, each.fallback, ...FALLBACK_COLUMNS.map(([, cell]) => cell(each))]);
  return { names: 3, columns: ['mcc', 'radio', 'fallback', ...FALLBACK_COLUMNS.map(([head]) => head)], rows };
}
