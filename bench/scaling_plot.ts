// Draws the picture of docs/scaling.md: what clients wait for when the stations are spread by hash, against the number
// of shards; and what a month costs against the number of stations, for each way to spread them.

import type { EChartsOption } from 'echarts';
import { COPIES_MIN, type Way } from '../lab/scaling/designs.ts';
import { cheapestOf, fanOutOf, latenciesOf, type Scaling } from '../lab/scaling/tables.ts';
import { render } from './plot.ts';

const SHARDS = [1, 2, 4, 8, 16, 32, 64, 128];
/** Stations to those of the demand: powers of two. */
const SIZES = Array.from({ length: 15 }, (_, i) => 2 ** (i - 6));
const WAYS: readonly { way: Way; colour: string }[] = [
  { way: 'whole copies', colour: '#009e73' },
  { way: 'by place', colour: '#0072b2' },
  { way: 'by hash', colour: '#d55e00' },
];
const LINES = [
  { name: 'p50', case: 'whole', field: 'p50', colour: '#009e73' },
  { name: 'p99', case: 'whole', field: 'p99', colour: '#0072b2' },
  { name: 'p99, a machine lost, asked once more', case: 'hedged', field: 'p99', colour: '#e69f00' },
  { name: 'p99, a machine lost and not noticed', case: 'unnoticed', field: 'p99', colour: '#d55e00' },
] as const;

/** The two plots, side by side. */
export function plotScaling(scaling: Scaling): string {
  const simulated = SHARDS.map(shards => ({
    shards,
    latencies: latenciesOf(fanOutOf({ way: 'by hash', shards }, COPIES_MIN, scaling)),
  }));
  const { accessPoints, cells } = scaling.demand;
  const waits = LINES.map(line => ({
    ...lineOf(line.name, line.colour, 0),
    data: simulated.map(({ shards, latencies }) => [shards, latencies[line.case][line.field] / 1000]),
  }));
  const costs = WAYS.map(({ way, colour }) => ({
    ...lineOf(way, colour, 1),
    data: SIZES.flatMap(size => {
      const demand = { ...scaling.demand, accessPoints: accessPoints * size, cells: cells * size };
      const plan = cheapestOf(way, { ...scaling, demand });
      return plan === undefined ? [] : [[(accessPoints + cells) * size, plan.monthly]];
    }),
  }));
  return render(
    'Latency against shards by hash; dollars a month against stations',
    {
      legend: [
        { top: 8, left: 60, width: 540, data: LINES.map(({ name }) => name) },
        { top: 8, right: 60, data: WAYS.map(({ way }) => way) },
      ],
      grid: [
        { left: 70, width: 500, top: 80, bottom: 52 },
        { right: 40, width: 540, top: 80, bottom: 52 },
      ],
      xAxis: [axis(0, 'shards', 2), axis(1, 'stations', 10)],
      yAxis: [axis(0, 'latency, ms', 10), axis(1, 'dollars a month', 10)],
      series: [...waits, ...costs],
    } as EChartsOption,
    420,
  );
}

function axis(gridIndex: number, name: string, logBase: number) {
  return {
    type: 'log',
    logBase,
    gridIndex,
    name,
    nameLocation: 'middle',
    nameGap: 40,
    axisLabel: { formatter: (value: number) => value.toLocaleString('en', { notation: 'compact' }) },
  };
}

function lineOf(name: string, colour: string, axisIndex: number) {
  return {
    type: 'line',
    name,
    xAxisIndex: axisIndex,
    yAxisIndex: axisIndex,
    symbolSize: 6,
    itemStyle: { color: colour },
    lineStyle: { color: colour },
  };
}
