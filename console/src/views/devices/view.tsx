// Devices: where they were last, on the map and in a table, and one of them with its trail and its requests. What is
// searched by stands in the address.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { loadStyle } from '../../map/load_style.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf, navigate, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card, StatusBadge } from '../../ui/card.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import type { Step } from '../buildings/building_overlay.ts';
import { useDoing } from '../operate/ask.ts';
import { dateTime } from '../operate/formats.ts';
import { Refused } from '../operate/refused.tsx';
import { DeviceCard } from './device_card.tsx';
import style from './devices.css?url';
import { ageOf, type Device, type Found, nameOf, readDevices, type Wanted } from './devices.ts';
import { DevicesMap } from './devices_map.tsx';

const text = strings.devices;
const VIEW = 'devices';

// Without its style the view would jump.
await loadStyle(style);

/** The view. */
export default function DevicesView() {
  const { parameters } = route.value;
  const wanted: Wanted = { key: parameters.get('key') ?? '', device: parameters.get('device') ?? '' };
  const found = useLoaded(signal => readDevices(wanted, undefined, signal), [wanted.key, wanted.device]);
  const keys = useLoaded(signal => call('GET /keys', { signal }), []);
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} />
      <Card title={text.find}>
        <Search key={`${wanted.key} ${wanted.device}`} wanted={wanted} keys={keys.value?.keys ?? []} />
      </Card>
      <Content loaded={found} lines={8}>
        {first => <Devices first={first} wanted={wanted} again={found.again} />}
      </Content>
    </>
  );
}

interface SearchProps {
  wanted: Wanted;
  keys: readonly { id: number; name?: string }[];
}

function Search({ wanted, keys }: SearchProps) {
  const [typed, setTyped] = useState(wanted);
  const submit = (event: Event) => {
    event.preventDefault();
    go({ key: typed.key, device: typed.device.trim() });
  };
  const options = keys.map(({ id, name }) => [String(id), text.keyOption(id, name)] as const);
  const isKnown = typed.key === '' || options.some(([id]) => id === typed.key);
  return (
    <form class="devices-search" onSubmit={submit}>
      <SelectField
        label={text.key}
        value={typed.key}
        options={[
          ['', text.anyKey],
          ...options,
          ...(isKnown ? [] : [[typed.key, text.keyOption(Number(typed.key), undefined)] as const]),
        ]}
        onChange={key => setTyped({ ...typed, key })}
      />
      <TextField
        label={text.device}
        hint={text.deviceHint}
        value={typed.device}
        onInput={device => setTyped({ ...typed, device })}
      />
      <div class="actions">
        <Button kind="primary" icon="search" type="submit">
          {text.submit}
        </Button>
        {wanted.device !== '' && (
          <ButtonLink href={hashOf(VIEW, wanted.key === '' ? {} : { key: wanted.key })}>{text.all}</ButtonLink>
        )}
      </div>
    </form>
  );
}

function go({ key, device }: Wanted): void {
  navigate(VIEW, { ...(key !== '' && { key }), ...(device !== '' && { device }) });
}

function choose({ account, device }: Device): void {
  go({ key: account === undefined ? '' : String(account), device });
}

/** What was found, and what somebody asked for after it. */
function Devices({ first, wanted, again }: { first: Found; wanted: Wanted; again(): void }) {
  const [found, setFound] = useState(first);
  const [trail, setTrail] = useState<readonly Step[]>([]);
  useEffect(() => setFound(first), [first]);
  const doing = useDoing();
  const { devices, next, reached } = found;
  // One id may be that of several devices, under keys of their own.
  const chosen = wanted.device !== '' && devices.length === 1 ? devices[0] : undefined;
  return (
    <div class={chosen ? 'devices devices-one' : 'devices'}>
      <Card title={text.list} actions={<Button kind="quiet" icon="refresh" label={text.refresh} onClick={again} />}>
        {devices.length === 0 ? (
          <Empty icon="devices" title={next === undefined ? text.none : text.noneSoFar(dateTime(reached!))}>
            {text.noneText}
          </Empty>
        ) : (
          <>
            <DevicesMap devices={devices} trail={trail} onChoose={choose} />
            <DeviceTable devices={devices} />
          </>
        )}
        <Refused by={doing} />
        {next !== undefined && (
          <div class="actions">
            <Button
              isBusy={doing.isBusy}
              onClick={() => void doing.run(async () => setFound(await readDevices(wanted, found)))}
            >
              {text.older}
            </Button>
            <span class="muted small">{text.reached(dateTime(reached!))}</span>
          </div>
        )}
      </Card>
      {chosen && <DeviceCard key={nameOf(chosen)} device={chosen} onTrail={setTrail} onForgotten={again} />}
    </div>
  );
}

function DeviceTable({ devices }: { devices: readonly Device[] }) {
  return (
    <Table
      name="devices"
      label={text.list}
      rows={devices}
      keyOf={nameOf}
      columns={[
        {
          title: text.device,
          value: ({ device }) => device,
          cell: ({ account, device }) => (
            <a href={hashOf(VIEW, { ...(account !== undefined && { key: account }), device })}>{device}</a>
          ),
        },
        {
          title: text.key,
          isNumber: true,
          value: ({ account }) => account,
          cell: ({ account }) =>
            account === undefined ? '–' : <a href={hashOf('operate', { page: 'keys', key: account })}>{account}</a>,
        },
        {
          title: text.placed,
          value: ({ position }) => position?.time,
          cell: ({ position }) => <span class="nowrap">{position ? ageOf(position.time) : text.noPosition}</span>,
        },
        {
          title: text.radius,
          isNumber: true,
          value: ({ position }) => position?.accuracy,
          cell: ({ position }) => <span class="nowrap">{position ? text.metres(position.accuracy) : '–'}</span>,
        },
        {
          title: text.last,
          value: ({ last }) => last.time,
          cell: ({ last }) => <span class="nowrap">{dateTime(last.time)}</span>,
        },
        { title: text.status, value: ({ last }) => last.status, cell: ({ last }) => <StatusBadge of={last.status} /> },
      ]}
    />
  );
}
