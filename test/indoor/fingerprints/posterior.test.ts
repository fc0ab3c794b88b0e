import { expect, test } from 'vitest';
import { type Posterior, type Summary, summarise } from '../../../src/indoor/fingerprints/posterior.ts';

function pointsOf(points: readonly [floor: number, east: number, north: number, weight: number][], sigmaMetres: number): Posterior {
  return {
    count: points.length,
    floors: Int16Array.from(points, ([floor]) => floor),
    east: Float64Array.from(points, ([, east]) => east),
    north: Float64Array.from(points, ([, , north]) => north),
    weights: Float64Array.from(points, ([, , , weight]) => weight),
    sigmaMetres,
  };
}

test('the floor with the most weight is answered, with the mean on it', () => {
  const answer: Summary = summarise(
    pointsOf(
      [
        [1, 100, 0, 0.4],
        [0, 10, 4, 0.3],
        [0, 20, 8, 0.3],
      ],
      3,
    ),
  );
  expect(answer).toMatchObject({ floor: 0, eastMetres: 15, northMetres: 6 });
  expect(answer.floorProbability).toBeCloseTo(0.6, 12);
});

test('the radii of one point are those of its normal distribution', () => {
  const { r50Metres, at68Metres, at95Metres } = summarise(pointsOf([[0, 1, 2, 1]], 3));
  expect(r50Metres).toBeCloseTo(3 * Math.sqrt(-2 * Math.log(0.5)), 9);
  expect(at68Metres).toBeCloseTo(3 * Math.sqrt(-2 * Math.log(0.32)), 9);
  expect(at95Metres).toBeCloseTo(3 * Math.sqrt(-2 * Math.log(0.05)), 9);
});
