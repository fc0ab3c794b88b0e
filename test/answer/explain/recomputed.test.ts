// The answers to the corpus come out of their explanations again: the position from the listed estimates and weights,
// the radius from its parts. And whoever asks for an explanation gets the answer of those who do not.

import { beforeAll, describe, expect, test } from 'vitest';
import type { ExplainedEstimate, Explanation, RadiusParts } from '../../../src/answer/explain/explanation.ts';
import { withAnswerer } from '../../../src/commands/explain/with_answerer.ts';
import { Fusion } from '../../../src/core/fusion.ts';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { distanceMetres } from '../../../src/geo/distance.ts';
import type { PositionBody } from '../../../src/protocol/requests/schema.ts';
import { FALLBACKS } from '../../../src/radio/fallbacks.ts';
import type { FoundPosition } from '../../../src/radio/query/answer.ts';
import { explainPosition } from '../../../src/tasks/explain_position.ts';
import { locateAlone, PositionQuery } from '../../../src/tasks/locate.ts';
import { positionBodies } from '../../corpus/position_bodies.ts';
import { buildWorld } from '../../corpus/world.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const PATIENCE_MS = 300_000;
/** Bodies are answered as of this moment. */
const NOON = Date.UTC(2026, 2, 1, 12);

interface Explained {
  body: PositionBody;
  explanation: Explanation;
  position: FoundPosition | undefined;
}

const fusion = new Fusion(instantiateCore());
let all: Explained[];
let found: Explanation[];
/** The same without explanations, by an answerer of its own. */
let plain: (FoundPosition | undefined)[];

beforeAll(async () => {
  const { folder } = await buildWorld(folderOfFile());
  all = await withAnswerer(folder, async answerer =>
    [...positionBodies()].map(body => ({
      body,
      ...explainPosition(answerer, { body, arrivalMs: NOON, wants: 0, asker: 0, state: undefined }),
    })),
  );
  plain = await withAnswerer(folder, async answerer =>
    [...positionBodies()].map(body => locateAlone(answerer, new PositionQuery(body, NOON, 0, 0)).position),
  );
  found = all.map(({ explanation }) => explanation).filter(({ answer }) => answer !== undefined);
}, PATIENCE_MS);

/** Root of the sum of the squares. */
function together(parts: RadiusParts): number {
  return Math.hypot(...Object.values(parts));
}

test('the corpus has many answers, and all that an explanation can say of them', () => {
  expect(all.length).toBeGreaterThan(4_000);
  expect(found.length).toBeGreaterThan(2_000);
  const said = (of: (explanation: Explanation) => readonly string[]) =>
    [...new Set(all.flatMap(({ explanation }) => of(explanation)))].sort();
  expect(said(({ estimates }) => estimates.map(({ strategy }) => strategy))).toEqual([
    'bluetooth',
    'cells',
    'fallback',
    'fingerprints',
    'gps',
    'map',
    'wifi',
  ]);
  expect(said(({ stations }) => stations.map(({ taken }) => taken))).toEqual([
    'apart',
    'compared',
    'outlier',
    'sameRadio',
    'stale',
    'tooFew',
    'unknown',
    'used',
  ]);
  expect(said(({ fallbacks }) => fallbacks.map(({ result }) => result))).toEqual(['abroad', 'answered', 'noGuess']);
  expect(found.filter(({ estimates }) => estimates.filter(({ joined }) => joined).length > 1).length).toBeGreaterThan(
    100,
  );
  expect(said(({ fallbacks }) => fallbacks.map(({ fallback }) => fallback))).toEqual(
    FALLBACKS.map(({ name }) => name).sort(),
  );
});

test('an explained answer is the same as one that is not explained', () => {
  expect(all.map(({ position }) => position)).toEqual(plain);
});

describe('of each answer', () => {
  test('the position is the mean of the joined estimates, by their weights', () => {
    for (const { estimates, answer } of found) {
      const joined = estimates.filter(estimate => estimate.joined);
      expect(joined.reduce((sum, { weight }) => sum + weight!, 0)).toBeCloseTo(1, 9);
      const mean = meanOf(joined);
      expect(distanceMetres(mean.latitude, mean.longitude, answer!.latitude, answer!.longitude)).toBeLessThan(0.05);
    }
  });

  test('the radius is the root of the sum of the squares of its parts, with what calibration and track have done', () => {
    for (const { estimates, answer } of found) {
      const { metres, r50Metres, parts, calibrationMetres, trackMetres, confidenceFactor } = answer!.radius;
      expect(together(parts) + calibrationMetres + trackMetres).toBeCloseTo(r50Metres, 6);
      expect(metres).toBe(Math.max(1, Math.round(r50Metres * confidenceFactor)));
      const radius = radiusOf(inverse(informationOf(estimates.filter(({ joined }) => joined))));
      expect(Math.max(1, radius) / (r50Metres - trackMetres)).toBeCloseTo(1, 4);
    }
  });

  test('the radius of each estimate is that of its parts, times its calibration, and that of its covariance', () => {
    for (const { estimates } of found) {
      for (const { radiusMetres, uncalibratedMetres, parts, calibration, covariance } of estimates) {
        expect(together(parts) / uncalibratedMetres).toBeCloseTo(1, 9);
        expect((uncalibratedMetres * calibration) / radiusMetres).toBeCloseTo(1, 9);
        const { eastEast: xx, eastNorth: xy, northNorth: yy } = covariance;
        expect(radiusOf({ xx, xy, yy }) / radiusMetres).toBeCloseTo(1, 9);
      }
    }
  });

  test('as many stations are used in an estimate as it says, and their weights add up to 1', () => {
    for (const { estimates, stations, sent } of found) {
      if (sent.more !== undefined) continue;
      for (const { strategy, stations: count } of estimates) {
        const inIt = stations.filter(station => station.strategy === strategy);
        const used = inIt.filter(({ taken }) => taken === 'used' || (strategy === 'map' && taken === 'compared'));
        if (['wifi', 'bluetooth', 'cells', 'map'].includes(strategy)) expect(used.length).toBe(count);
        if (['wifi', 'bluetooth', 'cells'].includes(strategy)) {
          expect(inIt.reduce((sum, { weight = 0 }) => sum + weight, 0)).toBeCloseTo(1, 9);
        }
      }
    }
  });

  test('each entry of the lists is a station, or left out', () => {
    for (const { body, explanation } of all) {
      const { sent, stations } = explanation;
      if (sent.more !== undefined) continue;
      for (const list of ['wifiAccessPoints', 'bluetoothBeacons', 'cellTowers'] as const) {
        const named = [...sent.leftOut, ...stations].filter(each => each.list === list).map(({ entry }) => entry);
        expect(named.sort((a, b) => a - b)).toEqual(Array.from(body[list] ?? [], (_, i) => i));
      }
    }
  });
});

interface Symmetric {
  xx: number;
  xy: number;
  yy: number;
}

function radiusOf({ xx, xy, yy }: Symmetric): number {
  return fusion.radius(xx, xy, yy, 0.5);
}

function inverse({ xx, xy, yy }: Symmetric): Symmetric {
  const determinant = xx * yy - xy * xy;
  return { xx: yy / determinant, xy: -xy / determinant, yy: xx / determinant };
}

/** The sum of the inverse covariances. */
function informationOf(estimates: readonly ExplainedEstimate[]): Symmetric {
  const sum = { xx: 0, xy: 0, yy: 0 };
  for (const { covariance } of estimates) {
    const { xx, xy, yy } = inverse({ xx: covariance.eastEast, xy: covariance.eastNorth, yy: covariance.northNorth });
    sum.xx += xx;
    sum.xy += xy;
    sum.yy += yy;
  }
  return sum;
}

/** The mean of positions, each weighted by the inverse of its covariance, in the plane around the most precise. */
function meanOf(estimates: readonly ExplainedEstimate[]): { latitude: number; longitude: number } {
  const [first] = estimates.toSorted((a, b) => a.radiusMetres - b.radiusMetres);
  if (estimates.length === 1) return first;
  const { frame } = fusion;
  frame.set(first.latitude, first.longitude);
  let [x, y] = [0, 0];
  for (const { latitude, longitude, covariance } of estimates) {
    const [east, north] = [frame.eastOf(longitude), frame.northOf(latitude)];
    const { xx, xy, yy } = inverse({ xx: covariance.eastEast, xy: covariance.eastNorth, yy: covariance.northNorth });
    x += xx * east + xy * north;
    y += xy * east + yy * north;
  }
  const { xx, xy, yy } = inverse(informationOf(estimates));
  return { latitude: frame.latitudeOf(xy * x + yy * y), longitude: frame.longitudeOf(xx * x + xy * y) };
}
