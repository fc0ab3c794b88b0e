import { expect, test } from 'vitest';
import { NearPoints } from '../../../src/indoor/fingerprints/near.ts';
import { uniform } from '../../kits/random.ts';

test('the points within a distance are those of a search through all', () => {
  const random = uniform(6);
  const point = () => ({ eastMetres: 200 * random() - 100, northMetres: 200 * random() - 100 });
  const points = Array.from({ length: 500 }, point);
  for (const squareMetres of [1, 10, 300]) {
    const near = new NearPoints(points, squareMetres);
    for (let i = 0; i < 40; i++) {
      const { eastMetres, northMetres } = point();
      const metres = 30 * random();
      const all = points.flatMap((p, at) =>
        Math.hypot(p.eastMetres - eastMetres, p.northMetres - northMetres) <= metres ? [at] : [],
      );
      expect(near.within(eastMetres, northMetres, metres).sort((a, b) => a - b)).toEqual(all);
    }
  }
});

test('the distance itself is within, and points as far apart as maps have them are told apart', () => {
  const far = [-20_000, 20_000].flatMap(eastMetres =>
    [-20_000, 20_000].map(northMetres => ({ eastMetres, northMetres })),
  );
  const near = new NearPoints(far, 4);
  expect(far.map(({ eastMetres, northMetres }) => near.within(eastMetres + 4, northMetres, 4))).toEqual([
    [0],
    [1],
    [2],
    [3],
  ]);
  expect(near.within(-19_995.9, -20_000, 4)).toEqual([]);
  expect(new NearPoints([], 4).within(0, 0, 100)).toEqual([]);
});
