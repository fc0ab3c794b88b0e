import { describe, expect, test } from 'vitest';
import {
  CONTRIBUTOR_FINGERPRINTS_MAX,
  CONTRIBUTOR_REPORTS_MAX,
  countedFingerprints,
  fingerprintsBeyondBounds,
  type PlacedFingerprint,
  SQUARE_BYTES_MAX,
  SQUARE_REPORTS_MAX,
} from '../../../src/indoor/learning/counted_fingerprints.ts';
import { radioOfAddress } from '../../../src/radio/station_key.ts';
import { uniform } from '../../kits/random.ts';

/** Where who has heard radios at these levels. */
function placed(
  contributor: number,
  eastMetres: number,
  levels: Record<number, number>,
  changes: Partial<PlacedFingerprint> = {},
) {
  const readings = Object.entries(levels).map(([radio, levelDbm]) => ({
    radio: Number(radio),
    levelDbm,
    ageMs: Number.NaN,
  }));
  const isTrusted = contributor === 0;
  return {
    floor: 0,
    eastMetres,
    northMetres: 0,
    contributor,
    isTrusted,
    timeMs: 1e12,
    bytes: 100,
    readings,
    ...changes,
  };
}

const byTime = (a: PlacedFingerprint, b: PlacedFingerprint): number => a.timeMs - b.timeMs;

describe('a radio', () => {
  test('counts where a trusted fingerprint or a second account has heard it', () => {
    const [one, two] = [placed(1, 0, { 1: -70, 2: -70 }), placed(2, 0, { 2: -70, 3: -70 })];
    const levelsOf = (all: PlacedFingerprint[]) =>
      countedFingerprints(all).map(({ readings }) => readings.map(({ radio }) => radio));
    expect(levelsOf([one, one])).toEqual([]);
    expect(levelsOf([one, two])).toEqual([[2], [2]]);
    expect(levelsOf([one, two, placed(0, 0, { 3: -70, 4: -70 })])).toEqual([[2], [2, 3], [3, 4]]);
  });

  test(
    'of a Bluetooth device counts where a trusted fingerprint has heard it: two accounts may hear the headphones ' +
      'of a visitor',
    () => {
      const radio = radioOfAddress(0x4c875d123456);
      const heard = [placed(1, 0, { 1: -70, [radio]: -50 }), placed(2, 0, { 1: -70, [radio]: -50 })];
      const radiosOf = (all: PlacedFingerprint[]) =>
        countedFingerprints(all).map(({ readings }) => readings.map(each => each.radio));
      expect(radiosOf(heard)).toEqual([[1], [1]]);
      expect(radiosOf([...heard, placed(0, 0, { [radio]: -70 })])).toEqual([[1, radio], [1, radio], [radio]]);
    },
  );
});

describe('a floor', () => {
  test('counts where a trusted fingerprint or a second account is on it', () => {
    const on = (contributor: number, floor: number) => placed(contributor, 0, { 1: -70 }, { floor });
    const [survey, alone] = [on(0, 0), on(7, 40)];
    expect(countedFingerprints([survey, alone, alone])).toEqual([survey]);
    expect(countedFingerprints([survey, alone, on(8, 40)])).toEqual([survey, alone, on(8, 40)]);
    expect(countedFingerprints([survey, on(0, 40), alone])).toEqual([survey, on(0, 40), alone]);
  });
});

describe('of one account', () => {
  const many = Array.from({ length: CONTRIBUTOR_FINGERPRINTS_MAX + 2 }, (_, i) =>
    placed(7, i % 40, { 1: -70 }, { timeMs: 1e12 - i }),
  );
  const survey = placed(0, 0, { 1: -70 });

  test('so many fingerprints count, the newest, in whatever order they stand', () => {
    expect(countedFingerprints([survey, ...many.slice(0, -2)])).toHaveLength(CONTRIBUTOR_FINGERPRINTS_MAX + 1);
    expect(countedFingerprints([...many.toReversed(), survey])).toEqual([...many.slice(0, -2).toReversed(), survey]);
  });

  test('all count if it is trusted', () => {
    const trusted = many.map(each => ({ ...each, isTrusted: true }));
    expect(countedFingerprints(trusted)).toHaveLength(CONTRIBUTOR_FINGERPRINTS_MAX + 2);
  });
});

describe('in a square metre', () => {
  const half = SQUARE_BYTES_MAX / 2;
  const full = (timeMs: number, eastMetres = 0.5): PlacedFingerprint =>
    placed(0, eastMetres, { 1: -50 }, { timeMs, bytes: half });
  const reports = (contributor: number, count: number, changes: Partial<PlacedFingerprint> = {}) =>
    Array.from({ length: count }, (_, i) => placed(contributor, 0.5, { 1: -50 }, { timeMs: 1e12 + i, ...changes }));

  test('as much is kept as it may hold', () => {
    expect(fingerprintsBeyondBounds([full(1), full(2)]).size).toBe(0);
  });

  test('beyond that the oldest go, and those without a time first', () => {
    const all = [full(5), full(Number.NaN), full(3), full(4)];
    expect([...fingerprintsBeyondBounds(all)]).toEqual([all[2], all[1]]);
  });

  test('reports are kept beside files, and never instead of them', () => {
    const files = [full(1), full(2)];
    const flood = reports(7, 50, { bytes: SQUARE_BYTES_MAX });
    expect([...fingerprintsBeyondBounds([...files, ...flood])].sort(byTime)).toEqual(
      flood.slice(0, -CONTRIBUTOR_REPORTS_MAX),
    );
    expect(fingerprintsBeyondBounds([...files, ...flood.slice(-CONTRIBUTOR_REPORTS_MAX)]).size).toBe(0);
  });

  test('trusted reports stay, and of the others each account keeps its share', () => {
    const trusted = reports(1, SQUARE_REPORTS_MAX - 6, { isTrusted: true, timeMs: 5 });
    const [liar, honest] = [reports(7, 20), reports(8, 3, { timeMs: 9 })];
    const beyond = fingerprintsBeyondBounds([...liar, ...honest, ...trusted]);
    const kept = [...liar, ...honest, ...trusted].filter(each => !beyond.has(each));
    expect(kept).toEqual([...liar.slice(-3), ...honest, ...trusted]);
    expect(fingerprintsBeyondBounds(reports(1, SQUARE_REPORTS_MAX, { isTrusted: true })).size).toBe(0);
    expect(fingerprintsBeyondBounds(reports(1, SQUARE_REPORTS_MAX + 1, { isTrusted: true })).size).toBe(1);
  });

  test('what is kept of reports depends neither on their order nor on how they came in batches', () => {
    const random = uniform(5);
    for (let run = 0; run < 50; run++) {
      const all = Array.from({ length: 120 }, (_, i) => {
        const contributor = 1 + Math.floor(random() ** 2 * 12);
        return placed(
          contributor,
          random() < 0.5 ? 0.2 : 0.7,
          { [i]: -50 },
          { timeMs: Math.floor(random() * 9), isTrusted: contributor === 3 },
        );
      });
      const keptOf = (some: PlacedFingerprint[]) => {
        const beyond = fingerprintsBeyondBounds(some);
        return some.filter(each => !beyond.has(each));
      };
      const mixed = all.toSorted(() => random() - 0.5);
      let kept: PlacedFingerprint[] = [];
      for (let i = 0; i < mixed.length; i += 17) kept = keptOf([...kept, ...mixed.slice(i, i + 17)]);
      expect(new Set(kept)).toEqual(new Set(keptOf(all)));
    }
  });

  test('others do not count: the next one, and that on the next floor', () => {
    const above = placed(0, 0.5, { 1: -50 }, { floor: 1, bytes: half });
    expect(fingerprintsBeyondBounds([full(1), full(2), full(3, 1.5), full(4, -0.5), above]).size).toBe(0);
  });
});

describe('a fingerprint of an untrusted contributor', () => {
  const HALL = { 1: -50, 2: -60, 3: -55 };

  test('does not count where trusted ones have heard its radios as near from far away', () => {
    const survey = placed(0, 0, HALL);
    expect(countedFingerprints([survey, placed(7, 100, HALL)])).toEqual([survey]);
  });

  test('does not count where two others have, wherever in the order it stands', () => {
    const [one, two, liar] = [placed(1, 0, HALL), placed(2, 5, HALL), placed(7, 100, HALL)];
    expect(countedFingerprints([liar, one, two])).toEqual([one, two]);
    expect(countedFingerprints([one, two, liar, liar, liar])).toEqual([one, two]);
  });

  test('counts where one stands against one', () => {
    const both = [placed(1, 0, HALL), placed(2, 100, HALL)];
    expect(countedFingerprints(both)).toEqual(both);
  });

  test('counts where others support it: the radios were moved', () => {
    const all = [placed(1, 0, HALL), placed(2, 5, HALL), placed(3, 100, HALL), placed(4, 101, HALL)];
    expect(countedFingerprints(all)).toEqual(all);
  });

  test('does not count two floors away, and counts on the next one where that hears as much', () => {
    const surveyed = (floor: number, levels: Record<number, number>) => placed(0, 0, levels, { floor });
    const [survey, next] = [surveyed(0, HALL), placed(7, 0, HALL, { floor: 1 })];
    const gallery = surveyed(1, { 1: -58, 2: -66, 3: -61 });
    expect(countedFingerprints([survey, gallery, next])).toEqual([survey, gallery, next]);
    const closed = surveyed(1, { 1: -90, 2: -85, 3: -80, 4: -50 });
    expect(countedFingerprints([survey, closed, next])).toEqual([survey, closed]);
    const above = surveyed(2, { 4: -50 });
    expect(countedFingerprints([survey, above, placed(7, 0, HALL, { floor: 2 })])).toEqual([survey, above]);
  });

  test('does not count where its pattern is that of another place, however weak it is', () => {
    const [survey, there] = [placed(0, 0, HALL), placed(0, 100, { 1: -80, 5: -50, 6: -60 })];
    const weak = { 1: -70, 2: -80, 3: -75 };
    expect(countedFingerprints([survey, there, placed(7, 100, weak)])).toEqual([survey, there]);
    expect(countedFingerprints([survey, there, placed(7, 10, weak)])).toEqual([survey, there, placed(7, 10, weak)]);
  });

  test('counts where nobody trusted was, once a second account has heard the same there', () => {
    const survey = placed(0, 0, HALL);
    const [one, two] = [placed(7, 100, { 1: -75, 2: -75, 3: -70 }), placed(8, 103, { 1: -76, 2: -74, 3: -70 })];
    expect(countedFingerprints([survey, one])).toEqual([survey]);
    expect(countedFingerprints([survey, one, two])).toEqual([survey, one, two]);
  });

  test('counts up to the distance in which a radio can be near both', () => {
    const [survey, within] = [placed(0, 0, HALL), placed(7, 40, HALL)];
    expect(countedFingerprints([survey, within])).toEqual([survey, within]);
    expect(countedFingerprints([survey, placed(7, 40.1, HALL)])).toEqual([survey]);
  });

  test('counts where its radios are weak, unknown, or only one of them contradicts', () => {
    const survey = placed(0, 0, HALL);
    const others = [
      placed(7, 100, { 1: -66, 2: -80 }),
      placed(8, 100, { 9: -50, 8: -50 }),
      placed(9, 100, { 1: -50, 8: -60, 9: -70 }),
    ];
    expect(countedFingerprints([survey, ...others])).toEqual([survey, ...others]);
  });

  test('flooding does not help: however often one says it, it is one voice', () => {
    const [one, two] = [placed(1, 0, HALL), placed(2, 5, HALL)];
    const flood = Array.from({ length: 50 }, (_, i) => placed(7, 100 + i, HALL));
    expect(countedFingerprints([...flood, one, two])).toEqual([one, two]);
  });
});
