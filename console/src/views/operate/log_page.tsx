// The request log: searched by key, device, time, error and route. What is searched by stands in the address, so a
// search can be passed on. Each request can be opened where it is explained.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { routeTitles } from '../../../../build/key_settings.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf, navigate, navigateWith, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card, StatusBadge } from '../../ui/card.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { dateTime, latency } from './formats.ts';

const text = strings.operate.log;
/** As in theme.css. */
const NARROW = '(width < 640px)';
const MEMBERS = ['key', 'device', 'route', 'error', 'from', 'to'] as const;
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

const WORDS: Readonly<Record<string, string>> = { ...routeTitles, ...text.errors };

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
  const before = parameters.get('before') ?? undefined;
  const found = useLoaded(signal => search(filter, before, signal), [address, before]);
  return (
    <>
      <Search isOpen={address !== ''}>
        <Filters key={address} filter={filter} again={found.again} />
      </Search>
      <Card
        title={text.found}
        actions={<Button kind="quiet" icon="refresh" label={text.refresh} onClick={found.again} />}
      >
        <Content loaded={found} lines={8}>
          {page => <Found page={page} isFiltered={address !== ''} isFurtherBack={before !== undefined} />}
        </Content>
      </Card>
    </>
  );
}

/** The card of the search. On a phone it is folded until it is wanted: what was found is on the first screen. */
function Search({ isOpen, children }: { isOpen: boolean; children: ComponentChildren }) {
  const [isNarrow] = useState(() => matchMedia(NARROW).matches);
  if (!isNarrow) return <Card title={text.search}>{children}</Card>;
  return (
    <details class="card" open={isOpen}>
      <summary>
        <h2>{text.search}</h2>
      </summary>
      {children}
    </details>
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
    ...[...new Set([...values, ...(chosen ? [chosen] : [])])].map(value => [value, wordsOf(value)] as const),
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
          options={options(text.allRoutes, Object.keys(routeTitles), filter.route)}
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

/** A page of what was found. Which one stands in the address, so it stays what it is while new requests come. */
function Found({ page, isFiltered, isFurtherBack }: { page: Page; isFiltered: boolean; isFurtherBack: boolean }) {
  const { requests, next, reached } = page;
  const turnTo = (before: string | undefined) => navigateWith({ before, 'log.from': undefined });
  return (
    <>
      {requests.length === 0 ? (
        <NoRequests isFiltered={isFiltered} reached={next === undefined ? undefined : reached} />
      ) : (
        <Requests requests={requests} />
      )}
      <div class="actions">
        {isFurtherBack && <Button onClick={() => turnTo(undefined)}>{text.newest}</Button>}
        {next !== undefined && (
          <>
            <Button onClick={() => turnTo(next)}>{text.older}</Button>
            <span class="muted small">{text.reached(dateTime(reached!))}</span>
          </>
        )}
      </div>
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
      name="log"
      label={text.found}
      rows={requests}
      keyOf={({ logId }) => logId}
      columns={[
        {
          title: text.time,
          value: ({ time }) => time,
          cell: ({ logId, time }) => (
            <a class="nowrap" href={hashOf('try', { log: logId })}>
              {dateTime(time)}
            </a>
          ),
        },
        {
          title: text.status,
          value: ({ status }) => status,
          cell: ({ status }) => <StatusBadge of={status} />,
        },
        { title: text.route, value: each => wordsOf(each.route), cell: each => wordsOf(each.route) },
        {
          title: text.latency,
          isNumber: true,
          value: ({ latencyMs }) => latencyMs,
          cell: ({ latencyMs }) => <span class="nowrap">{latency(latencyMs)}</span>,
        },
        {
          title: text.key,
          isNumber: true,
          value: ({ account }) => account,
          cell: ({ account }) => <KeyLink id={account} />,
        },
        { title: text.device, value: ({ device }) => device, cell: ({ device }) => device ?? '–' },
        { title: text.what, value: whatOf, cell: whatOf },
      ]}
    />
  );
}

/** What a route or an answer is called. */
const wordsOf = (name: string): string => WORDS[name] ?? name;

const whatOf = ({ reason, message, query }: Logged): string =>
  reason ? `${reason}: ${message ?? ''}` : (query ?? '–');

function KeyLink({ id }: { id: number | undefined }) {
  return id === undefined ? <>–</> : <a href={hashOf('operate', { page: 'keys', key: id })}>{id}</a>;
}
