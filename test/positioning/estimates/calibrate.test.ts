import { describe, expect, test } from 'vitest';
import { calibrate } from '../../../src/positioning/estimates/calibrate.ts';
import { circularEstimate, GROUP_WIFI, roughR50Metres } from '../../../src/positioning/estimates/estimate.ts';
import { SOURCE_WIFI } from '../../../src/radio/query/layout.ts';
import { EVERYWHERE, placeOfVotes, regionAt } from '../../../src/tables/calibration/rows.ts';

const estimate = () =>
  circularEstimate({
    source: SOURCE_WIFI,
    latitude: 50.5,
    longitude: 4.5,
    r50Metres: 40,
    tail: { at68: 1.5, at95: 3 },
    used: 5,
    evidence: 2,
    group: GROUP_WIFI,
  });
const here = placeOfVotes(GROUP_WIFI, regionAt(50.5, 4.5));
const everywhere = placeOfVotes(GROUP_WIFI, EVERYWHERE);

/** The radii for 50, 68 and 95 % with these factors. */
function radiiWith(factors: [place: number, factors: number[]][], group = GROUP_WIFI): number[] {
  const calibrated = { ...estimate(), group };
  calibrate(calibrated, new Map(factors));
  const r50 = roughR50Metres(calibrated);
  return [r50, r50 * calibrated.tail.at68, r50 * calibrated.tail.at95];
}

function expectRadii(found: number[], expected: number[]): void {
  for (const [i, radius] of expected.entries()) expect(found[i]).toBeCloseTo(radius, 6);
}

describe('the radii of an estimate', () => {
  test('are multiplied by the factors of the region', () => {
    expectRadii(
      radiiWith([
        [everywhere, [9, 9, 9]],
        [here, [2, 1.5, 1]],
      ]),
      [80, 90, 120],
    );
  });

  test('elsewhere by those that hold everywhere, and stay what they are where nothing was tested', () => {
    expectRadii(radiiWith([[everywhere, [0.5, 0.5, 0.5]]]), [20, 30, 60]);
    expectRadii(radiiWith([[placeOfVotes(GROUP_WIFI + 1, EVERYWHERE), [0.5, 0.5, 0.5]]]), [40, 60, 120]);
  });

  test('of well known stations by those of less well known ones, until they are tested themselves', () => {
    expectRadii(radiiWith([[everywhere, [0.5, 0.5, 0.5]]], GROUP_WIFI + 1), [20, 30, 60]);
    const own: [number, number[]] = [placeOfVotes(GROUP_WIFI + 1, EVERYWHERE), [2, 2, 2]];
    expectRadii(radiiWith([[everywhere, [0.5, 0.5, 0.5]], own], GROUP_WIFI + 1), [80, 120, 240]);
  });

  test('grow with the share, whatever the factors', () => {
    expectRadii(radiiWith([[here, [2, 0.5, 0.1]]]), [80, 80, 80]);
  });
});
