import { expect, test } from 'vitest';
import type { Match } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { type Posterior, posteriorOf, type Summary, summarise } from '../../../src/indoor/fingerprints/posterior.ts';

function pointsOf(
  points: readonly [floor: number, east: number, north: number, weight: number][],
  sigmaMetres: number,
): Posterior {
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

/** A match with a floor of places a metre apart, 110 by 110, for each of these logarithms. */
function matchOf(byFloor: readonly ((east: number, north: number) => number)[]): Match {
  const side = 110;
  const count = byFloor.length * side * side;
  const match = {
    count,
    floors: Int16Array.from({ length: count }, (_, i) => Math.floor(i / (side * side))),
    east: Float32Array.from({ length: count }, (_, i) => i % side),
    north: Float32Array.from({ length: count }, (_, i) => Math.floor(i / side) % side),
    logLikelihood: new Float32Array(count),
  };
  for (let i = 0; i < count; i++) match.logLikelihood[i] = byFloor[match.floors[i]](match.east[i], match.north[i]);
  return { ...match, share: 1, radios: 4, similarity: 1, explained: Number.NaN };
}
const shareOf = (posterior: Posterior, floor: number): number =>
  posterior.weights.reduce((sum, weight, i) => sum + (posterior.floors[i] === floor ? weight : 0), 0);

test('of five floors with 12,100 equal places each, every floor is as likely, and the place is as wide as the floor', () => {
  const posterior = posteriorOf(matchOf(Array.from({ length: 5 }, () => () => 0)));
  expect(posterior.count).toBeLessThanOrEqual(256 + 5);
  for (let floor = 0; floor < 5; floor++) expect(shareOf(posterior, floor)).toBeCloseTo(0.2, 9);
  const answer = summarise(posterior);
  expect(answer.floorProbability).toBeCloseTo(0.2, 9);
  expect(Math.abs(answer.eastMetres - 54.5)).toBeLessThan(5);
  expect(Math.abs(answer.northMetres - 54.5)).toBeLessThan(5);
  // Half of a square of 110 m lies within 43.9 m of its middle.
  expect(Math.abs(answer.r50Metres - 43.9)).toBeLessThan(4);
});

test('many places that are a little likely outweigh few that are more so', () => {
  // Floor 0 has 100 places with a weight of 1, floor 1 has 12,100 with 1/20.
  const posterior = posteriorOf(matchOf([(east, north) => (east < 10 && north < 10 ? 0 : -50), () => -Math.log(20)]));
  expect(shareOf(posterior, 0)).toBeCloseTo(100 / (100 + 605), 6);
  expect(shareOf(posterior, 1)).toBeCloseTo(605 / (100 + 605), 6);
  expect(summarise(posterior)).toMatchObject({ floor: 1 });
});

test('heavy places are kept as they are, and a floor of one light place is kept', () => {
  const light = (east: number, north: number) => (east === 7 && north === 9 ? -6 : -50);
  const around = (east: number, north: number) => -0.004 * ((east - 50) ** 2 + (north - 60) ** 2);
  const match = matchOf([around, light]);
  const weights = match.logLikelihood.map(Math.exp).map(weight => (weight >= 1e-3 ? weight : 0));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const posterior = posteriorOf(match);
  expect(posterior.count).toBeLessThanOrEqual(256 + 2);
  expect(shareOf(posterior, 1)).toBeCloseTo(Math.exp(-6) / sum, 6);
  expect(Math.max(...posterior.weights)).toBeLessThan(1 / 100);
  const answer = summarise(posterior);
  expect(answer.eastMetres).toBeCloseTo(50, 0);
  expect(answer.northMetres).toBeCloseTo(60, 0);
});

test('up to 256 places are all kept, whatever their weights', () => {
  const posterior = posteriorOf(matchOf([(east, north) => (east < 16 && north < 16 ? -0.4 * east : -50)]));
  const sum =
    16 * Array.from({ length: 16 }, (_, east) => Math.exp(-0.4 * east)).reduce((total, weight) => total + weight, 0);
  expect(posterior.count).toBe(256);
  for (let i = 0; i < posterior.count; i++)
    expect(posterior.weights[i]).toBeCloseTo(Math.exp(-0.4 * posterior.east[i]) / sum, 7);
});
