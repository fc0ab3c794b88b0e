// The sources of imported measurements: under which name a report came from a file of the operator. Rows are written in
// the transactions of the log (observation_log.ts), in two databases of its environment:
//
//   sources   number u32 BE                 -> name and date, JSON; numbers go up in the order of the first import
//   sourced identity, number u32 BE -> u8: 1 if the source brought the report, 0 if the log had it already. The number
//   0 is no source: a report that a
//                                              source names has also come without one
//
// A row of `sourced` takes some 46 bytes of disk, whatever the number of stations in its report: 3 bytes an observation
// in a town. It goes when the log drops the identity; where a report was forgotten, it stays and says nothing.

import type { Database, RootDatabase } from 'lmdb';
import { commit } from '../environment/commit.ts';
import { numberKey } from '../environment/row.ts';
import { IDENTITY_BYTES } from './report.ts';

/** A source of measurements. */
interface ReportSource {
  number: number;
  name: string;
  /** Reports in it, also those that another source has too, as they were imported. */
  reports: number;
  /** Of the last import under this name; ISO 8601, UTC. */
  importedAt: string;
}

/** In place of the number of a source: the report came without one. */
export const UNNAMED = 0;
const NUMBER_BYTES = 4;
/** Bytes of a key of `sourced`. */
export const SOURCED_KEY_BYTES = IDENTITY_BYTES + NUMBER_BYTES;
const WHAT = 'The observation log';
/** Rows of one transaction when a source is removed. */
const SLICE = 5_000;
const BROUGHT = Buffer.of(1);
const REPEATED = Buffer.of(0);

type Rows = Database<Buffer, Buffer>;

/** The sources of a log in the order of their first import. */
export function listReportSources(sources: Rows): ReportSource[] {
  return Array.from(sources.getRange(), ({ key, value }) => ({
    number: key.readUInt32BE(),
    ...JSON.parse(value.toString()),
  }));
}

/** The identity and the number of the source in a key of `sourced`. */
export function partsOfKey(key: Buffer): { identity: Buffer; number: number } {
  return { identity: key.subarray(0, IDENTITY_BYTES), number: key.readUInt32BE(IDENTITY_BYTES) };
}

/** Reads and writes the sources of a log. */
export class ReportSources {
  private readonly root: RootDatabase<Buffer, Buffer>;
  private readonly sources: Rows;
  private readonly sourced: Rows;

  constructor(root: RootDatabase<Buffer, Buffer>, { sources, sourced }: Record<'sources' | 'sourced', Rows>) {
    this.root = root;
    this.sources = sources;
    this.sourced = sourced;
  }

  /** All sources in the order of their first import. */
  list(): ReportSource[] {
    this.root.resetReadTxn();
    const list = listReportSources(this.sources);
    this.root.resetReadTxn();
    return list;
  }

  /**
   * Begins an import under a name, which may have a source already. @returns the number of the source, for
   * `ObservationLog.append`
   */
  begin(name: string, nowMs: number): Promise<number> {
    return commit(this.root, WHAT, () => {
      const all = listReportSources(this.sources);
      const known = all.find(source => source.name === name);
      const number = known?.number ?? 1 + (all.at(-1)?.number ?? 0);
      this.write({ number, name, reports: known?.reports ?? 0, importedAt: new Date(nowMs).toISOString() });
      return number;
    });
  }

  /**
   * Notes the reports of a batch that a source names, in the open transaction.
   * @param brought whether each one is new in the log
   */
  add(number: number, reports: readonly { identity: Buffer; brought: boolean }[]): void {
    let added = 0;
    for (const { identity, brought } of reports) {
      const key = keyOf(identity, number);
      if (this.sourced.doesExist(key)) continue;
      this.sourced.putSync(key, brought ? BROUGHT : REPEATED);
      added++;
    }
    const source = listReportSources(this.sources).find(each => each.number === number);
    if (source === undefined) throw new Error(`There is no source of measurements with the number ${number}.`);
    if (added > 0) this.write({ ...source, reports: source.reports + added });
  }

  /** Notes those reports of a batch without a source that sources name, in the open transaction. */
  addUnnamed(reports: readonly { identity: Buffer }[]): void {
    if (this.sources.getKeysCount({ limit: 1 }) === 0) return;
    for (const { identity } of reports) {
      const isNamed = [...this.sourced.getKeys({ ...rangeOf(identity), limit: 1 })].length > 0;
      if (isNamed) this.sourced.putSync(keyOf(identity, UNNAMED), REPEATED);
    }
  }

  /**
   * True for a report that a source alone has: the log did not have it before, and it came neither from another source
   * nor without one.
   */
  isAlone(number: number, identity: Buffer): boolean {
    if (this.sourced.getBinary(keyOf(identity, number))?.equals(BROUGHT) !== true) return false;
    return [...this.sourced.getKeys(rangeOf(identity))].length === 1;
  }

  /** Removes a source, but not its reports. One that others have too counts as brought by one of these from then on. */
  async remove(number: number): Promise<void> {
    let after: Buffer | undefined;
    do after = await commit(this.root, WHAT, () => this.removeSlice(number, after));
    while (after !== undefined);
  }

  /**
   * Removes rows from a slice of the identities, and the source with the last slice. @returns end of the slice;
   * undefined for the last one
   */
  private removeSlice(number: number, after: Buffer | undefined): Buffer | undefined {
    const range = after === undefined ? { limit: SLICE } : { start: after, exclusiveStart: true, limit: SLICE };
    const rows = Array.from(this.sourced.getRange(range), ({ key, value }) => ({
      key: Buffer.from(key),
      value: Buffer.from(value),
    }));
    for (const { key, value } of rows) {
      const parts = partsOfKey(key);
      if (parts.number !== number) continue;
      this.sourced.removeSync(key);
      const [heir] = value.equals(BROUGHT) ? this.sourced.getKeys(rangeOf(parts.identity)) : [];
      if (heir !== undefined) this.sourced.putSync(Buffer.from(heir), BROUGHT);
    }
    if (rows.length === SLICE) return rows[SLICE - 1].key;
    this.sources.removeSync(numberKey(number));
    return undefined;
  }

  /**
   * Gives reports that are to have other identities the sources of the present ones, whose rows stay: they may be
   * needed still.
   */
  async copyTo(renamed: readonly { from: Buffer; to: Buffer }[]): Promise<void> {
    await commit(this.root, WHAT, () => {
      for (const { from, to } of renamed) {
        const rows = Array.from(this.sourced.getRange(rangeOf(from)), ({ key, value }) => ({
          ...partsOfKey(Buffer.from(key)),
          value: Buffer.from(value),
        }));
        for (const { number, value } of rows)
          if (!this.sourced.doesExist(keyOf(to, number))) this.sourced.putSync(keyOf(to, number), value);
      }
    });
  }

  /** Forgets which sources have named a report, in the open transaction. */
  forget(identity: Buffer): void {
    for (const key of [...this.sourced.getKeys(rangeOf(identity))]) this.sourced.removeSync(Buffer.from(key));
  }

  private write({ number, ...source }: ReportSource): void {
    this.sources.putSync(numberKey(number), Buffer.from(JSON.stringify(source)));
  }
}

function keyOf(identity: Buffer, number: number): Buffer {
  return Buffer.concat([identity, numberKey(number)]);
}

function rangeOf(identity: Buffer): { start: Buffer; end: Buffer } {
  return { start: keyOf(identity, 0), end: keyOf(identity, 2 ** 32 - 1) };
}
