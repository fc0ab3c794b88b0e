// Where requests were not found, the most first.

import type { AdminSchemas } from '../../../../build/console_api.ts';
import type { Loaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

const text = strings.coverage.misses;
const ROWS = 12;
/** Shows a square of a tenth of a degree. */
const SQUARE_ZOOM = 10;
type Misses = AdminSchemas['Misses'];
type Counts = Pick<Misses, 'misses' | 'withWifi' | 'withCells'>;
type Row = Counts & { name: string; at?: { latitude: number; longitude: number } };

interface MissesCardProps {
  misses: Loaded<Misses>;
  hours: '24' | '168';
  onHours(hours: '24' | '168'): void;
  onShow(latitude: number, longitude: number, zoom: number): void;
}

/** The card. */
export function MissesCard({ misses, hours, onHours, onShow }: MissesCardProps) {
  const options = Object.entries(text.within).map(([value, name]) => [value as '24' | '168', name] as const);
  return (
    <Card title={text.title}>
      <p class="lead">{text.lead}</p>
      <div class="coverage-choices">
        <SelectField label={text.hours} value={hours} options={options} onChange={onHours} />
      </div>
      <Content loaded={misses} lines={4}>
        {value =>
          value.misses === 0 ? (
            <Empty icon="check" title={text.none}>
              {text.noneText}
            </Empty>
          ) : (
            <MissTable misses={value} onShow={onShow} />
          )
        }
      </Content>
    </Card>
  );
}

function MissTable({ misses, onShow }: { misses: Misses; onShow: MissesCardProps['onShow'] }) {
  const rows = rowsOf(misses);
  const half = misses.degrees / 2;
  const number = (value: number) => value.toLocaleString('en');
  return (
    <>
      <Table
        label={text.title}
        rows={rows.slice(0, ROWS)}
        keyOf={({ name }) => name}
        columns={[
          { title: text.place, cell: ({ name }) => name },
          { title: text.requests, isNumber: true, cell: row => number(row.misses) },
          { title: text.wifi, isNumber: true, cell: row => number(row.withWifi) },
          { title: text.cells, isNumber: true, cell: row => number(row.withCells) },
          {
            title: text.map,
            cell: ({ at, name }) =>
              at && (
                <Button
                  kind="quiet"
                  icon="pin"
                  label={`${text.toMap}: ${name}`}
                  onClick={() => onShow(at.latitude + half, at.longitude + half, SQUARE_ZOOM)}
                />
              ),
          },
        ]}
      />
      {rows.length > ROWS && <p class="hint">{text.more(number(rows.length - ROWS))}</p>}
      {misses.isCut && <p class="hint">{text.cut}</p>}
    </>
  );
}

function rowsOf({ squares, countries, unplaced, degrees }: Misses): Row[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const middle = (corner: number) => (corner + degrees / 2).toFixed(2);
  return [
    ...squares.map(each => ({ ...each, name: text.square(middle(each.latitude), middle(each.longitude)), at: each })),
    ...countries.map(each => ({ ...each, name: text.country(names.of(each.country) ?? each.country) })),
    ...(unplaced.misses > 0 ? [{ ...unplaced, name: text.unplaced }] : []),
  ].sort((a, b) => b.misses - a.misses);
}
