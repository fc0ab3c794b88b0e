// What does a client see of a node that is lost? It asks for positions at a fixed rate, the three nodes in turn. Where
// one does not answer in time, it asks the next one, and leaves the first one out for a second. Latency counts from the
// first question until the answer, whatever node gave it.

import { setTimeout as delay } from 'node:timers/promises';
import type { EChartsOption } from 'echarts';
import { quantile } from '../../lab/evaluation/quantile.ts';
import type { StealTime } from '../machine.ts';
import { render } from '../plot.ts';
import { renderBody, scanAt } from '../requests.ts';
import type { Table } from '../result.ts';
import type { Cluster } from './nodes.ts';

const LOOKUPS_A_SECOND = 200;
/** A client waits this long for a node. */
const TIMEOUT_MILLISECONDS = 100;
const LEFT_OUT_MILLISECONDS = 1_000;
/** Of a point of the picture. */
const STEP_MILLISECONDS = 500;
const BODIES = 1_000;
/** What happens, and for how many seconds the client looks on. */
const PHASES = [
  ['all nodes answer', 5],
  ['the learner is killed', 10],
  ['it starts again', 10],
  ['a node hangs (SIGSTOP)', 10],
  ['it goes on', 5],
] as const;
const LINES = [
  { name: 'p50', share: 0.5, colour: '#009e73' },
  { name: 'p99', share: 0.99, colour: '#0072b2' },
  { name: 'longest', share: 1, colour: '#d55e00' },
] as const;

/** What the client has seen. */
export interface Loss {
  /** Each lookup: when it was sent, and how long it took; both in milliseconds since the beginning. */
  lookups: { atMs: number; tookMs: number; isAnswered: boolean }[];
  /** When each phase began. */
  phasesMs: number[];
}

/** Loses the learner, which comes back, and then has another node hang. */
export async function measureLoss(cluster: Cluster): Promise<Loss> {
  const client = new Client(cluster);
  const sending = client.run(PHASES.reduce((sum, [, seconds]) => sum + seconds, 0));
  const learner = await cluster.learner();
  const hanging = cluster.nodes[(learner + 1) % cluster.nodes.length].process;
  const phasesMs: number[] = [];
  let starting: Promise<unknown> | undefined;
  for (const [phase, seconds] of PHASES) {
    phasesMs.push(client.elapsedMs);
    if (phase === 'the learner is killed') cluster.nodes[learner].process.kill('SIGKILL');
    if (phase === 'it starts again') starting = cluster.startNode(learner);
    if (phase === 'a node hangs (SIGSTOP)') hanging.kill('SIGSTOP');
    if (phase === 'it goes on') hanging.kill('SIGCONT');
    await delay(seconds * 1000);
  }
  await starting;
  await sending;
  return { lookups: client.lookups, phasesMs };
}

class Client {
  readonly lookups: Loss['lookups'] = [];
  private readonly cluster: Cluster;
  private readonly bodies: readonly string[];
  private readonly leftOutUntilMs: number[];
  private readonly beganMs = performance.now();

  constructor(cluster: Cluster) {
    this.cluster = cluster;
    this.bodies = Array.from({ length: BODIES }, (_, i) => renderBody(scanAt(cluster.world, i)));
    this.leftOutUntilMs = cluster.nodes.map(() => 0);
  }

  get elapsedMs(): number {
    return performance.now() - this.beganMs;
  }

  async run(seconds: number): Promise<void> {
    const underWay: Promise<void>[] = [];
    for (let i = 0; i < seconds * LOOKUPS_A_SECOND; i++) {
      const dueMs = (i * 1000) / LOOKUPS_A_SECOND;
      if (dueMs > this.elapsedMs) await delay(dueMs - this.elapsedMs);
      underWay.push(this.look(i));
    }
    await Promise.all(underWay);
  }

  private async look(number: number): Promise<void> {
    const atMs = this.elapsedMs;
    const count = this.leftOutUntilMs.length;
    const turns = Array.from({ length: count }, (_, i) => (number + i) % count);
    // One that is left out is asked if no other one answers.
    const order = turns.toSorted((a, b) => Number(this.isLeftOut(a)) - Number(this.isLeftOut(b)));
    for (const node of order) {
      const isAnswered = await this.ask(node, this.bodies[number % BODIES]);
      if (isAnswered) {
        this.lookups.push({ atMs, tookMs: this.elapsedMs - atMs, isAnswered });
        return;
      }
      this.leftOutUntilMs[node] = this.elapsedMs + LEFT_OUT_MILLISECONDS;
    }
    this.lookups.push({ atMs, tookMs: this.elapsedMs - atMs, isAnswered: false });
  }

  private isLeftOut(node: number): boolean {
    return this.leftOutUntilMs[node] > this.elapsedMs;
  }

  private async ask(node: number, body: string): Promise<boolean> {
    const { cluster } = this;
    const status = cluster.ask(cluster.nodes[node], `/?key=${cluster.key}`, body).catch(() => 0);
    return (await Promise.race([status, delay(TIMEOUT_MILLISECONDS, 0)])) === 200;
  }
}

/** Latency by phase. */
export function lossTable({ lookups, phasesMs }: Loss, loss: StealTime[]): Table {
  return {
    title:
      `One node of three is lost: a client that sends ${LOOKUPS_A_SECOND} lookups/s, waits ${TIMEOUT_MILLISECONDS} ms ` +
      `for a node and then asks the next one`,
    columns: ['phase', 'lookups', 'p50 ms', 'p99 ms', 'longest ms', 'above 10 ms', 'not answered'],
    rows: PHASES.map(([phase], i) => {
      const [from, to] = [phasesMs[i], phasesMs[i + 1] ?? Number.POSITIVE_INFINITY];
      const seen = lookups.filter(({ atMs }) => atMs >= from && atMs < to);
      const took = seen.map(({ tookMs }) => tookMs);
      return [
        phase,
        String(seen.length),
        ...[0.5, 0.99, 1].map(share => quantile(took, share).toFixed(1)),
        String(took.filter(ms => ms > 10).length),
        String(seen.filter(({ isAnswered }) => !isAnswered).length),
      ];
    }),
    loss,
  };
}

/** The same over time, as SVG. */
export function plotLoss({ lookups, phasesMs }: Loss): string {
  const steps = Map.groupBy(lookups, ({ atMs }) => Math.floor(atMs / STEP_MILLISECONDS));
  const sorted = [...steps].toSorted(([a], [b]) => a - b);
  const series = LINES.map(({ name, share, colour }, i) => ({
    type: 'line',
    name,
    showSymbol: false,
    itemStyle: { color: colour },
    lineStyle: { color: colour },
    data: sorted.map(([step, seen]) => {
      const ms = quantile(
        seen.map(({ tookMs }) => tookMs),
        share,
      );
      return [(step * STEP_MILLISECONDS) / 1000, Number(ms.toFixed(2))];
    }),
    ...(i === 0 && {
      markLine: {
        symbol: 'none',
        lineStyle: { color: '#666666', type: 'dashed' },
        label: { formatter: '{b}', position: 'end' },
        data: phasesMs.slice(1).map((ms, k) => ({ name: PHASES[k + 1][0], xAxis: ms / 1000 })),
      },
    }),
  }));
  return render(
    'Latency of lookups over time, while one node of three is killed, starts again, and another hangs',
    {
      legend: { top: 8, data: LINES.map(({ name }) => name) },
      grid: { left: 70, right: 40, top: 80, bottom: 52 },
      xAxis: { type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 32 },
      yAxis: { type: 'log', name: 'latency, ms', nameLocation: 'middle', nameGap: 46 },
      series,
    } as EChartsOption,
    420,
  );
}
