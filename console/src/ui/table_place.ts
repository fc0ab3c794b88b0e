// Where a table stands: what is looked for, by which column it is sorted, and from which row on it is shown. It is in
// the address, as `keys.find=fleet&keys.sort=-Credits&keys.from=50`, so it outlasts a reload, the way back and a link
// that is passed on. Typing replaces the entry of the history; sorting and turning over make one.

import { navigateWith } from '../state/route.ts';

/** How many rows are shown at once. */
export const SHOWN_ROWS = 50;
const TEXTS = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** A column by which a table is sorted and in which words are found. */
export interface Sorted<T> {
  title: string;
  /** Undefined stands last. Without it, the column is not sorted by. */
  value?(row: T): string | number | undefined;
}

/** Where a table stands. */
export interface Place {
  /** Words; each is in some column of a row that is shown. */
  find: string;
  /** Title of the column. */
  sort?: string | undefined;
  isDescending: boolean;
  /** Index of the first row that is shown. */
  first: number;
}

/** The place of a table in an address. */
export function placeOf(name: string, parameters: URLSearchParams): Place {
  const [find, sort, from] = ['find', 'sort', 'from'].map(each => parameters.get(`${name}.${each}`) ?? undefined);
  const first = Math.max(0, Math.floor(Number(from ?? 0) / SHOWN_ROWS) * SHOWN_ROWS);
  return {
    find: find ?? '',
    sort: sort?.replace(/^-/, ''),
    isDescending: sort?.startsWith('-') ?? false,
    first: Number.isSafeInteger(first) ? first : 0,
  };
}

/** Goes to a place of a table. @param replaces as `navigate` */
export function movePlace(name: string, { find, sort, isDescending, first }: Place, replaces = false): void {
  const changes = {
    [`${name}.find`]: find === '' ? undefined : find,
    [`${name}.sort`]: sort === undefined ? undefined : `${isDescending ? '-' : ''}${sort}`,
    [`${name}.from`]: first === 0 ? undefined : first,
  };
  navigateWith(changes, replaces);
}

/** The order after the title of a column is pressed: rising, falling, and as the rows come. */
export function orderAfter({ sort, isDescending }: Place, title: string): Pick<Place, 'sort' | 'isDescending'> {
  if (sort !== title) return { sort: title, isDescending: false };
  return isDescending ? { sort: undefined, isDescending: false } : { sort: title, isDescending: true };
}

/** The rows in which all words are found, in their order. */
export function rowsAt<T>(
  rows: readonly T[],
  columns: readonly Sorted<T>[],
  { find, sort, isDescending }: Place,
): readonly T[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (row: T) =>
    columns
      .map(({ value }) => value?.(row) ?? '')
      .join('\n')
      .toLowerCase();
  const fits = (row: T) => {
    const text = textOf(row);
    return words.every(word => text.includes(word));
  };
  const fitting = words.length === 0 ? rows : rows.filter(fits);
  const read = columns.find(({ title }) => title === sort)?.value;
  if (read === undefined) return fitting;
  const sign = isDescending ? -1 : 1;
  return fitting
    .map(row => ({ row, value: read(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      return sign * compare(a.value, b.value);
    })
    .map(({ row }) => row);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : TEXTS.compare(String(a), String(b));
}
