// The results of an evaluation in buildings and their table: one row for each method on each set.

import { aligned, percent, type TextTable } from '../../src/commands/terminal/table.ts';
import { type Column, comparisonTable } from '../evaluation/results.ts';
import type { IndoorAccuracy } from './indoor_tally.ts';

/** The figures of all methods on one set: the service first. */
export interface IndoorComparison {
  set: string;
  methods: readonly { method: string; accuracy: IndoorAccuracy }[];
}

/** What is written as JSON. */
export interface IndoorResults {
  indoors: readonly IndoorComparison[];
}

const INDOOR_COLUMNS: readonly Column<IndoorAccuracy>[] = [
  ['tested', ({ tested }) => tested.toLocaleString('en')],
  ['answered', ({ answered, tested }) => percent(tested === 0 ? null : answered / tested)],
  ['mean m', ({ mean }) => fine(mean)],
  ['median m', ({ median }) => fine(median)],
  ['p90 m', ({ p90 }) => fine(p90)],
  ['p95 m', ({ p95 }) => fine(p95)],
  ['inside', ({ insideShare }) => percent(insideShare)],
  ['floor', ({ floorShare }) => percent(floorShare, 2)],
  ['building', ({ buildingShare }) => percent(buildingShare, 2)],
  ['rooms', ({ rooms }) => rooms.toLocaleString('en')],
  ['right', ({ roomShare }) => percent(roomShare)],
  ['shops', ({ shops }) => shops.toLocaleString('en')],
  ['right', ({ shopShare }) => percent(shopShare)],
];

/** The table of an evaluation in buildings. */
export function indoorTable(comparisons: readonly IndoorComparison[]): TextTable {
  return comparisonTable(comparisons, INDOOR_COLUMNS);
}

/** The table as text. */
export function describeIndoors(comparisons: readonly IndoorComparison[]): string {
  return aligned(indoorTable(comparisons));
}

/** A length in metres, to the centimetre. */
function fine(value: number | null): string {
  return value === null ? '-' : value.toFixed(2);
}
