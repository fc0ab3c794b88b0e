import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReportDraft } from '../../src/intake/draft.ts';
import { INTAKE_RULES } from '../../src/intake/rules.ts';
import { countEntries, screenReport } from '../../src/intake/screen.ts';
import { Tally } from '../../src/intake/tally.ts';
import { OBSERVATION_BYTES, OBSERVATION_SIGNAL, SIGNAL_ABSENT } from '../../src/radio/query/layout.ts';
import { BEACON, CELL, DAY, NOW, ORIGIN, OTHER_WIFI, POSITION, screen, stationsOf, values, WIFI } from './screened.ts';

/** The rule that refuses a draft with one good access point; undefined when it is taken. */
function ruleOfReport(draft: Partial<ReportDraft>): string | undefined {
  const { report, rules } = screen({ wifiAccessPoints: [WIFI], ...draft });
  expect(Object.keys(rules).length).toBe(report === undefined ? 1 : 0);
  return Object.keys(rules)[0];
}

describe('a report', () => {
  test('holds what the draft states, where it came from, and the stations in the order access points, beacons, cells', () => {
    const { report, counts, rules, stations } = screen({
      positionAgeMs: 300,
      altitude: 144,
      heading: 90,
      speed: 1.5,
      cellTowers: [CELL],
      bluetoothBeacons: [BEACON],
      wifiAccessPoints: [WIFI, OTHER_WIFI],
    });
    expect(report).toMatchObject({
      timeMs: NOW - 1000,
      isTimed: true,
      latitude: 49.8728,
      longitude: 8.6512,
      accuracyMetres: 10,
      positionAgeMs: 300,
      altitude: 144,
      heading: 90,
      speed: 1.5,
      contributor: 7,
      isTrusted: true,
      track: 42,
    });
    expect(stations).toEqual([
      'wifi 88:f7:c7:52:54:c6',
      'wifi 88:f7:c7:52:54:c7',
      'bluetooth 00:a0:50:00:00:01',
      'cell kind 11 262-1-5126-26385408',
    ]);
    expect(values(report!.observations, OBSERVATION_SIGNAL)).toEqual([-60, -70, -70, SIGNAL_ABSENT]);
    expect(counts).toEqual({
      reports: 1,
      accepted: 1,
      refused: 0,
      duplicates: 0,
      observations: 4,
      acceptedObservations: 4,
    });
    expect(rules).toEqual({});
  });

  test('without a time was made when it arrived, and says NaN for what was not stated', () => {
    const { timeMs: _, accuracyMetres: __, ...bare } = POSITION;
    const report = screenReport({ ...bare, wifiAccessPoints: [WIFI] }, ORIGIN, new Tally());
    expect(report).toMatchObject({
      timeMs: NOW,
      isTimed: false,
      accuracyMetres: Number.NaN,
      positionAgeMs: Number.NaN,
      altitude: Number.NaN,
      heading: Number.NaN,
      speed: Number.NaN,
    });
  });

  test.each([
    [0, 0],
    [-50, -50],
    [200, 200],
    [-51, Number.NaN],
    [-99, Number.NaN],
    [201, Number.NaN],
    [1.5, Number.NaN],
    [Number.NaN, Number.NaN],
    [undefined, Number.NaN],
  ])('of floor %s is on floor %d', (floor, index) => {
    const { report } = screen({ ...(floor !== undefined && { floor }), wifiAccessPoints: [WIFI] });
    expect(report?.floor).toBe(index);
  });

  test('takes what means unknown as not stated', () => {
    const { report } = screen({
      timeMs: Number.NaN,
      accuracyMetres: 0,
      speed: -1,
      heading: -1,
      altitude: Number.NaN,
      positionAgeMs: Number.NaN,
      wifiAccessPoints: [WIFI],
    });
    expect(report).toMatchObject({
      timeMs: NOW,
      isTimed: false,
      accuracyMetres: Number.NaN,
      speed: Number.NaN,
      heading: Number.NaN,
    });
  });

  test('of which nothing is left is refused', () => {
    for (const draft of [{}, { wifiAccessPoints: [] }]) {
      expect(screen(draft)).toMatchObject({
        report: undefined,
        rules: { 'nothing left': 1 },
        counts: { reports: 1, refused: 1 },
      });
    }
    const { report, rules, counts } = screen({ wifiAccessPoints: [{ ...WIFI, ssid: 'x_nomap' }] });
    expect(report).toBeUndefined();
    expect(rules).toEqual({ 'opted out': 1, 'nothing left': 1 });
    expect(counts).toMatchObject({ refused: 1, observations: 1, acceptedObservations: 0 });
  });

  test('may have a thousand entries over all lists, not one more', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        macAddress: `88f7c700${i.toString(16).padStart(4, '0')}`,
        signalStrength: -70,
      }));
    const draft = { wifiAccessPoints: many(998), bluetoothBeacons: [BEACON], cellTowers: [CELL] };
    expect(countEntries({ ...POSITION, ...draft })).toBe(1000);
    expect(screen(draft)).toMatchObject({ counts: { acceptedObservations: 1000 }, rules: {} });
    expect(screen({ ...draft, wifiAccessPoints: many(999) })).toMatchObject({
      report: undefined,
      rules: { 'too many stations': 1 },
      counts: { observations: 1001 },
    });
  });
});

describe('position and time', () => {
  test.each([
    ['position', { latitude: 90.001 }],
    ['position', { latitude: Number.NaN }],
    ['position', { longitude: -180.001 }],
    ['position', { longitude: Number.POSITIVE_INFINITY }],
    [undefined, { latitude: -90, longitude: 180 }],
    ['position', { latitude: -90, longitude: 180, accuracyMetres: 0 }],
    ['position', { latitude: 90, longitude: 180, accuracyMetres: Number.NaN }],
    ['null island', { latitude: 0, longitude: 0 }],
    ['null island', { latitude: -1, longitude: 1 }],
    [undefined, { latitude: 1.001, longitude: 0 }],
    [undefined, { latitude: 0, longitude: -1.001 }],
    ['time', { timeMs: NOW + DAY + 1 }],
    [undefined, { timeMs: NOW + DAY }],
    ['time', { timeMs: Date.UTC(2000, 0, 1) - 1 }],
    [undefined, { timeMs: Date.UTC(2000, 0, 1) }],
    ['position age', { positionAgeMs: 20_001 }],
    ['position age', { positionAgeMs: -20_001 }],
    [undefined, { positionAgeMs: -20_000 }],
    [undefined, { positionAgeMs: 20_000 }],
    ['speed', { speed: 50.1 }],
    ['position source', { source: 'query' }],
    [undefined, { speed: 50 }],
    ['altitude', { altitude: -501 }],
    [undefined, { altitude: -500 }],
    [undefined, { altitude: 5500 }],
    ['altitude', { altitude: 5501 }],
  ])('%s: %o', (rule, draft) => {
    expect(ruleOfReport(draft)).toBe(rule);
  });

  test.each([
    [100, {}],
    [100.5, { accuracy: 1 }],
    [200, { accuracy: 1 }],
    [200.5, { accuracy: 2 }],
    [1000, { accuracy: 2 }],
    [1000.5, { accuracy: 3, 'nothing left': 1 }],
    [-1, { accuracy: 3, 'nothing left': 1 }],
    [0, {}],
    [Number.NaN, {}],
  ])('an accuracy of %d m is judged for each kind of station', (accuracyMetres, rules) => {
    expect(
      screen({ accuracyMetres, wifiAccessPoints: [WIFI], bluetoothBeacons: [BEACON], cellTowers: [CELL] }).rules,
    ).toEqual(rules);
  });
});

describe('whatever is listed', () => {
  const ENTRY = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        macAddress: fc.oneof(fc.jsonValue(), fc.constantFrom('88:f7:c7:52:54:c6', 'ffffffffffff')),
        ssid: fc.jsonValue(),
        ssidHex: fc.oneof(fc.jsonValue(), fc.constant('5f6e6f6d6170')),
        name: fc.jsonValue(),
        age: fc.oneof(fc.jsonValue(), fc.double()),
        uuid: fc.jsonValue(),
        radioType: fc.oneof(fc.jsonValue(), fc.constantFrom('gsm', 'lte', 'nr', 'cdma')),
        mobileCountryCode: fc.oneof(fc.jsonValue(), fc.integer({ min: -1, max: 1001 })),
        mobileNetworkCode: fc.oneof(fc.jsonValue(), fc.nat(1000)),
        locationAreaCode: fc.oneof(fc.jsonValue(), fc.nat(70_000)),
        cellId: fc.oneof(fc.jsonValue(), fc.nat()),
        newRadioCellId: fc.jsonValue(),
        primaryScramblingCode: fc.oneof(fc.jsonValue(), fc.nat(600)),
        serving: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  const LIST = fc.option(fc.array(ENTRY, { maxLength: 12 }), { nil: undefined });
  const NUMBER = fc.option(fc.oneof(fc.double(), fc.double({ min: 0, max: 100 })), { nil: undefined });
  const DRAFT = fc.record({
    timeMs: NUMBER,
    latitude: fc.oneof(fc.double({ min: -95, max: 95 }), fc.double()),
    longitude: fc.oneof(fc.double({ min: -185, max: 185 }), fc.double()),
    accuracyMetres: NUMBER,
    positionAgeMs: NUMBER,
    altitude: NUMBER,
    heading: NUMBER,
    speed: NUMBER,
    floor: NUMBER,
    wifiAccessPoints: LIST,
    bluetoothBeacons: LIST,
    cellTowers: LIST,
    radioType: fc.jsonValue(),
  });
  const ofReports = new Set<string>(INTAKE_RULES.filter(({ refuses }) => refuses === 'report').map(({ name }) => name));

  test('nothing is thrown, and everything is counted once', () => {
    fc.assert(
      fc.property(DRAFT, drawn => {
        const tally = new Tally();
        const draft = Object.fromEntries(
          Object.entries(drawn).filter(([, value]) => value !== undefined),
        ) as unknown as ReportDraft;
        const report = screenReport(draft, ORIGIN, tally);
        const { accepted, refused, observations, acceptedObservations, refusedByRule } = tally.toJSON();
        const refusals = Object.entries(refusedByRule);
        const reportsRefused = refusals.filter(([name]) => ofReports.has(name));
        const entriesRefused = refusals
          .filter(([name]) => !ofReports.has(name))
          .reduce((sum, [, count]) => sum + count, 0);
        expect([accepted, refused]).toEqual(report === undefined ? [0, 1] : [1, 0]);
        expect(reportsRefused.map(([, count]) => count)).toEqual(report === undefined ? [1] : []);
        expect(acceptedObservations).toBe((report?.observations.length ?? 0) / OBSERVATION_BYTES);
        const isScreened = report !== undefined || reportsRefused[0][0] === 'nothing left';
        expect(entriesRefused + acceptedObservations).toBe(isScreened ? observations : 0);
        expect(new Set(stationsOf(report?.observations)).size).toBe(acceptedObservations);
      }),
      { seed: 20_261_121, numRuns: 2000 },
    );
  });
});
