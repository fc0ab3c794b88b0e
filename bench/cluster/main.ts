// What does a cluster cost, how soon do all nodes know what one was told, and what does a client see of a lost node?
// Two clusters of three nodes on three servers of NATS, beside a machine alone with the same tables: one with a world
// of millions of stations for lookups and for tables on their way, and one with a small world for reports and losses.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOnSignals } from '../command_line.ts';
import { describeMachine, probeStealTime } from '../machine.ts';
import { type Promised, printTable, type Result, type Table } from '../result.ts';
import { waitUntilQuiet } from '../server.ts';
import { medianRatio } from '../statistics.ts';
import { createWorld, type World } from '../world.ts';
import { fillingTable, measureFilling } from './filling.ts';
import { capacityTable, type LookupCosts, lookupTable, measureLookups } from './lookups.ts';
import { lossTable, measureLoss, plotLoss } from './loss.ts';
import { Cluster } from './nodes.ts';
import { lagTable, measureLags, measureReports, reportMicroseconds, reportTable } from './reports.ts';

const SERVERS = 3;
const NODES = 3;
/** Of the small world. */
const STATIONS = 50_000;
const LAG_REPORTS = 220;
/** A node may cost a lookup this much more than a machine alone. */
const LOOKUP_TO_ALONE = 1.02;
const PICTURE = new URL('../../docs/cluster.svg', import.meta.url);

export interface ClusterSettings {
  rounds: number;
  sliceMilliseconds: number;
}

/** Measures everything, and draws docs/cluster.svg. @param world for lookups and tables on their way */
export async function benchCluster(world: World, settings: ClusterSettings): Promise<Result> {
  exitOnSignals();
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-files-'));
  const tables: Table[] = [];
  const show = (table: Table): void => {
    printTable(table);
    tables.push(table);
  };
  try {
    const costs = await measureLarge(world, folder, settings, show);
    await measureSmall(createWorld(STATIONS, world.seed), folder, { ...settings, costs }, show);
    return {
      bench: 'cluster',
      date: new Date().toISOString(),
      machine: describeMachine(),
      settings: { ...settings, stations: world.accessPoints, seed: world.seed, lagReports: LAG_REPORTS },
      tables,
      promises: [checkLookup(costs)],
      rounds: [costs],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureLarge(
  world: World,
  folder: string,
  settings: ClusterSettings,
  show: (table: Table) => void,
): Promise<LookupCosts> {
  const cluster = await Cluster.start(world, SERVERS);
  try {
    const loss = await probeStealTime();
    show(fillingTable(await measureFilling(cluster), world.accessPoints, loss));
    // Each alone: three nodes together use more without load than servers may.
    for (const server of [cluster.alone, ...cluster.nodes]) await waitUntilQuiet([server]);
    const costs = await measureLookups(cluster, folder, settings);
    const { rounds, sliceMilliseconds } = settings;
    const title =
      `${world.accessPoints.toLocaleString('en')} access points, closed loop, ${rounds} rounds of ` +
      `${sliceMilliseconds / 1000} s`;
    show(lookupTable(costs, title, loss));
    return costs;
  } finally {
    await cluster.end();
  }
}

async function measureSmall(
  world: World,
  folder: string,
  { rounds, costs }: ClusterSettings & { costs: LookupCosts },
  show: (table: Table) => void,
): Promise<void> {
  const cluster = await Cluster.start(world, SERVERS);
  try {
    for (let i = 0; i < NODES; i++) await cluster.startNode();
    const loss = await probeStealTime();
    const reports = await measureReports(cluster, rounds);
    show(reportTable(reports, `${rounds} rounds, ${NODES} nodes on ${SERVERS} servers of NATS`, loss));
    show(capacityTable(costs, reportMicroseconds(reports), loss));
    show(lagTable(await measureLags(cluster, folder, LAG_REPORTS), loss));
    const lost = await measureLoss(cluster);
    show(lossTable(lost, loss));
    writeFileSync(PICTURE, plotLoss(lost));
  } finally {
    await cluster.end();
  }
}

function checkLookup({ alone, nodes }: LookupCosts): Promised {
  const ratio = medianRatio(nodes[0], alone);
  return {
    promise: `a lookup at a node takes at most ${LOOKUP_TO_ALONE} of the processor time at a machine alone`,
    figure: ratio.toFixed(3),
    met: ratio <= LOOKUP_TO_ALONE,
  };
}
