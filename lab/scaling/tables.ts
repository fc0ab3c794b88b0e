// The tables of lab/scaling.md, by name. Every figure of the document is one of these cells.

import { percent, type TextTable } from '../../src/commands/terminal/table.ts';
import { HEDGE_MICROSECONDS, NETWORK_MICROSECONDS, TIMEOUT_MICROSECONDS } from './assumptions.ts';
import type { Costs } from './costs.ts';
import {
  BUSY,
  COPIES_MIN,
  type Core,
  cheapest,
  cheapestPlan,
  type Demand,
  type Design,
  expectedShards,
  learnersOf,
  limitsOf,
  type Plan,
  type Way,
  ZONE_SPARE,
} from './designs.ts';
import { type FanOut, type Latencies, simulateFanOut } from './fan_out.ts';

/** What the tables are made of. */
export interface Scaling {
  demand: Demand;
  core: Core;
  costs: Costs;
}

const WHOLE: Design = { way: 'whole copies', shards: 1 };
/** The designs that are compared at the size of the demand. */
const DESIGNS: readonly Design[] = [
  WHOLE,
  ...[4, 16, 64].map((shards): Design => ({ way: 'by place', shards })),
  ...[4, 16, 64].map((shards): Design => ({ way: 'by hash', shards })),
];
/** Numbers of shards that are tried for the cheapest plan. */
const SHARDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** Stations to those of the demand. */
const SIZES = [0.1, 1, 3, 10, 30, 100, 300];
const LEARNERS = [1, 2, 4, 8, 16, 64];
const LIMIT_CORES = [16, 128];
const SIMULATED_REQUESTS = 20_000;
const SEED = 1;

/** Names of the tables, and what makes them. */
export const SCALING_TABLES: ReadonlyMap<string, (scaling: Scaling) => TextTable> = new Map([
  ['costs', costsTable],
  ['demand', demandTable],
  ['designs', designsTable],
  ['sizes', sizesTable],
  ['limits', limitsTable],
  ['latency', latencyTable],
  ['learners', learnersTable],
]);

/** The cheapest plan of a way over all numbers of shards; undefined where no machine can hold its tables. */
export function cheapestOf(way: Way, { demand, core, costs }: Scaling): Plan | undefined {
  const shards = way === 'whole copies' ? [1] : SHARDS.slice(1);
  return cheapest(shards.map(count => cheapestPlan({ way, shards: count }, demand, costs, core)));
}

/** The simulation of a design at the load for which machines are planned. */
export function fanOutOf({ way, shards }: Design, copies: number, { demand, costs }: Scaling): FanOut {
  const keys = way === 'by hash' ? demand.stationsPerRequest : 1;
  const asked = shards === 1 ? 0 : expectedShards(shards, keys);
  const lookups = shards === 1 ? 0 : demand.stationsPerRequest / asked;
  return {
    shards,
    keys,
    copies,
    frontWork: costs.position + asked * (costs.hopAsks + costs.coding),
    shardWork: costs.hopAnswers + costs.coding + lookups * costs.cacheLookup,
    network: NETWORK_MICROSECONDS,
    load: BUSY / ZONE_SPARE,
    pausesPerSecond: costs.pausesPerSecond,
    pauseMicroseconds: costs.pauseMicroseconds,
    timeout: TIMEOUT_MICROSECONDS,
    hedge: Number.POSITIVE_INFINITY,
    requests: SIMULATED_REQUESTS,
    seed: SEED,
  };
}

/** Latencies of a design: whole, with a machine lost and not yet noticed, the same with hedging, and noticed. */
export function latenciesOf(fan: FanOut): Record<'whole' | 'unnoticed' | 'hedged' | 'noticed', Latencies> {
  return {
    whole: simulateFanOut(fan),
    unnoticed: simulateFanOut({ ...fan, lost: 'unnoticed' }),
    hedged: simulateFanOut({ ...fan, lost: 'unnoticed', hedge: HEDGE_MICROSECONDS }),
    noticed: simulateFanOut({ ...fan, lost: 'noticed' }),
  };
}

function costsTable({ costs }: Scaling): TextTable {
  const microseconds = (value: number) => `${short(value)} µs`;
  const rows: [string, string, string][] = [
    ['a position, stations in the cache', microseconds(costs.position), '`path`'],
    ['the same for each doubling of threads', `× ${costs.doubling.toFixed(2)}`, '`path`'],
    ['a look-up in the cache', microseconds(costs.cacheLookup), '`micro`'],
    ['a look-up in LMDB, its page in memory', microseconds(costs.tableLookup), '`micro`'],
    ['a look-up in LMDB, its page on disk', microseconds(costs.coldLookup), '`scaling`'],
    ['the same by the clock', microseconds(costs.coldLatency), '`scaling`'],
    ['a question to another process, who asks', microseconds(costs.hopAsks), '`scaling`'],
    ['a question to another process, who answers', microseconds(costs.hopAnswers), '`scaling`'],
    ['the same, written as structs', microseconds(costs.coding), '`micro`'],
    ['a question and its answer', bytes(costs.questionBytes + costs.answerBytes), '`scaling`'],
    ['a station of a delta, written', microseconds(costs.delta), '`scaling`'],
    ['a station in the tables', bytes(costs.tableBytes), '`scaling`'],
    ['a station with what was learned of it', bytes(costs.learnedBytes), '`scaling`'],
    ['an observation in the log', bytes(costs.logBytes), '`scaling`'],
    ['observations a second of one learner', count(costs.learnedPerSecond), '`learn`'],
    ['pauses of a busy thread by the machine', `${short(costs.pausesPerSecond)} a second`, '`path`'],
    ['such a pause', microseconds(costs.pauseMicroseconds), '`path`'],
  ];
  return { names: 1, columns: ['cost', 'measured', 'benchmark'], rows };
}

function demandTable({ demand, core }: Scaling): TextTable {
  const rows: [string, string][] = [
    ['access points', count(demand.accessPoints)],
    ['cells', count(demand.cells)],
    ['requests a second at the peak', count(demand.requestsPerSecond)],
    ['known stations of a request', count(demand.stationsPerRequest)],
    ['observations a day', count(demand.observationsPerDay)],
    ['busiest hour to mean hour', `${demand.observationPeak}`],
    ['look-ups of the busiest fifth of the stations', percent(0.2 ** demand.skew, 0)],
    ['observations are kept for', `${demand.keptDays} days`],
    ['memory of a core', bytes(core.memoryBytes)],
    ['disk of a core', bytes(core.diskBytes)],
    ['page reads of a core', `${count(core.pageReads)} a second`],
    ['price of a core', `$${core.price.toFixed(4)} an hour`],
  ];
  return { names: 1, columns: ['assumption', 'value'], rows };
}

function designsTable(scaling: Scaling): TextTable {
  const { demand, costs, core } = scaling;
  const plans = DESIGNS.map(design => cheapestPlan(design, demand, costs, core)).filter(plan => plan !== undefined);
  return {
    names: 2,
    columns: [
      'stations',
      'shards',
      'machines',
      'cores each',
      'tables each',
      'in memory',
      'µs a request',
      'questions a second',
      'between machines, a second',
      'deltas, share of a core',
      'an empty one is filled in',
      'a month',
    ],
    rows: plans.map(plan => [
      plan.way,
      `${plan.shards}`,
      count(plan.machines),
      `${plan.cores}`,
      bytes(plan.tableBytes),
      percent(plan.inMemory, 0),
      plan.microseconds.toFixed(1),
      count(plan.hops * demand.requestsPerSecond),
      bytes(plan.bytesPerSecond),
      percent(plan.deltaShare, 1),
      `${short(plan.fillSeconds)} s`,
      dollars(plan.monthly),
    ]),
  };
}

function sizesTable(scaling: Scaling): TextTable {
  const plan = (way: Way, size: number): string => {
    const { demand } = scaling;
    const scaled = { ...demand, accessPoints: demand.accessPoints * size, cells: demand.cells * size };
    const found = cheapestOf(way, { ...scaling, demand: scaled });
    if (found === undefined) return 'no machine can hold them';
    const shards = found.shards === 1 ? '' : `${found.shards} shards, `;
    return `${dollars(found.monthly)} (${shards}${found.machines} × ${found.cores} cores)`;
  };
  const ways: Way[] = ['whole copies', 'by place', 'by hash'];
  const { accessPoints, cells } = scaling.demand;
  return {
    names: 1,
    columns: ['stations', ...ways.map(way => `${way}, a month`)],
    rows: SIZES.map(size => [count((accessPoints + cells) * size), ...ways.map(way => plan(way, size))]),
  };
}

function limitsTable({ costs, core }: Scaling): TextTable {
  const designs = DESIGNS.filter(({ shards }) => shards !== 4);
  return {
    names: 2,
    columns: ['stations', 'shards', 'cores each', 'memory holds', 'disk holds', 'observations a second'],
    rows: designs.flatMap(design =>
      LIMIT_CORES.map(cores => {
        const limits = limitsOf(design, cores, costs, core);
        return [
          design.way,
          `${design.shards}`,
          `${cores}`,
          count(limits.memoryStations),
          count(limits.diskStations),
          count(limits.observations),
        ];
      }),
    ),
  };
}

function latencyTable(scaling: Scaling): TextTable {
  const rows = DESIGNS.filter(({ way, shards }) => way !== 'by place' || shards === 16).map(design => {
    const plan = cheapestPlan(design, scaling.demand, scaling.costs, scaling.core);
    const { whole, noticed, unnoticed, hedged } = latenciesOf(fanOutOf(design, plan?.copies ?? COPIES_MIN, scaling));
    const figures = [whole.p50, whole.p99, noticed.p99, unnoticed.p50, unnoticed.p99, hedged.p50, hedged.p99];
    return [design.way, `${design.shards}`, ...figures.map(count)];
  });
  const columns = ['p50', 'p99', 'noticed: p99', 'not noticed: p50', 'p99', 'asked once more: p50', 'p99'];
  return { names: 2, columns: ['stations', 'shards', ...columns], rows };
}

function learnersTable({ demand, costs }: Scaling): TextTable {
  return {
    names: 1,
    columns: [
      'learners',
      'load in the busiest hour',
      'log of a day, each',
      'log that is kept, each',
      'tables, each',
      'reports that two must see',
      'days to learn a year anew',
    ],
    rows: LEARNERS.map(learners => {
      const each = learnersOf(learners, demand, costs);
      return [
        `${learners}`,
        percent(each.load, 0),
        bytes(each.logBytes / demand.keptDays),
        bytes(each.logBytes),
        bytes(each.tableBytes),
        percent(each.border, 1),
        short((each.rebuildDays * 365) / demand.keptDays),
      ];
    }),
  };
}

function short(value: number): string {
  return value >= 100 ? count(value) : `${Number(value.toPrecision(2))}`;
}

function count(value: number): string {
  return Number(value.toPrecision(value >= 1e6 ? 3 : 12)).toLocaleString('en', { maximumFractionDigits: 0 });
}

function dollars(value: number): string {
  return `$${Number(value.toPrecision(3)).toLocaleString('en')}`;
}

/** Bytes with three figures, in units of a thousand. */
function bytes(value: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
  const unit = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${Number((value / 1000 ** unit).toPrecision(3))} ${units[unit]}`;
}
