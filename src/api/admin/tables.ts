// Tables with positions and places in them, over the admin interface: the body of a request is a table, which is
// answered row by row as the commands `locate`, `geocode` and `reverse` do it, one table after the other, in turns with
// what else the main thread has to do. Both files lie in the spool folder; the answered one can be read until the
// service stops, or until others have come after it.

import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answerer } from '../../answer/answerer.ts';
import { spoolFolder } from '../../folder/data_folder.ts';
import { messageOf } from '../../jobs/job.ts';
import { answerTable } from '../../tasks/answer_table.ts';
import { firstAnsweredRows, lookAtTable } from '../../tasks/look_at_table.ts';
import type { NamedColumns, TableKind } from '../../tasks/table_columns.ts';
import { openTable } from '../../transfer/files/table_file.ts';
import { Refused } from '../transport/refused.ts';
import { countBytes, fileOf, firstBytesOf } from './imports.ts';

/** What the answer to `GET /tables/{id}/result` is, in the encoding of the table. */
export const TABLE_TYPE = 'text/csv';

/** A million rows and more. */
const TABLE_BYTES_MAX = 268_435_456;
/** Tables that come in, wait or are answered. */
const OPEN_MAX = 8;
/** Answered tables that are kept. */
const ENDED_MAX = 20;

/** The parameters of a request that sends a table. */
type TableQuery = NamedColumns & {
  kind: TableKind;
  language?: string;
  encoding?: string;
  fallbacks?: string;
  confidence?: string;
};

/** What the request says of the table. */
interface Asked {
  kind: TableKind;
  columns?: NamedColumns;
  languages?: string[];
  /** As the request says, or as the table was read. */
  encoding?: string;
  /** Of `locate`, for rows that do not say it. */
  fallbacks?: string[];
  /** 50..99. */
  confidence?: number;
}

/** A table, as the interface shows it. */
interface TableState extends Asked {
  id: number;
  state: 'receiving' | 'answering' | 'done' | 'failed';
  bytes: number;
  percent?: number;
  rows?: number;
  found?: number;
  error?: string;
}

/** The tables of a running service. */
export class Tables {
  private readonly folder: string;
  private readonly open: () => Promise<Answerer>;
  private readonly loneBeacons: number;
  private readonly states: TableState[] = [];
  private answerer: Answerer | undefined;
  private last: Promise<void> = Promise.resolve();
  private lastId = 0;
  private isClosed = false;

  /** @param folder data folder @param loneBeacons LONE_BEACONS_* bit */
  constructor(folder: string, open: () => Promise<Answerer>, loneBeacons: number) {
    this.folder = folder;
    this.open = open;
    this.loneBeacons = loneBeacons;
  }

  /** Tables in the order of their arrival. */
  list(): readonly TableState[] {
    return this.states;
  }

  /** Receives the table of a request and begins to answer it. @throws Refused as `receive` */
  take(query: object, { body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): Promise<TableState> {
    const { kind, language, encoding, fallbacks, confidence, ...columns } = query as TableQuery;
    const asked = {
      kind,
      ...(Object.keys(columns).length > 0 && { columns }),
      ...(language !== undefined && { languages: language.split(',') }),
      ...(encoding !== undefined && { encoding }),
      ...(fallbacks !== undefined && { fallbacks: fallbacks.split(',') }),
      ...(confidence !== undefined && { confidence: Number(confidence) }),
    };
    return this.receive(asked, fileOf(body), Number(headers['content-length']));
  }

  /** @throws Refused when there is none */
  get(id: number): TableState {
    const state = this.states.find(each => each.id === id);
    if (state === undefined) throw new Refused(404, `There is no table ${id}.`);
    return state;
  }

  /** What the first bytes of a table hold; nothing of it is kept. @throws Refused when they hold none */
  async look({ encoding }: { encoding?: string }, request: Pick<FastifyRequest, 'body' | 'headers'>): Promise<object> {
    const first = await firstBytesOf(request);
    return lookAtTable(first, encoding).catch((error: Error) => {
      throw new Refused(400, messageOf(error));
    });
  }

  /** The first rows of an answered table. @throws Refused as `sendResult` */
  async firstRows(id: number): Promise<object> {
    this.requireAnswered(id);
    return firstAnsweredRows(this.fileOf(id, 'answered'), this.get(id).encoding);
  }

  /** Sends the answered table. @throws Refused when there is none, or it is not answered */
  sendResult(id: number, reply: FastifyReply): FastifyReply {
    this.requireAnswered(id);
    return reply
      .type(`${TABLE_TYPE}; charset=${this.get(id).encoding}`)
      .send(createReadStream(this.fileOf(id, 'answered')));
  }

  private requireAnswered(id: number): void {
    const { state, error } = this.get(id);
    if (state !== 'done') throw new Refused(409, error ?? `The table ${id} is not answered yet.`);
  }

  /**
   * Receives a table and begins to answer it.
   * @returns once it is complete
   * @throws Refused when it is too large, there is no room for it, or too many are under way
   */
  private async receive(asked: Asked, body: Readable, bytesTotal: number): Promise<TableState> {
    if (this.states.filter(isOpen).length >= OPEN_MAX)
      throw new Refused(429, `${OPEN_MAX} tables are under way; wait until one has ended.`);
    const state: TableState = { id: ++this.lastId, ...asked, state: 'receiving', bytes: 0 };
    this.states.push(state);
    const file = this.fileOf(state.id, 'sent');
    try {
      await this.dropOld();
      const counted = countBytes(this.folder, state, bytesTotal, TABLE_BYTES_MAX);
      await pipeline(body, counted, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      await rm(file, { force: true });
      Object.assign(state, { state: 'failed', error: messageOf(error) });
      throw error;
    }
    Object.assign(state, { state: 'answering', percent: 0 });
    this.last = this.last
      .then(() => this.answerRows(state))
      .catch(error => {
        Object.assign(state, { state: 'failed', error: messageOf(error).replaceAll(file, 'The file') });
      });
    return state;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.last;
    await this.answerer?.close();
  }

  /** Answers a table. @throws Error when it cannot be answered */
  private async answerRows(state: TableState): Promise<void> {
    const [sent, answered] = [this.fileOf(state.id, 'sent'), this.fileOf(state.id, 'answered')];
    try {
      const table = await openTable(sent, state.encoding);
      state.encoding = table.encoding.name;
      this.answerer ??= await this.open();
      const summary = { rows: 0, found: 0 };
      const giveWay = async (): Promise<void> => {
        if (this.isClosed) throw new Error('The service is stopping.');
        Object.assign(state, { ...summary, percent: Math.floor((100 * table.bytesDone()) / table.bytesTotal) });
        await nextTurn();
      };
      const question = { ...state, defaults: state, loneBeacons: this.loneBeacons };
      const lines = answerTable(this.answerer, table, question, summary, giveWay);
      await pipeline(table.encoded(lines), createWriteStream(answered, { mode: 0o600 }));
      Object.assign(state, { ...summary, state: 'done', percent: 100 });
    } finally {
      await rm(sent, { force: true });
    }
  }

  private async dropOld(): Promise<void> {
    const ended = this.states.filter(each => !isOpen(each));
    if (ended.length <= ENDED_MAX) return;
    this.states.splice(this.states.indexOf(ended[0]), 1);
    await rm(this.fileOf(ended[0].id, 'answered'), { force: true });
  }

  private fileOf(id: number, name: 'sent' | 'answered'): string {
    return join(spoolFolder(this.folder), `table-${process.pid}-${id}-${name}`);
  }
}

function isOpen({ state }: TableState): boolean {
  return state === 'receiving' || state === 'answering';
}
