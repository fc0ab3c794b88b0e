import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Tally } from '../../src/intake/tally.ts';
import { StationSet } from '../../src/radio/query/station_set.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { ContributionGate, ContributionWriter, createContributionMemory } from '../../src/writer/contributions.ts';
import { numberedReport, report } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const MB = 1_048_576;
const pack = (...numbers: number[]) => packReports(numbers.map(n => numberedReport(n)));

describe('the gate', () => {
  test('holds 64 MB over all threads and takes them back', () => {
    const memory = createContributionMemory();
    const [one, other, writer] = [
      new ContributionGate(memory),
      new ContributionGate(memory),
      new ContributionGate(memory),
    ];
    expect(one.reserve(40 * MB)).toBe(true);
    expect(other.reserve(24 * MB)).toBe(true);
    expect(one.reserve(1)).toBe(false);
    expect(other.reserve(24 * MB)).toBe(false);
    writer.release(24 * MB);
    expect(other.reserve(24 * MB + 1)).toBe(false);
    expect(other.reserve(24 * MB)).toBe(true);
  });

  test('lets in more than it holds where nothing else waits', () => {
    const gate = new ContributionGate(createContributionMemory());
    expect(gate.reserve(100 * MB)).toBe(true);
    expect(gate.reserve(1)).toBe(false);
    gate.release(100 * MB);
    expect(gate.reserve(1)).toBe(true);
    expect(gate.reserve(100 * MB)).toBe(false);
  });
});

describe('a contribution', () => {
  let log: ObservationLog;
  let contributions: ContributionWriter;
  let heard: number[];
  let floors: number;
  let tally: Tally;

  beforeEach(() => {
    log = new ObservationLog(temporaryFolder(), 'commit');
    heard = [];
    floors = 0;
    tally = new Tally();
    contributions = new ContributionWriter({
      log,
      tally,
      onAppended: sequence => heard.push(sequence),
      onFloors: () => floors++,
    });
  });
  afterEach(async () => {
    await log.close();
  });

  test('with a floor is told once it is in the log, and only when it is new', async () => {
    const onFloor = packReports([numberedReport(1), numberedReport(2, { floor: 0 })]);
    await contributions.contribute(0, pack(1));
    expect(floors).toBe(0);
    await contributions.contribute(0, onFloor);
    await contributions.contribute(0, onFloor);
    expect(floors).toBe(1);
  });

  test('counts what was sent of stations that opted out, but not what a file of the operator had of them', async () => {
    log.optedOut = new StationSet([macKey(1), macKey(2)]);
    const heard = (...macs: number[]) =>
      packReports([
        report(
          3,
          [50, 4],
          macs[0],
          macs.map(mac => ({ key: macKey(mac), dbm: -60 })),
        ),
      ]);
    expect(await contributions.contribute(1, heard(1, 2, 3))).toEqual({ accepted: 1, duplicates: 0, optedOut: 2 });
    expect(await contributions.contribute(2, heard(4))).not.toHaveProperty('optedOut');
    expect(await contributions.contribute(0, heard(2, 5))).toMatchObject({ accepted: 1, optedOut: 1 });
    expect(tally.toJSON().refusedByRule).toEqual({ 'opted out': 2 });
  });

  test('is in the log when it is answered, and counts what is new', async () => {
    expect(await contributions.contribute(1, pack(1, 2, 1))).toEqual({ accepted: 2, duplicates: 1 });
    expect(log.count).toBe(2);
    expect(await contributions.contribute(1, pack(1, 2, 3))).toEqual({ accepted: 1, duplicates: 2 });
    expect(await contributions.contribute(1, pack(1, 2, 3))).toEqual({ accepted: 0, duplicates: 3 });
    expect(heard).toEqual([2, 3]);
  });

  test('that would take more of the disk than the account may is not stored', async () => {
    expect(await contributions.contribute(3, pack(1, 2), undefined, 300)).toEqual({
      accepted: 0,
      duplicates: 0,
      isFull: true,
    });
    expect([log.count, heard]).toEqual([0, []]);
  });

  test('has the time of its arrival', async () => {
    const before = Date.now();
    await contributions.contribute(0, pack(1));
    const [{ receivedMs }] = log.read(1, 1);
    expect(receivedMs).toBeGreaterThanOrEqual(before);
    expect(receivedMs).toBeLessThanOrEqual(Date.now());
  });

  test('that comes together with others is stored with them', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(n => contributions.contribute(n, pack(n, n + 1))));
    expect(answers.map(({ accepted }) => accepted)).toEqual([2, 1, 1, 1, 1]);
    expect(heard).toEqual([2, 3, 4, 5, 6]);
  });

  test('that is damaged is an error, and nobody hears of it', async () => {
    await expect(contributions.contribute(1, pack(1).subarray(0, 30))).rejects.toThrow(
      'Packed reports are damaged at byte 0 of 30.',
    );
    expect(heard).toEqual([]);
    expect(log.count).toBe(0);
  });
});
