import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { FingerprintMatcher } from '../../../src/indoor/core/fingerprint_matcher.ts';
import {
  ONLY_PLACE,
  ONLY_SCAN,
  ONLY_SCAN_BETWEEN,
  POWER_BETWEEN,
  WEIGHT_FAR,
  WEIGHT_NEAR,
} from '../../../wasm/fingerprint_constants.ts';
import { MAX_MAP_PLACES, STATUS_NOT_FINITE, STATUS_OK, STATUS_TOO_FEW, STATUS_TOO_MANY } from '../../../wasm/memory.ts';
import { uniform } from '../../kits/random.ts';

const matcher = new FingerprintMatcher(instantiateCore());
const STRENGTHS = Float64Array.from({ length: 256 }, (_, byte) => (byte / 255) ** 2);
const LEVELS = Float64Array.from({ length: 256 }, (_, byte) => -Math.floor((255 - byte) / 3));
const says = (differenceDb: number, offset: number): number => 3 - Math.abs(differenceDb + 2 * offset) / 20;
matcher.setTables(STRENGTHS, LEVELS, says);

test('sums and likelihoods are those of the formula, in the first place and in the last that there can be', () => {
  const random = uniform(3);
  const places = MAX_MAP_PLACES;
  const lists = Array.from({ length: 30 }, (_, r) => ({
    places: Uint16Array.from(
      [...new Set([0, places - 1, ...Array.from({ length: 200 }, () => Math.floor(places * random()))])].slice(r % 2),
    ).sort(),
    levels: [0.1, 0.2, 0.3, 0.4].map(level => level + 0.2 * random()),
    weight: random(),
    levelDbm: -127 * (r === 0 ? 1 : r === 1 ? 0 : Math.floor(100 * random()) / 100),
  }));
  const scans = Float64Array.from([0, 1, 2, 3], o =>
    lists.reduce((sum, { levels, weight }) => sum + weight * levels[o], 0),
  );
  const scanned = lists.reduce((sum, { levels, weight }) => sum + weight * levels[1], 0);
  const scale = 2 ** 29 / scans[3];
  matcher.total.fill(20);
  matcher.prior.fill(-0.5);
  expect(matcher.begin(places)).toBe(STATUS_OK);
  const common = new Map<number, number[]>();
  const shares = new Map<number, [number, number]>();
  const said = new Map<number, number[]>();
  for (const { places: list, levels, weight, levelDbm } of lists) {
    const stored = Uint8Array.from(list, () => 1 + Math.floor(255 * random()));
    const steps = Int32Array.from(levels, level => Math.round(scale * weight * level));
    expect(matcher.addRadio(list, stored, steps, scale * weight, weight, weight * levels[1], levelDbm)).toBe(STATUS_OK);
    for (const [i, place] of list.entries()) {
      const strength = STRENGTHS[stored[i]];
      const before = common.get(place) ?? [0, 0, 0, 0];
      common.set(
        place,
        before.map((sum, o) => sum + weight * Math.min(levels[o], strength)),
      );
      const differenceDb = Math.round(2 * levelDbm) / 2 - LEVELS[stored[i]];
      said.set(
        place,
        (said.get(place) ?? [0, 0, 0, 0]).map((sum, o) => sum + weight ** 2 * says(differenceDb, o)),
      );
      const [own, known] = shares.get(place) ?? [0, 0];
      shares.set(place, [own + (weight - ONLY_PLACE) * strength, known + weight * levels[1]]);
    }
  }
  // The scan has a third of its strength from radios that no place hears.
  const whole = scans.map(each => 1.5 * each);
  expect(matcher.explain(places, 1.5 * scanned, whole, scale)).toBe(STATUS_OK);
  expect(matcher.weigh(places, scanned, scans, scale, 0.25)).toBe(STATUS_OK);
  const alikeOf = (onlyScan: number, of: Float64Array, part: number): Map<number, number[]> =>
    new Map(
      Array.from(common, ([place, sums]) => {
        const [own, known] = shares.get(place)!;
        const ofScan = onlyScan - (onlyScan - 1) * (known / (part * scanned));
        return [place, sums.map((sum, o) => (2 * sum) / (ofScan * of[o] + ONLY_PLACE * 20 + own))];
      }),
    );
  const explained = Array.from(alikeOf(ONLY_SCAN_BETWEEN, whole, 1.5), ([place, alikes]) =>
    alikes.map((each, o) => POWER_BETWEEN * Math.log(each) + said.get(place)![o]),
  );
  expect(matcher.explained).toBeCloseTo(Math.max(...explained.flat()), 3);
  const weights = [WEIGHT_FAR, WEIGHT_NEAR, WEIGHT_NEAR, WEIGHT_FAR];
  const alike = alikeOf(ONLY_SCAN, scans, 1);
  const similarity = Math.max(...[...alike.values()].flat());
  const logSum = (each: number[]) => Math.log(each.reduce((sum, value, o) => sum + weights[o] * value, 0));
  const expected = new Map<number, [likelihood: number, byOffsets: number]>();
  for (const [place, ofPlace] of alike) {
    const levels = said.get(place)!.map(sum => 0.25 * sum);
    const most = Math.max(...levels);
    const byOffsets = logSum(levels.map(level => Math.exp(level - most)));
    expected.set(place, [
      logSum(ofPlace.map(each => Math.max(0.01, each / similarity) ** 16)) + most + byOffsets - 0.5,
      byOffsets,
    ]);
  }
  const best = Math.max(...Array.from(expected.values(), ([likelihood]) => likelihood));
  const bestOffset = Math.max(...Array.from(expected.values(), ([likelihood, byOffsets]) => likelihood - byOffsets));
  for (const [place, [likelihood, byOffsets]] of expected) {
    // Farther than 9 below the best the sum over the offsets is left out.
    const isSummed = likelihood - byOffsets >= bestOffset - 9;
    expect(matcher.likelihood[place]).toBeCloseTo(isSummed ? likelihood : likelihood - byOffsets, 3);
  }
  expect(matcher.best).toBeCloseTo(best, 3);
  expect(matcher.similarity).toBeCloseTo(similarity, 5);
  expect(matcher.likelihood.filter(value => value > Number.NEGATIVE_INFINITY)).toHaveLength(common.size);
});

test('what cannot be is a status', () => {
  const none = [new Uint16Array(), new Uint8Array(), new Int32Array(4)] as const;
  expect([-1, 0, MAX_MAP_PLACES, MAX_MAP_PLACES + 1].map(places => matcher.begin(places))).toEqual([
    STATUS_TOO_FEW,
    STATUS_OK,
    STATUS_OK,
    STATUS_TOO_MANY,
  ]);
  for (const level of [-127, 0]) expect(matcher.addRadio(...none, 1, 1, 1, level)).toBe(STATUS_OK);
  for (const level of [-128, 1]) expect(matcher.addRadio(...none, 1, 1, 1, level)).toBe(STATUS_NOT_FINITE);
  expect(matcher.addRadio(new Uint16Array(MAX_MAP_PLACES + 1), none[1], none[2], 1, 1, 1, -50)).toBe(STATUS_TOO_MANY);
  const scans = Float64Array.of(1, 1, 1, 1);
  expect([0, MAX_MAP_PLACES + 1].map(places => matcher.weigh(places, 1, scans, 1, 1))).toEqual([
    STATUS_TOO_FEW,
    STATUS_TOO_MANY,
  ]);
  for (const scanned of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(matcher.weigh(1, scanned, scans, 1, 1)).toBe(STATUS_NOT_FINITE);
  expect([0, MAX_MAP_PLACES + 1].map(places => matcher.explain(places, 1, scans, 1))).toEqual([
    STATUS_TOO_FEW,
    STATUS_TOO_MANY,
  ]);
  expect([0, Number.NaN].map(scanned => matcher.explain(1, scanned, scans, 1))).toEqual([
    STATUS_NOT_FINITE,
    STATUS_NOT_FINITE,
  ]);
  for (const scale of [0, Number.NaN, Number.POSITIVE_INFINITY])
    expect(matcher.weigh(1, 1, scans, scale, 1)).toBe(STATUS_NOT_FINITE);
  for (const power of [-1, 1000, Number.NaN]) expect(matcher.weigh(1, 1, scans, 1, power)).toBe(STATUS_NOT_FINITE);
});
