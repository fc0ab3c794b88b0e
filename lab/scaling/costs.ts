// What one request, one station and one observation cost, as measured: read from the newest results of the benchmarks.
// lab/scaling.md calculates with nothing else of our own.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Measured costs of the service. Times are processor time in microseconds, unless a name says otherwise. */
export interface Costs {
  /** Of a whole position, all threads of the process, with stations in the cache. */
  position: number;
  /** Factor of the cost of a position for each doubling of HTTP threads. */
  doubling: number;
  /** A look-up in the cache, and one in LMDB whose page is in memory. */
  cacheLookup: number;
  tableLookup: number;
  /** A look-up whose page is not in memory; `coldLatency` by the clock. */
  coldLookup: number;
  coldLatency: number;
  /** A station of a delta, written to the tables and the cache. */
  delta: number;
  /** A question to another process, on either side. */
  hopAsks: number;
  hopAnswers: number;
  /** To write a question or an answer down, on either side. */
  coding: number;
  questionBytes: number;
  answerBytes: number;
  /** Bytes of a station on disk: those that look-ups read, and all with what was learned of it. */
  tableBytes: number;
  learnedBytes: number;
  /** Bytes of an observation in the log. */
  logBytes: number;
  /** Observations that one service acknowledges and learns in a second. */
  learnedPerSecond: number;
  /** Pauses of a busy thread that the machine makes: how many a second, and their mean length. */
  pausesPerSecond: number;
  pauseMicroseconds: number;
}

/** The part of a benchmark's result that is read here. */
interface Measured {
  tables: readonly {
    title: string;
    columns: readonly string[];
    rows: readonly (readonly string[])[];
    loss: readonly { lostShare: number; gaps: number }[];
  }[];
}

const ONE_THREAD = 'Whole path, closed loop, 1 HTTP thread';
const TWO_THREADS = 'Whole path, closed loop, 2 HTTP threads';
const LOOKUP = 'Lookup of one of';
const PROCESS = 'process us/request';
const MANY = 'Costs of many machines';
/** A probe of pauses watches each thread for so long (bench/machine.ts). */
const PROBE_SECONDS = 1;

/** Where each figure of the benchmark `scaling` stands. */
const OWN = {
  coldLookup: 'cold look-up, processor us',
  coldLatency: 'cold look-up, us',
  delta: 'delta, processor us a station',
  hopAsks: 'hop, processor us of who asks',
  hopAnswers: 'hop, processor us of who answers',
  questionBytes: 'hop bytes, question',
  answerBytes: 'hop bytes, answer',
  tableBytes: 'table bytes a station',
  learnedBytes: 'learned table bytes a station',
  logBytes: 'log bytes an observation',
} as const;

/** The costs by the newest results. @throws Error when a result, table, row or column is missing */
export function measuredCosts(): Costs {
  const [path, learn, micro, scaling] = ['path', 'learn', 'micro', 'scaling'].map(newest);
  const own = Object.entries(OWN).map(([name, row]) => [name, figure(scaling, MANY, row, 'value')]);
  const one = figure(path, ONE_THREAD, 'inline', PROCESS);
  const [loss] = tableOf(path, ONE_THREAD).loss;
  return {
    ...(Object.fromEntries(own) as Record<keyof typeof OWN, number>),
    position: one,
    doubling: figure(path, TWO_THREADS, 'inline', PROCESS) / one,
    cacheLookup: figure(micro, LOOKUP, 'cache, cold', 'ns') / 1000,
    tableLookup: figure(micro, LOOKUP, 'LMDB', 'ns') / 1000,
    coding: figure(micro, 'Handing over one request', 'structs in shared memory', 'ns') / 1000,
    learnedPerSecond: figure(learn, 'Learning: ', 'saturated', 'observations/s'),
    pausesPerSecond: loss.gaps / PROBE_SECONDS,
    pauseMicroseconds: (loss.lostShare * PROBE_SECONDS * 1e6) / Math.max(1, loss.gaps),
  };
}

function newest(bench: string): Measured {
  const path = fileURLToPath(new URL(`../../bench/results/${bench}.jsonl`, import.meta.url));
  if (!existsSync(path)) throw new Error(`There are no results of the benchmark ${bench}: run it first.`);
  return JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1)!) as Measured;
}

function tableOf({ tables }: Measured, title: string): Measured['tables'][number] {
  const table = tables.find(each => each.title.startsWith(title));
  if (table === undefined) throw new Error(`No result has a table "${title}".`);
  return table;
}

function figure(result: Measured, title: string, row: string, column: string): number {
  const { columns, rows } = tableOf(result, title);
  const value = Number.parseFloat(rows.find(([name]) => name === row)?.[columns.indexOf(column)] ?? '');
  if (Number.isNaN(value)) throw new Error(`The table "${title}" has no figure "${column}" of "${row}".`);
  return value;
}
