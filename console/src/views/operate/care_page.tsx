// Care: what is wrong and what to do, backups, the check of all tables, forgetting, the secret, and the settings of the
// service.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useDoing } from './ask.ts';
import { ForgetCard } from './forget_card.tsx';
import { count, dateTime, size } from './formats.ts';
import { Refused } from './refused.tsx';
import { SecretCard } from './secret_card.tsx';
import { Warnings } from './warnings.tsx';
import { WorkRow } from './work_row.tsx';

const text = strings.operate.care;
const BUSY_MILLISECONDS = 1_000;
const IDLE_MILLISECONDS = 30_000;

type Job = AdminSchemas['Job'];

/** The page. */
export function CarePage() {
  const [isBusy, setBusy] = useState(false);
  const jobs = useLoaded(
    async signal => {
      const list = (await call('GET /jobs', { signal })).jobs;
      setBusy(list.some(({ state }) => state === 'running'));
      return list;
    },
    [],
    isBusy ? BUSY_MILLISECONDS : IDLE_MILLISECONDS,
  );
  const begun = () => {
    setBusy(true);
    jobs.again();
  };
  const of = (verb: string): Job[] => (jobs.value ?? []).filter(job => job.verb === verb);
  return (
    <>
      <Warnings isAlwaysShown />
      <Backups job={of('backup').at(-1)} onBegun={begun} />
      <Check job={of('check').at(-1)} onBegun={begun} />
      <ForgetCard job={of('forget').at(-1)} onBegun={begun} />
      <SecretCard />
      <Settings />
    </>
  );
}

function Backups({ job, onBegun }: { job: Job | undefined; onBegun(): void }) {
  const backups = useLoaded(signal => call('GET /backups', { signal }), [job?.state]);
  const doing = useDoing();
  const folder = backups.value?.folder;
  const begin = async () => {
    if (await doing.run(() => call('POST /backups'))) onBegun();
  };
  const button = (
    <Button
      kind="primary"
      icon="download"
      isBusy={doing.isBusy || job?.state === 'running'}
      disabled={!mayChange() || folder === undefined}
      onClick={() => void begin()}
    >
      {text.backUp}
    </Button>
  );
  return (
    <Card title={text.backups} actions={button}>
      <Refused by={doing} />
      {job && job.state !== 'done' && <WorkRow of={{ ...job, title: text.backup }} />}
      <Content loaded={backups}>
        {({ backups: list }) => (
          <>
            {folder !== undefined && <p class="muted small">{text.into(folder)}</p>}
            {list.length === 0 ? (
              <Empty icon="download" title={text.noBackups}>
                {folder === undefined && text.noFolder}
              </Empty>
            ) : (
              <Table
                label={text.backups}
                rows={list}
                keyOf={({ name }) => name}
                columns={[
                  { title: text.name, cell: ({ name }) => name },
                  { title: text.made, cell: ({ createdAt }) => (createdAt === undefined ? '–' : dateTime(createdAt)) },
                  { title: text.size, isNumber: true, cell: ({ bytes }) => (bytes === undefined ? '–' : size(bytes)) },
                  {
                    title: text.state,
                    cell: ({ error }) => (error === undefined ? <Badge tone="good">{text.complete}</Badge> : error),
                  },
                ]}
              />
            )}
          </>
        )}
      </Content>
    </Card>
  );
}

function Check({ job, onBegun }: { job: Job | undefined; onBegun(): void }) {
  const [isQuick, setQuick] = useState(false);
  const doing = useDoing();
  const begin = async () => {
    const query = isQuick ? { quick: 'true' as const } : {};
    if (await doing.run(() => call('POST /check', { query }))) onBegun();
  };
  const button = (
    <Button
      icon="check"
      isBusy={doing.isBusy || job?.state === 'running'}
      disabled={!mayChange()}
      onClick={() => void begin()}
    >
      {text.check}
    </Button>
  );
  return (
    <Card title={text.checkTitle} actions={button}>
      <p class="muted">{text.checkText}</p>
      <CheckField label={text.quick} hint={text.quickHint} checked={isQuick} onChange={setQuick} />
      <Refused by={doing} />
      {job && (
        <WorkRow of={{ ...job, title: text.checkTitle }}>
          <Findings result={job.result as unknown as CheckResult} />
        </WorkRow>
      )}
    </Card>
  );
}

/** What a check brought. */
interface CheckResult {
  tables: Record<string, { records: number }>;
  findings: { table: string; key: string; what: string; remedy: string }[];
}

function Findings({ result: { tables, findings } }: { result: CheckResult }) {
  const records = Object.values(tables).reduce((sum, table) => sum + table.records, 0);
  if (findings.length === 0) return <p>{text.sound(count(records), Object.keys(tables).length)}</p>;
  return (
    <ul class="warning-list">
      {findings.map(({ table, key, what, remedy }) => (
        <li key={`${table} ${key} ${what}`}>
          <strong>
            {table}, {key}: {what}
          </strong>
          <p>{remedy}</p>
        </li>
      ))}
    </ul>
  );
}

function Settings() {
  const settings = useLoaded(signal => call('GET /settings', { signal }), []);
  const shown = (value: unknown): string => (value === null ? '–' : String(value));
  return (
    <Card title={text.settings}>
      <p class="muted">{text.settingsText}</p>
      <Content loaded={settings} lines={8}>
        {({ values }) => (
          <Table
            label={text.settings}
            // Those that somebody has set stand first.
            rows={values.toSorted((a, b) => Number(a.from === 'default') - Number(b.from === 'default'))}
            keyOf={({ name }) => name}
            columns={[
              { title: text.name, cell: ({ name }) => <code class="nowrap">{name}</code> },
              { title: text.value, cell: ({ value }) => shown(value) },
              { title: text.default, cell: each => <span class="muted">{shown(each.default)}</span> },
              { title: text.from, cell: ({ from }) => text.sources[from] },
            ]}
          />
        )}
      </Content>
    </Card>
  );
}
