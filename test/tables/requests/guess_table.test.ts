import { expect, test } from 'vitest';
import { openLogEnvironment } from '../../../src/tables/requests/environment.ts';
import { COUNT_BITS } from '../../../src/tables/requests/guess_entry.ts';
import { GuessTable, packGuess, unpackGuess } from '../../../src/tables/requests/guess_table.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const WEEK_MS = 7 * 86_400_000;
const WEEK = 2_900;
const NOW = WEEK * WEEK_MS;
const PAIR = Int32Array.of(7, 0x90abcdef | 0, 3, (WEEK << COUNT_BITS) + 2, 5, 490_000_000, -86_500_000, 1, -1, 0, 0);
const OWN = Int32Array.of(7, -1, -1, WEEK << COUNT_BITS, 0, -400, 1_795_896_000, 3, 1, 0, 0);

test('a row gives its entry back, and none that is cut or has another bit', () => {
  for (const words of [PAIR, OWN]) expect(unpackGuess(packGuess(words))).toEqual(words);
  const row = packGuess(PAIR);
  for (let length = 0; length < row.length; length++)
    expect(() => unpackGuess(row.subarray(0, length))).toThrow('is damaged');
  for (let bit = 0; bit < 8 * row.length; bit++) {
    const damaged = Buffer.from(row);
    damaged[bit >> 3] ^= 1 << (bit & 7);
    expect(() => unpackGuess(damaged)).toThrow('is damaged');
  }
});

test('rows go with their week, an account’s own one later, and damaged ones when they are named', async () => {
  const root = openLogEnvironment(temporaryFolder());
  const table = new GuessTable(root);
  const stored = () => Array.from(table.all(), ({ row }) => unpackGuess(row));
  await table.store([PAIR, OWN], [], 'one 5', NOW);
  expect([stored(), table.read]).toEqual([[PAIR, OWN], 'one 5']);
  await table.store([], [], 'one 5', NOW + WEEK_MS - 1);
  expect(stored()).toEqual([PAIR, OWN]);
  await table.store([], [], 'one 6', NOW + WEEK_MS);
  expect([stored(), table.read]).toEqual([[OWN], 'one 6']);
  await table.store(
    [],
    Array.from(table.all(), ({ key }) => key),
    'one 6',
    NOW,
  );
  expect(stored()).toEqual([]);
  await table.store([PAIR, OWN], [], 'one 6', NOW);
  await table.store([], [], 'one 6', NOW + 2 * WEEK_MS);
  expect(stored()).toEqual([]);
  await root.close();
});
