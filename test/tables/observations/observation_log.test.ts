import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ObservationLog } from '../../../src/tables/observations/observation_log.ts';
import { packReports, unpackReports } from '../../../src/tables/observations/report.ts';
import { numberedReport, numberOf } from '../../kits/radio/reports.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2025-11-10T12:00:00Z');
const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

let folder: string;
let log: ObservationLog;
beforeEach(() => {
  folder = temporaryFolder();
  log = new ObservationLog(folder, 'commit');
});
afterEach(async () => {
  await log.close();
});

async function reopen(): Promise<void> {
  await log.close();
  log = new ObservationLog(folder, 'commit');
}

const timed = (...numbers: number[]) => packReports(numbers.map(n => numberedReport(n)));
const untimed = (...numbers: number[]) => packReports(numbers.map(n => numberedReport(n, { isTimed: false })));
const numbersKept = (from = 1, limit = 100_000) => log.read(from, limit).map(({ report }) => numberOf(report));
const counters = () => [log.firstSequence, log.lastSequence, log.droppedThrough, log.count];

describe('reports', () => {
  test('stand in the log in the order of their arrival, also after a restart', async () => {
    expect(counters()).toEqual([1, 0, 0, 0]);
    expect(log.read(1, 10)).toEqual([]);
    expect(await log.append(timed(5, 4), NOW)).toEqual({ accepted: 2, duplicates: 0, lastSequence: 2 });
    await reopen();
    expect(await log.append(timed(6), NOW + 1)).toEqual({ accepted: 1, duplicates: 0, lastSequence: 3 });
    expect(log.read(1, 10)).toEqual([
      { sequence: 1, receivedMs: NOW, report: numberedReport(5) },
      { sequence: 2, receivedMs: NOW, report: numberedReport(4) },
      { sequence: 3, receivedMs: NOW + 1, report: numberedReport(6) },
    ]);
    expect(counters()).toEqual([1, 3, 0, 3]);
  });

  test('are read from any sequence on, as many as are asked for', async () => {
    await log.append(timed(...Array(300).keys()), NOW);
    expect(numbersKept(255, 3)).toEqual([254, 255, 256]);
    expect(numbersKept(299)).toEqual([298, 299]);
    expect(numbersKept(301)).toEqual([]);
    expect(numbersKept(0, 1)).toEqual([0]);
  });

  test('that were read stay as they are', async () => {
    await log.append(timed(1, 2), NOW);
    const [{ report }] = log.read(1, 1);
    log.read(2, 1);
    expect(report).toEqual(numberedReport(1));
  });

  test('of batches that wait together are committed together', async () => {
    await log.append(timed(0), NOW);
    const file = join(folder, 'observations', 'data.mdb');
    // The number of the last transaction, in the descriptions on the first two pages.
    const transaction = () => Math.max(...[152, 4_096 + 152].map(at => Number(readFileSync(file).readBigUInt64LE(at))));
    const before = transaction();
    const batches = Array.from({ length: 40 }, (_, i) => log.append(timed(2 * i + 1, 2 * i + 2), NOW));
    expect((await Promise.all(batches)).map(({ lastSequence }) => lastSequence)).toEqual(
      batches.map((_, i) => 2 * i + 3),
    );
    expect(transaction() - before).toBeLessThan(5);
    expect(numbersKept()).toEqual([...Array(81).keys()]);
  });

  test('of a damaged batch are refused, none is stored, and the next batch is', async () => {
    const packed = timed(1, 2, 3);
    await expect(log.append(packed.subarray(0, packed.length - 8), NOW)).rejects.toThrow(
      'Packed reports are damaged at byte',
    );
    expect(counters()).toEqual([1, 0, 0, 0]);
    expect(await log.append(packed, NOW)).toMatchObject({ accepted: 3 });
  });

  test('are there when the flush is waited for', async () => {
    await log.close();
    log = new ObservationLog(folder, 'flush');
    expect(await Promise.all([log.append(timed(1), NOW), log.append(timed(2), NOW)])).toMatchObject([
      { accepted: 1 },
      { accepted: 1 },
    ]);
    expect(numbersKept()).toEqual([1, 2]);
  });
});

describe('the same report counts once', () => {
  test('in one batch, in two that wait together, and in a later one', async () => {
    expect(await log.append(timed(1, 2, 1), NOW)).toEqual({ accepted: 2, duplicates: 1, lastSequence: 2 });
    expect(await Promise.all([log.append(timed(3, 1), NOW), log.append(timed(2, 3, 4), NOW)])).toEqual([
      { accepted: 1, duplicates: 1, lastSequence: 3 },
      { accepted: 1, duplicates: 2, lastSequence: 4 },
    ]);
    await reopen();
    expect(await log.append(timed(1, 2, 3, 4), NOW + 400 * DAY)).toEqual({
      accepted: 0,
      duplicates: 4,
      lastSequence: 4,
    });
    expect(numbersKept()).toEqual([1, 2, 3, 4]);
  });

  test('and at another time it is another report', async () => {
    await log.append(packReports([numberedReport(1)]), NOW);
    expect(await log.append(packReports([numberedReport(1, { timeMs: NOW })]), NOW)).toMatchObject({ accepted: 1 });
  });

  test('without a time within 24 hours of its last arrival that counted', async () => {
    expect(await log.append(untimed(1, 1), NOW)).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await log.append(untimed(1), NOW + DAY - 1)).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await log.append(untimed(1), NOW + DAY)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await log.append(untimed(1), NOW + 2 * DAY - 1)).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await log.append(untimed(1), NOW + 2 * DAY)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(log.count).toBe(3);
  });
});

describe('retention', () => {
  /** Reports 0 to 9, one a day. */
  async function tenDays(pack = timed): Promise<void> {
    for (let n = 0; n < 10; n++) await log.append(pack(n), NOW + n * DAY);
  }

  test('for ever drops nothing', async () => {
    await tenDays();
    expect(await log.prune('forever', 10, NOW + 10_000 * DAY)).toBe(0);
    expect(counters()).toEqual([1, 10, 0, 10]);
  });

  test('for days drops what is older and aggregated', async () => {
    await tenDays();
    expect(await log.prune(3, 10, NOW + 5 * DAY - 1)).toBe(2);
    expect(counters()).toEqual([3, 10, 2, 8]);
    expect(await log.prune(3, 4, NOW + 100 * DAY)).toBe(2);
    expect(counters()).toEqual([5, 10, 4, 6]);
    expect(await log.prune(3, 0, NOW + 100 * DAY)).toBe(0);
    expect(await log.prune(3, 10, NOW + 100 * DAY)).toBe(6);
    expect(counters()).toEqual([11, 10, 10, 0]);
    await reopen();
    expect(counters()).toEqual([11, 10, 10, 0]);
    expect(await log.append(timed(20), NOW)).toMatchObject({ lastSequence: 11 });
    expect(counters()).toEqual([11, 11, 10, 1]);
  });

  test('until aggregated drops what is aggregated, and nothing else', async () => {
    await tenDays();
    expect(await log.prune('aggregated', 0, NOW + 9 * DAY)).toBe(0);
    expect(await log.prune('aggregated', 7, NOW + 9 * DAY)).toBe(7);
    expect(counters()).toEqual([8, 10, 7, 3]);
    expect(numbersKept()).toEqual([7, 8, 9]);
  });

  test('takes many in more than one transaction', async () => {
    await log.append(timed(...Array(2_500).keys()), NOW);
    expect(await log.prune('aggregated', 2_400, NOW)).toBe(2_400);
    expect(counters()).toEqual([2_401, 2_500, 2_400, 100]);
  });

  test.each(['aggregated', 1] as const)('(%s) knows a report that is sent again for a week', async keep => {
    await log.append(timed(1), NOW);
    expect(await log.prune(keep, 1, NOW + DAY)).toBe(1);
    await log.prune(keep, 1, NOW + 7 * DAY - 1);
    expect(await log.append(timed(1), NOW + 7 * DAY - 1)).toMatchObject({ accepted: 0, duplicates: 1 });
    await log.prune('forever', 1, NOW + 7 * DAY);
    expect(await log.append(timed(1), NOW + 7 * DAY)).toMatchObject({ accepted: 1, duplicates: 0, lastSequence: 2 });
  });

  test('forgets the identities of reports that were kept for more than a week at once', async () => {
    await log.append(timed(1), NOW);
    await log.prune(8, 1, NOW + 8 * DAY);
    expect(await log.append(timed(1), NOW + 8 * DAY)).toMatchObject({ accepted: 1 });
  });

  test('keeps an identity that a later report without a time has taken over', async () => {
    await log.append(untimed(1), NOW);
    await log.append(untimed(1), NOW + 8 * DAY);
    expect(await log.prune(8, 2, NOW + 8 * DAY)).toBe(1);
    expect(await log.append(untimed(1), NOW + 9 * DAY - 1)).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  test('does not stop at a report that was received under a wrong clock', async () => {
    await log.append(timed(1), NOW + 1_000 * DAY);
    await log.append(timed(2), NOW);
    expect(await log.prune(1, 2, NOW + DAY)).toBe(2);
    expect(log.count).toBe(0);
  });

  test('gives the space back to later reports', async () => {
    const path = join(folder, 'observations', 'data.mdb');
    let grown = 0;
    for (let round = 0; round < 12; round++) {
      await log.append(timed(...Array.from({ length: 500 }, (_, i) => round * 500 + i)), NOW + round * 8 * DAY);
      await log.prune('aggregated', log.lastSequence, NOW + round * 8 * DAY);
      if (round === 3) grown = statSync(path).size;
    }
    expect(statSync(path).size).toBeLessThan(1.5 * grown);
  });
});

describe('the disk that the reports of an account take', () => {
  const of = (contributor: number, ...numbers: number[]) =>
    packReports(numbers.map(n => numberedReport(n, { contributor })));
  /** What the rows of an account say: 24 bytes in front of each record, and 160 beside its value. */
  const sumOf = (account: number) =>
    log
      .read(1, 100_000)
      .filter(({ report }) => report.contributor === account)
      .flatMap(({ report }) => [...unpackReports(packReports([report]))])
      .reduce((sum, { record }) => sum + record.length + 184, 0);
  const expectExact = () => {
    for (const account of [7, 8]) expect(log.storedBytes(account)).toBe(sumOf(account));
  };

  test('is counted with each report, once, and stays after a restart', async () => {
    await Promise.all([log.append(of(7, 1, 2, 1), NOW), log.append(of(8, 1), NOW), log.append(of(7, 2, 3), NOW)]);
    expectExact();
    expect(log.storedBytes(7)).toBeGreaterThan(3 * 200);
    expect(log.storedBytes(8)).toBeLessThan(log.storedBytes(7));
    await reopen();
    expectExact();
    await log.append(of(7, 4), NOW);
    expectExact();
  });

  test('of the operator is not counted', async () => {
    await log.append(of(0, 1, 2), NOW);
    expect(log.storedBytes(0)).toBe(0);
  });

  test('is given back by what retention drops', async () => {
    for (let n = 0; n < 10; n++) await log.append(of(7 + (n % 2), n), NOW + n * DAY);
    await log.prune(3, 10, NOW + 9 * DAY);
    expect(log.count).toBe(3);
    expectExact();
    expect(log.storedBytes(7)).toBeGreaterThan(0);
    await log.prune('aggregated', 10, NOW + 9 * DAY);
    expect([log.storedBytes(7), log.storedBytes(8)]).toEqual([0, 0]);
  });

  test('has a limit, beyond which nothing of a batch is stored but what is stored already', async () => {
    await log.append(of(7, 1, 2), NOW);
    const room = log.storedBytes(7);
    const refused = { accepted: 0, duplicates: 0, lastSequence: 2, isFull: true };
    expect(await log.append(of(7, 1, 3), NOW, undefined, room)).toEqual(refused);
    expect(await log.append(of(7, 2, 1), NOW, undefined, room - 1)).toEqual({
      accepted: 0,
      duplicates: 2,
      lastSequence: 2,
    });
    expect(await log.append(of(8, 1), NOW, undefined, 100)).toEqual(refused);
    expect(counters()).toEqual([1, 2, 0, 2]);
    // To the byte, with a report among them that is known.
    await log.append(of(8, 3), NOW);
    const more = log.storedBytes(8);
    expect(await log.append(of(7, 2, 3), NOW, undefined, room + more - 1)).toMatchObject({ isFull: true });
    expect(await log.append(of(7, 2, 3), NOW, undefined, room + more)).toMatchObject({ accepted: 1, duplicates: 1 });
    expectExact();
    // Batches that wait together share what is left.
    const both = [4, 5].map(n => log.append(of(8, n), NOW, undefined, log.storedBytes(8) + 700));
    expect((await Promise.all(both)).map(({ isFull = false }) => isFull)).toEqual([false, true]);
  });
});

describe('what is wrong', () => {
  const path = () => join(folder, 'observations', 'data.mdb');
  type Rows = Database<Buffer, Buffer>;

  /** Changes rows of the log behind its back. */
  async function change(table: string, action: (rows: Rows) => Promise<unknown>): Promise<void> {
    await log.close();
    const root = open<Buffer, Buffer>({ path: join(folder, 'observations'), maxDbs: 8, ...BINARY });
    await action(root.openDB<Buffer, Buffer>({ name: table, ...BINARY }));
    await root.close();
  }

  function f64(value: number): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  }

  test.each([
    [
      'cut in its head',
      (value: Buffer) => value.subarray(0, 20),
      'The record of a report is damaged: it has 20 bytes.',
    ],
    [
      'without a record',
      (value: Buffer) => value.subarray(0, 24),
      'The record of a report is damaged: it has 24 bytes.',
    ],
    ['cut in its record', (value: Buffer) => value.subarray(0, 100), 'damaged: '],
    ['of zeros', (value: Buffer) => Buffer.alloc(value.length & ~1), 'The record of a report is damaged: '],
    ['of ones', (value: Buffer) => Buffer.alloc(value.length, 255), 'damaged: '],
  ])('a report %s is an error that names it when it is read', async (_, damage, sentence) => {
    await log.append(timed(1, 2, 3), NOW);
    const key = Buffer.from([0, 0, 0, 0, 0, 0, 0, 2]);
    await change('reports', rows => rows.put(key, damage(rows.getBinary(key)!)));
    log = new ObservationLog(folder, 'commit');
    expect(() => log.read(1, 10)).toThrow('The observation log is damaged at report 2: ');
    expect(() => log.read(1, 10)).toThrow(sentence);
    expect(() => log.read(1, 10)).toThrow('Restore it from a backup.');
    expect(numbersKept(3)).toEqual([3]);
    expect(await log.prune('aggregated', 3, NOW)).toBe(3);
  });

  test('another format, counters that contradict the reports, and another environment are refused', async () => {
    await log.append(timed(1, 2), NOW);
    const refused = (sentence: string) => expect(() => new ObservationLog(folder, 'commit')).toThrow(sentence);
    await change('meta', meta => meta.put(Buffer.from('format'), f64(3)));
    refused(
      `The observation log ${join(folder, 'observations')} cannot be used: it has format 3, and this version ` +
        `reads formats 1 and 2. Run the version that wrote it, or export`,
    );
    await change('meta', meta => meta.put(Buffer.from('format'), f64(1)));
    await change('meta', meta => meta.put(Buffer.from('next'), f64(2)));
    refused('its counters (next 2, dropped through 0) contradict its reports (1 to 2)');
    await change('meta', meta => meta.put(Buffer.from('next'), f64(3)));
    await change('meta', meta => meta.put(Buffer.from('dropped'), f64(1)));
    refused('its counters (next 3, dropped through 1) contradict its reports (1 to 2)');
    await change('meta', meta => meta.put(Buffer.from('dropped'), Buffer.alloc(3)));
    refused('its counters (next 3, dropped through undefined) contradict its reports (1 to 2)');
    rmSync(join(folder, 'observations'), { recursive: true });
    await change('something else', rows => rows.put(Buffer.from('a'), Buffer.from('b')));
    refused('cannot be used: it is no observation log');
    rmSync(join(folder, 'observations'), { recursive: true });
    log = new ObservationLog(folder, 'commit');
    expect(log.count).toBe(0);
  });

  test.each([
    [
      'that is no LMDB file',
      () => writeFileSync(path(), Buffer.alloc(20_000, 7)),
      'its data file is no LMDB database, or is damaged',
    ],
    [
      'cut to a third',
      () => truncateSync(path(), Math.floor(statSync(path()).size / 3)),
      'its data file has lost its end',
    ],
  ])('a file %s is refused, and works again when it is restored', async (_, damage, sentence) => {
    await log.append(timed(...Array(2_000).keys()), NOW);
    await log.close();
    const whole = readFileSync(path());
    damage();
    expect(() => new ObservationLog(folder, 'commit')).toThrow(sentence);
    writeFileSync(path(), whole);
    log = new ObservationLog(folder, 'commit');
    expect(log.count).toBe(2_000);
  });

  test('a start that was killed before its first commit is a new log', async () => {
    await log.close();
    writeFileSync(path(), '');
    log = new ObservationLog(folder, 'commit');
    expect(await log.append(timed(1), NOW)).toMatchObject({ lastSequence: 1 });
  });
});
