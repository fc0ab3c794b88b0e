// One device: its last position with age and radius, how far back its trail goes, its latest requests, and its
// forgetting.

import { useEffect, useState } from 'preact/hooks';
import { routeTitles } from '../../../../build/key_settings.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf } from '../../state/route.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, StatusBadge } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { ForgetButton } from '../../ui/forget_button.tsx';
import { Content } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import type { Step } from '../buildings/building_overlay.ts';
import { ended } from '../coverage/jobs.ts';
import { dateTime } from '../operate/formats.ts';
import { ageOf, type Device } from './devices.ts';

const text = strings.devices;
/** More are in the log. */
const ENTRIES = '10';

type Hours = keyof typeof text.trails;

const NO_STEPS: readonly Step[] = [];

interface DeviceCardProps {
  device: Device;
  onTrail(steps: readonly Step[]): void;
  onForgotten(): void;
}

/** The card. */
export function DeviceCard({ device: chosen, onTrail, onForgotten }: DeviceCardProps) {
  const { device, account, position } = chosen;
  return (
    <Card title={device}>
      {position !== undefined && <Facts position={position} />}
      {position !== undefined && account !== undefined && <Trail device={device} account={account} onTrail={onTrail} />}
      <Entries of={chosen} />
      {mayChange() && account !== undefined && <Forget device={device} account={account} onForgotten={onForgotten} />}
    </Card>
  );
}

function Facts({ position }: { position: NonNullable<Device['position']> }) {
  const { logId, time, latitude, longitude, accuracy, indoor } = position;
  const at = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
  const { floorIndex, floorLabel, room } = (indoor ?? {}) as {
    floorIndex?: number;
    floorLabel?: string;
    room?: string;
  };
  return (
    <dl class="facts">
      <dt>{text.placed}</dt>
      <dd>
        <a href={hashOf('try', { log: logId })}>{dateTime(time)}</a>, {ageOf(time)}
      </dd>
      <dt>{text.position}</dt>
      <dd>
        {at} <CopyButton text={at} label={`${text.position}: ${at}`} />
      </dd>
      <dt>{text.radius}</dt>
      <dd>{text.metres(accuracy)}</dd>
      {floorIndex !== undefined && (
        <>
          <dt>{text.inside}</dt>
          <dd>{text.where(floorLabel ?? String(floorIndex), room ?? '')}</dd>
        </>
      )}
    </dl>
  );
}

function Trail({ device, account, onTrail }: { device: string; account: number } & Pick<DeviceCardProps, 'onTrail'>) {
  const [hours, setHours] = useState<Hours>('24');
  const walks = useLoaded(
    signal => call('GET /walks', { query: { device, key: String(account), hours }, signal }),
    [device, account, hours],
  );
  const steps = walks.value?.walks.flatMap(walk => walk.steps) ?? NO_STEPS;
  useEffect(() => onTrail([...steps].sort((a, b) => (a.time < b.time ? -1 : 1))), [walks.value]);
  useEffect(() => () => onTrail(NO_STEPS), []);
  return (
    <>
      <SelectField
        label={text.trail}
        value={hours}
        options={Object.entries(text.trails) as [Hours, string][]}
        onChange={(chosen: Hours) => setHours(chosen)}
      />
      <Content loaded={walks} lines={1}>
        {() => (
          <p class="hint" role="status">
            {text.positions(steps.length)}
          </p>
        )}
      </Content>
    </>
  );
}

function Entries({ of: { device, account, last } }: { of: Device }) {
  const query = { device, ...(account !== undefined && { key: String(account) }) };
  const log = useLoaded(
    signal => call('GET /log', { query: { ...query, limit: ENTRIES }, signal }),
    [device, account, last.logId],
  );
  return (
    <>
      <h3>{text.entries}</h3>
      <Content loaded={log}>
        {({ requests }) => (
          <Table
            label={text.entries}
            rows={requests}
            keyOf={({ logId }) => logId}
            columns={[
              {
                title: text.time,
                cell: ({ logId, time }) => (
                  <a class="nowrap" href={hashOf('try', { log: logId })}>
                    {dateTime(time)}
                  </a>
                ),
              },
              { title: text.status, cell: ({ status }) => <StatusBadge of={status} /> },
              { title: text.route, cell: ({ route }) => routeTitles[route as keyof typeof routeTitles] ?? route },
            ]}
          />
        )}
      </Content>
      <div>
        <ButtonLink href={hashOf('operate', { page: 'log', ...query })} icon="search">
          {text.allEntries}
        </ButtonLink>
      </div>
    </>
  );
}

function Forget({ device, account, onForgotten }: { device: string; account: number; onForgotten(): void }) {
  const words = {
    ...text,
    title: text.forgetTitle(device),
    text: text.forgetText,
    forgotten: text.forgotten(device),
  };
  const forget = async () => {
    await ended(await call('POST /forget', { body: { device, account } }), () => {});
  };
  return <ForgetButton words={words} forget={forget} onForgotten={onForgotten} />;
}
