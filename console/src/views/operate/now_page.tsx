// What the service does now, and did in the last hour.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { clock, count, hourMinute, latency, shortNumber, size } from './formats.ts';
import { Plot, type PlotProps, SERIES_MAX, type Series } from './plot.tsx';
import { Warnings } from './warnings.tsx';

const text = strings.operate.now;
const STEP_MILLISECONDS = 10_000;
const LEAST_SECONDS = 600;
const MARK_SECONDS = [60, 300, 600, 900, 1_800];
/** 1 MB to half a TB, so that marks are round. */
const MARK_BYTES = Array.from({ length: 20 }, (_, n) => 1_048_576 * 2 ** n);
/** Steps that the tiles speak of: half a minute, so that one quiet step is not all. */
const RECENT_STEPS = 3;

type Figures = AdminSchemas['Figures'];
type Column = readonly (number | null)[];

/** The page. */
export function NowPage() {
  const figures = useLoaded(signal => call('GET /figures', { signal }), [], STEP_MILLISECONDS);
  return (
    <>
      <Warnings />
      <Content loaded={figures} lines={8}>
        {value =>
          value.times.length === 0 ? (
            <Card title={text.title}>
              <Empty icon="operate" title={text.none}>
                {text.noneText}
              </Empty>
            </Card>
          ) : (
            <Hour figures={value} />
          )
        }
      </Content>
    </>
  );
}

function Hour({ figures }: { figures: Figures }) {
  const { routes, errors, creditsSpent, backlog, memory, processor, workers } = figures;
  const x = figures.times.map(time => Date.parse(time) / 1000);
  // A service that has just started has little to show: it gets a shorter axis.
  const range = [Math.min(x[0], x.at(-1)! - LEAST_SECONDS), x.at(-1)!] as const;
  const plot = { x, formatX: hourMinute, range, steps: MARK_SECONDS };
  const allErrors = sumOf(Object.values(errors).flat());
  const perSecond = Object.values(routes).map(route => meanOf(route.perSecond));
  return (
    <>
      <dl class="tiles">
        <Tile label={text.perSecond} value={shortNumber(sumOf(perSecond))} note={text.asOf(clock(x.at(-1)!))} />
        <Tile label={text.slowest} value={slowestOf(routes)} note={text.slowestNote} />
        <Tile label={text.errors} value={count(allErrors)} note={text.lastHour} />
        <Tile label={text.memory} value={size(lastOf(memory.service) ?? 0)} note={text.memoryNote} />
        <Tile
          label={text.workers}
          value={shortNumber(meanOf(workers.busy))}
          note={text.workersNote(lastOf(workers.count) ?? 0)}
        />
        <Tile label={text.backlog} value={count(lastOf(backlog) ?? 0)} note={text.backlogNote} />
      </dl>
      <div class="plots">
        <Card title={text.requests}>
          {Object.keys(routes).length === 0 ? (
            <Empty title={text.noRequests} />
          ) : (
            <Plot {...plot} label={text.requests} format={shortNumber} series={largest(mapped(routes, 'perSecond'))} />
          )}
        </Card>
        <Latencies routes={routes} plot={plot} />
        <Card title={text.errorsPlot}>
          {allErrors === 0 ? (
            <Empty icon="check" title={text.noErrors} />
          ) : (
            <Plot {...plot} label={text.errorsPlot} format={count} series={largest(errors)} />
          )}
        </Card>
        <Card title={text.processor}>
          <Plot {...plot} label={text.processor} format={percent} series={largest(processor)} />
        </Card>
        <Card title={text.memoryPlot}>
          <Plot {...plot} label={text.memoryPlot} format={size} valueSteps={MARK_BYTES} series={largest(memory)} />
        </Card>
        <Card title={text.learning}>
          <Plot
            {...plot}
            label={text.learning}
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

function Latencies({ routes, plot }: { routes: Figures['routes']; plot: Pick<PlotProps, 'x' | 'formatX'> }) {
  const names = Object.keys(routes);
  const [chosen, choose] = useState<string>();
  const name = chosen !== undefined && names.includes(chosen) ? chosen : names[0];
  if (name === undefined)
    return (
      <Card title={text.latency}>
        <Empty title={text.noRequests} />
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

/** The largest p99 of the last steps, of any route. */
function slowestOf(routes: Figures['routes']): string {
  const recent = Object.values(routes).flatMap(({ p99Ms }) => p99Ms.slice(-RECENT_STEPS).filter(each => each !== null));
  return recent.length === 0 ? '–' : latency(Math.max(...recent));
}

const percent = (cores: number): string => `${shortNumber(100 * cores)} %`;
const sumOf = (values: Column): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
const lastOf = (values: Column | undefined): number | null | undefined => values?.at(-1);
const meanOf = (values: Column): number => {
  const recent = values.slice(-RECENT_STEPS);
  return sumOf(recent) / recent.length;
};
