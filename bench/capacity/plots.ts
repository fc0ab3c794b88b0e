// Draws the plots of a capacity report as SVG, without a browser: ECharts renders on the server into text. Colours are
// those of Okabe and Ito, which people who see few colours can tell apart.

import { type EChartsOption, format, init } from 'echarts';
import type { CapacityReport, ScenarioReport } from './report.ts';
import { STAGE_NAMES } from './stages.ts';

const COLUMNS = 3;
const CELL_WIDTH = 420;
const CELL_HEIGHT = 290;
const MARGIN = { left: 62, right: 24, top: 52, bottom: 52 };
const LEGEND_HEIGHT = 60;
/** Room for fonts that are wider than ECharts assumes. */
const LEGEND_GAP = 24;
/** The triangle on its tip, as in the plot: legends do not rotate symbols. */
const TARGET_ICON = 'path://M0 0h12l-6 10z';
const LINE_ICON = 'path://M0 0h24v2h-24z';
const PLOT_WIDTH = COLUMNS * CELL_WIDTH;
const FONT = 'system-ui, sans-serif';
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#f0e442', '#000000', '#999999'];
const PERCENTILES = [
  { field: 'p50', label: 'p50', colour: '#009e73' },
  { field: 'p99', label: 'p99', colour: '#0072b2' },
  { field: 'p999', label: 'p99.9', colour: '#d55e00' },
] as const;
const KNEE_COLOUR = '#666666';
const TARGET_COLOUR = '#cc79a7';
/**
 * The line of the model ends at this multiple of the measured knee or the highest rate, so that it does not squeeze the
 * points when it is off.
 */
const MODEL_BEYOND = 1.3;
/** Latencies above are cut off: beyond the knee they only say how long the load lasted. */
const HIGHEST_MILLISECONDS = 1000;

/**
 * Latency against rate, one plot for each scenario: points are measured, lines are the model, the dashed line is the
 * knee.
 */
export function plotLatency({ scenarios }: Pick<CapacityReport, 'scenarios'>): string {
  const rows = Math.ceil(scenarios.length / COLUMNS);
  const cells = scenarios.map((scenario, i) => latencyCell(scenario, i));
  const option: EChartsOption = {
    legend: {
      top: 8,
      itemGap: LEGEND_GAP,
      data: [
        ...PERCENTILES.flatMap(({ label }) => [
          { name: `${label} measured` },
          { name: `${label} model`, icon: LINE_ICON },
        ]),
        { name: 'p99 target', icon: TARGET_ICON },
      ],
    },
    title: cells.map(({ title }) => title),
    grid: cells.map(({ grid }) => grid),
    xAxis: cells.map(({ xAxis }) => xAxis),
    yAxis: cells.map(({ yAxis }) => yAxis),
    series: cells.flatMap(({ series }) => series),
  } as EChartsOption;
  return render(
    `Latency against requests a second, measured and by the model: ${listOf(scenarios)}`,
    option,
    rows * CELL_HEIGHT + LEGEND_HEIGHT,
  );
}

/** Processor time of a request by stage, a bar for each scenario. */
export function plotStages({ scenarios }: Pick<CapacityReport, 'scenarios'>): string {
  const stages = STAGE_NAMES.filter(stage => scenarios.some(scenario => microsecondsOf(scenario, stage) > 0));
  return render(
    `Processor time of a request by stage: ${listOf(scenarios)}`,
    {
      legend: { top: 8, itemGap: LEGEND_GAP },
      grid: { left: 110, right: 40, top: 70, bottom: 52 },
      xAxis: { type: 'value', name: 'processor time of a request, µs', nameLocation: 'middle', nameGap: 32 },
      yAxis: { type: 'category', inverse: true, data: scenarios.map(({ name }) => name) },
      series: stages.map((stage, i) => ({
        type: 'bar',
        name: stage,
        stack: 'all',
        barMaxWidth: 26,
        // More stages than colours: the second turn is hatched.
        itemStyle: {
          color: COLOURS[i % COLOURS.length],
          ...(i >= COLOURS.length && {
            decal: {
              symbol: 'rect',
              color: 'rgba(255,255,255,0.6)',
              dashArrayX: [1, 0],
              dashArrayY: [2, 3],
              rotation: 0.8,
            },
          }),
        },
        data: scenarios.map(scenario => microsecondsOf(scenario, stage)),
      })),
    },
    130 + 44 * scenarios.length,
  );
}

/** Predicted knee against cores, a line for each scenario. */
export function plotCores({ cores }: Pick<CapacityReport, 'cores'>): string {
  return render(
    `Predicted knee against cores: ${listOf(cores)}`,
    {
      legend: { top: 8, itemGap: LEGEND_GAP },
      grid: { left: 90, right: 40, top: 60, bottom: 52 },
      xAxis: { type: 'log', logBase: 2, name: 'cores', nameLocation: 'middle', nameGap: 30, min: 2, max: 16 },
      yAxis: {
        type: 'log',
        name: 'knee, requests a second',
        nameLocation: 'middle',
        nameGap: 64,
        axisLabel: { formatter: readable },
      },
      series: cores.map(({ name, knees }, i) => ({
        type: 'line',
        name,
        symbolSize: 8,
        itemStyle: { color: COLOURS[i % COLOURS.length] },
        data: knees.map(({ cores: count, rate }) => [count, Math.round(rate)]),
      })),
    },
    420,
  );
}

function latencyCell({ name, rates, curve, knee, target }: ScenarioReport, i: number) {
  const left = (i % COLUMNS) * CELL_WIDTH + MARGIN.left;
  const top = Math.floor(i / COLUMNS) * CELL_HEIGHT + LEGEND_HEIGHT + MARGIN.top;
  const axes = { xAxisIndex: i, yAxisIndex: i, animation: false };
  const last = MODEL_BEYOND * Math.max(knee.rate ?? 0, ...rates.map(({ rate }) => rate));
  const cut = (microseconds: number) => Math.min(microseconds / 1000, HIGHEST_MILLISECONDS);
  const points = PERCENTILES.map(({ field, label, colour }) => ({
    ...axes,
    type: 'scatter',
    name: `${label} measured`,
    symbolSize: 7,
    itemStyle: { color: colour },
    data: rates.map(figures => [figures.rate, cut(figures[field])]),
  }));
  const lines = PERCENTILES.map(({ field, label, colour }) => ({
    ...axes,
    type: 'line',
    name: `${label} model`,
    symbol: 'none',
    lineStyle: { width: 1.6, color: colour },
    itemStyle: { color: colour },
    data: curve.filter(({ rate }) => rate <= last).map(each => [each.rate, cut(each[field])]),
  }));
  const kneeLine = {
    symbol: 'none',
    silent: true,
    lineStyle: { color: KNEE_COLOUR, type: 'dashed' },
    label: {
      formatter: `knee ${readable(knee.rate ?? 0)}/s`,
      position: 'end',
      rotate: 0,
      distance: 4,
      color: KNEE_COLOUR,
    },
    data: [{ xAxis: knee.rate ?? 0 }],
  };
  const targetPoint = {
    ...axes,
    type: 'scatter',
    name: 'p99 target',
    symbol: 'triangle',
    symbolRotate: 180,
    symbolSize: 11,
    itemStyle: { color: TARGET_COLOUR },
    data: target === undefined ? [] : [[target.rate, target.p99Milliseconds]],
    ...(knee.rate === undefined ? {} : { markLine: kneeLine }),
  };
  return {
    title: { text: name, left: left - 6, top: top - 38, textStyle: { fontSize: 15, fontFamily: FONT } },
    grid: {
      left,
      top,
      width: CELL_WIDTH - MARGIN.left - MARGIN.right,
      height: CELL_HEIGHT - MARGIN.top - MARGIN.bottom,
    },
    xAxis: {
      type: 'value',
      gridIndex: i,
      name: 'requests a second',
      nameLocation: 'middle',
      nameGap: 28,
      splitNumber: 4,
      axisLabel: { formatter: readable, hideOverlap: true },
    },
    yAxis: {
      type: 'log',
      gridIndex: i,
      name: 'latency, ms',
      nameLocation: 'middle',
      nameGap: 40,
      min: 0.05,
      max: HIGHEST_MILLISECONDS,
      axisLabel: { formatter: (value: number) => (Math.log10(value) % 1 === 0 ? String(value) : '') },
    },
    series: [...points, ...lines, targetPoint],
  };
}

function microsecondsOf({ stages }: ScenarioReport, stage: string): number {
  return stages.find(each => each.stage === stage)?.microseconds ?? 0;
}

function readable(rate: number): string {
  return Math.round(rate).toLocaleString('en');
}

function listOf(named: readonly { name: string }[]): string {
  return named.map(({ name }) => name).join(', ');
}

/** Draws a plot as SVG. @param title for readers who do not see it */
export function render(title: string, option: EChartsOption, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: PLOT_WIDTH, height });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: '#ffffff',
      textStyle: { fontFamily: FONT, fontSize: 13 },
      ...option,
    });
    return chart
      .renderToSVGString()
      .replace(/^<svg [^>]*>/, start => `${start}\n<title>${format.encodeHTML(title)}</title>`);
  } finally {
    chart.dispose();
  }
}
