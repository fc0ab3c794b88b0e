// Data: files that are dropped here and imported, what was imported, and taking it out again.

import { useCallback, useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call, Refusal } from '../../api/call.ts';
import { type Loaded, useLoaded } from '../../state/load.ts';
import { hashOf } from '../../state/route.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useDoing } from './ask.ts';
import { DropZone } from './drop_zone.tsx';
import { count, dateTime } from './formats.ts';
import { ImportDialog } from './import_dialog.tsx';
import { Refused } from './refused.tsx';
import { isEnded, type Work, WorkRow } from './work_row.tsx';

const text = strings.operate.data;
/** While something is under way, and while nothing is. */
const BUSY_MILLISECONDS = 1_000;
const IDLE_MILLISECONDS = 15_000;

type Import = AdminSchemas['Import'];
const NO_FILES = { all: [] as readonly File[], at: 0 };
type Removal = { route: 'POST /sources/remove' | 'POST /buildings/remove'; name: string };

/** The page. */
export function DataPage() {
  const [isBusy, setBusy] = useState(false);
  const work = useLoaded(
    async signal => {
      const [all, { jobs }] = await Promise.all([call('GET /imports', { signal }), call('GET /jobs', { signal })]);
      const removals = jobs.filter(({ verb }) => ['sources', 'buildings'].includes(verb));
      setBusy([...all.imports, ...all.bySetting, ...jobs].some(each => !isEnded(each)));
      return { ...all, removals };
    },
    [],
    isBusy ? BUSY_MILLISECONDS : IDLE_MILLISECONDS,
  );
  // What was imported is read anew when something has ended.
  const ended = Object.values(work.value ?? {}).flatMap(each => each.filter(isEnded)).length;
  const sources = useLoaded(signal => call('GET /sources', { signal }), [ended]);
  const buildings = useLoaded(signal => call('GET /buildings', { signal }), [ended]);
  const { file, place, take, next, leave } = useFiles();
  const [removal, setRemoval] = useState<Removal>();
  return (
    <>
      <Card title={text.import}>
        <DropZone onFiles={take} />
        <Content loaded={work} lines={1}>
          {({ imports, bySetting, removals }) => {
            const rows = [
              ...bySetting.map((each, i) => ({
                work: workOf({ ...each, source: each.file, id: i + 1 }),
                isImport: false,
              })),
              ...imports.map(each => ({ work: workOf(each), isImport: true })),
              ...removals.map(each => ({ work: { ...each, title: text.removing } as Work, isImport: false })),
            ];
            return (
              <div>
                {rows.reverse().map(({ work: row, isImport }) => (
                  <WorkRow
                    key={`${row.title} ${row.id}`}
                    of={row}
                    {...(isImport && mayChange() && { onCancel: () => void cancel(row.id).then(work.again) })}
                  >
                    <Refusals result={row.result} />
                  </WorkRow>
                ))}
              </div>
            );
          }}
        </Content>
      </Card>
      <Card title={text.sources}>
        <Sources loaded={sources} onRemove={name => setRemoval({ route: 'POST /sources/remove', name })} />
      </Card>
      <Card title={text.buildings}>
        <Buildings loaded={buildings} onRemove={name => setRemoval({ route: 'POST /buildings/remove', name })} />
      </Card>
      {file && (
        <ImportDialog
          key={place.at}
          {...{ file, place }}
          sources={sources.value?.sources.map(({ name }) => name) ?? []}
          onBegun={() => setBusy(true)}
          onDone={work.again}
          onClose={next}
          onLeave={leave}
        />
      )}
      {removal && <RemoveDialog of={removal} onDone={work.again} onClose={() => setRemoval(undefined)} />}
    </>
  );
}

/** Files that are asked about one after the other. Those that come meanwhile wait behind them. */
function useFiles() {
  const [{ all, at }, setFiles] = useState(NO_FILES);
  const take = useCallback(
    (more: File[]) =>
      setFiles(({ all, at }) => (at < all.length ? { all: [...all, ...more], at } : { all: more, at: 0 })),
    [],
  );
  const next = () => setFiles(({ all, at }) => ({ all, at: at + 1 }));
  return { file: all[at], place: { at, of: all.length }, take, next, leave: () => setFiles(NO_FILES) };
}

/** Has an import end early; why it cannot is told. */
async function cancel(id: number): Promise<void> {
  try {
    await call('POST /imports/{id}/cancel', { path: { id } });
    showToast(strings.operate.work.cancelling);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showToast(error.message, 'error');
  }
}

function workOf(each: Omit<Work, 'title'> & Pick<Import, 'kind' | 'source'>): Work {
  return { ...each, title: text.importOf(text.kinds[each.kind as keyof typeof text.kinds] ?? each.kind, each.source) };
}

/** What an import has refused: how much by which reason, and the first lines. */
function Refusals({ result }: { result: unknown }) {
  const { accepted, refused, refusedByRule, refusedLines } = (result ?? {}) as {
    accepted?: number;
    refused?: number;
    refusedByRule?: Record<string, number>;
    refusedLines?: { line: number; why: string }[];
  };
  if (accepted === undefined) return null;
  return (
    <>
      <p class="small">{text.accepted(count(accepted), count(refused ?? 0))}</p>
      {(refused ?? 0) > 0 && (
        <ul class="reasons">
          {Object.entries(refusedByRule ?? {}).map(([reason, rows]) => (
            <li key={reason}>
              {count(rows)} × {reason}
            </li>
          ))}
          {refusedLines?.map(({ line, why }) => (
            <li key={`line ${line}`}>{text.line(line, why)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

type Source = AdminSchemas['Sources']['sources'][number];
type Building = AdminSchemas['Buildings']['buildings'][number];

const IMPORTED_AT: Column<{ importedAt: string }> = {
  title: text.importedAt,
  value: ({ importedAt }) => importedAt,
  cell: ({ importedAt }) => <span class="nowrap">{dateTime(importedAt)}</span>,
};

/** A column of whole numbers. */
function numbers(title: string, value: (row: Building) => number): Column<Building> {
  return { title, isNumber: true, value, cell: row => count(value(row)) };
}

const kindOf = ({ kind }: Source): string => text.kinds[kind as keyof typeof text.kinds] ?? kind;

const licencesOf = ({ licence, registers = [] }: Source): string =>
  [licence ?? [], registers.map(each => text.withRegister(each.name, each.licence))].flat(2).join('; ');

function Name({ children }: { children: string }) {
  return (
    <span class="name">
      <bdi>{children}</bdi>
    </span>
  );
}

function Sources({ loaded, onRemove }: { loaded: Loaded<AdminSchemas['Sources']>; onRemove(name: string): void }) {
  return (
    <Content loaded={loaded}>
      {({ sources }) =>
        sources.length === 0 ? (
          <Empty title={text.noSources}>
            <p>{text.noSourcesText}</p>
            <ButtonLink href={hashOf('start')}>{text.toStart}</ButtonLink>
          </Empty>
        ) : (
          <Table<Source>
            name="sources"
            label={text.sources}
            rows={sources}
            keyOf={({ name }) => name}
            columns={[
              { title: text.name, value: ({ name }) => name, cell: ({ name }) => <Name>{name}</Name> },
              { title: text.kind, value: kindOf, cell: kindOf },
              { title: text.rows, isNumber: true, value: ({ rows }) => rows, cell: ({ rows }) => count(rows) },
              IMPORTED_AT,
              { title: text.licence, value: licencesOf, cell: licencesOf },
              { title: text.actions, cell: ({ name }) => <RemoveButton name={name} onRemove={onRemove} /> },
            ]}
          />
        )
      }
    </Content>
  );
}

function Buildings({ loaded, onRemove }: { loaded: Loaded<AdminSchemas['Buildings']>; onRemove(name: string): void }) {
  return (
    <Content loaded={loaded} lines={1}>
      {({ buildings }) =>
        buildings.length === 0 ? (
          <Empty title={text.noBuildings} />
        ) : (
          <Table<Building>
            name="buildings"
            label={text.buildings}
            rows={buildings}
            keyOf={({ name }) => name}
            columns={[
              { title: text.name, value: ({ name }) => name, cell: ({ name }) => <Name>{name}</Name> },
              numbers(text.buildings, each => each.buildings),
              numbers(text.floors, each => each.floors),
              numbers(text.rooms, each => each.rooms),
              IMPORTED_AT,
              { title: text.actions, cell: ({ name }) => <RemoveButton name={name} onRemove={onRemove} /> },
            ]}
          />
        )
      }
    </Content>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove(name: string): void }) {
  return (
    <Button
      kind="quiet"
      icon="trash"
      label={text.removeOf(name)}
      disabled={!mayChange()}
      onClick={() => onRemove(name)}
    />
  );
}

function RemoveDialog({ of: { route, name }, onDone, onClose }: { of: Removal; onDone(): void; onClose(): void }) {
  const doing = useDoing();
  const remove = async () => {
    if (!(await doing.run(() => call(route, { body: { name } })))) return;
    onDone();
    onClose();
  };
  return (
    <Confirm
      title={text.removeOf(name)}
      action={text.remove}
      isBusy={doing.isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <Refused by={doing} />
      <p>{text.removeText}</p>
    </Confirm>
  );
}
