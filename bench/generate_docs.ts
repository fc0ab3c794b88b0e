// Generates the parts of the documents between markers, as Markdown: for each benchmark from the newest line of
// bench/results/<name>.jsonl, for the evaluation from bench/results/evaluate.json. The markers:
//
//   <!-- bench path -->  ...  <!-- bench end -->
//
// lab/benchmarks.md and lab/accuracy.md have everything. docs/benchmarks.md leaves out columns and tables that only
// developers of the service need; docs/accuracy.md and docs/indoor.md have the service alone. lab/scaling.md has what
// the laboratory calculates from the results, docs/scaling.md the costs by size. The README has a summary of a few lines.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ACCURACY_COLUMNS } from '../lab/evaluation/results.ts';
import { type IndoorResults, indoorTable } from '../lab/indoors/indoor_results.ts';
import { type LabResults, tablesOf } from '../lab/results.ts';
import { INTERNET, RENTED } from '../lab/scaling/assumptions.ts';
import { measuredCosts } from '../lab/scaling/costs.ts';
import { SCALING_TABLES } from '../lab/scaling/tables.ts';
import { metres } from '../src/commands/terminal/table.ts';
import { describeProgram, describeStealTime } from './machine.ts';
import { type Result, resultsPath, type Table } from './result.ts';
import { bestSimple, summaryOf } from './summary.ts';

const ACCURACY = 'accuracy';
const FALLBACKS = 'fallbacks';
const EVALUATION = 'evaluate';
const INDOORS = 'indoors';
const SUMMARY = 'summary';
/** Before the name of a table of docs/scaling.md or lab/scaling.md. */
const SCALING = 'scaling, ';
/** The only one of them that docs/scaling.md has. */
const SIZES = 'sizes';
const SHORT = ', short';
/** Columns and tables, by the beginning of their title, that the short form leaves out. */
const LONG_COLUMNS = [
  'range',
  'HTTP to floor',
  'process to floor',
  'generator us/request',
  'generator cores',
  'reply bytes',
];
const LONG_TABLES = [
  'The radio map',
  'Kernels',
  'Latency, open loop, 2000',
  'Learning: processor time',
  'Reading and checking',
  'Handing over',
  'Whole position',
  'Finding',
  'Following a device',
  'Nearest of',
  'Reverse geocoding up to',
  'Search in Liechtenstein, medians',
];
const EVALUATION_PATH = fileURLToPath(new URL('./results/evaluate.json', import.meta.url));

/** Each document with the names of its generated parts: a benchmark, the evaluation, or the summary of all. */
export const DOCUMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['README.md', [SUMMARY]],
  ['docs/accuracy.md', [ACCURACY, FALLBACKS]],
  ['lab/accuracy.md', [EVALUATION, INDOORS]],
  ['docs/indoor.md', [INDOORS + SHORT]],
  ['docs/benchmarks.md', ['path, short', 'load, short', 'learn, short', 'micro, short']],
  ['lab/benchmarks.md', ['path', 'load', 'learn', 'micro', 'cluster']],
  ['docs/scaling.md', [SCALING + SIZES]],
  ['lab/scaling.md', [...SCALING_TABLES.keys()].filter(name => name !== SIZES).map(name => SCALING + name)],
]);

/**
 * Stores the results of an evaluation for the documents, without the worst cases: they name tracks, which belong to the
 * owner of the scans. Those in buildings are evaluated apart from all others, and stored beside them.
 * @param path what `npm run evaluate -- --json` wrote
 */
export function storeEvaluation(path: string): void {
  const results = JSON.parse(readFileSync(path, 'utf8')) as LabResults | IndoorResults;
  const stored = storedEvaluation();
  writeFileSync(
    EVALUATION_PATH,
    `${JSON.stringify({ ...stored, ...('indoors' in results ? results : measuredOf(results)) })}\n`,
  );
}

/** What an evaluation measured: of hidden cells it may have nothing to say. */
function measuredOf({ hidden, ...results }: LabResults): Partial<LabResults> {
  const comparisons = results.comparisons.map(comparison => ({ ...comparison, worst: [] }));
  return { ...results, comparisons, ...(hidden.length > 0 && { hidden }) };
}

/**
 * A document with its parts generated from the stored results.
 * @param names of the parts
 * @throws Error when a result is missing, or the document has no markers for a part
 */
export function withResults(document: string, names: readonly string[]): string {
  return names.reduce((text, name) => replaceBetweenMarkers(text, name, renderPart(name)), document);
}

function renderPart(name: string): string {
  if (name === EVALUATION) return renderEvaluation(storedEvaluation());
  if (name === ACCURACY) return renderAccuracy(storedEvaluation());
  if (name === FALLBACKS) return renderFallbacks(storedEvaluation());
  if (name === INDOORS) return renderFigures(indoorTable(storedEvaluation().indoors ?? []));
  if (name === INDOORS + SHORT) return renderIndoors(storedEvaluation().indoors ?? []);
  if (name.startsWith(SCALING)) return renderScaling(name.slice(SCALING.length));
  if (name.endsWith(SHORT)) return renderShort(newestResult(name.slice(0, -SHORT.length)));
  if (name !== SUMMARY) return renderResult(newestResult(name));
  const [path, load, learn, micro] = ['path', 'load', 'learn', 'micro'].map(newestResult);
  return summaryOf({ path, load, learn, micro }, storedEvaluation());
}

function renderScaling(name: string): string {
  return renderFigures(SCALING_TABLES.get(name)!({ demand: INTERNET, core: RENTED, costs: measuredCosts() }));
}

function newestResult(bench: string): Result {
  const file = resultsPath(bench);
  if (!existsSync(file)) throw new Error(`There are no results of the benchmark ${bench}: run it first.`);
  return JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)!) as Result;
}

function storedEvaluation(): LabResults & Partial<IndoorResults> {
  return JSON.parse(readFileSync(EVALUATION_PATH, 'utf8')) as LabResults & Partial<IndoorResults>;
}

/**
 * Puts `text` between a table's markers.
 * @throws Error when a marker is missing
 */
export function replaceBetweenMarkers(document: string, name: string, text: string): string {
  const begin = `<!-- bench ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf('<!-- bench end -->', from);
  if (from < 0 || to < 0)
    throw new Error(`The document needs the markers "${begin}" and "<!-- bench end -->" around the part ${name}.`);
  return document.slice(0, from + begin.length) + `\n${text}\n` + document.slice(to);
}

/** Tables, promises and machine of one result as Markdown. */
export function renderResult({ tables, promises, ...result }: Result): string {
  const kept = promises.map(({ promise, figure, met }) => `- ${met ? 'kept' : '**missed**'}: ${promise}: ${figure}`);
  return [...tables.map(renderTable), ...(kept.length > 0 ? [kept.join('\n')] : []), machineOf(result)].join('\n\n');
}

/**
 * The same for users: fewer tables and columns, no versions of libraries, the largest steal time of all tables, and of
 * the promises those that were missed.
 */
export function renderShort({ tables, promises, ...result }: Result): string {
  const shown = tables
    .filter(({ title }) => !LONG_TABLES.some(start => title.startsWith(start)))
    .map(({ title, columns, rows }) => {
      const isShown = (_: unknown, column: number) => !LONG_COLUMNS.includes(columns[column]);
      return `${title}.\n\n${renderFigures({ names: 1, columns: columns.filter(isShown), rows: rows.map(row => row.filter(isShown)) })}`;
    });
  const missed = promises.filter(({ met }) => !met).map(({ promise, figure }) => `- **missed**: ${promise}: ${figure}`);
  const kept = `${promises.length - missed.length} of ${promises.length} promises are kept${missed.length > 0 ? ':' : '.'}`;
  const lost = Math.max(0, ...tables.flatMap(({ loss }) => loss.map(({ lostShare }) => lostShare)));
  const steal = `Steal time: at most ${(100 * lost).toFixed(1)} %.`;
  return [
    ...shown,
    [kept, ...(missed.length > 0 ? ['', ...missed] : [])].join('\n'),
    `${steal} ${computerOf(result)}; ${describeProgram(result.machine)}.`,
  ].join('\n\n');
}

function machineOf({ date, machine }: Pick<Result, 'date' | 'machine'>): string {
  const versions = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`);
  return `${computerOf({ date, machine })}, ${versions.join(', ')}; ${describeProgram(machine)}.`;
}

function computerOf({ date, machine }: Pick<Result, 'date' | 'machine'>): string {
  const { processor, cores, memoryGigabytes, system, node } = machine;
  return `${date.slice(0, 10)}, ${processor}, ${cores} cores, ${memoryGigabytes} GiB, ${system}, Node ${node}`;
}

/**
 * The tables of an evaluation as Markdown; for hidden cells each radio type with all fallbacks, and each fallback with
 * all radio types.
 */
export function renderEvaluation(results: LabResults): string {
  const hidden = results.hidden.filter(({ radio, fallback }) => radio === 'any' || fallback === 'all');
  return tablesOf({ ...results, hidden })
    .map(renderFigures)
    .join('\n\n');
}

/** The service on each set of scans, and the best median of a simple method. */
export function renderAccuracy({ comparisons }: LabResults): string {
  const shown = ACCURACY_COLUMNS.filter(([head]) => !['p67 m', 'p90 m'].includes(head));
  const rows = comparisons.map(comparison => {
    const { accuracy } = comparison.methods[0];
    return [comparison.set, ...shown.map(([, cell]) => cell(accuracy)), metres(bestSimple(comparison).accuracy.median)];
  });
  return renderFigures({ names: 1, columns: ['set', ...shown.map(([head]) => head), 'best simple method'], rows });
}

/** The service on each set in buildings, without shops. */
export function renderIndoors(comparisons: Required<IndoorResults>['indoors']): string {
  const { names, columns, rows } = indoorTable(
    comparisons.map(({ set, methods }) => ({
      set,
      methods: methods.filter(({ method }) => method.startsWith('sextant')),
    })),
  );
  const shown = columns.indexOf('shops');
  return renderFigures({ names, columns: columns.slice(0, shown), rows: rows.map(row => row.slice(0, shown)) });
}

/** Each fallback on the hidden cells of all radio types, with the countries side by side. */
export function renderFallbacks({ hidden }: LabResults): string {
  const shown = ACCURACY_COLUMNS.filter(([head]) => ['answered', 'median m', 'p95 m', 'inside'].includes(head));
  const byFallback = Map.groupBy(
    hidden.filter(({ radio }) => radio === 'any'),
    ({ fallback }) => fallback,
  );
  const rows = Array.from(byFallback, ([fallback, countries]) => [
    `\`${fallback}\``,
    ...shown.map(([, cell]) =>
      countries
        .map(cell)
        .join(', ')
        .replaceAll(/ %(?=,)/g, ''),
    ),
  ]);
  return renderFigures({ names: 1, columns: ['fallback', ...shown.map(([head]) => head)], rows });
}

function renderTable({ title, columns, rows, loss }: Table): string {
  return [`${title}.`, '', renderFigures({ names: 1, columns, rows }), '', describeStealTime(loss)].join('\n');
}

/** A Markdown table with names aligned left and figures aligned right. */
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
