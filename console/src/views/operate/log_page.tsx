// The request log: searched by key, device, time, error and route. What is searched by stands in the address, so a
// search can be passed on. Each request can be opened where it is explained.

import { useEffect, useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf, navigate, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Badge, Card, type Tone } from '../../ui/card.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useDoing } from './ask.ts';
import { dateTime, latency } from './formats.ts';
import { Refused } from './refused.tsx';

const text = strings.operate.log;
const MEMBERS = ['key', 'device', 'route', 'error', 'from', 'to'] as const;
const ROUTES = [
  'position',
  'compact',
  'reverse',
  'search',
  'submit',
  'country',
  'lookup',
  'status',
  'trail',
  'cells',
  'other',
];
const ERRORS = [
  'any',
  '4xx',
  '5xx',
  'notFound',
  'keyInvalid',
  'creditsExceeded',
  'userRateLimitExceeded',
  'parseError',
];

type Page = AdminSchemas['LogPage'];
type Logged = Page['requests'][number];
type Filter = Partial<Record<(typeof MEMBERS)[number], string>>;

/** The page. */
export function LogPage() {
  const { parameters } = route.value;
  const filter: Filter = Object.fromEntries(
    MEMBERS.flatMap(name => (parameters.get(name) ? [[name, parameters.get(name)!]] : [])),
  );
  const address = new URLSearchParams(filter as Record<string, string>).toString();
  const first = useLoaded(signal => search(filter, undefined, signal), [address]);
  return (
    <>
      <Card title={text.search}>
        <Filters key={address} filter={filter} again={first.again} />
      </Card>
      <Card
        title={text.found}
        actions={<Button kind="quiet" icon="refresh" label={text.refresh} onClick={first.again} />}
      >
        <Content loaded={first} lines={8}>
          {page => <Found first={page} filter={filter} />}
        </Content>
      </Card>
    </>
  );
}

/** @param before where a page before has ended */
function search(filter: Filter, before: string | undefined, signal?: AbortSignal): Promise<Page> {
  const times = Object.fromEntries(
    (['from', 'to'] as const).flatMap(name => (filter[name] ? [[name, `${filter[name]}:00Z`]] : [])),
  );
  const query = { ...filter, ...times, ...(before !== undefined && { before }) } as object;
  return call('GET /log', { query, ...(signal && { signal }) });
}

function Filters({ filter, again }: { filter: Filter; again(): void }) {
  const [typed, setTyped] = useState<Filter>(filter);
  const set = (name: keyof Filter) => (value: string) => setTyped({ ...typed, [name]: value });
  const submit = (event: Event) => {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
    const hash = hashOf('operate', { page: 'log', ...given });
    if (hash === location.hash) again();
    else navigate('operate', { page: 'log', ...given });
  };
  const options = (all: string, values: readonly string[], chosen: string | undefined) => [
    ['', all] as const,
    ...[...new Set([...values, ...(chosen ? [chosen] : [])])].map(
      value => [value, text.errors[value as keyof typeof text.errors] ?? value] as const,
    ),
  ];
  return (
    <form class="form" onSubmit={submit}>
      <div class="form-grid">
        <TextField label={text.key} inputMode="numeric" value={typed.key ?? ''} onInput={set('key')} />
        <TextField label={text.device} value={typed.device ?? ''} onInput={set('device')} />
        <SelectField
          label={text.error}
          value={typed.error ?? ''}
          options={options(text.all, ERRORS, filter.error)}
          onChange={set('error')}
        />
        <SelectField
          label={text.route}
          value={typed.route ?? ''}
          options={options(text.allRoutes, ROUTES, filter.route)}
          onChange={set('route')}
        />
        <TimeField label={text.from} value={typed.from ?? ''} onInput={set('from')} />
        <TimeField label={text.to} value={typed.to ?? ''} onInput={set('to')} />
      </div>
      <div class="actions">
        <Button kind="primary" icon="search" type="submit">
          {text.search}
        </Button>
        <Button onClick={() => navigate('operate', { page: 'log' })}>{text.clear}</Button>
      </div>
    </form>
  );
}

/** A time, UTC, to the minute. */
function TimeField(props: { label: string; value: string; onInput(value: string): void }) {
  // The browser has a field for it, which the kit does not name.
  return <TextField {...props} type={'datetime-local' as 'date'} />;
}

/** The first page and those that somebody asked for after it. */
function Found({ first, filter }: { first: Page; filter: Filter }) {
  const [pages, setPages] = useState<readonly Page[]>([first]);
  useEffect(() => setPages([first]), [first]);
  const doing = useDoing();
  const requests = pages.flatMap(page => page.requests);
  const { next, reached } = pages.at(-1)!;
  const more = () =>
    doing.run(async () => {
      const page = await search(filter, next);
      setPages(before => [...before, page]);
    });
  return (
    <>
      {requests.length === 0 ? (
        <NoRequests isFiltered={Object.keys(filter).length > 0} reached={next === undefined ? undefined : reached} />
      ) : (
        <Requests requests={requests} />
      )}
      <Refused by={doing} />
      {next !== undefined && (
        <div class="actions">
          <Button isBusy={doing.isBusy} onClick={() => void more()}>
            {text.older}
          </Button>
          <span class="muted small">{text.reached(dateTime(reached!))}</span>
        </div>
      )}
    </>
  );
}

/** Nothing is there: what to do next. @param reached how far back was searched, where there is more */
function NoRequests({ isFiltered, reached }: { isFiltered: boolean; reached: string | undefined }) {
  if (reached !== undefined) return <Empty icon="search" title={text.noneYet(dateTime(reached))} />;
  return isFiltered ? (
    <Empty icon="search" title={text.none}>
      <p>{text.noneText}</p>
      <Button onClick={() => navigate('operate', { page: 'log' })}>{text.clear}</Button>
    </Empty>
  ) : (
    <Empty icon="search" title={text.nothingYet}>
      <p>{text.nothingYetText}</p>
      <ButtonLink href={hashOf('start')}>{text.toStart}</ButtonLink>
    </Empty>
  );
}

function Requests({ requests }: { requests: readonly Logged[] }) {
  return (
    <Table
      label={text.found}
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
        { title: text.status, cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
        { title: text.route, cell: each => each.route },
        {
          title: text.latency,
          isNumber: true,
          cell: ({ latencyMs }) => <span class="nowrap">{latency(latencyMs)}</span>,
        },
        { title: text.key, isNumber: true, cell: ({ account }) => <KeyLink id={account} /> },
        { title: text.device, cell: ({ device }) => device ?? '–' },
        {
          title: text.what,
          cell: ({ reason, message, query }) => (reason ? `${reason}: ${message ?? ''}` : (query ?? '–')),
        },
      ]}
    />
  );
}

function KeyLink({ id }: { id: number | undefined }) {
  return id === undefined ? <>–</> : <a href={hashOf('operate', { page: 'keys', key: id })}>{id}</a>;
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warning' : 'good';
}
