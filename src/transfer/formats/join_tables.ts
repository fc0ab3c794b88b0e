// Joins tables that each have a part of the stations of the same reports. All are in the order of the reports, so they
// are read in parallel, and what agrees in time and position becomes one report again. In any other order a report
// splits into one for each table, and nothing is lost.

import type { ReportDraft } from '../../intake/draft.ts';
import type { FoundDraft } from './found_draft.ts';

/** Merges tables by time; drafts of one time and position become one. */
export async function* joinTables(tables: AsyncGenerator<FoundDraft[]>[]): AsyncGenerator<FoundDraft[]> {
  const cursors = tables.map(table => new Cursor(table));
  try {
    for (;;) {
      const joined: FoundDraft[] = [];
      while (cursors.every(cursor => !cursor.isEmpty)) {
        const heads = cursors.filter(cursor => cursor.head !== undefined);
        if (heads.length === 0) {
          yield joined;
          return;
        }
        joined.push(joinNext(heads));
      }
      yield joined;
      for (const cursor of cursors) await cursor.fill();
    }
  } finally {
    for (const table of tables) await table.return(undefined);
  }
}

function joinNext(cursors: readonly Cursor[]): FoundDraft {
  const first = cursors.reduce((earliest, cursor) => (timeOf(cursor) < timeOf(earliest) ? cursor : earliest));
  const found = first.take();
  for (const cursor of cursors) {
    if (cursor === first || cursor.head === undefined || !isSameReport(cursor.head.draft, found.draft)) continue;
    const { draft, rows } = cursor.take();
    Object.assign(found.draft, draft);
    found.rows = (found.rows ?? 1) + (rows ?? 1);
  }
  return found;
}

function timeOf(cursor: Cursor): number {
  return cursor.head!.draft.timeMs ?? 0;
}

function isSameReport(a: ReportDraft, b: ReportDraft): boolean {
  return a.timeMs !== undefined && a.timeMs === b.timeMs && a.latitude === b.latitude && a.longitude === b.longitude;
}

/** The next draft of one table. */
class Cursor {
  private readonly table: AsyncGenerator<FoundDraft[]>;
  private drafts: FoundDraft[] = [];
  private next = 0;
  private isDone = false;

  constructor(table: AsyncGenerator<FoundDraft[]>) {
    this.table = table;
  }

  /** Undefined when the table is at its end. */
  get head(): FoundDraft | undefined {
    return this.drafts[this.next];
  }

  /** More must be read before the head is known. */
  get isEmpty(): boolean {
    return this.next === this.drafts.length && !this.isDone;
  }

  take(): FoundDraft {
    return this.drafts[this.next++];
  }

  /** Reads one more piece of the table, which may have no draft in it. */
  async fill(): Promise<void> {
    if (!this.isEmpty) return;
    const { done, value } = await this.table.next();
    this.drafts = done ? [] : value;
    this.next = 0;
    this.isDone = done === true;
  }
}
