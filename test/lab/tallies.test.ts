import { expect, test } from 'vitest';
import { Tally } from '../../lab/evaluation/accuracy.ts';
import { honestFactors, pooledTally, shareBeyond } from '../../lab/tallies.ts';

test('pooled tallies have the figures of all their answers together', () => {
  const all = new Tally();
  const tallies: Tally[] = [];
  for (const part of [3, 8]) {
    const tally = new Tally();
    for (let i = 0; i < part; i++) {
      const answer =
        i === 0
          ? undefined
          : {
              latitude: 50,
              longitude: 4,
              accuracyMetres: 400 * i,
              accuracy68Metres: 500 * i,
              accuracy95Metres: 900 * i,
            };
      for (const each of [all, tally]) each.add({ latitude: 50 + (part * i) / 1000, longitude: 4 }, answer);
    }
    tallies.push(tally);
  }
  expect(pooledTally(tallies).accuracy()).toEqual(all.accuracy());
});

test('the share of large errors is one of the answers', () => {
  expect(shareBeyond(new Tally(), 0)).toBeNull();
  const tally = new Tally();
  // 0.001 degrees are 111 m.
  for (const latitude of [50.0005, 50.001, 50.002, 50.004, 50])
    tally.add({ latitude, longitude: 4 }, { latitude: 50, longitude: 4 });
  tally.add({ latitude: 51, longitude: 4 }, undefined);
  expect(shareBeyond(tally, 200)).toBe(0.4);
});

test('honest factors make the radii hold their shares', () => {
  expect(honestFactors(new Tally())).toBeUndefined();
  const radii = { accuracyMetres: 50, accuracy68Metres: 80, accuracy95Metres: 300 };
  const judged = (factors: readonly number[]): Tally => {
    const tally = new Tally();
    const [accuracyMetres, accuracy68Metres, accuracy95Metres] = Object.values(radii).map(
      (radius, share) => radius * factors[share],
    );
    for (let i = 1; i <= 100; i++)
      tally.add(
        { latitude: 50 + i / 10_000, longitude: 4 },
        { latitude: 50, longitude: 4, accuracyMetres, accuracy68Metres, accuracy95Metres },
      );
    return tally;
  };
  const factors = honestFactors(judged([1, 1, 1]))!;
  expect(judged(factors).accuracy()).toMatchObject({ insideShare: 0.5, inside68Share: 0.68, inside95Share: 0.95 });
});
