// Accuracy by access points learned from contributions, on real tracks, held against the simple methods on the same
// scans.

import { describe, expect, test } from 'vitest';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { insideShare, type Outcome } from '../kits/radio/drawn_town.ts';
import { locateByLearned, whyNoSet } from './learned_stations.ts';

/** Share of the truths within so many radii. */
function withinRadii({ errors, radii }: Outcome, factor: number): number {
  return insideShare({ errors, radii: radii.map(radius => radius * factor) });
}

const MALL = 'ilc20_site1_dev.jsonl.gz';
const noMall = whyNoSet(MALL);
if (noMall !== undefined) console.log(noMall);

describe.skipIf(noMall !== undefined)('walks through a mall', () => {
  test('median and tail are better than those of all simple methods, and half of the truths lie within the radius', async () => {
    const result = await locateByLearned(MALL, [1], 3);
    expect(result.errors.length).toBeGreaterThan(500);
    for (const errors of result.baselines.values()) {
      expect(quantile(result.errors, 0.5)).toBeLessThan(0.97 * quantile(errors, 0.5));
      expect(quantile(result.errors, 0.95)).toBeLessThan(0.95 * quantile(errors, 0.95));
    }
    expect(withinRadii(result, 1)).toBeGreaterThan(0.45);
    expect(withinRadii(result, 1)).toBeLessThan(0.55);
    expect(withinRadii(result, 1.4)).toBeGreaterThan(0.63);
    expect(withinRadii(result, 3)).toBeGreaterThan(0.9);
  });
});

const TOWN = 'wifi_ariel_scans.jsonl.gz';
const noTown = whyNoSet(TOWN);
if (noTown !== undefined) console.log(noTown);

describe.skipIf(noTown !== undefined)('drives through Ariel', () => {
  test('median and tail are better than those of all simple methods, and half of the truths lie within the radius', async () => {
    const result = await locateByLearned(TOWN, [1, 2, 3, 4], 1);
    expect(result.errors.length).toBeGreaterThan(900);
    for (const errors of result.baselines.values()) {
      expect(quantile(result.errors, 0.5)).toBeLessThan(quantile(errors, 0.5));
      expect(quantile(result.errors, 0.95)).toBeLessThan(0.95 * quantile(errors, 0.95));
    }
    expect(withinRadii(result, 1)).toBeGreaterThan(0.45);
    expect(withinRadii(result, 1)).toBeLessThan(0.55);
  });
});
