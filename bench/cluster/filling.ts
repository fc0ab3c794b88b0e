// How long does an empty node take to have the tables of the cluster, and a delta of many stations to all nodes?

import type { Manifest } from '../../src/cluster/manifest.ts';
import type { StealTime } from '../machine.ts';
import { reportAt } from '../reports.ts';
import type { Table } from '../result.ts';
import type { World } from '../world.ts';
import { type Cluster, deltaBytes } from './nodes.ts';

/** Known access points that are heard again. */
const CHANGED = 10_000;
/** Enough time from any town to any other one; what is too fast is not learned. */
const APART_MILLISECONDS = 3_600_000;
const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
/** A report is learned when the one after all others is: of two access points that the world does not have. */
const LAST = [0, 1].map(more => ({ macAddress: `00005e8000${more}0`, signalStrength: -60 }));
const LAST_MS = Date.parse('2026-03-01T10:00:00Z');

/** Seconds and bytes of each way. */
export type Filling = Record<'publish' | 'empty' | 'delta', { seconds: number; bytes: number }>;

/** Starts the first node, then two that are empty, and sends reports that change many stations. */
export async function measureFilling(cluster: Cluster): Promise<Filling> {
  let base!: Manifest;
  const publish = await secondsOf(async () => {
    await cluster.startNode();
    base = await cluster.manifest();
  });
  const bytes = [...Object.values(base.files), base.log].reduce((sum, file) => sum + file.bytes, 0);
  const empty = await secondsOf(() => cluster.startNode());
  await cluster.startNode();
  const before = (await cluster.manifest()).deltas.at(-1)?.to ?? 0;
  const items = [...reportsOf(cluster.world), ...[0, 3].map(lastReport)];
  const delta = await secondsOf(async () => {
    await cluster.report(cluster.nodes[1], items);
    // They are learned in order.
    await cluster.isAnsweredByAll(LAST);
  });
  return {
    publish: { seconds: publish, bytes },
    empty: { seconds: empty, bytes },
    delta: { seconds: delta, bytes: deltaBytes(await cluster.manifest(), before) },
  };
}

/** Reports that together name so many access points. */
function reportsOf(world: World) {
  const changed = new Set<string>();
  const items: ReturnType<typeof reportAt>[] = [];
  while (changed.size < CHANGED) {
    const at = FIRST_MS + items.length * APART_MILLISECONDS;
    const item = { ...reportAt(world, items.length), timestamp: at };
    for (const { macAddress } of item.wifiAccessPoints) changed.add(macAddress);
    items.push(item);
  }
  return items;
}

function lastReport(day: number) {
  const timestamp = LAST_MS + day * 86_400_000;
  return { timestamp, position: { latitude: 50, longitude: 9, accuracy: 5 }, wifiAccessPoints: LAST };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return (performance.now() - beganMs) / 1000;
}

/** How long it takes. */
export function fillingTable({ publish, empty, delta }: Filling, stations: number, loss: StealTime[]): Table {
  const count = stations.toLocaleString('en');
  const row = (name: string, { seconds, bytes }: Filling['empty']) => [
    name,
    seconds.toFixed(1),
    (bytes / 1e6).toFixed(2),
  ];
  return {
    title: 'Tables on their way',
    columns: ['what', 'seconds', 'MB'],
    rows: [
      row(`${count} access points from the first node into an empty cluster, start included`, publish),
      row('the same into an empty node, until it is ready, start included', empty),
      row(
        `${CHANGED.toLocaleString('en')} access points heard again, from the reports until all nodes have them`,
        delta,
      ),
    ],
    loss,
  };
}
