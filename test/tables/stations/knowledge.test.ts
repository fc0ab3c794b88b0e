import { describe, expect, test } from 'vitest';
import type { Generation } from '../../../src/tables/stations/generation.ts';
import {
  copyKnowledge,
  type KnowledgeTables,
  TRACK_REPORTS,
  type TrackPosition,
} from '../../../src/tables/stations/knowledge.ts';
import { encodeLearned, type Learned, newLearned } from '../../../src/tables/stations/learned_record.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { newKnowledge } from '../../kits/radio/measured_world.ts';
import { cell } from '../../kits/radio/reports.ts';
import { macKey, recordOf } from '../../kits/radio/stations.ts';

function recordAt(latitude: number, isLearned: boolean): Uint8Array {
  return recordOf({ ...stationAt(latitude, 4, 50, 100), isLearned });
}

const learnedFrom = (latitude: number): Learned => newLearned(recordAt(latitude, false));
const NOTHING = { learned: [], tracks: new Map<number, TrackPosition>() };
const track = (sequence: number): TrackPosition => ({
  timeMs: 1e12 + 0.5,
  latitude: 50.1,
  longitude: -4.2,
  accuracyMetres: 12.5,
  sequence,
});

function write(tables: KnowledgeTables, changes: Parameters<KnowledgeTables['write']>[0]) {
  return tables.generation.root.transactionSync(() => tables.write(changes));
}

function entries(generation: Generation): string[] {
  return (['learned', 'tracks', 'stale'] as const).flatMap(name =>
    [...generation[name].getRange()].map(({ key, value }) => `${name} ${key.toString('hex')} ${value.toString('hex')}`),
  );
}

describe('what a batch changes', () => {
  test('is read as it was written', () => {
    const tables = newKnowledge();
    const learned = [1, 2].map(n => ({ key: macKey(n), learned: learnedFrom(n), record: recordAt(n, true) }));
    const changed = write(tables, { learned, tracks: new Map([[2 ** 53 - 1, track(7)]]), progress: 7 });
    expect(changed).toEqual(learned.map(({ key, record }) => ({ key, record })));
    expect(tables.progress).toBe(7);
    expect(tables.track(2 ** 53 - 1)).toEqual(track(7));
    expect(tables.track(1)).toBeUndefined();
    expect(tables.learned(macKey(3))).toBeUndefined();
    // Read one after the other: each owns what it holds.
    const [first, second] = [1, 2].map(n => tables.learned(macKey(n)));
    expect([first, second]).toEqual([learnedFrom(1), learnedFrom(2)]);
  });

  test('names the station records that are other than before, and only these', () => {
    const tables = newKnowledge();
    const key = macKey(1);
    const change = (record: Uint8Array | undefined) =>
      write(tables, { ...NOTHING, learned: [{ key, learned: learnedFrom(1), record }], progress: 1 });
    expect(change(undefined)).toEqual([]);
    expect(change(recordAt(1, true))).toHaveLength(1);
    expect(change(recordAt(1, true))).toEqual([]);
    expect(change(recordAt(2, true))).toHaveLength(1);
    expect(change(undefined)).toEqual([{ key, record: undefined }]);
    expect(tables.generation.stations.getBinary(key)).toBeUndefined();
  });

  test('makes the areas of a changed cell stale, not those of one that stayed, and none of an access point', () => {
    const tables = newKnowledge();
    const of = (key: Buffer, n: number) => ({
      ...NOTHING,
      learned: [{ key, learned: learnedFrom(1), record: recordAt(1, true) }],
      progress: n,
    });
    write(tables, of(macKey(1), 1));
    expect(tables.staleNetwork()).toBeUndefined();
    write(tables, of(cell(1), 2));
    expect(tables.staleNetwork()!.network).toEqual(cell(1).subarray(0, 4));
    tables.generation.stale.clearSync();
    write(tables, of(cell(1), 3));
    expect(tables.staleNetwork()).toBeUndefined();
  });

  test('is found damaged where it is', () => {
    const tables = newKnowledge();
    tables.generation.learned.putSync(macKey(1), encodeLearned({ ...learnedFrom(1), state: 9 }));
    expect(() => tables.learned(macKey(1))).toThrow('is damaged');
    expect(() => tables.learnedAfter(undefined, 10)).toThrow('is damaged');
  });
});

test('only what was imported is an imported record', () => {
  const tables = newKnowledge();
  tables.generation.stations.putSync(macKey(1), Buffer.from(recordAt(1, false)));
  tables.generation.stations.putSync(macKey(2), Buffer.from(recordAt(2, true)));
  expect(tables.importedRecord(macKey(1))).toEqual(recordAt(1, false));
  expect(tables.importedRecord(macKey(2))).toBeUndefined();
  expect(tables.importedRecord(macKey(3))).toBeUndefined();
});

test('learned stations come in key order, some at a time', () => {
  const tables = newKnowledge();
  const keys = [1, 2, 3, 4, 5].map(mac => macKey(mac));
  write(tables, {
    ...NOTHING,
    learned: keys.map(key => ({ key, learned: learnedFrom(1), record: undefined })),
    progress: 1,
  });
  const first = tables.learnedAfter(undefined, 3);
  const rest = tables.learnedAfter(first[2].key, 3);
  expect([...first, ...rest].map(({ key }) => key)).toEqual(keys);
  expect(rest[0].learned).toEqual(learnedFrom(1));
});

describe('devices that have not reported for long', () => {
  const tracksAfter = (tables: KnowledgeTables, from: number, to: number): number => {
    tables.generation.root.transactionSync(() => tables.sweepTracks(from, to));
    return tables.generation.tracks.getCount();
  };
  const filled = (): KnowledgeTables => {
    const tables = newKnowledge();
    write(tables, { learned: [], tracks: new Map([10, 100_000, 150_000].map(n => [n, track(n)])), progress: 1 });
    return tables;
  };

  test('are forgotten each time so many others have reported', () => {
    const tables = filled();
    expect(tracksAfter(tables, TRACK_REPORTS, TRACK_REPORTS + 99_999)).toBe(3);
    expect(tracksAfter(tables, TRACK_REPORTS + 99_999, TRACK_REPORTS + 100_000)).toBe(2);
    expect(tracksAfter(tables, TRACK_REPORTS + 100_000, TRACK_REPORTS + 200_000)).toBe(0);
  });

  test('wherever the batch ends', () => {
    expect(tracksAfter(filled(), TRACK_REPORTS, TRACK_REPORTS + 160_000)).toBe(
      tracksAfter(filled(), TRACK_REPORTS, TRACK_REPORTS + 100_001),
    );
  });
});

describe('a new generation', () => {
  test('takes over what was learned, and has yet to be joined with what it imports', () => {
    const from = newKnowledge();
    const learned = Array.from({ length: 300 }, (_, n) => ({
      key: cell(n),
      learned: learnedFrom(n % 90),
      record: recordAt(n % 90, true),
    }));
    write(from, { learned, tracks: new Map([[3, track(3)]]), progress: 44 });
    from.generation.root.transactionSync(() => from.setRebased());
    expect(from.isRebaseDue).toBe(false);
    const to = newKnowledge();
    copyKnowledge(from.generation, to.generation);
    expect(entries(to.generation)).toEqual(entries(from.generation));
    expect(to.progress).toBe(44);
    expect(to.isRebaseDue).toBe(true);
  });

  test('without anything learned stays so', () => {
    const to = newKnowledge();
    copyKnowledge(newKnowledge().generation, to.generation);
    expect(entries(to.generation)).toEqual([]);
    expect(to.progress).toBe(0);
  });
});
