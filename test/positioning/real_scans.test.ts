// Accuracy on real scans, held against the best simple weighting of the same scans and the same stations.

import { describe, expect, test } from 'vitest';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { insideShare } from '../kits/radio/drawn_town.ts';
import { compareCells, compareWifi, whyNoScans } from './real_scans.ts';

const SETS: [name: string, file: string, medianMetres: number, answered: number][] = [
  ['GSM in Siping', 'cells_sh2g_siping.jsonl.gz', 125, 0.99],
  ['GSM in Jiading', 'cells_sh2g_jiading_rloc.jsonl.gz', 184, 0.99],
  ['LTE in Cork', 'cells_cork_lte.jsonl.gz', 290, 0.85],
  ['LTE in Belgium', 'cells_belgium_gnettrack.jsonl.gz', 148, 0.8],
];

for (const [name, file, medianMetres, answered] of SETS) {
  const missing = whyNoScans(file);
  if (missing !== undefined) console.log(missing);
  describe.skipIf(missing !== undefined)(name, () => {
    test('cells do not do worse than 10^(s/20) / r50^2, and half of the truths lie within the radius', async () => {
      const result = await compareCells(file);
      expect(quantile(result.errors, 0.5)).toBeLessThan(medianMetres);
      expect(quantile(result.errors, 0.5)).toBeLessThan(1.01 * quantile(result.baseline, 0.5));
      expect(insideShare(result)).toBeGreaterThan(0.45);
      expect(insideShare(result)).toBeLessThan(0.55);
      expect(result.errors.length / result.tested).toBeGreaterThan(answered);
    });
  });
}

const ARIEL = 'wifi_ariel_scans.jsonl.gz';
const missing = whyNoScans(ARIEL);
if (missing !== undefined) console.log(missing);

describe.skipIf(missing !== undefined)('outdoor WiFi in Ariel', () => {
  // Small and noisy: no method stands out on it. Its stations come from a few passes, so their places are as uncertain
  // as the scans'.
  test('access points do not do worse than the plain centroid', async () => {
    const result = await compareWifi(ARIEL);
    expect(quantile(result.errors, 0.5)).toBeLessThan(1.03 * quantile(result.baseline, 0.5));
    expect(quantile(result.errors, 0.9)).toBeLessThan(1.03 * quantile(result.baseline, 0.9));
    // A quarter of the scans has one known access point; another twentieth has two or more of one device, of one block
    // of addresses, or of places that are not one. That no device chooses the place costs 1.2 points.
    expect(result.errors.length / result.tested).toBeGreaterThan(0.546);
  });
});
