// Reads reports from tables of a database, as from other tables (row_reports.ts): a query gives one row for each
// station heard.

import type { SqliteFile } from '../files/sqlite_file.ts';
import type { FoundDraft, Refuse } from './found_draft.ts';
import { joinTables } from './join_tables.ts';
import { RowReader } from './row_reports.ts';
import type { RowTable } from './row_table.ts';

/** A query and how its rows are read. Their order is that of the reports. */
export interface Query {
  /** Of the table that it reads, as in messages. */
  name: string;
  sql: string;
  table: RowTable;
}

/** An opened database of reports. */
interface DatabaseReports {
  drafts(refuse: Refuse): AsyncGenerator<FoundDraft[]>;
  /** Bytes of the database, in proportion to the queries that are done. */
  bytesRead(): number;
  close(): void;
}

/** Rows of all queries that agree in time and position are one report. */
export function reportsOf(path: string, database: SqliteFile, queries: readonly Query[]): DatabaseReports {
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
    close: () => database.close(),
  };
}
