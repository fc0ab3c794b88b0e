// An answered table: how far it is, its first rows with their quality, also on the map, and all of it as a file.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { addressOf, call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Badge, Card, type Tone } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Content } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { count } from '../operate/formats.ts';
import { type Grade, gradeOf, RowsMap } from './rows_map.tsx';

const text = strings.tables;
const BUSY_MILLISECONDS = 1_000;
const TONES: Readonly<Record<Grade, Tone>> = { exact: 'good', near: 'neutral', far: 'warning' };

type Rows = AdminSchemas['TableRows'];

/** The card of a table. */
export function AnsweredTable({ id }: { id: number }) {
  const [isBusy, setBusy] = useState(true);
  const table = useLoaded(
    async signal => {
      const state = await call('GET /tables/{id}', { path: { id }, signal });
      setBusy(state.state === 'receiving' || state.state === 'answering');
      return state;
    },
    [id],
    isBusy ? BUSY_MILLISECONDS : undefined,
  );
  return (
    <Card title={text.number(id)}>
      <Content loaded={table}>
        {({ state, percent, rows = 0, found = 0, error }) => (
          <>
            <p role="status">
              {`${text.states[state]}${isBusy ? ` ${percent ?? 0} %` : ''}, ${text.counted(count(found), count(rows))}`}
            </p>
            {isBusy && <progress max={100} value={percent ?? 0} aria-label={text.number(id)} />}
            {error !== undefined && <p class="field-error">{error}</p>}
            {state === 'done' && (
              <>
                <div class="actions">
                  <a
                    class="button button-primary"
                    href={addressOf('/tables/{id}/result', { path: { id } })}
                    download={`table-${id}.csv`}
                  >
                    <Icon name="download" />
                    {text.download}
                  </a>
                </div>
                <FirstRows id={id} />
              </>
            )}
          </>
        )}
      </Content>
    </Card>
  );
}

function FirstRows({ id }: { id: number }) {
  const loaded = useLoaded(signal => call('GET /tables/{id}/rows', { path: { id }, signal }), [id]);
  return <Content loaded={loaded}>{value => <Shown {...value} />}</Content>;
}

function Shown({ columns, rows }: Rows) {
  const own = columns.map((title, i) => ({
    title: title || `${i + 1}`,
    cell: ({ cells }: Rows['rows'][number]) => <span dir="auto">{cells[i]}</span>,
  }));
  return (
    <>
      <div class="tables-map">
        <RowsMap rows={rows} />
      </div>
      <p class="hint">{text.first(rows.length)}</p>
      <Table
        label={text.firstRows}
        rows={rows}
        keyOf={({ line }) => line}
        columns={[
          { title: text.line, isNumber: true, cell: ({ line }) => line },
          { title: text.quality, cell: row => <Quality row={row} /> },
          { title: text.place, cell: ({ place }) => <span dir="auto">{place}</span> },
          { title: text.radius, isNumber: true, cell: ({ radius }) => radius && count(radius) },
          ...own,
        ]}
      />
    </>
  );
}

function Quality({ row }: { row: Rows['rows'][number] }) {
  const grade = gradeOf(row);
  return <Badge tone={grade === undefined ? 'bad' : TONES[grade]}>{row.quality}</Badge>;
}
