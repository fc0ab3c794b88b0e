// Which time all plots of the page show: an hour, a day or a week up to now, and a part of it, chosen by buttons or by
// dragging over a plot. The range stands in the address.

import { useState } from 'preact/hooks';
import { navigate, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { hourMinute, shortDay } from './formats.ts';
import type { PlotProps } from './plot.tsx';

const text = strings.operate.now;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** What each range needs of its axis: how long it is, how long at least where little is known, and its marks. */
const RANGES = {
  hour: { seconds: HOUR, leastSeconds: 10 * MINUTE, stepSeconds: 10 },
  day: { seconds: DAY, leastSeconds: 4 * HOUR, stepSeconds: 300 },
  week: { seconds: 7 * DAY, leastSeconds: DAY, stepSeconds: 1_800 },
} as const;
const MARK_SECONDS = [10, 30, 1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 5_760].map((each, i) =>
  i < 2 ? each : each * MINUTE,
);
/** A part has at least so many steps. */
const STEPS_MIN = 6;
/** After the last sample, as a share of the range: there it is seen whole. */
const AFTER = 0.01;

/** A range, by name. */
export type RangeName = keyof typeof RANGES;
/** Seconds since 1970. */
type Span = readonly [from: number, to: number];

/** The range that the address names. */
export function rangeOfAddress(): RangeName {
  const asked = route.value.parameters.get('range') ?? '';
  return Object.hasOwn(RANGES, asked) ? (asked as RangeName) : 'hour';
}

/** What is shown of a range. */
interface Shown {
  /** For each plot. */
  plot: Pick<PlotProps, 'range' | 'steps' | 'formatX' | 'formatPlace' | 'onChoose'>;
  whole: Span;
  /** The last sample. */
  last: number;
  /** Undefined for all of it. */
  part: Span | undefined;
  choose(part: Span | undefined): void;
}

/** @param x seconds since 1970, at least one */
export function useShown(name: RangeName, x: readonly number[]): Shown {
  const [chosen, choose] = useState<{ name: RangeName; part: Span | undefined }>();
  const { seconds, leastSeconds, stepSeconds } = RANGES[name];
  const last = x.at(-1)!;
  // A service that has just started has little to show: it gets a shorter axis.
  const first = Math.max(last - seconds, Math.min(x[0], last - leastSeconds));
  const whole: Span = [first, last + AFTER * (last - first)];
  const part = chosen?.name === name ? chosen.part : undefined;
  const set = (next: Span | undefined) => choose({ name, part: next && within(next, whole, STEPS_MIN * stepSeconds) });
  return {
    whole,
    last,
    part,
    choose: set,
    plot: {
      range: part ?? whole,
      steps: MARK_SECONDS,
      formatX: markOf,
      formatPlace: name === 'hour' ? hourMinute : dayAndTime,
      onChoose: (from, to) => set([from, to]),
    },
  };
}

/** A part that is not too short and lies within the range; undefined if it is all of it. */
function within([from, to]: Span, [first, last]: Span, leastSeconds: number): Span | undefined {
  const length = Math.max(leastSeconds, to - from);
  if (length >= last - first) return undefined;
  const begin = Math.min(Math.max((from + to - length) / 2, first), last - length);
  return [begin, begin + length];
}

/** The buttons. */
export function RangeBar({ name, shown }: { name: RangeName; shown: Shown | undefined }) {
  const { whole, part, choose } = shown ?? { whole: [0, 0] as const, part: undefined, choose: () => {} };
  const [from, to] = part ?? whole;
  const length = to - from;
  const move = (share: number) => choose([from + share * length, to + share * length]);
  const resize = (factor: number) => choose([from + ((1 - factor) / 2) * length, to - ((1 - factor) / 2) * length]);
  const isOfPart = part !== undefined;
  return (
    <div class="range-bar">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form */}
      <div class="actions" role="group" aria-label={text.range}>
        {(Object.keys(RANGES) as RangeName[]).map(each => (
          <Button
            key={each}
            pressed={each === name}
            onClick={() => navigate('operate', { page: 'now', range: each }, true)}
          >
            {text.ranges[each]}
          </Button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div class="actions" role="group" aria-label={text.part}>
        <Button disabled={!isOfPart || from <= whole[0]} onClick={() => move(-0.5)}>
          {text.earlier}
        </Button>
        <Button disabled={!isOfPart || to >= whole[1]} onClick={() => move(0.5)}>
          {text.later}
        </Button>
        <Button disabled={shown === undefined} onClick={() => resize(0.5)}>
          {text.zoomIn}
        </Button>
        <Button disabled={!isOfPart} onClick={() => resize(2)}>
          {text.zoomOut}
        </Button>
      </div>
      <p class="muted small" role="status">
        {shown !== undefined && text.span(dayAndTime(from), dayAndTime(Math.min(to, shown.last)))}
      </p>
    </div>
  );
}

/** A mark of the axis: the day where one begins. */
function markOf(seconds: number): string {
  if (seconds % DAY === 0) return shortDay(new Date(seconds * 1000).toISOString().slice(0, 10));
  return seconds % MINUTE === 0 ? hourMinute(seconds) : new Date(seconds * 1000).toISOString().slice(11, 19);
}

function dayAndTime(seconds: number): string {
  return `${shortDay(new Date(seconds * 1000).toISOString().slice(0, 10))} ${hourMinute(seconds)}`;
}
