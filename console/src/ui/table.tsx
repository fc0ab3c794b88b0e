// Tables: they scroll in themselves where the page is narrow.

import type { ComponentChildren } from 'preact';

/** A column. */
export interface Column<T> {
  title: string;
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
}

/** A table. */
export function Table<T>({ label, columns, rows, keyOf }: TableProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="table-frame" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : ''}>
                {title}
              </th>
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
