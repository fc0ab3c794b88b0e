// Checks the observation log: sequences have no gaps, records can be read, identities belong to their reports, and the
// index of identities agrees in both directions. Reports may be appended at the end and dropped at the start during a
// check, so each slice is compared with the counters, identities and retired rows of its own snapshot.

import { StoredObservations } from '../../radio/query/stored.ts';
import { ACCOUNT_ID_MAX } from '../accounts/account_record.ts';
import {
  type Check,
  RESTORE,
  type Root,
  type Rows,
  reasonOf,
  type TableCheck,
  walkRows,
} from '../environment/check_walk.ts';
import { numberKey, readSequence, sequenceKey } from '../environment/row.ts';
import { isKind } from '../stations/station.ts';
import { DROPPED_KEY, metaNumber, NEXT_KEY, type ObservationTables } from './environment.ts';
import { HEAD_BYTES, identityOf } from './log_row.ts';
import { decodeReport, IDENTITY_BYTES, type Report, reportIdentity, unpackZeros } from './report.ts';
import { partsOfKey, SOURCED_KEY_BYTES, UNNAMED } from './report_sources.ts';
import { ByteSums, contributorOf, StoredBytes } from './stored_bytes.ts';

const SEQUENCE_BYTES = 8;
/** Reports of one slice: each is hashed. */
const SLICE = 500;

/** Numbers of a log, as one snapshot has them. */
export interface LogCounters {
  /** Number of the last report that was ever appended. */
  last: number;
  /** Number of the last report that was dropped. */
  dropped: number;
}

/** Reads the counters of a log, in the read transaction that is open. */
export function readCounters(meta: Rows): LogCounters {
  const counter = (key: Buffer): number => metaNumber(meta, key) ?? Number.NaN;
  return { last: counter(NEXT_KEY) - 1, dropped: counter(DROPPED_KEY) };
}

/** Walks through all tables of the observation log. */
export async function checkObservations(root: Root, tables: ObservationTables, check: Check): Promise<void> {
  check.begin('observation log', [tables.reports, tables.identities, tables.retired]);
  await walkReports(root, tables, check);
  await walkIdentities(root, tables, check.table('identities', RESTORE));
  await walkRetired(root, tables, check.table('retired observations', RESTORE));
  await walkSourced(root, tables, check.table('sources of observations', RESTORE));
}

async function walkReports(root: Root, tables: ObservationTables, check: Check): Promise<void> {
  const reports = check.table('observations', RESTORE);
  root.resetReadTxn();
  const stored = new StoredCheck(tables, readCounters(tables.meta).dropped);
  let expected = 1;
  await walkRows(
    root,
    tables.reports,
    reports,
    (key, value) => {
      if (key.length !== SEQUENCE_BYTES) {
        reports.find('key', `key ${key.toString('hex')}`, 'it is no number of a report');
        return;
      }
      const sequence = readSequence(key);
      const name = `report ${sequence}`;
      const { dropped, last } = readCounters(tables.meta);
      // Those before it may have been dropped since the last slice.
      expected = Math.max(expected, dropped + 1);
      if (sequence > last) reports.find('counter', name, `it stands behind the last report that was counted, ${last}`);
      else if (sequence > expected) {
        reports.find('index', nameGap(expected, sequence - 1), 'the log has a gap there');
        stored.giveUp();
      }
      expected = sequence + 1;
      stored.add(checkReport(tables, reports, check.isQuick, sequence, value)?.contributor, value.length);
    },
    SLICE,
  );
  root.resetReadTxn();
  const { dropped, last } = readCounters(tables.meta);
  expected = Math.max(expected, dropped + 1);
  // What was appended since the last slice begins behind a report that was read.
  const next = tables.reports.getKeys({ limit: 1, reverse: true })[Symbol.iterator]().next().value;
  const end = next === undefined ? dropped : readSequence(next);
  if (end < last)
    reports.find('index', nameGap(Math.max(end + 1, expected), last), 'the log lacks what was counted last');
  else stored.compare(check.table('storage of accounts', RESTORE), expected, dropped);
  root.resetReadTxn();
}

function nameGap(first: number, last: number): string {
  return first === last ? `report ${first}` : `reports ${first} to ${last}`;
}

/** @returns the report; undefined when it cannot be read */
function checkReport(
  tables: ObservationTables,
  check: TableCheck,
  isQuick: boolean,
  sequence: number,
  value: Buffer,
): Report | undefined {
  const name = `report ${sequence}`;
  if (value.length <= HEAD_BYTES) {
    check.find('record', name, `its record has ${value.length} bytes`);
    return undefined;
  }
  if (!(value.readDoubleLE(0) > 0)) check.find('record', name, 'it has no time of arrival');
  const identity = identityOf(value);
  const report = decode(value.subarray(HEAD_BYTES));
  if (typeof report === 'string') {
    check.find('record', name, report);
    return undefined;
  }
  check.findSome('record', name, problemWithReport(report));
  if (!isQuick && !identity.equals(reportIdentity(report)))
    check.find('derived', name, 'its identity is not that of what it says');
  const indexed = sequenceOf(tables.identities, identity);
  // A report without a time of its own may have been sent again a day later; the identity then belongs to the later
  // report.
  const isIndexed = indexed === sequence || (!report.isTimed && indexed !== undefined && indexed > sequence);
  const problem =
    indexed === undefined ? 'its identity is missing in the index' : `the index has its identity for report ${indexed}`;
  if (!isIndexed) check.find('index', name, problem);
  return report;
}

function decode(record: Buffer): Report | string {
  try {
    return decodeReport(unpackZeros(record));
  } catch (error) {
    return reasonOf(error);
  }
}

function problemWithReport({ contributor, observations }: Report): string | undefined {
  if (contributor > ACCOUNT_ID_MAX) return `no account can have the number ${contributor} of its contributor`;
  const stored = new StoredObservations(observations);
  for (let i = 0; i < stored.count; i++)
    if (!isKind(stored.kind(i))) return `its observation ${i + 1} is of no kind of station`;
  return undefined;
}

function sequenceOf(identities: Rows, identity: Buffer): number | undefined {
  const row = identities.getBinary(identity);
  return row === undefined || row.length !== 16 ? undefined : row.readDoubleLE(0);
}

/** Each identity is that of a report, or of one that was dropped and is remembered. */
function walkIdentities(
  root: Root,
  { identities, reports, retired }: ObservationTables,
  check: TableCheck,
): Promise<void> {
  return walkRows(root, identities, check, (key, value) => {
    const name = `identity ${key.toString('hex')}`;
    if (key.length !== IDENTITY_BYTES)
      check.find('key', name, `it has ${key.length} bytes instead of ${IDENTITY_BYTES}`);
    else if (value.length !== 16) check.find('record', name, `its row has ${value.length} bytes instead of 16`);
    else check.findSome('index', name, problemWithIdentity(key, value, reports, retired));
  });
}

function problemWithIdentity(identity: Buffer, value: Buffer, reports: Rows, retired: Rows): string | undefined {
  const sequence = value.readDoubleLE(0);
  if (!(Number.isSafeInteger(sequence) && sequence > 0)) return `the number ${sequence} of its report is none`;
  const key = sequenceKey(sequence);
  const row = reports.getBinary(key) ?? retired.getBinary(key);
  if (row === undefined) return `its report ${sequence} is not in the log`;
  if (row.length < HEAD_BYTES) return undefined; // told where that row is walked past
  if (!identityOf(row).equals(identity)) return `its report ${sequence} has another identity`;
  return row.readDoubleLE(0) === value.readDoubleLE(8) ? undefined : `its report ${sequence} arrived at another time`;
}

/** Reports that were dropped, and are remembered so that they do not count twice. */
function walkRetired(root: Root, { identities, retired, meta }: ObservationTables, check: TableCheck): Promise<void> {
  return walkRows(root, retired, check, (key, value) => {
    if (key.length !== SEQUENCE_BYTES) {
      check.find('key', `key ${key.toString('hex')}`, 'it is no number of a report');
      return;
    }
    const sequence = readSequence(key);
    const name = `report ${sequence}`;
    const { dropped } = readCounters(meta);
    if (value.length !== HEAD_BYTES)
      check.find('record', name, `its row has ${value.length} bytes instead of ${HEAD_BYTES}`);
    else if (sequence > dropped)
      check.find('counter', name, `it is among those that were dropped, which end at ${dropped}`);
    else if (!((sequenceOf(identities, identityOf(value)) ?? 0) >= sequence))
      check.find('index', name, 'its identity is missing in the index');
  });
}

/** The reports of sources: each belongs to a source that is listed. The log may have forgotten them. */
async function walkSourced(root: Root, { sources, sourced }: ObservationTables, check: TableCheck): Promise<void> {
  await walkRows(root, sourced, check, (key, value) => {
    if (key.length !== SOURCED_KEY_BYTES) {
      check.find('key', `key ${key.toString('hex')}`, 'it is no report of a source');
      return;
    }
    const { identity, number } = partsOfKey(key);
    const name = `identity ${identity.toString('hex')} of source ${number}`;
    if (value.length !== 1 || value[0] > 1) check.find('record', name, 'it does not say who brought the report');
    else if (number !== UNNAMED && !sources.doesExist(numberKey(number)))
      check.find('index', name, 'there is no such source');
  });
}

// Checks what is stored of each account against its reports. Reports may be appended and dropped while they are
// walked through. So what came since the last slice is read together with the numbers, in one snapshot, and nothing
// is compared where reports were dropped meanwhile.

/** The sums of one walk. */
class StoredCheck {
  private readonly reports: Rows;
  private readonly stored: StoredBytes;
  private readonly droppedBefore: number;
  private readonly sums = new ByteSums();
  private isUnsure = false;

  /**
   * Begins, in the snapshot of the first slice or an earlier one.
   * @param dropped number of the last report that was dropped
   */
  constructor({ reports, stored }: Pick<ObservationTables, 'reports' | 'stored'>, dropped: number) {
    this.reports = reports;
    this.stored = new StoredBytes(stored);
    this.droppedBefore = dropped;
  }

  /** Adds a report. @param contributor undefined where it is damaged, so that the sums are not known */
  add(contributor: number | undefined, valueBytes: number): void {
    if (contributor === undefined) this.giveUp();
    this.sums.add(contributor, valueBytes);
  }

  /** Compares nothing, because reports are lost, which is told already. */
  giveUp(): void {
    this.isUnsure = true;
  }

  /**
   * Compares, in the open snapshot.
   * @param next first report that was not added
   * @param dropped number of the last report that was dropped
   */
  compare(check: TableCheck, next: number, dropped: number): void {
    if (this.isUnsure || dropped !== this.droppedBefore) return;
    for (const { value } of this.reports.getRange({ start: sequenceKey(next) }))
      this.add(contributorOf(value), value.length);
    if (this.isUnsure) return;
    const accounts = new Set([...this.sums.byAccount.keys(), ...this.stored.accounts()]);
    for (const account of [...accounts].sort((a, b) => a - b)) {
      const [told, sum] = [this.stored.of(account), this.sums.byAccount.get(account) ?? 0];
      if (account !== 0 && told !== sum)
        check.find('counter', `account ${account}`, `${told} bytes of its reports are counted, and ${sum} are there`);
    }
  }
}
