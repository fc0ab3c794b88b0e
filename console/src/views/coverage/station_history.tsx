// On which days a station was heard. All reports are read for it, so it begins when somebody asks.

import { useEffect, useRef, useState } from 'preact/hooks';
import { call, Refusal } from '../../api/call.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ended } from './jobs.ts';

const text = strings.coverage.station;

/** A day, as the job tells it. */
interface Day {
  day: string;
  reports: number;
  contributors: number;
  latitude: number;
  longitude: number;
  spreadMetres: number;
  strongestDbm?: number;
}

/** What is read: not yet, so much of it, why not, or the days. */
type State = { percent: number } | { error: string } | { days: Day[] } | undefined;

/** The history of a station. */
export function History({ name }: { name: string }) {
  const [state, setState] = useState<State>();
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const read = async () => {
    reading.current = new AbortController();
    const { signal } = reading.current;
    setState({ percent: 0 });
    try {
      setState({ days: await readDays(name, percent => setState({ percent }), signal) });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      setState({ error: error.message });
    }
  };
  return (
    <section class="coverage-history" aria-label={text.history}>
      {state !== undefined && 'days' in state ? (
        <Days days={state.days} />
      ) : (
        <>
          <Button isBusy={state !== undefined && 'percent' in state} onClick={() => void read()}>
            {text.history}
          </Button>
          <p class="hint" role="status">
            {state !== undefined && 'percent' in state ? text.reading(state.percent) : text.historyHint}
          </p>
          {state !== undefined && 'error' in state && <Failed message={state.error} />}
        </>
      )}
    </section>
  );
}

/** The days, the latest first. @throws Refusal; AbortError of the signal */
async function readDays(name: string, onProgress: (percent: number) => void, signal: AbortSignal): Promise<Day[]> {
  const begun = await call('POST /stations/{name}/days', { path: { name }, signal });
  const { stations } = (await ended(begun, onProgress, signal)) as { stations: { days: Day[] }[] };
  return stations.flatMap(({ days }) => days).sort((a, b) => (a.day < b.day ? 1 : -1));
}

function Days({ days }: { days: Day[] }) {
  if (days.length === 0) return <Empty title={text.noDays} />;
  return (
    <Table
      label={text.days}
      keyOf={({ day, latitude }) => `${day} ${latitude}`}
      rows={days}
      columns={[
        { title: text.day, cell: ({ day }) => <span class="nowrap">{day}</span> },
        { title: text.reports, isNumber: true, cell: ({ reports }) => reports.toLocaleString('en') },
        { title: text.accounts, isNumber: true, cell: ({ contributors }) => contributors.toLocaleString('en') },
        {
          title: text.strongest,
          isNumber: true,
          cell: ({ strongestDbm }) => (strongestDbm === undefined ? '' : `${strongestDbm} dBm`),
        },
        { title: text.spread, isNumber: true, cell: ({ spreadMetres }) => text.metres(String(spreadMetres)) },
        {
          title: text.place,
          cell: ({ latitude, longitude }) => (
            <span class="nowrap">{`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}</span>
          ),
        },
      ]}
    />
  );
}
