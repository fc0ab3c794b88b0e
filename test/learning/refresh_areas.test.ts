import { expect, onTestFinished, test, vi } from 'vitest';
import { refreshAreas } from '../../src/learning/refresh_areas.ts';
import { AreaCollector } from '../../src/tables/stations/areas.ts';
import { describeGeneration, startGeneration } from '../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import { LEARNED_KNOWN, newLearned } from '../../src/tables/stations/learned.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { cell } from '../kits/radio/reports.ts';
import { recordOf } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

function open(): KnowledgeTables {
  const { generation } = startGeneration(temporaryFolder());
  onTestFinished(() => generation.root.close());
  generation.root.transactionSync(() => describeGeneration(generation, 0));
  return new KnowledgeTables(generation);
}

/** Puts cells at a latitude each, or takes them out. */
function put(
  tables: KnowledgeTables,
  cells: readonly { id: number; latitude: number | undefined }[],
  progress = 1,
): void {
  const learned = cells.map(({ id, latitude }) => {
    const record =
      latitude === undefined ? undefined : recordOf({ ...stationAt(latitude, 4, 50, 100), isLearned: true });
    return { key: cell(id), learned: record && { ...newLearned(record), state: LEARNED_KNOWN }, record };
  });
  tables.generation.root.transactionSync(() => tables.write({ learned, tracks: new Map(), progress }));
}

const inRow = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ id: from + i, latitude: (from + i) / 200 }));

/** The rows of the areas, and those that follow from the cells in one go. */
function areasOf({ generation }: KnowledgeTables): { written: Map<string, string>; derived: Map<string, string> } {
  const written = new Map(
    [...generation.areas.getRange()].map(({ key, value }) => [key.toString('hex'), value.toString('hex')]),
  );
  const derived = new Map<string, string>();
  const collector = new AreaCollector((key, record) => derived.set(key.toString('hex'), record.toString('hex')));
  for (const { key, value } of generation.stations.getRange()) collector.add(key, value);
  collector.end();
  return { written, derived };
}

async function refresh(tables: KnowledgeTables, nextTurn = async () => {}): Promise<void> {
  await refreshAreas(tables.generation, tables.staleNetwork()!, nextTurn);
}

test('areas follow from the cells, and other work goes first many times', async () => {
  const tables = open();
  put(tables, inRow(0, 6_000));
  let turns = 0;
  await refresh(tables, async () => {
    turns++;
  });
  const { written, derived } = areasOf(tables);
  expect(written.size).toBeGreaterThan(2);
  expect(written).toEqual(derived);
  expect(turns).toBeGreaterThan(20);
  expect(tables.staleNetwork()).toBeUndefined();
});

test('only areas that differ are written, and those without cells are removed', async () => {
  const tables = open();
  put(tables, inRow(0, 9_000));
  await refresh(tables);
  const before = areasOf(tables).written;
  // The cells of one of three areas.
  const gone = inRow(0, 9_000).filter(({ id }) => id % 3 === 2);
  put(
    tables,
    gone.map(({ id }) => ({ id, latitude: undefined })),
    2,
  );
  const { areas } = tables.generation;
  const puts = vi.spyOn(areas, 'putSync');
  const removals = vi.spyOn(areas, 'removeSync');
  await refresh(tables);
  const { written, derived } = areasOf(tables);
  expect(written).toEqual(derived);
  expect(written.size).toBe(before.size - 1);
  expect(removals).toHaveBeenCalledTimes(1);
  // The two others stay as they are; what ids say about distances does not.
  expect(puts).toHaveBeenCalledTimes(1);
});

test('an area whose cells change while it is derived is derived again', async () => {
  const tables = open();
  put(tables, inRow(0, 6_000));
  let turns = 0;
  await refresh(tables, async () => {
    turns++;
    put(
      tables,
      [0, 9_000].map(id => ({ id, latitude: id / 200 + turns / 1e4 })),
      2,
    );
  });
  expect(turns).toBeGreaterThan(0);
  expect(tables.staleNetwork()).toBeDefined();
  await refresh(tables);
  expect(tables.staleNetwork()).toBeUndefined();
  const { written, derived } = areasOf(tables);
  expect(written).toEqual(derived);
});
