// Keys: all of them, one with what it has used, and what can be done to it.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { type Loaded, useLoaded } from '../../state/load.ts';
import { hashOf, navigate, route } from '../../state/route.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
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
  const chosen = Number(route.value.parameters.get('key'));
  return (
    <>
      <Card
        title={text.title}
        actions={
          <Button kind="primary" icon="plus" disabled={!mayChange()} onClick={() => setAction({ what: 'create' })}>
            {text.create}
          </Button>
        }
      >
        <Content loaded={keys}>
          {({ keys: list }) =>
            list.length === 0 ? (
              <Empty icon="key" title={text.none}>
                {text.noneText}
              </Empty>
            ) : (
              <KeyTable keys={list} />
            )
          }
        </Content>
      </Card>
      {chosen > 0 && <OneKey key={chosen} id={chosen} list={keys} onAction={setAction} />}
      {action && (
        <KeyDialog
          action={action}
          onClose={() => setAction(undefined)}
          onDone={id => {
            keys.again();
            if (id !== undefined) navigate('operate', { page: 'keys', key: id });
          }}
        />
      )}
    </>
  );
}

function KeyTable({ keys }: { keys: readonly Key[] }) {
  return (
    <Table
      label={text.title}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { title: text.id, cell: ({ id }) => id },
        {
          title: text.name,
          cell: ({ id, name }) => <a href={hashOf('operate', { page: 'keys', key: id })}>{name ?? text.unnamed(id)}</a>,
        },
        { title: text.state, cell: key => <KeyState of={key} /> },
        { title: text.credits, isNumber: true, cell: ({ credits }) => (credits === undefined ? '∞' : count(credits)) },
        { title: text.rate, isNumber: true, cell: ({ rate }) => rate ?? '∞' },
        { title: text.expires, cell: ({ expires }) => <span class="nowrap">{expires ?? text.never}</span> },
      ]}
    />
  );
}

function KeyState({ of: { revoked, expires } }: { of: Key }) {
  if (revoked) return <Badge tone="bad">{text.revoked}</Badge>;
  const isOver = expires !== undefined && expires < new Date().toISOString().slice(0, 10);
  return isOver ? <Badge tone="warning">{text.expired}</Badge> : <Badge tone="good">{text.valid}</Badge>;
}

/** One key. It is read anew when the list is: after each change. */
function OneKey({ id, list, onAction }: { id: number; list: Loaded<unknown>; onAction(action: KeyAction): void }) {
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
    <Card title={name} actions={shown.value && <Actions of={shown.value.key} onAction={onAction} />}>
      <Content loaded={shown} lines={6}>
        {({ key, rows }) => (
          <>
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
