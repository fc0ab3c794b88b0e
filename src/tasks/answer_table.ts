// Answers a table row by row: where a device is that heard what the row says, where an address is, or what is at a
// position. Each row comes back as it is, with position, radius, place and quality behind it. The commands and the
// admin interface use the same.

import type { Answerer } from '../answer/answerer.ts';
import { distanceMetres } from '../geo/distance.ts';
import type { FoundPlace } from '../geocoding/found_place.ts';
import { freeTextQuestion, type SearchParts } from '../geocoding/search/question.ts';
import { pointInText } from '../geocoding/search/words/coordinates.ts';
import { kindOfRank } from '../protocol/answers/geocodejson.ts';
import { ApiError } from '../protocol/errors.ts';
import type { BodyDefaults } from '../protocol/requests/position_query.ts';
import { LATITUDE, LONGITUDE } from '../radio/ranges.ts';
import { numberColumn, type ParquetColumn, textColumn } from '../transfer/files/parquet_columns.ts';
import { writeParquet } from '../transfer/files/parquet_writer.ts';
import { plainCell, type Table, tableLine } from '../transfer/files/table_file.ts';
import type { TableRow } from '../transfer/files/table_rows.ts';
import { locateRow } from './locate_row.ts';
import { columnsOf, type NamedColumns, type Role, type TableKind } from './table_columns.ts';

/** What to do with a table. */
interface TableQuestion {
  kind: TableKind;
  /** Columns that are read where the names of the table do not say it. */
  columns?: NamedColumns | undefined;
  /** Languages of places, best first; none = local names. */
  languages?: readonly string[] | undefined;
  /** Of `locate`, for rows that do not say it. */
  defaults?: BodyDefaults | undefined;
  /** LONE_BEACONS_* bit. */
  loneBeacons: number;
}

/** How many rows were answered. */
export interface TableSummary {
  rows: number;
  found: number;
}

/** A text of ours; none where it is empty. */
const foundText = (name: string): ParquetColumn => ({
  ...textColumn(name),
  written: text => (text === '' ? undefined : text),
});
/** Columns that are added; a column of the table that has the name keeps it, and ours is `found_…`. */
const ADDED: readonly (readonly [name: string, column: (name: string) => ParquetColumn])[] = [
  ['latitude', name => numberColumn(name, 'DOUBLE')],
  ['longitude', name => numberColumn(name, 'DOUBLE')],
  ['radius', name => numberColumn(name, 'INT32')],
  ['place', foundText],
  ['quality', foundText],
];

/** Parts of an address, and what they are to the search. */
const PARTS: readonly (readonly [Role, keyof SearchParts])[] = [
  ['street', 'street'],
  ['city', 'city'],
  ['postcode', 'postalcode'],
  ['country', 'country'],
];
/** A signed number, with a decimal point or comma. */
const DECIMAL = /^[+\-−]?\d+(?:[.,]\d*)?$/;
/** A house number, or a postcode. */
const IS_NUMBER = /^\d[\d\s/-]*[a-z]?$/i;
const HOUSE_METRES = 100;
const STREET_METRES = 1_000;
const ZOOM_HOUSE = 18;
const ZOOM_STREET = 16;
const ZOOM_TOWN = 10;
const DECIMALS = 7;
const NOT_FOUND = 'not found';

/** Degrees. */
interface LatLon {
  latitude: number;
  longitude: number;
}

/** What is added to a row. */
type Added = readonly [latitude: string, longitude: string, radius: string, place: string, quality: string];
type AnswerRow = (row: readonly string[]) => Added;

/**
 * Answers a table.
 * @param summary counts the rows
 * @param giveWay is waited for after each row: what else the thread has to do
 * @returns the lines of the table with what was found, header first
 * @throws Error when a column is missing, or the table ends in the middle
 */
export async function* answerTable(
  answerer: Answerer,
  table: Table,
  question: TableQuestion,
  summary: TableSummary,
  giveWay: () => Promise<void> | void,
): AsyncGenerator<string> {
  const { header, delimiter } = table;
  const rows = answeredRows(answerer, table, question, summary, giveWay);
  const names = ADDED.map(([name]) => addedName(name, header));
  yield table.lead + tableLine([...header, ...names], delimiter);
  for await (const [{ cells, beyond }, added] of rows) {
    // What nobody can place stands behind: the columns before it keep their names.
    yield tableLine([...cells, ...added.map(table.fitted), ...beyond], delimiter);
  }
}

/**
 * Answers a table as a Parquet file. Columns of a Parquet file keep their types, and all others are texts.
 * @returns its bytes
 * @throws Error as `answerTable`, and for a row with cells beyond the columns, which would be lost
 */
export function answerAsParquet(
  answerer: Answerer,
  table: Table,
  question: TableQuestion,
  summary: TableSummary,
  giveWay: () => Promise<void> | void,
): AsyncGenerator<Buffer> {
  const { header, parquet } = table;
  const added = ADDED.map(([name, column]) => column(addedName(name, header)));
  const columns = [...(parquet?.columns ?? distinct(header).map(textColumn)), ...added];
  const rows = answeredRows(answerer, table, question, summary, giveWay);
  const values = async function* () {
    for await (const [{ line, cells, values = cells, beyond }, added] of rows) {
      if (beyond.length > 0)
        throw new Error(
          `Line ${line} has more cells than columns, and Parquet no place for them: mend it, or write CSV.`,
        );
      yield [...values, ...added];
    }
  };
  return writeParquet(columns, values(), parquet?.metadata);
}

function addedName(name: string, header: readonly string[]): string {
  return header.includes(name) ? addedName(`found_${name}`, header) : name;
}

/** Names of columns as Parquet needs them: none is empty, and none is there twice. */
function distinct(header: readonly string[]): string[] {
  const names = new Set<string>();
  for (const [at, title] of header.entries()) {
    const name = title === '' ? `column_${at + 1}` : title;
    const taken = (each: string) => names.has(each) || (each !== title && header.includes(each));
    let free = name;
    for (let n = 2; taken(free); n++) free = `${name}_${n}`;
    names.add(free);
  }
  return [...names];
}

async function* answeredRows(
  answerer: Answerer,
  table: Table,
  question: TableQuestion,
  summary: TableSummary,
  giveWay: () => Promise<void> | void,
): AsyncGenerator<readonly [TableRow, Added]> {
  const answerRow = ROWS[question.kind](answerer, table.header, question);
  for await (const row of table.rows()) {
    const { cells, fault } = row;
    const added = fault === undefined ? answered(() => answerRow(cells)) : (['', '', '', '', fault] as const);
    answerer.release();
    summary.rows++;
    if (added[0] !== '') summary.found++;
    yield [row, added];
    await giveWay();
  }
}

/** A row that is no question is answered with the reason, and the others go on. */
function answered(answer: () => Added): Added {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return ['', '', '', '', plainCell(error.message)];
  }
}

const ROWS: Readonly<
  Record<TableKind, (answerer: Answerer, header: readonly string[], question: TableQuestion) => AnswerRow>
> = {
  locate(answerer, header, { columns = {}, languages = [], defaults = {}, loneBeacons }) {
    const at = columnsOf(header, 'locate', columns);
    if (at.body.length + at.wifi.length + at.cell.length === 0)
      throw new Error(
        'The table has neither access points (wifi), nor a cell (radio, mcc, mnc, lac, cell), nor requests (body).',
      );
    const locate = { defaults, loneBeacons };
    return row => {
      const located = locateRow(answerer, row, at, locate);
      if (located.why !== undefined) return ['', '', '', '', plainCell(`${NOT_FOUND}: ${located.why}`)];
      const { latitude, longitude, radiusMetres, quality } = located;
      const zoom = radiusMetres <= HOUSE_METRES ? ZOOM_HOUSE : radiusMetres <= STREET_METRES ? ZOOM_STREET : ZOOM_TOWN;
      const place = answerer.geocoder.reverse({ latitude, longitude, zoom, languages });
      return [...cellsOf(latitude, longitude, radiusMetres), plainCell(place?.displayName ?? ''), quality];
    };
  },
  geocode(answerer, header, { columns = {}, languages = [] }) {
    const at = columnsOf(header, 'geocode', columns);
    const parts = PARTS.filter(([role]) => at[role].length > 0);
    if (at.column.length + parts.length === 0)
      throw new Error(`Name the column of the address, or those of its parts; the table has ${header.join(', ')}.`);
    if (at.column.length > 0 && parts.length > 0)
      throw new Error('Name either the columns of whole addresses, or those of their parts (street, city, …).');
    const more = { limit: 1, languages };
    return row => {
      const texts = parts.map(([role, part]) => [part, textsOf(row, at[role]).join(' ')] as const);
      const named = texts.filter(([, text]) => text !== '');
      const text = joinedAddress(textsOf(row, at.column));
      if (text === '' && named.length === 0) return describePlace(undefined);
      const question =
        text === ''
          ? { ...freeTextQuestion('', more), parts: Object.fromEntries(named) }
          : freeTextQuestion(text, more);
      return describePlace(answerer.geocoder.search(question)[0]);
    };
  },
  reverse(answerer, header, { columns = {}, languages = [] }) {
    const at = columnsOf(header, 'reverse', columns);
    if ((at.latitude.length === 0 || at.longitude.length === 0) && at.position.length === 0)
      throw new Error(`The table has no columns for latitude and longitude; it has ${header.join(', ')}.`);
    return row => {
      const texts = at.latitude.length > 0 && at.longitude.length > 0 ? [...at.latitude, ...at.longitude] : at.position;
      const position = readPosition(
        texts.map(place => row[place]),
        languages,
      );
      if (position === undefined) return ['', '', '', '', 'no position'];
      return describePlace(answerer.geocoder.reverse({ ...position, zoom: ZOOM_HOUSE, languages }));
    };
  },
};

/**
 * The position in one cell or two, in any form that the search reads; numbers may have a decimal comma.
 * @param languages decide what an O of west or east is
 */
function readPosition(texts: readonly string[], languages: readonly string[]): LatLon | undefined {
  const trimmed = texts.map(text => text.trim());
  if (trimmed.includes('')) return undefined;
  const [latitude, longitude] = trimmed.map(text => (DECIMAL.test(text) ? Number(plainNumber(text)) : Number.NaN));
  if (Math.abs(latitude) <= LATITUDE.max && Math.abs(longitude) <= LONGITUDE.max) return { latitude, longitude };
  // A number beside an angle with a letter needs its own.
  const marked = [latitude, longitude].map((angle, i) =>
    Number.isNaN(angle) ? trimmed[i] : `${Math.abs(angle)} ${(i === 0 ? 'NS' : 'EW')[angle < 0 ? 1 : 0]}`,
  );
  const isMixed = trimmed.length > 1 && Number.isNaN(latitude) !== Number.isNaN(longitude);
  const point = pointInText((isMixed ? marked : trimmed).join(' '), languages);
  return point === undefined || point.rest !== '' ? undefined : point;
}

function plainNumber(text: string): string {
  return text.replace(',', '.').replace('−', '-');
}

/** Texts in the columns, without empty ones. */
function textsOf(row: readonly string[], places: readonly number[]): string[] {
  return places.map(place => row[place].trim()).filter(text => text !== '');
}

/**
 * An address of several columns: commas between them, but a number stands beside what it belongs to (Hauptstraße 5,
 * 1010 Wien).
 */
export function joinedAddress(texts: readonly string[]): string {
  let isTaken = false;
  return texts.reduce((address, text, i) => {
    const before = i > 0 && IS_NUMBER.test(texts[i - 1]);
    const isNumber = IS_NUMBER.test(text);
    const isBeside = i > 0 && (isNumber ? !before : before && !isTaken);
    isTaken = isNumber && isBeside;
    return i === 0 ? text : `${address}${isBeside ? ' ' : ', '}${text}`;
  }, '');
}

function describePlace(place: FoundPlace | undefined): Added {
  if (place === undefined) return ['', '', '', '', NOT_FOUND];
  const { latitude, longitude, south, north, west, east } = place;
  const radiusMetres = distanceMetres(south, west, north, east) / 2;
  return [
    ...cellsOf(latitude, longitude, radiusMetres),
    plainCell(place.displayName),
    kindOfRank(place.placeRank),
  ] as const;
}

function cellsOf(latitude: number, longitude: number, radiusMetres: number): [string, string, string] {
  return [
    `${Number(latitude.toFixed(DECIMALS))}`,
    `${Number(longitude.toFixed(DECIMALS))}`,
    `${Math.max(1, Math.round(radiusMetres))}`,
  ];
}
