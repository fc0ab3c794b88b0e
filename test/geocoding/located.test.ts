import { expect, test } from 'vitest';
import { KeptLocated, type Located } from '../../src/geocoding/located.ts';
import { hitAt } from '../../src/geocoding/reverse/hit.ts';

const MANY = 20_000;

/** A house that answers for a point of a country. */
function house(id: number, countryCode = 'li', region?: number): Located {
  const hit = { ...hitAt('nearest', id, id, id), ...(region !== undefined && { region }) };
  return { hit, countryCode } as Located;
}

test('the houses that answered last are kept, and those that answer again', () => {
  const kept = new KeptLocated();
  const isKept = (id: number) => kept.find(house(id).hit, 'li') !== undefined;
  for (let id = 1; id <= MANY; id++) {
    kept.put(house(id));
    expect(isKept(1)).toBe(true);
  }
  expect(isKept(MANY - 8_000)).toBe(true);
  expect(isKept(2)).toBe(false);
});

test('a house of another point, region or country is another answer', () => {
  const kept = new KeptLocated();
  kept.put(house(7));
  expect(kept.find(house(7).hit, 'li')).toEqual(house(7));
  expect(kept.find(house(7).hit, 'ch')).toBeUndefined();
  expect(kept.find(house(7, 'li', 3).hit, 'li')).toBeUndefined();
  expect(kept.find({ ...house(7).hit, latitude: 47 }, 'li')).toBeUndefined();
});
