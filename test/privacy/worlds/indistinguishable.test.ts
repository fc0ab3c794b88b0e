import { expect, test } from 'vitest';
import { checkWorlds } from './check_worlds.ts';

/** A minute of processor time. */
const LONG = { timeout: 600_000 };

test('in a thousand small worlds no answer tells where a station is that was not guessed there', LONG, async () => {
  const { broken, tried } = await checkWorlds(1, 1_000);
  expect(broken).toEqual([]);
  // All that is checked was there to be checked.
  expect(tried.isolated).toBeGreaterThan(20_000);
  expect(tried.atPlaces).toBeGreaterThan(50_000);
  expect(tried.differing).toBeGreaterThan(10_000);
  expect(tried.found).toBeGreaterThan(100);
  expect(tried.withoutOne).toBeGreaterThan(300);
});
