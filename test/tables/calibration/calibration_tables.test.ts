import { describe, expect, onTestFinished, test } from 'vitest';
import { CalibrationTables, OPEN_REPORTS } from '../../../src/tables/calibration/calibration_tables.ts';
import { problemWithRow } from '../../../src/tables/calibration/check_row.ts';
import { countError, errorQuantile, newMeasured } from '../../../src/tables/calibration/measured.ts';
import {
  EVERYWHERE,
  keyOfMeasured,
  levelsOf,
  partsOfPlace,
  placeOfVotes,
  regionAt,
} from '../../../src/tables/calibration/rows.ts';
import type { OpenTrack } from '../../../src/tables/calibration/tracks.ts';
import { countTest, logMultipleAt, Multiples, TRACK_SETS, type Voter } from '../../../src/tables/calibration/votes.ts';
import { describeGeneration, startGeneration } from '../../../src/tables/stations/generation.ts';
import { macKey } from '../../kits/radio/stations.ts';
import { normal, uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

function open() {
  const { generation } = startGeneration(temporaryFolder());
  onTestFinished(() => generation.root.close());
  generation.root.transactionSync(() => describeGeneration(generation, 0));
  const tables = new CalibrationTables(generation.calibration);
  return { generation, tables, write: (action: () => void) => generation.root.transactionSync(action) };
}

const track = (first: number, changes: Partial<OpenTrack> = {}): OpenTrack => ({
  first,
  contributor: 3,
  device: 2 ** 53 - 1,
  set: 7,
  isTested: true,
  timeMs: 1.7e12,
  latitude: -12.5,
  longitude: 179.5,
  sequence: first + 5,
  stations: 2,
  tests: 4,
  ...changes,
});
const NOTHING = {
  tracks: [],
  over: [],
  before: new Map(),
  tests: new Map(),
  votes: new Map(),
  measured: new Map(),
};
const record = Uint8Array.from({ length: 24 }, (_, i) => i);

describe('the calibration of a generation', () => {
  test('is read as it was written', () => {
    const { tables, write } = open();
    const voters: Voter[] = [];
    countTest(voters, 9, 3, [0.5, 0.4, 0.2]);
    const measured = newMeasured();
    countError(measured, 33, [20, 40, 90]);
    const key = keyOfMeasured(11, 'BE', 680);
    const before = new Map([[7, new Map([[macKey(1).toString('latin1'), { record, learned: undefined }]])]]);
    write(() =>
      tables.write({
        ...NOTHING,
        tracks: [track(7)],
        before,
        tests: new Map([[5, 77]]),
        votes: new Map([[placeOfVotes(44, 5), voters]]),
        measured: new Map([[key.toString('latin1'), measured]]),
      }),
    );
    expect(tables.openTracks(3)).toEqual([track(7)]);
    expect(tables.openTracks(4)).toEqual([]);
    expect(tables.stationBefore(7, macKey(1))?.record).toEqual(Buffer.from(record));
    expect(tables.stationBefore(7, macKey(2))).toBeUndefined();
    expect([tables.tests(5), tables.tests(6)]).toEqual([77, 0]);
    expect(tables.votes(placeOfVotes(44, 5))).toEqual(voters);
    expect(tables.votes(placeOfVotes(44, EVERYWHERE))).toEqual([]);
    expect([...tables.allMeasured()]).toEqual([{ kind: 11, country: 'BE', month: 680, measured }]);
  });

  test('forgets a track that is over with the stations before it, and keeps others', () => {
    const { tables, write } = open();
    const stations = new Map([[macKey(1).toString('latin1'), { record: undefined, learned: undefined }]]);
    write(() =>
      tables.write({
        ...NOTHING,
        tracks: [track(7), track(8)],
        before: new Map([
          [7, stations],
          [8, stations],
        ]),
      }),
    );
    write(() => tables.write({ ...NOTHING, over: [track(7)] }));
    expect(tables.openTracks(3)).toEqual([track(8)]);
    expect(tables.stationBefore(7, macKey(1))).toBeUndefined();
    expect(tables.stationBefore(8, macKey(1))).toEqual({ record: undefined, learned: undefined });
    write(() => tables.sweepTracks(track(8).sequence + OPEN_REPORTS));
    expect(tables.openTracks(3)).toHaveLength(1);
    write(() => tables.sweepTracks(track(8).sequence + OPEN_REPORTS + 1));
    expect(tables.openTracks(3)).toEqual([]);
    expect(tables.stationBefore(8, macKey(1))).toBeUndefined();
  });

  test('every damage to a row is found, or changes nothing that matters', () => {
    const { generation, tables, write } = open();
    const voters: Voter[] = [];
    countTest(voters, 9, 3, [0.5, 0.4, 0.2]);
    write(() => {
      tables.write({
        ...NOTHING,
        tracks: [track(7)],
        tests: new Map([[5, 77]]),
        votes: new Map([[placeOfVotes(44, EVERYWHERE), voters]]),
      });
      tables.derive(() => [1, 1.5, 2]);
    });
    const rows = [...generation.calibration.getRange()].map(
      ({ key, value }) => [Buffer.from(key), Buffer.from(value)] as const,
    );
    expect(rows).toHaveLength(4);
    for (const [key, value] of rows) {
      expect(problemWithRow(key, value, 12)).toBeUndefined();
      expect(problemWithRow(key, value.subarray(1), 12)).toBeDefined();
      expect(problemWithRow(Buffer.concat([Buffer.from('x'), key]), value, 12)).toBeDefined();
    }
    expect(
      problemWithRow(rows.find(([key]) => key[0] === 0x54)![0], rows.find(([key]) => key[0] === 0x54)![1], 11),
    ).toContain('has not taken effect');
  });

  test('factors are derived for every group and region that has votes, and only changes are told', () => {
    const { tables, write } = open();
    const voters: Voter[] = [];
    countTest(voters, 9, 3, [0.5, 0.4, 0.2]);
    write(() =>
      tables.write({
        ...NOTHING,
        votes: new Map([EVERYWHERE, regionAt(50, 4)].map(region => [placeOfVotes(44, region), voters])),
      }),
    );
    let isChanged = false;
    write(() => {
      isChanged = tables.derive(levels => [1, 1.5, 1 + levels.length]);
    });
    expect(isChanged).toBe(true);
    expect(tables.published()).toEqual(
      new Map([
        [placeOfVotes(44, regionAt(50, 4)), [1, 1.5, 3]],
        [placeOfVotes(44, EVERYWHERE), [1, 1.5, 2]],
      ]),
    );
    write(() => {
      isChanged = tables.derive(levels => [1, 1.5, 1 + levels.length]);
    });
    expect(isChanged).toBe(false);
  });
});

const multiples = new Multiples();

function multipleOf(voter: Voter, share: number): number {
  multiples.set(voter, share);
  return Math.exp(logMultipleAt(multiples.placeOf([0.5, 0.68, 0.95][share])));
}

function testsOf(voter: Voter): number {
  multiples.set(voter, 0);
  return multiples.tests;
}

test('a scale of the radii holds before any test, and factors are derived on top of it', () => {
  const { generation, tables, write } = open();
  expect(tables.prior(45)).toEqual([1, 1, 1]);
  write(() => tables.setPrior(11, [0.5, 2, 4]));
  expect(tables.prior(45)).toEqual([0.5, 2, 4]);
  expect(tables.published()).toEqual(
    new Map([44, 45, 46, 47].map(group => [placeOfVotes(group, EVERYWHERE), [0.5, 2, 4]])),
  );
  for (const { key, value } of generation.calibration.getRange())
    expect(problemWithRow(Buffer.from(key), Buffer.from(value), 0)).toBeUndefined();
  write(() => {
    tables.write({ ...NOTHING, votes: new Map([[placeOfVotes(44, EVERYWHERE), []]]) });
    tables.derive(() => [3, 3, 0.25]);
  });
  expect(tables.published().get(placeOfVotes(44, EVERYWHERE))).toEqual([1.5, 6, 1]);
});

describe('votes', () => {
  test('know the multiple that holds a share, to a few percent', () => {
    const random = normal(uniform(3));
    const voters: Voter[] = [];
    const multiples = Array.from({ length: 500 }, () => Math.exp(random() * 0.5));
    for (const [n, multiple] of multiples.entries())
      countTest(voters, 9, n % TRACK_SETS, [multiple, multiple, multiple]);
    multiples.sort((a, b) => a - b);
    for (const [share, of] of [0.5, 0.68, 0.95].entries())
      expect(multipleOf(voters[0], share) / multiples[Math.floor(of * 500)]).toBeCloseTo(1, 1);
  });

  test('of the past count less and less', () => {
    const voters: Voter[] = [];
    for (let i = 0; i < 10_000; i++) countTest(voters, 9, i % TRACK_SETS, [4, 4, 4]);
    expect(testsOf(voters[0])).toBeLessThanOrEqual(1_024);
    for (let i = 0; i < 2 * 1_024; i++) countTest(voters, 9, i % TRACK_SETS, [1, 1, 1]);
    expect(multipleOf(voters[0], 0)).toBeLessThan(1.2);
  });

  test('of a young map count less than those of the map that it became', () => {
    const voters: Voter[] = [];
    for (let i = 0; i < 300; i++) countTest(voters, 9, i % TRACK_SETS, [3, 3, 3]);
    for (let i = 0; i < 300; i++) countTest(voters, 9, i % TRACK_SETS, [1, 1, 1]);
    // With equal weights half of the tests would lie above that.
    multiples.set(voters[0], 0);
    expect(Math.exp(logMultipleAt(multiples.placeOf(0.7)))).toBeLessThan(1.3);
    expect(voters[0].tests).toBe(600);
    expect(multiples.tests).toBeLessThan(450);
  });

  test('are told apart by contributor, up to a number', () => {
    const voters: Voter[] = [];
    for (let contributor = 1; contributor <= 40; contributor++) countTest(voters, contributor, 0, [1, 1, 1]);
    countTest(voters, 0, 0, [1, 1, 1]);
    expect(voters).toHaveLength(17);
    expect(testsOf(voters[15])).toBe(25);
  });
});

test('votes know how many tests of a set of tracks lie below a multiple', () => {
  const voters: Voter[] = [];
  for (let i = 0; i < 40; i++) countTest(voters, 9, i % 2, [i % 2 === 0 ? 0.3 : 3, 1, 1]);
  multiples.set(voters[0], 0);
  expect([...multiples.perSet].slice(0, 3)).toEqual([20, 20, 0]);
  const place = multiples.placeOf(0.5);
  expect([multiples.testsBelow(0, place), multiples.testsBelow(1, place)]).toEqual([20, 0]);
});

test('a well known group is drawn to the less well known one before it', () => {
  expect(levelsOf(4, 7)).toEqual([placeOfVotes(4, EVERYWHERE), placeOfVotes(4, 7)]);
  expect(levelsOf(5, 7)).toEqual([placeOfVotes(4, EVERYWHERE), placeOfVotes(5, EVERYWHERE), placeOfVotes(5, 7)]);
  expect(levelsOf(5, EVERYWHERE)).toEqual([placeOfVotes(4, EVERYWHERE), placeOfVotes(5, EVERYWHERE)]);
});

test('measured errors have the quantiles of the errors', () => {
  const measured = newMeasured();
  for (let i = 1; i <= 1_000; i++) countError(measured, i, [500, 680, 950]);
  expect(measured.inside).toEqual([500, 680, 950]);
  expect(errorQuantile(measured, 0.5) / 500).toBeCloseTo(1, 1);
  expect(errorQuantile(measured, 0.95) / 950).toBeCloseTo(1, 1);
  expect(errorQuantile(newMeasured(), 0.5)).toBeNaN();
});

test('regions are one degree by one degree, and the edges of the world belong to one', () => {
  expect(regionAt(50.2, 4.9)).toBe(regionAt(50.9, 4.1));
  expect(regionAt(50.2, 4.9)).not.toBe(regionAt(49.9, 4.9));
  expect(regionAt(-0.1, -0.1)).not.toBe(regionAt(0.1, 0.1));
  for (const latitude of [-90, 90])
    for (const longitude of [-180, 180]) expect(regionAt(latitude, longitude)).toBeLessThan(EVERYWHERE);
});

test('a place and a region are read back', () => {
  const region = regionAt(-33.9, 18.4);
  expect(partsOfPlace(placeOfVotes(46, region))).toEqual({ group: 46, region });
});
