// Keys: all of them, one with what it has used, and what can be done to it.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { type Loaded, useLoaded } from '../../state/load.ts';
import { hashWith, navigateWith, route } from '../../state/route.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Beside } from '../../ui/beside.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { count, dateTime, lastDays, shortDay, shortNumber } from './formats.ts';
import { type KeyAction, KeyDialog } from './key_dialog.tsx';
import { titleOf, wordsOf } from './key_form.tsx';
import { Plot } from './plot.tsx';

const text = strings.operate.keys;
const USAGE_DAYS = 30;

type Key = AdminSchemas['Key'];

/** The page. */
export function KeysPage() {
  const keys = useLoaded(signal => call('GET /keys', { signal }), []);
  const [action, setAction] = useState<KeyAction>();
  const asked = Number(route.value.parameters.get('key'));
  const chosen = asked > 0 ? asked : undefined;
  return (
    <>
      <Beside
        chosen={chosen}
        list={<KeyList loaded={keys} chosen={chosen} onCreate={() => setAction({ what: 'create' })} />}
        onClose={() => navigateWith({ key: undefined })}
      >
        {close => <OneKey key={chosen} id={chosen!} list={keys} onAction={setAction} close={close} />}
      </Beside>
      {action && (
        <KeyDialog
          action={action}
          onClose={() => setAction(undefined)}
          onDone={id => {
            keys.again();
            if (id !== undefined) navigateWith({ key: id });
          }}
        />
      )}
    </>
  );
}

interface KeyListProps {
  loaded: Loaded<AdminSchemas['Keys']>;
  chosen: number | undefined;
  onCreate(): void;
}

function KeyList({ loaded, chosen, onCreate }: KeyListProps) {
  const actions = (
    <Button kind="primary" icon="plus" disabled={!mayChange()} onClick={onCreate}>
      {text.create}
    </Button>
  );
  return (
    <Card title={text.title} actions={actions}>
      <Content loaded={loaded}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty icon="key" title={text.none}>
              {text.noneText}
            </Empty>
          ) : (
            <KeyTable keys={keys} chosen={chosen} />
          )
        }
      </Content>
    </Card>
  );
}

function KeyTable({ keys, chosen }: { keys: readonly Key[]; chosen: number | undefined }) {
  const columns: Column<Key>[] = [
    { title: text.id, value: ({ id }) => id, cell: ({ id }) => id },
    {
      title: text.name,
      value: ({ id, name }) => name ?? text.unnamed(id),
      cell: ({ id, name }) => (
        <a class="name" href={hashWith({ key: id })} {...(id === chosen && { 'aria-current': 'true' })}>
          <bdi>{name ?? text.unnamed(id)}</bdi>
        </a>
      ),
    },
    { title: text.state, value: key => text[stateOf(key)], cell: key => <KeyState of={key} /> },
    {
      title: text.credits,
      isNumber: true,
      value: ({ credits }) => credits,
      cell: ({ credits }) => (credits === undefined ? '∞' : count(credits)),
    },
    { title: text.rate, isNumber: true, value: ({ rate }) => rate, cell: ({ rate }) => rate ?? '∞' },
    {
      title: text.expires,
      value: ({ expires }) => expires,
      cell: ({ expires }) => <span class="nowrap">{expires ?? text.never}</span>,
    },
  ];
  return <Table name="keys" label={text.title} rows={keys} keyOf={({ id }) => id} columns={columns} />;
}

function stateOf({ revoked, expires }: Key): 'revoked' | 'expired' | 'valid' {
  if (revoked) return 'revoked';
  return expires !== undefined && expires < new Date().toISOString().slice(0, 10) ? 'expired' : 'valid';
}

const TONES = { revoked: 'bad', expired: 'warning', valid: 'good' } as const;

function KeyState({ of }: { of: Key }) {
  const state = stateOf(of);
  return <Badge tone={TONES[state]}>{text[state]}</Badge>;
}

interface OneKeyProps {
  id: number;
  list: Loaded<unknown>;
  onAction(action: KeyAction): void;
  close(name: string): ComponentChildren;
}

/** One key. It is read anew when the list is: after each change. */
function OneKey({ id, list, onAction, close }: OneKeyProps) {
  const days = lastDays(USAGE_DAYS, Date.now());
  const shown = useLoaded(
    async signal => {
      const query = { from: days[0], to: days.at(-1)!, key: String(id) };
      const [key, usage] = await Promise.all([
        call('GET /keys/{id}', { path: { id }, signal }),
        call('GET /usage', { query, signal }),
      ]);
      return { key, rows: usage.rows };
    },
    [id, list.value],
  );
  const name = shown.value?.key.name ?? text.unnamed(id);
  return (
    <Card title={name} actions={close(name)}>
      <Content loaded={shown} lines={6}>
        {({ key, rows }) => (
          <>
            <div class="actions">
              <Actions of={key} onAction={onAction} />
            </div>
            <Facts of={key} />
            <h3>{text.usage(USAGE_DAYS)}</h3>
            {rows.length === 0 ? <Empty title={text.unused} /> : <Usage days={days} rows={rows} />}
          </>
        )}
      </Content>
    </Card>
  );
}

function Actions({ of, onAction }: { of: Key; onAction(action: KeyAction): void }) {
  const disabled = !mayChange() || of.revoked;
  return (
    <>
      <Button disabled={disabled} onClick={() => onAction({ what: 'credit', key: of })}>
        {text.credit}
      </Button>
      <Button disabled={disabled} onClick={() => onAction({ what: 'update', key: of })}>
        {text.change}
      </Button>
      <Button disabled={disabled} onClick={() => onAction({ what: 'rotate', key: of })}>
        {text.rotate}
      </Button>
      <Button kind="danger" disabled={disabled} onClick={() => onAction({ what: 'revoke', key: of })}>
        {text.revoke}
      </Button>
    </>
  );
}

/** What a key is, member by member as the service tells it. */
function Facts({ of: { usage, id, name, revoked, ...settings } }: { of: AdminSchemas['ShownKey'] }) {
  const { today, last30Days, lastUse } = usage;
  return (
    <dl class="facts">
      <dt>{text.id}</dt>
      <dd>{id}</dd>
      {Object.entries(settings).map(([member, value]) => [
        <dt key={member}>{titleOf(member)}</dt>,
        <dd key={`${member} value`}>{factOf(member, value)}</dd>,
      ])}
      <dt>{text.lastUse}</dt>
      <dd>{lastUse === undefined ? text.never : dateTime(lastUse)}</dd>
      <dt>{text.today}</dt>
      <dd>{text.used(count(today.requests), count(today.answered), count(today.credits))}</dd>
      <dt>{text.last30Days}</dt>
      <dd>{text.used(count(last30Days.requests), count(last30Days.answered), count(last30Days.credits))}</dd>
    </dl>
  );
}

function factOf(member: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (Array.isArray(value)) return wordsOf(member, value);
  if (typeof value === 'number') return count(value);
  const isTime = ['created', 'previousKeyUntil'].includes(member);
  return isTime ? dateTime(String(value)) : String(value);
}

function Usage({ days, rows }: { days: readonly string[]; rows: AdminSchemas['Usage']['rows'] }) {
  const sum = (read: (row: (typeof rows)[number]) => number): number[] =>
    days.map(day => rows.filter(row => row.day === day).reduce((all, row) => all + read(row), 0));
  return (
    <Plot
      label={text.usage(USAGE_DAYS)}
      x={days.map((_, n) => n)}
      formatX={n => (Number.isInteger(n) && days[n] ? shortDay(days[n]) : '')}
      format={shortNumber}
      range={[-0.5, days.length - 0.5]}
      hasBars
      steps={[1, 2, 5, 7, 10]}
      series={[{ label: text.requests, values: sum(row => row.requests) }]}
    />
  );
}
