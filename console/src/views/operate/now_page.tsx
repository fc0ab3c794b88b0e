// What the service does now, and did in the last hour, day or week. All plots show the same time.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { clock, count, latency, shortNumber, size } from './formats.ts';
import { Plot, type PlotProps, SERIES_MAX, type Series } from './plot.tsx';
import { RangeBar, type RangeName, rangeOfAddress, useShown } from './time_range.tsx';
import { Warnings } from './warnings.tsx';

const text = strings.operate.now;
const STEP_MILLISECONDS = 10_000;
/** The steps of a day and of a week grow slowly. */
const LONG_STEP_MILLISECONDS = 60_000;
/** 1 MB to half a TB, so that marks are round. */
const MARK_BYTES = Array.from({ length: 20 }, (_, n) => 1_048_576 * 2 ** n);
/** Steps that the tiles speak of as now: half a minute, so that one quiet step is not all. */
const RECENT_STEPS = 3;
/** The reason of answers to which nothing is known: nobody was refused. */
const NOT_FOUND = 'notFound';

type Figures = AdminSchemas['Figures'];
type Column = readonly (number | null)[];

/** The page. */
export function NowPage() {
  const range = rangeOfAddress();
  // Of the hour they are there already.
  const now = useLoaded(
    async signal => (range === 'hour' ? undefined : await call('GET /figures', { signal })),
    [range],
    STEP_MILLISECONDS,
  );
  const past = useLoaded(
    async signal => ({ range, figures: await call('GET /figures', { query: { range }, signal }) }),
    [range],
    range === 'hour' ? STEP_MILLISECONDS : LONG_STEP_MILLISECONDS,
  );
  return (
    <>
      <Warnings />
      <Content loaded={past} lines={8}>
        {({ range: shown, figures }) =>
          figures.times.length === 0 ? (
            <>
              <RangeBar name={range} shown={undefined} />
              <Card title={text.title}>
                <Empty icon="operate" title={text.none}>
                  {text.noneText}
                </Empty>
              </Card>
            </>
          ) : (
            <Past name={shown} figures={figures} now={shown === 'hour' ? figures : now.value} />
          )
        }
      </Content>
    </>
  );
}

function Past({ name, figures, now }: { name: RangeName; figures: Figures; now: Figures | undefined }) {
  const { routes, creditsSpent, backlog, memory, processor } = figures;
  const x = figures.times.map(time => Date.parse(time) / 1000);
  const shown = useShown(name, x);
  const plot = { x, ...shown.plot };
  const step = text.steps[name];
  return (
    <>
      <RangeBar name={name} shown={shown} />
      <Tiles name={name} figures={figures} />
      {now !== undefined && now.times.length > 0 && <TilesOfNow figures={now} />}
      <div class="plots">
        <Card title={text.requests}>
          {figures.total.requests === 0 ? (
            <NoRequests name={name} />
          ) : (
            <Plot {...plot} label={text.requests} format={shortNumber} series={largest(mapped(routes, 'perSecond'))} />
          )}
        </Card>
        <Latencies name={name} routes={routes} plot={plot} />
        <Card title={text.errorsPlot(step)}>
          {Object.keys(figures.errors).length === 0 ? (
            <Empty icon="check" title={text.noErrors[name]} />
          ) : (
            <Plot {...plot} label={text.errorsPlot(step)} format={count} series={largest(figures.errors)} />
          )}
        </Card>
        <Card title={text.processor}>
          <Plot {...plot} label={text.processor} format={percent} series={largest(processor)} />
        </Card>
        <Card title={text.memoryPlot}>
          <Plot {...plot} label={text.memoryPlot} format={size} valueSteps={MARK_BYTES} series={largest(memory)} />
        </Card>
        <Card title={text.learning(step)}>
          <Plot
            {...plot}
            label={text.learning(step)}
            format={count}
            series={[
              { label: text.waiting, values: backlog },
              { label: text.credits, values: creditsSpent },
            ]}
          />
        </Card>
      </div>
    </>
  );
}

/** What became of the requests of the whole range. */
function Tiles({ name, figures: { total, errors, stepSeconds, creditsSpent } }: { name: RangeName; figures: Figures }) {
  const { [NOT_FOUND]: notFound = [], ...refused } = errors;
  const watched = stepSeconds * creditsSpent.filter(each => each !== null).length;
  const shareOf = (part: number): string =>
    total.requests === 0 ? text.noneAsked : text.share(`${shortNumber((100 * part) / total.requests)} %`);
  const sums = [sumOf(notFound), sumOf(Object.values(refused).flat())];
  const latencyOf = (ms: number | null): string => (ms === null ? '–' : latency(ms));
  return (
    <TileRow title={text.tilesOf[name]}>
      <Tile
        label={text.asked}
        value={count(total.requests)}
        note={text.onAverage(shortNumber(total.requests / watched))}
      />
      <Tile label={text.within} value={latencyOf(total.p99Ms)} note={text.halfWithin(latencyOf(total.p50Ms))} />
      <Tile label={text.notFound} value={count(sums[0])} note={shareOf(sums[0])} />
      <Tile label={text.errors} value={count(sums[1])} note={shareOf(sums[1])} />
    </TileRow>
  );
}

function TilesOfNow({ figures: { times, routes, memory, workers, backlog } }: { figures: Figures }) {
  const perSecond = Object.values(routes).map(route => meanOf(route.perSecond));
  return (
    <TileRow title={text.tilesOfNow(clock(Date.parse(times.at(-1)!) / 1000))}>
      <Tile label={text.perSecond} value={shortNumber(sumOf(perSecond))} note={text.recent} />
      <Tile
        label={text.workers}
        value={shortNumber(meanOf(workers.busy))}
        note={text.workersNote(lastOf(workers.count) ?? 0)}
      />
      <Tile label={text.memory} value={size(lastOf(memory.service) ?? 0)} note={text.memoryNote} />
      <Tile label={text.backlog} value={count(lastOf(backlog) ?? 0)} note={text.backlogNote} />
    </TileRow>
  );
}

function TileRow({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="tile-row" aria-label={title}>
      <h2>{title}</h2>
      <dl class="tiles">{children}</dl>
    </section>
  );
}

/** Nobody has asked: how somebody does. */
function NoRequests({ name }: { name: RangeName }) {
  return (
    <Empty title={text.noRequests[name]}>
      <ButtonLink href={hashOf('start')}>{text.toStart}</ButtonLink>
    </Empty>
  );
}

interface LatenciesProps {
  name: RangeName;
  routes: Figures['routes'];
  plot: Pick<PlotProps, 'x' | 'formatX'>;
}

function Latencies({ name: range, routes, plot }: LatenciesProps) {
  const names = Object.keys(routes);
  const [chosen, choose] = useState<string>();
  const name = chosen !== undefined && names.includes(chosen) ? chosen : names[0];
  if (name === undefined)
    return (
      <Card title={text.latency}>
        <NoRequests name={range} />
      </Card>
    );
  const { p50Ms, p99Ms } = routes[name];
  return (
    <Card
      title={text.latency}
      actions={
        names.length > 1 && (
          <select
            class="input choice"
            aria-label={text.route}
            value={name}
            onChange={event => choose(event.currentTarget.value)}
          >
            {names.map(each => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )
      }
    >
      <Plot
        {...plot}
        label={`${text.latency}: ${name}`}
        format={latency}
        isLogarithmic
        series={[
          { label: 'p50', values: p50Ms },
          { label: 'p99', values: p99Ms },
        ]}
      />
    </Card>
  );
}

function Tile({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd>{value}</dd>
      <dd class="tile-note">{note}</dd>
    </div>
  );
}

/** The lines with the largest sums; there are no more colours. */
function largest(columns: Record<string, Column>): Series[] {
  return Object.entries(columns)
    .map(([label, values]) => ({ label, values }))
    .sort((a, b) => sumOf(b.values) - sumOf(a.values))
    .slice(0, SERIES_MAX);
}

function mapped(routes: Figures['routes'], member: 'perSecond'): Record<string, Column> {
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, route[member]]));
}

const percent = (cores: number): string => `${shortNumber(100 * cores)} %`;
const sumOf = (values: Column): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
const lastOf = (values: Column | undefined): number | null | undefined => values?.at(-1);
const meanOf = (values: Column): number => {
  const recent = values.slice(-RECENT_STEPS);
  return sumOf(recent) / recent.length;
};
