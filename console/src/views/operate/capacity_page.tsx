// Capacity: what a run of the benchmark has found on this machine, and figures for a start where there was no run.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call, Refusal } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { count, latency, shortNumber } from './formats.ts';
import { Plot } from './plot.tsx';

const text = strings.operate.capacity;
const MICROSECONDS = 1_000;

type Capacity = AdminSchemas['Capacity'];
type Scenario = Capacity['scenarios'][number];

/** The page. */
export function CapacityPage() {
  const report = useLoaded(async signal => {
    try {
      return { run: await call('GET /capacity', { signal }), why: undefined };
    } catch (error) {
      // No run is no fault.
      if (!(error instanceof Refusal) || ![404, 409].includes(error.status)) throw error;
      return { run: undefined, why: error.message };
    }
  }, []);
  return (
    <>
      <Content loaded={report} lines={6}>
        {({ run, why }) => (run === undefined ? <NoRun why={why} /> : <Run of={run} />)}
      </Content>
      <Sizing />
    </>
  );
}

function NoRun({ why }: { why: string }) {
  return (
    <Card title={text.measured}>
      <Empty icon="operate" title={text.none}>
        <p>{why}</p>
      </Empty>
      <div class="secret">
        <code>{text.command}</code>
        <CopyButton text={text.command} label={text.copyCommand} />
      </div>
    </Card>
  );
}

function Run({ of: { date, machine, settings, scenarios, cores } }: { of: Capacity }) {
  const [chosen, choose] = useState(scenarios[0]?.name ?? '');
  const scenario = scenarios.find(({ name }) => name === chosen) ?? scenarios[0];
  const limit = cores.find(({ name }) => name === scenario?.name)?.knees ?? [];
  return (
    <>
      <Card title={text.measured}>
        <p class="muted">
          {text.machine(date.slice(0, 10), machine.processor, machine.cores, machine.memoryGigabytes)}{' '}
          {settings.stations > 0 ? text.stations(count(settings.stations)) : text.ownData}
        </p>
        <Table
          label={text.measured}
          rows={scenarios}
          keyOf={({ name }) => name}
          columns={[
            { title: text.scenario, cell: ({ name, about }) => `${name}: ${about}` },
            {
              title: text.knee,
              isNumber: true,
              cell: ({ knee }) => (knee.rate === undefined ? '–' : count(Math.round(knee.rate))),
            },
            {
              title: text.plan,
              isNumber: true,
              cell: ({ knee }) => (knee.rate === undefined ? '–' : count(Math.round(knee.rate / 2))),
            },
          ]}
        />
        <p class="muted small">{text.kneeText}</p>
      </Card>
      {scenario && (
        <div class="plots">
          <Card title={text.byRate}>
            <SelectField
              label={text.scenario}
              value={scenario.name}
              options={scenarios.map(({ name }) => [name, name] as const)}
              onChange={choose}
            />
            <ByRate of={scenario} />
          </Card>
          {limit.length > 0 && (
            <Card title={text.moreCores}>
              <Table
                label={text.moreCores}
                rows={limit}
                keyOf={each => each.cores}
                columns={[
                  { title: text.cores, isNumber: true, cell: each => each.cores },
                  { title: text.knee, isNumber: true, cell: ({ rate }) => count(Math.round(rate)) },
                  { title: text.limit, cell: each => each.limit },
                ]}
              />
            </Card>
          )}
        </div>
      )}
    </>
  );
}

function ByRate({ of: { name, rates } }: { of: Scenario }) {
  const sorted = rates.toSorted((a, b) => a.rate - b.rate);
  return (
    <Plot
      label={`${text.byRate}: ${name}`}
      x={sorted.map(({ rate }) => rate)}
      formatX={rate => `${shortNumber(rate)}/s`}
      format={latency}
      isLogarithmic
      series={[
        { label: 'p50', values: sorted.map(({ p50 }) => p50 / MICROSECONDS) },
        { label: 'p99', values: sorted.map(({ p99 }) => p99 / MICROSECONDS) },
      ]}
    />
  );
}

function Sizing() {
  return (
    <Card title={text.sizing}>
      <Table
        label={text.sizing}
        rows={text.sizes}
        keyOf={([stations]) => stations}
        columns={text.sizeColumns.map((title, n) => ({ title, cell: (row: readonly string[]) => row[n] }))}
      />
      <p class="muted small">{text.sizingText}</p>
    </Card>
  );
}
