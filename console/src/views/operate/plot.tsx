// A plot over time or over a number, drawn by uPlot on a canvas. Its legend is text: it shows the values under the
// pointer, and those of the last moment otherwise. Colours come from the style, so a plot follows the theme. A part of
// the axis can be chosen by dragging over it.

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { isDark } from '../../state/theme.ts';

/** Series that have a colour. */
export const SERIES_MAX = 6;
const HEIGHT = 176;
const HEIGHT_OF_BARS = 144;
const AXIS_WIDTH = 56;
const AXIS_HEIGHT = 28;
/** Above, to the right and below: the first and the last mark of an axis stand half beyond it. */
const PADDING: uPlot.Padding = [12, 28, 0, 0];
const FONT = '12px system-ui, sans-serif';

/** A line of a plot: a value for each place of the axis. */
export interface Series {
  label: string;
  values: readonly (number | null)[];
}

/** What a plot shows. */
export interface PlotProps {
  /** What it shows, for people who do not see it. */
  label: string;
  /** Seconds since 1970, or numbers. */
  x: readonly number[];
  series: readonly Series[];
  /** A value with its unit. */
  format(value: number): string;
  /** A mark of the axis of `x`. */
  formatX(value: number): string;
  /** A place of it, in the legend; as a mark without. */
  formatPlace?(value: number): string;
  /** The axis of `x` goes from here to there. */
  range?: readonly [from: number, to: number];
  /** Distances of the marks on it, of which one is chosen. */
  steps?: readonly number[];
  /** The same of the values. */
  valueSteps?: readonly number[];
  isLogarithmic?: boolean;
  /** Bars instead of lines. */
  hasBars?: boolean;
  /** Called with the part of the axis of `x` that was dragged over. */
  onChoose?(from: number, to: number): void;
}

/** A plot. */
export function Plot(props: PlotProps) {
  const { label, x, series, format, formatX, formatPlace = formatX, isLogarithmic = false, hasBars = false } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [at, setAt] = useState<number | null>(null);
  const names = series.map(each => each.label).join('\n');
  useEffect(() => {
    const element = frame.current!;
    const drawn = new uPlot(optionsOf(latest, element.clientWidth, setAt), dataOf(latest.current), element);
    plot.current = drawn;
    const observer = new ResizeObserver(() =>
      drawn.setSize({ width: element.clientWidth, height: hasBars ? HEIGHT_OF_BARS : HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [names, isLogarithmic, hasBars, isDark.value]);
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [x, series, ...(props.range ?? [])]);
  const shown = at ?? x.length - 1;
  return (
    <figure class="plot" aria-label={label}>
      <div ref={frame} role="img" aria-label={label} />
      <ul class="plot-legend">
        {x.length > 0 && <li class="muted">{formatPlace(x[shown] ?? x.at(-1)!)}</li>}
        {series.map((each, n) => {
          const value = each.values[shown];
          return (
            <li key={each.label}>
              <span class={`swatch series-${n + 1}`} />
              {each.label} <b>{value === null || value === undefined ? '–' : format(value)}</b>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}

function dataOf({ x, series }: PlotProps): uPlot.AlignedData {
  return [[...x], ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
}

function optionsOf(
  latest: { readonly current: PlotProps },
  width: number,
  onCursor: (at: number | null) => void,
): uPlot.Options {
  const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--muted'),
    font: FONT,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const { series, hasBars = false, isLogarithmic = false, onChoose } = latest.current;
  return {
    width,
    height: hasBars ? HEIGHT_OF_BARS : HEIGHT,
    padding: PADDING,
    legend: { show: false },
    cursor: { y: false, drag: { x: onChoose !== undefined, y: false, setScale: false }, points: { show: !hasBars } },
    hooks: {
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
      setSelect: [drawn => chosen(drawn, latest.current.onChoose)],
    },
    scales: {
      x: { time: false, ...(latest.current.range && { range: () => [...latest.current.range!] as [number, number] }) },
      y: isLogarithmic ? { distr: 3 } : { range: (_, __, highest) => [0, highest > 0 ? 1.08 * highest : 1] },
    },
    axes: [
      {
        ...axis,
        size: AXIS_HEIGHT,
        grid: { show: false },
        space: 56,
        ...(latest.current.steps && { incrs: [...latest.current.steps] }),
        values: (_, places) => places.map(place => latest.current.formatX(place)),
      },
      {
        ...axis,
        ...(isLogarithmic && {
          grid: { ...axis.grid, filter: powersOf },
          filter: powersOf,
        }),
        ...(latest.current.valueSteps && { incrs: [...latest.current.valueSteps] }),
        size: AXIS_WIDTH,
        space: 36,
        values: (_, places) => places.map(place => (place === null ? '' : latest.current.format(place))),
      },
    ],
    series: [
      {},
      ...series.map((_, n) => ({
        stroke: colour(`--series-${n + 1}`),
        width: 1.5,
        points: hasBars ? { show: false } : { size: 6, fill: colour(`--series-${n + 1}`), filter: aloneIn },
        spanGaps: false,
        ...(hasBars && { fill: colour(`--series-${n + 1}`), paths: uPlot.paths.bars!({ size: [0.7, 32] }) }),
      })),
    ],
  };
}

/** Tells of the part that was dragged over, and takes the mark of it away. */
function chosen(drawn: uPlot, onChoose: PlotProps['onChoose']): void {
  const { left, width } = drawn.select;
  if (width === 0) return;
  drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onChoose?.(drawn.posToVal(left, 'x'), drawn.posToVal(left + width, 'x'));
}

/** Where points are too many to be shown, those without a neighbour are: no line would show them. */
function aloneIn(drawn: uPlot, series: number, areAllShown: boolean): number[] | null {
  if (areAllShown) return null;
  const values = drawn.data[series];
  const isValue = (at: number): boolean => values[at] !== null && values[at] !== undefined;
  return [...values.keys()].filter(at => isValue(at) && !isValue(at - 1) && !isValue(at + 1));
}

/** Of the marks of a logarithmic axis only those of powers of ten, if there are several: lines would crowd. */
function powersOf(_: uPlot, marks: number[]): (number | null)[] {
  const isPower = (mark: number): boolean => Math.abs(Math.log10(mark) - Math.round(Math.log10(mark))) < 1e-9;
  return marks.filter(isPower).length < 2 ? marks : marks.map(mark => (isPower(mark) ? mark : null));
}
