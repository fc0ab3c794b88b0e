// How many machines does a service of the size of the internet need, and what do they cost? Closed formulas over
// measured costs, for three ways to spread the stations:
//
//   whole copies   every machine has all stations and answers alone
//   by place       a machine has the stations of a region and those around it; a directory in every machine, from
//                  key to region, says who is asked, once a request
//   by hash        a machine has the stations whose key has its hash; the stations of a request are neighbours, and
//                  their keys are not, so several machines are asked for each request
//
// Machines are planned half busy, and so that the rest carries the load when a zone is lost.

import type { Costs } from './costs.ts';

/** What is asked of the service. */
export interface Demand {
  accessPoints: number;
  cells: number;
  requestsPerSecond: number;
  observationsPerDay: number;
  /** Stations of a request that are known. */
  stationsPerRequest: number;
  /** Observations of the busiest hour to those of the mean hour. Requests are given for their peak. */
  observationPeak: number;
  /** The busiest share x of the stations gets x^skew of the look-ups: 1 is uniform, 0.14 is 80 % for 20 %. */
  skew: number;
  /** Days for which observations are kept. */
  keptDays: number;
}

/** One virtual core with its share of memory and disk; a machine has a number of them. */
export interface Core {
  memoryBytes: number;
  diskBytes: number;
  /** Random reads of a page a second. */
  pageReads: number;
  /** US dollars an hour. */
  price: number;
}

/** The sizes of machines, in virtual cores. */
const MACHINE_CORES = [4, 8, 16, 32, 64, 128] as const;
export const HOURS_A_MONTH = 730;
/** How much of processor, disk and memory is planned. */
export const BUSY = 0.5;
export const FULL = 0.85;
/** Machines to those that carry the load: of three zones one may be lost. */
export const ZONE_SPARE = 1.5;
/** A lost machine must not be the last one with its stations. */
export const COPIES_MIN = 2;
/** Bytes of a station in the cache (src/tables/stations/cache.ts), and the largest cache that can be set. */
export const CACHE_BYTES = 33;
const CACHE_MAX = 65_536 * 2 ** 20;
/** Bytes of a station in the directory of places: two of a fingerprint, one of the region, three quarters full. */
const DIRECTORY_BYTES = 4;
/** Land of the earth, km², and how far the stations of one request reach beyond a border: cells, km. */
export const LAND_KM2 = 1.49e8;
export const REACH_KM = 35;
/** An empty machine is filled over a network of 10 Gbit/s. */
const NETWORK_BYTES = 1.25e9;

export type Way = 'whole copies' | 'by place' | 'by hash';

/** A way to spread the stations, over so many shards. */
export interface Design {
  way: Way;
  shards: number;
}

/** What a design needs. */
export interface Plan extends Design {
  /** Virtual cores of a machine. */
  cores: number;
  machines: number;
  /** Machines with the same stations. */
  copies: number;
  stationsPerMachine: number;
  /** On disk, with what was learned. */
  tableBytes: number;
  /** Share of a machine's stations that are in memory, both in the cache and as pages. */
  inMemory: number;
  /** Processor time of a request on all machines, microseconds. */
  microseconds: number;
  /** Questions between machines for a request. */
  hops: number;
  /** Between all machines, for requests. */
  bytesPerSecond: number;
  /** Share of one core of each machine that writes deltas. */
  deltaShare: number;
  fillSeconds: number;
  /** US dollars. */
  monthly: number;
}

/** Different shards among n keys: the number of occupied cells of the classical occupancy problem. */
export function expectedShards(shards: number, keys: number): number {
  return shards * (1 - (1 - 1 / shards) ** keys);
}

/** Share of the stations within reach of the border of a square region, which its neighbours have as well. */
export function borderShare(shards: number): number {
  if (shards === 1) return 0;
  const side = Math.sqrt(LAND_KM2 / shards);
  return 1 - Math.max(0, 1 - (2 * REACH_KM) / side) ** 2;
}

/** Share of the look-ups that find their station in memory. @param held share of the stations there */
export function hitShare(held: number, skew: number): number {
  return Math.min(1, held) ** skew;
}

/** Questions to other machines for a request. One of a machine's own shards is asked there. */
export function hopsOf({ way, shards }: Design, keys: number): number {
  if (way === 'whole copies') return 0;
  const asked = way === 'by place' ? 1 : expectedShards(shards, keys);
  return asked * (1 - 1 / shards);
}

/** Stations of a machine. */
function stationsOf({ way, shards }: Design, { accessPoints, cells }: Demand): number {
  const own = (accessPoints + cells) / shards;
  return way === 'by place' ? own * (1 + borderShare(shards)) : own;
}

/** Observations of the busiest hour, a second. */
function observationsPerSecond({ observationsPerDay, observationPeak }: Demand): number {
  return (observationsPerDay / 86_400) * observationPeak;
}

/** What a design needs with machines of one size; undefined if a machine's disk cannot hold its tables. */
export function planWith(design: Design, cores: number, demand: Demand, costs: Costs, core: Core): Plan | undefined {
  const { requestsPerSecond, stationsPerRequest, skew, accessPoints, cells } = demand;
  const stations = stationsOf(design, demand);
  const tableBytes = stations * costs.learnedBytes;
  // A new generation is written beside the old one.
  if (2 * tableBytes > FULL * cores * core.diskBytes) return undefined;
  const directory = design.way === 'by place' ? (accessPoints + cells) * DIRECTORY_BYTES : 0;
  const memory = Math.max(0, FULL * cores * core.memoryBytes - directory);
  const inMemory = Math.min(1, memory / (stations * (CACHE_BYTES + costs.tableBytes)));
  const inCache = Math.min(inMemory, CACHE_MAX / (stations * CACHE_BYTES));
  const missed = 1 - hitShare(inCache, skew);
  const fromDisk = 1 - hitShare(inMemory, skew);
  const hops = hopsOf(design, stationsPerRequest);
  const lookups = missed * (costs.tableLookup - costs.cacheLookup) + fromDisk * costs.coldLookup;
  const directed = design.way === 'by place' ? costs.cacheLookup : 0;
  const microseconds =
    costs.position * costs.doubling ** Math.log2(cores) +
    stationsPerRequest * (lookups + directed) +
    hops * (costs.hopAsks + costs.hopAnswers + 2 * costs.coding);
  const byProcessor = (requestsPerSecond * microseconds) / 1e6 / (BUSY * cores);
  const byDisk = (requestsPerSecond * stationsPerRequest * fromDisk) / (BUSY * cores * core.pageReads);
  const needed = Math.max(byProcessor, byDisk) * ZONE_SPARE;
  const copies = Math.max(COPIES_MIN, Math.ceil(needed / design.shards));
  const machines = copies * design.shards;
  return {
    ...design,
    cores,
    machines,
    copies,
    stationsPerMachine: stations,
    tableBytes,
    inMemory,
    microseconds,
    hops,
    bytesPerSecond: requestsPerSecond * hops * (costs.questionBytes + costs.answerBytes),
    deltaShare: (deltasPerMachine(design, demand) * costs.delta) / 1e6,
    fillSeconds: tableBytes / NETWORK_BYTES,
    monthly: machines * cores * core.price * HOURS_A_MONTH,
  };
}

/** The cheapest size of machines for a design; undefined if no machine can hold its tables. */
export function cheapestPlan(design: Design, demand: Demand, costs: Costs, core: Core): Plan | undefined {
  return cheapest(MACHINE_CORES.map(cores => planWith(design, cores, demand, costs, core)));
}

/** The cheapest of some plans; of equally cheap ones the first. */
export function cheapest(plans: readonly (Plan | undefined)[]): Plan | undefined {
  return plans.reduce((best, plan) => {
    if (plan === undefined) return best;
    return best === undefined || plan.monthly < best.monthly ? plan : best;
  }, undefined);
}

/** Stations of deltas that a machine writes in a second of the busiest hour: at most one for each observation. */
function deltasPerMachine(design: Design, demand: Demand): number {
  const share = stationsOf(design, demand) / (demand.accessPoints + demand.cells);
  return observationsPerSecond(demand) * share;
}

/** Where a design ends with machines of one size, whatever their number. */
interface Limits {
  /** Stations that fit into memory, in the cache and as pages. */
  memoryStations: number;
  /** Stations that fit on the disk, with a new generation beside the old one. */
  diskStations: number;
  /** Observations a second whose deltas keep one core half busy. */
  observations: number;
}

/** The limits of a design. */
export function limitsOf(design: Design, cores: number, costs: Costs, core: Core): Limits {
  const copies = design.way === 'by place' ? 1 + borderShare(design.shards) : 1;
  const perStation = copies / design.shards;
  const directory = design.way === 'by place' ? DIRECTORY_BYTES : 0;
  return {
    memoryStations: (FULL * cores * core.memoryBytes) / (perStation * (CACHE_BYTES + costs.tableBytes) + directory),
    diskStations: (FULL * cores * core.diskBytes) / (2 * perStation * costs.learnedBytes),
    observations: (BUSY * 1e6) / (costs.delta * perStation),
  };
}

/** Learners that share the reports by place. */
interface Learners {
  learners: number;
  /** Share of the measured most in the busiest hour. */
  load: number;
  /** Bytes of the log that one keeps. */
  logBytes: number;
  tableBytes: number;
  /** To learn the whole log anew. */
  rebuildDays: number;
  /** Share of the reports that a second learner must see as well. */
  border: number;
}

/** What each of so many learners has to do. */
export function learnersOf(learners: number, demand: Demand, costs: Costs): Learners {
  const border = borderShare(learners);
  const share = (1 + border) / learners;
  const log = demand.observationsPerDay * demand.keptDays;
  return {
    learners,
    load: (observationsPerSecond(demand) * share) / costs.learnedPerSecond,
    logBytes: log * share * costs.logBytes,
    tableBytes: (demand.accessPoints + demand.cells) * share * costs.learnedBytes,
    rebuildDays: (log * share) / costs.learnedPerSecond / 86_400,
    border,
  };
}
