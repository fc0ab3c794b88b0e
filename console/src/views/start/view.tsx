// The first run: what a new service needs until the first device asks it, as a checklist. What is done is ticked by
// what the service says, so the list is right whoever did it.

import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { loadStyle } from '../../map/load_style.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf } from '../../state/route.ts';
import { session } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Content } from '../../ui/states.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import { useExamples } from '../try/examples.ts';
import { NoStation } from '../try/no_station.tsx';
import { DataStep } from './data_step.tsx';
import { DeviceStep } from './device_step.tsx';
import { KeyStep } from './key_step.tsx';
import style from './start.css?url';
import { Step } from './step.tsx';

const text = strings.start;
const STATUS_MILLISECONDS = 30_000;

// Without its style the view would jump.
await loadStyle(style);

/** The view. */
export default function StartView() {
  const [madeKey, setMadeKey] = useState<string>();
  const access = session.value?.access;
  const keys = useLoaded(signal => call('GET /keys', { signal }), [access, madeKey]);
  const sources = useLoaded(signal => call('GET /sources', { signal }), [access]);
  const examples = useExamples();
  const address = session.value?.publicUrl ?? '';
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} />
      <ol class="steps">
        <KeyStep keys={keys} madeKey={madeKey} onMade={setMadeKey} />
        <DataStep sources={sources} />
        <Step number={3} title={text.position.title} lead={text.position.lead} isDone={false}>
          <Content loaded={examples} lines={1}>
            {({ requests: [first], hasStations }) => (
              <div class="actions">
                {hasStations && first !== undefined ? (
                  <ButtonLink kind="primary" icon="play" href={hashOf('try', { example: first.id })}>
                    {text.position.go}
                  </ButtonLink>
                ) : (
                  <NoStation />
                )}
              </div>
            )}
          </Content>
        </Step>
        <DeviceStep number={4} address={address} madeKey={madeKey} examples={examples} />
      </ol>
      <ServiceCard address={address} />
    </>
  );
}

/** What runs here, and what it warns about. */
function ServiceCard({ address }: { address: string }) {
  const status = useLoaded(signal => call('GET /status', { signal }), [], STATUS_MILLISECONDS);
  return (
    <Card title={text.service}>
      <Content loaded={status}>
        {({ version, commit, uptimeSeconds, warnings }) => (
          <>
            <dl class="facts">
              <dt>{text.version}</dt>
              <dd>{commit === undefined ? version : `${version} (${commit})`}</dd>
              <dt>{text.uptime}</dt>
              <dd>{durationOf(uptimeSeconds)}</dd>
              <dt>{text.address}</dt>
              <dd>
                <code>{address}</code>
              </dd>
            </dl>
            {warnings.length === 0 && <p>{text.allWell}</p>}
            {warnings.map(({ id, text: warning, remedy }) => (
              <p key={id} class="note">
                {warning} {remedy}
              </p>
            ))}
          </>
        )}
      </Content>
    </Card>
  );
}

const UNITS: readonly [seconds: number, unit: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** In the largest unit that fits. */
function durationOf(seconds: number): string {
  const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? UNITS.at(-1)!;
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(seconds / size));
}
