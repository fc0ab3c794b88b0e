// What a walk through a table reads when the table changes meanwhile.

import { expect, test } from 'vitest';
import { TableCheck, walkRows } from '../../../src/tables/environment/check_walk.ts';
import { openEnvironment } from '../../../src/tables/environment/open_environment.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const SLICE = 5;
const VALUE = Buffer.from('value');
/** A walk that follows a growing table would go on for ever. */
const FAR = 1_000;

function keyOf(number: number): Buffer {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(number);
  return key;
}

/**
 * Walks through a table that begins with these rows. @param change called with the number of each row read; it may
 * write @returns the numbers read
 */
async function walk(
  numbers: readonly number[],
  change: (number: number, put: (number: number) => void) => void,
): Promise<number[]> {
  const root = openEnvironment(temporaryFolder());
  const put = (number: number): void => void root.putSync(keyOf(number), VALUE);
  for (const number of numbers) put(number);
  const findings: unknown[] = [];
  const check = new TableCheck('rows', 'none', news => 'finding' in news && findings.push(news.finding));
  const read: number[] = [];
  await walkRows(
    root,
    root,
    check,
    key => {
      if (read.length >= FAR) throw new Error('The walk does not end.');
      read.push(key.readUInt32BE());
      change(key.readUInt32BE(), put);
    },
    SLICE,
  );
  await root.close();
  expect(findings).toEqual([]);
  return read;
}

const COUNT = 3 * SLICE;
const firstNumbers = (step: number): number[] => Array.from({ length: COUNT }, (_, i) => step * i);

test('a table that grows faster than it is read is read to where it ended', async () => {
  let next = COUNT;
  const read = await walk(firstNumbers(1), (_, put) => {
    put(next++);
    put(next++);
  });
  expect(read).toEqual(firstNumbers(1));
});

test('rows that come between others do not keep the last ones from being read', async () => {
  const read = await walk(firstNumbers(10), (number, put) => {
    if (number % 10 === 0) put(number + 5);
  });
  expect(read).toEqual(expect.arrayContaining(firstNumbers(10)));
});

test('a table without rows has nothing to read', async () => {
  expect(await walk([], () => {})).toEqual([]);
});
