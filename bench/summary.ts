// Speed and accuracy in six lines for the README. Figures are picked from the tables of the newest results by the names
// of rows and columns. The lines name every promise that was missed, and a last one says where the results are of
// different commits.

import type { LabResults } from '../lab/results.ts';
import { describeProgram } from './machine.ts';
import type { Result, Table } from './result.ts';

/** The newest result of each benchmark. */
export interface Results {
  path: Result;
  load: Result;
  learn: Result;
  micro: Result;
}

/**
 * A Markdown list of six lines.
 * @throws Error when a table, row, promise or set is missing
 */
export function summaryOf({ path, load, learn, micro }: Results, evaluation: LabResults): string {
  const closed = tableOf(path, 'Whole path, closed loop, 1 HTTP thread');
  const open = tableOf(load, 'Latency, open loop, 1000 requests/s');
  const learned = tableOf(learn, 'Learning:');
  const reverse = tableOf(micro, 'Reverse geocoding up to');
  const search = tableOf(micro, 'Search in Liechtenstein, medians');
  const auto = row(open, 'auto');
  const lines = [
    `Throughput: one HTTP thread answers ${count(row(closed, 'inline')['requests/s'])} positions a second with ` +
      `10 million access points loaded. That is ` +
      `${row(closed, 'inline')['to floor']} of a Fastify route that only parses, validates and replies; we ` +
      `promise 0.7 (${kept(path, 'inline sustains')}).`,
    `Latency at 1,000 requests a second: median ${count(auto.p50)} µs, 99 % within ${count(auto.p99)} µs, ` +
      `${auto['p50 to floor']} and ${auto['p99 to floor']} ` +
      `times that route; we promise 1.3 (${kept(load, '1000/s: p50 of auto')}) and 1.5 ` +
      `(${kept(load, '1000/s: p99 of auto')}).`,
    `Learning: ${count(row(learned, 'saturated')['observations/s'])} contributed observations a second, ` +
      `acknowledged and in the tables; we promise 12,000 ` +
      `(${kept(learn, 'acknowledged and learned')}).`,
    `Places in Liechtenstein: an address of a point in ` +
      `${microseconds(row(reverse, 'Liechtenstein, with address').ns)} µs, a place by its address in ` +
      `${microseconds(row(search, 'address').ns)} µs.`,
    `Cells, ${comparisonOf(evaluation, 'all cells', 'four sets')}`,
    `Access points, ${comparisonOf(evaluation, 'wifi_ariel_scans', 'outdoors')} ` +
      `${capital(comparisonOf(evaluation, 'ilc20_site1_dev', 'indoors'))}`,
  ];
  return [...lines, ...mixedCommits([path, load, learn, micro])].map(line => `- ${line}`).join('\n');
}

/** A line where the results were not measured with one commit. */
function mixedCommits(results: readonly Result[]): string[] {
  const [{ commit }] = results.map(({ machine }) => machine);
  if (commit !== undefined && !commit.includes('+') && results.every(({ machine }) => machine.commit === commit))
    return [];
  const measured = results.map(
    ({ bench, date, machine }) => `${bench} ${date.slice(0, 10)}, ${describeProgram(machine)}`,
  );
  return [`The figures of speed were not measured with one commit: ${measured.join('; ')}.`];
}

/** The service, and the simple method with the best median. */
function comparisonOf({ comparisons }: LabResults, set: string, label: string): string {
  const found = comparisons.find(comparison => comparison.set === set);
  if (found === undefined) throw new Error(`The evaluation has no set ${set}.`);
  const [{ accuracy }] = found.methods;
  const best = bestSimple(found);
  return (
    `${label}: median error ${metres(accuracy.median!)} m, where the best simple method on the same scans ` +
    `(${best.method}) has ` +
    `${metres(best.accuracy.median!)} m; the radius holds ${(100 * accuracy.insideShare!).toFixed(1)} % of the truths.`
  );
}

/** The simple method with the best median. */
export function bestSimple({
  methods,
}: LabResults['comparisons'][number]): LabResults['comparisons'][number]['methods'][number] {
  return methods.slice(1).reduce((first, other) => (other.accuracy.median! < first.accuracy.median! ? other : first));
}

function tableOf({ bench, tables }: Result, title: string): Table {
  const table = tables.find(each => each.title.startsWith(title));
  if (table === undefined) throw new Error(`The benchmark ${bench} has no table "${title}".`);
  return table;
}

function row({ title, columns, rows }: Table, name: string): Record<string, string> {
  const found = rows.find(([first]) => first === name);
  if (found === undefined) throw new Error(`The table "${title}" has no row "${name}".`);
  return Object.fromEntries(columns.map((column, i) => [column, found[i]]));
}

function kept({ bench, promises }: Result, promise: string): string {
  const found = promises.find(each => each.promise.startsWith(promise));
  if (found === undefined) throw new Error(`The benchmark ${bench} checks no promise "${promise}".`);
  return found.met ? 'kept' : '**missed**';
}

function count(figure: string): string {
  return Number(figure).toLocaleString('en');
}

function microseconds(nanoseconds: string): string {
  return (Number(nanoseconds) / 1000).toFixed(0);
}

function metres(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
