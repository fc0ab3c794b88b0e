// The index is made a piece at a time by those who ask, and again once the tables have changed.

import { expect, test } from 'vitest';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { IndexKeeper } from '../../../src/tiles/stations/index_keeper.ts';
import { macKey, putting } from '../../kits/radio/stations.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

test('each who asks does a piece of the work, and all later ones get the same index until the tables change', async () => {
  const folder = temporaryFolder();
  const writer = await StationWriter.open(folder, undefined);
  const put = (from: number, count: number) =>
    writer.apply(
      Array.from({ length: count }, (_, i) => putting(macKey(0x020000000000 + from + i), stationAt(47, 9, 30, 60))),
    );
  await put(0, 2_500);
  const keeper = new IndexKeeper(folder);
  let asked = 1;
  let kept = keeper.work(0);
  expect(kept).toBeUndefined();
  while (kept === undefined) {
    kept = keeper.work(0);
    asked++;
  }
  expect(asked).toBeGreaterThan(3);
  expect(keeper.progress).toEqual({ done: 2_500, total: 2_500 });
  expect(kept.index.groups.wifi.count).toBe(2_500);
  expect(keeper.work(Number.POSITIVE_INFINITY)).toBe(kept);
  await put(5_000, 1);
  let next = kept;
  while (next === kept) next = keeper.work(Number.POSITIVE_INFINITY)!;
  expect(next.index.groups.wifi.count).toBe(2_501);
  expect(next.version).not.toBe(kept.version);
  await writer.close();
});

test('a folder without stations has an empty index', () => {
  const { index } = new IndexKeeper(temporaryFolder()).work(Number.POSITIVE_INFINITY)!;
  expect(Object.values(index.groups).map(({ count }) => count)).toEqual([0, 0, 0, 0]);
});
