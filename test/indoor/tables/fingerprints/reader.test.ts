import { expect, test } from 'vitest';
import { RadioIndex } from '../../../../src/indoor/tables/fingerprints/reader.ts';
import { uniform } from '../../../kits/random.ts';

function buildingsOf(index: RadioIndex, radio: number): number[] {
  const found: number[] = [];
  index.forEachBuilding(radio, building => found.push(building));
  return found.sort((a, b) => a - b);
}

test('an index of nothing knows no radio', () => {
  const index = new RadioIndex(new Map());
  expect([index.has(0), index.has(5), buildingsOf(index, 0)]).toEqual([false, false, []]);
});

test('it names every building of each radio, and none of others, as a plain map does', () => {
  const random = uniform(3);
  const plain = new Map<number, number[]>();
  const radiosOf = new Map<number, Float64Array>();
  for (let building = 1; building <= 40; building++) {
    const radios = new Set(Array.from({ length: 50 }, () => Math.floor(random() * (random() < 0.5 ? 400 : 2 ** 53))));
    radiosOf.set(building, Float64Array.from(radios).sort());
    for (const radio of radios) plain.set(radio, [...(plain.get(radio) ?? []), building]);
  }
  const index = new RadioIndex(radiosOf);
  for (const [radio, buildings] of plain) expect(buildingsOf(index, radio)).toEqual(buildings);
  for (let radio = 400; radio < 800; radio++) expect(index.has(radio)).toBe(plain.has(radio));
});
