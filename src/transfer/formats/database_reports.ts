// Reads reports from tables of a database, as from other tables (row_reports.ts): a query gives one row for each
// station heard.

import { quoted, SqliteFile } from '../files/sqlite_file.ts';
import type { FoundDraft, ObservationFormat, Refuse } from './found_draft.ts';
import { joinTables } from './join_tables.ts';
import { kismetQueries } from './kismet_database.ts';
import { neostumblerQueries } from './neostumbler_database.ts';
import { surveyQueries } from './network_survey_package.ts';
import { RowReader } from './row_reports.ts';
import type { Query } from './row_table.ts';

/** Databases by their formats. A database is the first of which it has the tables. */
const DATABASES: readonly (readonly [ObservationFormat, (database: SqliteFile) => Query[] | undefined])[] = [
  ['kismet', kismetQueries],
  ['networksurvey', surveyQueries],
  ['neostumbler', neostumblerQueries],
];

const LATITUDE = /(?:^|_)lat(?:itude)?$/;

/** An opened database of reports. */
interface DatabaseReports {
  drafts(refuse: Refuse): AsyncGenerator<FoundDraft[]>;
  /** The tables with their rows, in words. */
  seen(): string | undefined;
  /** Bytes of the database, in proportion to the queries that are done. */
  bytesRead(): number;
  close(): void;
}

/**
 * Opens a database and recognises it. Rows of all its queries that agree in time and position are one report.
 * @throws Error when it is damaged, or none of the formats
 */
export function openReports(path: string): DatabaseReports & { format: ObservationFormat } {
  const database = new SqliteFile(path);
  try {
    for (const [format, queriesOf] of DATABASES) {
      const queries = queriesOf(database);
      if (queries !== undefined) return { format, ...reportsOf(path, database, queries) };
    }
    throw new Error(`${path} is a SQLite database, but none of Kismet, Network Survey or NeoStumbler.`);
  } catch (error) {
    database.close();
    throw error;
  }
}

function reportsOf(path: string, database: SqliteFile, queries: readonly Query[]): DatabaseReports {
  let done = 0;
  const read = async function* ({ name, sql, table }: Query, refuse: Refuse): AsyncGenerator<FoundDraft[]> {
    const columns = database.namesOf(name, sql);
    const reader = new RowReader({ name: `${path}/${name}`, table, columns, order: 'day', refuse });
    for await (const { firstRow, rows } of database.rows(name, sql)) {
      for (const [i, values] of rows.entries()) reader.add(firstRow + i, values);
      yield reader.takeFinished();
    }
    yield reader.end();
    done++;
  };
  return {
    drafts: refuse => joinTables(queries.map(query => read(query, refuse))),
    bytesRead: () => Math.floor((database.bytes * done) / Math.max(queries.length, 1)),
    seen: () => describeTables(database),
    close: () => database.close(),
  };
}

/** Undefined where no table with positions has a row. */
function describeTables(database: SqliteFile): string | undefined {
  const counted = [...database.tables.values()].flatMap(table => {
    const columns = database.namesOf(table, `SELECT * FROM ${quoted(table)}`);
    if (!columns.some(column => LATITUDE.test(column))) return [];
    return [{ table, rows: Number(database.value(table, `SELECT count(*) FROM ${quoted(table)}`)) }];
  });
  if (counted.every(({ rows }) => rows === 0)) return undefined;
  const rows = counted.map(({ table, rows }) => `${table} ${rows.toLocaleString('en')}`).join(', ');
  return `no station in it was heard at a position; its tables have these rows: ${rows}`;
}
