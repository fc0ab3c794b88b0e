import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  describeGeneration,
  generationPath,
  openGeneration,
  publishGeneration,
  startGeneration,
} from '../../../src/tables/stations/generation.ts';
import {
  mergeRows,
  packRows,
  RowChanges,
  rowsNow,
  unpackRows,
  writeRows,
} from '../../../src/tables/stations/row_changes.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

async function emptyTables() {
  const folder = join(temporaryFolder(), 'var');
  const { n, generation } = startGeneration(folder);
  generation.root.transactionSync(() => describeGeneration(generation, 0));
  await generation.root.close();
  publishGeneration(folder, n);
  return openGeneration(generationPath(folder, n));
}

test('what is written to tables is noted, and makes other tables the same', async () => {
  const [from, to] = [await emptyTables(), await emptyTables()];
  const changes = new RowChanges();
  changes.watch(from);
  from.root.transactionSync(() => from.stations.putSync(Buffer.of(9), Buffer.of(9)));
  expect(changes.size).toBe(0);
  let first = 0;
  changes.onFirst = () => first++;
  changes.isOn = true;
  from.root.transactionSync(() => {
    from.stations.putSync(Buffer.of(1, 255), Buffer.of(1, 2, 3));
    from.stations.putSync(Buffer.of(1, 255), Buffer.of(4));
    from.learned.putSync(Buffer.of(7), Buffer.alloc(300, 5));
    from.stations.removeSync(Buffer.of(9));
    from.meta.putSync('progress', 12);
    from.meta.putSync('cluster', { base: 'own' });
  });
  expect([changes.size, first]).toEqual([4, 1]);
  const taken = changes.take();
  expect(changes.size).toBe(0);
  const bytes = packRows(rowsNow(from, taken));
  to.root.transactionSync(() => to.stations.putSync(Buffer.of(9), Buffer.of(9)));
  to.root.transactionSync(() => writeRows(to, unpackRows(bytes)));
  for (const name of ['stations', 'learned'] as const)
    expect([...to[name].getRange()]).toEqual([...from[name].getRange()]);
  expect([to.meta.get('progress'), to.meta.get('cluster')]).toEqual([12, undefined]);
  await Promise.all([from.root.close(), to.root.close()]);
});

test('keys that could not be sent are noted again', () => {
  const changes = new RowChanges();
  changes.giveBack([
    [0, 'a'],
    [2, 'b'],
    [0, 'a'],
  ]);
  expect(changes.take()).toEqual([
    [0, 'a'],
    [2, 'b'],
  ]);
});

test('of several lists of rows the last of each row counts', () => {
  const row = (table: number, key: number, value?: number) => ({
    table,
    key: Buffer.of(key),
    value: value === undefined ? undefined : Buffer.of(value),
  });
  const merged = mergeRows([
    [row(0, 1, 1), row(2, 1, 2)],
    [row(0, 1), row(0, 2, 3)],
  ]);
  expect(merged).toEqual([row(0, 1), row(2, 1, 2), row(0, 2, 3)]);
  expect(unpackRows(packRows(merged))).toEqual(merged);
});

test('rows that are cut short, or of unknown tables, are refused', () => {
  const bytes = packRows([{ table: 0, key: Buffer.of(1, 2), value: Buffer.of(3, 4, 5) }]);
  for (let length = 1; length < bytes.length; length++)
    expect(() => unpackRows(bytes.subarray(0, length))).toThrow('The changes of the tables are damaged at byte 0');
  expect(() => unpackRows(Buffer.concat([Buffer.of(99), bytes.subarray(1)]))).toThrow('damaged at byte 0');
  expect(unpackRows(Buffer.alloc(0))).toEqual([]);
});
