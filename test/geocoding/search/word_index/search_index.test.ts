import { expect, test } from 'vitest';
import { layerOf } from '../../../kits/places/lines.ts';

/** More than an index keeps lists of. */
const WORDS = 2_500;

test('the documents of a word are its own, whatever words were asked for before', async () => {
  const names = Array.from({ length: WORDS }, (_, i) => `w${String(i).padStart(4, '0')}x`);
  const layer = await layerOf(names.map((name, i) => `p${i} | amenity=restaurant | ${name}`).join('\n'));
  const { index } = layer;
  const placesOf = (name: string): number[] => {
    const places: number[] = [];
    index.forEachDocument(index.find(name), document => places.push(index.place(document)));
    return places;
  };
  for (const turn of [1, 2]) {
    const all = names.map(placesOf);
    index.layer.release();
    expect(all, `turn ${turn}`).toEqual(names.map((_, i) => [i + 1]));
    expect([placesOf(names[7]), placesOf(names[7])]).toEqual([[8], [8]]);
  }
  await layer.close();
});
