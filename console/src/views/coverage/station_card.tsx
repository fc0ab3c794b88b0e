// What is known of one station: by its name, or by a press on the map. It can be forgotten here.

import { useEffect, useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { ForgetButton } from '../../ui/forget_button.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ended } from './jobs.ts';
import { History } from './station_history.tsx';

const text = strings.coverage.station;
type Known = AdminSchemas['KnownStations']['stations'][number];
type Place = NonNullable<Known['places']>[number];

interface StationCardProps {
  name: string;
  onName(name: string): void;
  onShow(latitude: number, longitude: number): void;
  onForgotten(): void;
}

/** The card of a station. */
export function StationCard({ name, onName, onShow, onForgotten }: StationCardProps) {
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  const submit = (event: Event) => {
    event.preventDefault();
    onName(typed.trim());
  };
  return (
    <Card title={text.title}>
      <form class="coverage-search" onSubmit={submit}>
        <TextField label={text.name} hint={text.nameHint} value={typed} onInput={setTyped} />
        <Button type="submit" icon="search">
          {text.show}
        </Button>
      </form>
      {name === '' ? (
        <Empty icon="pin" title={text.none}>
          {text.noneText}
        </Empty>
      ) : (
        <KnownStations key={name} name={name} onShow={onShow} onForgotten={onForgotten} />
      )}
    </Card>
  );
}

function KnownStations({ name, onShow, onForgotten }: Omit<StationCardProps, 'onName'>) {
  const loaded = useLoaded(signal => call('GET /stations/{name}', { path: { name }, signal }), [name]);
  const forgotten = () => {
    loaded.again();
    onForgotten();
  };
  return (
    <Content loaded={loaded} lines={6}>
      {({ stations }) => (
        <>
          {stations.map(station => (
            <Facts key={`${station.kind} ${station.station}`} station={station} onShow={onShow} />
          ))}
          <History name={name} />
          {mayChange() && stations.some(({ kind }) => kind !== undefined) && (
            <Forget name={name} onForgotten={forgotten} />
          )}
        </>
      )}
    </Content>
  );
}

function Facts({ station, onShow }: { station: Known; onShow: StationCardProps['onShow'] }) {
  const { kind, state, used, optedOut, record, sources = [], places = [], blocks } = station;
  return (
    <section class="coverage-station">
      <h3>{station.station}</h3>
      <p class="actions">
        {kind !== undefined && <Badge>{text.kinds[kind as keyof typeof text.kinds]}</Badge>}
        {optedOut && <Badge tone="bad">{text.optedOut}</Badge>}
        {state !== undefined && <Badge tone={state === 'blocked' ? 'warning' : 'neutral'}>{text.states[state]}</Badge>}
        {kind !== undefined && <Badge tone={used ? 'good' : 'warning'}>{used ? text.used : text.unused}</Badge>}
      </p>
      {record !== undefined && (
        <>
          <dl class="facts">
            {factsOf(record).map(([title, value]) => [<dt key={title}>{title}</dt>, <dd key={value}>{value}</dd>])}
            {blocks !== undefined && [<dt key="blocks">{text.blocks}</dt>, <dd key="count">{blocks}</dd>]}
            <dt>{text.sources}</dt>
            <dd>{sources.length === 0 ? text.noSources : sources.join(', ')}</dd>
          </dl>
          <div>
            <Button icon="pin" onClick={() => onShow(record.latitude, record.longitude)}>
              {text.toMap}
            </Button>
          </div>
        </>
      )}
      {places.length > 0 && <Places places={places} />}
    </section>
  );
}

function factsOf(record: NonNullable<Known['record']>): [title: string, value: string][] {
  const { latitude, longitude, r50Metres, r95Metres, samples, firstSeen, lastSeen, referenceDbm, exponent } = record;
  const metres = (value: number) => text.metres(Math.round(value).toLocaleString('en'));
  return [
    [text.position, positionOf(latitude, longitude)],
    [text.radius, metres(r50Metres)],
    [text.radius95, metres(r95Metres)],
    [text.samples, samples.toLocaleString('en')],
    ...(lastSeen === undefined ? [] : [[text.seen, text.since(firstSeen ?? lastSeen, lastSeen)] as [string, string]]),
    ...(referenceDbm === undefined
      ? []
      : [[text.level, `${referenceDbm} dBm, n = ${exponent?.toFixed(1)}`] as [string, string]]),
  ];
}

function Places({ places }: { places: readonly Place[] }) {
  return (
    <Table
      label={text.places}
      keyOf={({ latitude, longitude, firstSeen }) => `${latitude} ${longitude} ${firstSeen}`}
      rows={places}
      columns={[
        { title: text.place, cell: ({ latitude, longitude }) => positionOf(latitude, longitude) },
        { title: text.reports, isNumber: true, cell: ({ reports }) => reports.toLocaleString('en') },
        { title: text.first, cell: ({ firstSeen }) => <span class="nowrap">{firstSeen}</span> },
        { title: text.last, cell: ({ lastSeen }) => <span class="nowrap">{lastSeen}</span> },
      ]}
    />
  );
}

function positionOf(latitude: number, longitude: number): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

function Forget({ name, onForgotten }: { name: string; onForgotten(): void }) {
  const words = {
    ...text,
    title: text.forgetTitle(name),
    text: text.forgetText(name),
    forgotten: text.forgotten(name),
  };
  return <ForgetButton words={words} forget={() => forgetStation(name)} onForgotten={onForgotten} />;
}

/** Forgets a station and waits until that is done. @throws Refusal when it fails */
async function forgetStation(name: string): Promise<void> {
  await ended(await call('POST /forget', { body: { stations: [name] } }), () => {});
}
