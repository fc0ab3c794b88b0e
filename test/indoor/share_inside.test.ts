import { describe, expect, test } from 'vitest';
import { isInside } from '../../src/geo/rings.ts';
import { shareInside } from '../../src/indoor/share_inside.ts';
import { shareWithin } from '../../src/positioning/estimates/estimate.ts';
import { type Metres, rectangle, ring, unitsAt } from '../kits/buildings/drawn.ts';
import { normal, uniform } from '../kits/random.ts';

/** A Gaussian whose radius for half is so large. */
const gaussian = (r50: number) => (metres: number) => 1 - 2 ** -((metres / r50) ** 2);

test('a circle around the position holds what lies within its radius', () => {
  const circle = ring(
    Array.from(
      { length: 721 },
      (_, i): Metres => [10 * Math.cos((i * Math.PI) / 360), 10 * Math.sin((i * Math.PI) / 360)],
    ),
  );
  for (const r50 of [2, 10, 40])
    expect(shareInside([circle], ...unitsAt([0, 0]), gaussian(r50))).toBeCloseTo(gaussian(r50)(10), 4);
});

describe('of a Gaussian', () => {
  const sigma = 8;
  const share = (rings: Int32Array[], at: Metres) =>
    shareInside(rings, ...unitsAt(at), gaussian(sigma * Math.sqrt(2 * Math.LN2)));

  test('a half-plane holds half at its border, and the distribution function of the distance elsewhere', () => {
    const half = rectangle([-3_000, 0], [3_000, 3_000]);
    // Of the standard normal distribution.
    for (const [north, held] of [
      [0, 0.5],
      [sigma, 0.841345],
      [-sigma, 0.158655],
      [-2 * sigma, 0.02275],
    ] as const) {
      expect(share([half], [0, north])).toBeCloseTo(held, 3);
    }
  });

  test('a quadrant holds a quarter at its corner', () => {
    expect(share([rectangle([0, 0], [3_000, 3_000])], [0, 0])).toBeCloseTo(0.25, 4);
  });

  test('everything lies inside of a country, and nothing far away', () => {
    const country = rectangle([-3_000, -3_000], [3_000, 3_000]);
    expect(share([country], [100, 200])).toBeCloseTo(1, 6);
    expect(share([rectangle([500, 0], [600, 100])], [0, 50])).toBeCloseTo(0, 6);
  });
});

describe('in drawn areas', () => {
  const DRAWS = 40_000;
  // Holes run clockwise.
  const yard = ring([
    [15, 10],
    [15, 40],
    [45, 40],
    [45, 10],
    [15, 10],
  ]);
  const court = [rectangle([0, 0], [60, 50]), yard];
  const angle = ring([
    [0, 0],
    [50, 0],
    [50, 10],
    [10, 10],
    [10, 50],
    [0, 50],
    [0, 0],
  ]);

  test.each([
    ['a room', [rectangle([0, 0], [12, 7])], [5, 3], 6],
    ['a court, seen from its yard', court, [30, 25], 12],
    ['a court, seen from a wing', court, [5, 5], 9],
    ['an angle, seen from outside', [angle], [20, 20], 15],
    ['two towers', [rectangle([0, 0], [10, 10]), rectangle([30, 0], [40, 10])], [20, 5], 14],
    ['a centimetre from a wall', [rectangle([0, 0], [40, 30])], [20, 0.01], 5],
    ['on a corner', [rectangle([0, 0], [40, 30])], [0, 0], 20],
  ] as const)('the share in %s is that of drawn positions', (_, rings, at, r50) => {
    const random = normal(uniform(7));
    const sigma = r50 / Math.sqrt(2 * Math.LN2);
    let inside = 0;
    for (let i = 0; i < DRAWS; i++) {
      if (isInside(rings, ...unitsAt([at[0] + sigma * random(), at[1] + sigma * random()]))) inside++;
    }
    // Four deviations of the draw.
    expect(Math.abs(shareInside(rings, ...unitsAt(at), gaussian(r50)) - inside / DRAWS)).toBeLessThan(
      4 * Math.sqrt(0.25 / DRAWS),
    );
  });

  test('the share of tails that are no Gaussian is that of drawn positions as well', () => {
    const random = uniform(11);
    const tail = { at68: 1.7, at95: 4.5 };
    const r50 = 8;
    const rings = [rectangle([0, 0], [20, 9])];
    const at: Metres = [6, 4];
    // A radius by bisection of the distribution.
    const radiusOf = (share: number) => {
      let [low, high] = [0, 1e5];
      for (let i = 0; i < 60; i++) {
        const middle = (low + high) / 2;
        if (shareWithin(middle / r50, tail) < share) low = middle;
        else high = middle;
      }
      return low;
    };
    let inside = 0;
    for (let i = 0; i < DRAWS / 4; i++) {
      const radius = radiusOf(random());
      const direction = random() * 2 * Math.PI;
      if (isInside(rings, ...unitsAt([at[0] + radius * Math.cos(direction), at[1] + radius * Math.sin(direction)])))
        inside++;
    }
    const share = shareInside(rings, ...unitsAt(at), metres => shareWithin(metres / r50, tail));
    expect(Math.abs(share - inside / (DRAWS / 4))).toBeLessThan(4 * Math.sqrt(1 / DRAWS));
  });
});
