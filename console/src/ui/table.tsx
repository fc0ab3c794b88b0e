// Tables: they scroll in themselves where the page is narrow. One with a name is filtered by words, sorted by a column
// and turned over, and where it stands is in the address (table_place.ts).

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { route } from '../state/route.ts';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { Icon } from './icon.tsx';
import { Empty } from './states.tsx';
import { movePlace, orderAfter, type Place, placeOf, rowsAt, SHOWN_ROWS, type Sorted } from './table_place.ts';

/** A column. */
export interface Column<T> extends Sorted<T> {
  /** Numbers stand on the right, with figures of one width. */
  isNumber?: boolean;
  cell(row: T): ComponentChildren;
}

interface TableProps<T> {
  /** What the table holds, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string | number;
  /** What its parameters in the address begin with. Without, all rows are shown as they come. */
  name?: string;
}

/** A table. */
export function Table<T>(props: TableProps<T>) {
  const { name } = props;
  return name === undefined ? <Frame {...props} /> : <PlacedTable {...props} name={name} />;
}

/** Up to so many rows are seen at once: nobody has to search in them. */
const FEW_ROWS = 10;

function PlacedTable<T>({ name, label, columns, rows, ...rest }: TableProps<T> & { name: string }) {
  const place = placeOf(name, route.value.parameters);
  const { find, sort, isDescending } = place;
  const fitting = useMemo(() => rowsAt(rows, columns, place), [rows, find, sort, isDescending]);
  const first = Math.min(place.first, Math.max(0, Math.ceil(fitting.length / SHOWN_ROWS) - 1) * SHOWN_ROWS);
  return (
    <>
      {(rows.length > FEW_ROWS || find !== '') && (
        <div class="table-find">
          <TextField
            label={strings.ui.findIn(label)}
            isLabelHidden
            placeholder={strings.ui.find}
            type="search"
            value={find}
            onInput={words => movePlace(name, { ...place, find: words, first: 0 }, true)}
          />
          <Turn
            label={label}
            first={first}
            count={fitting.length}
            onTurn={to => movePlace(name, { ...place, first: to })}
          />
        </div>
      )}
      {fitting.length === 0 ? (
        <Empty icon="search" title={strings.ui.noRow}>
          <Button onClick={() => movePlace(name, { ...place, find: '', first: 0 })}>{strings.ui.showAll}</Button>
        </Empty>
      ) : (
        <Frame
          {...{ label, columns, place, ...rest }}
          rows={fitting.slice(first, first + SHOWN_ROWS)}
          onSort={title => movePlace(name, { ...place, ...orderAfter(place, title), first: 0 })}
        />
      )}
    </>
  );
}

interface TurnProps {
  label: string;
  first: number;
  count: number;
  onTurn(first: number): void;
}

/** Which rows are shown, and the way to the others. */
function Turn({ label, first, count, onTurn }: TurnProps) {
  const end = Math.min(count, first + SHOWN_ROWS);
  return (
    <fieldset class="table-turn" aria-label={strings.ui.pagesOf(label)}>
      <span role="status">{strings.ui.rowsOf(count === 0 ? 0 : first + 1, end, count)}</span>
      {count > SHOWN_ROWS && (
        <>
          <Button
            kind="quiet"
            icon="before"
            label={strings.ui.previousPage}
            disabled={first === 0}
            onClick={() => onTurn(first - SHOWN_ROWS)}
          />
          <Button
            kind="quiet"
            icon="after"
            label={strings.ui.nextPage}
            disabled={end >= count}
            onClick={() => onTurn(first + SHOWN_ROWS)}
          />
        </>
      )}
    </fieldset>
  );
}

interface FrameProps<T> extends TableProps<T> {
  place?: Place | undefined;
  onSort?: ((title: string) => void) | undefined;
}

function Frame<T>({ label, columns, rows, keyOf, place, onSort }: FrameProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="table-frame" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(column => (
              <Head key={column.title} column={column} place={place} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, isNumber, cell }) => (
                <td key={title} class={isNumber ? 'number' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head<T>({
  column: { title, isNumber, value },
  place,
  onSort,
}: { column: Column<T> } & Pick<FrameProps<T>, 'place' | 'onSort'>) {
  const kind = isNumber ? 'number' : '';
  if (onSort === undefined || value === undefined)
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    );
  const isSorted = place?.sort === title;
  const order = place?.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={kind} {...(isSorted && { 'aria-sort': order })}>
      <button type="button" class="sort" onClick={() => onSort(title)}>
        {title}
        {isSorted && <Icon name={place!.isDescending ? 'down' : 'up'} />}
      </button>
    </th>
  );
}
