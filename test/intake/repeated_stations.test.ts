import { describe, expect, test } from 'vitest';
import { FLAG_SERVING, OBSERVATION_AGE, OBSERVATION_FLAGS, OBSERVATION_SIGNAL } from '../../src/radio/query/layout.ts';
import { CELL, OTHER_WIFI, screen, values, WIFI } from './screened.ts';

describe('a station that is listed twice', () => {
  const signals = (entries: unknown[]) =>
    values(screen({ wifiAccessPoints: entries }).report!.observations, OBSERVATION_SIGNAL);

  test('keeps its strongest reading, and a stated one before none', () => {
    expect(signals([WIFI, { ...WIFI, signalStrength: -50 }, { ...WIFI, signalStrength: -55 }])).toEqual([-50]);
    expect(signals([{ ...WIFI, signalStrength: undefined }, WIFI])).toEqual([-60]);
    expect(signals([WIFI, { ...WIFI, signalStrength: undefined }])).toEqual([-60]);
    expect(screen({ wifiAccessPoints: [WIFI, WIFI, OTHER_WIFI] })).toMatchObject({
      rules: { repeated: 1 },
      counts: { acceptedObservations: 2 },
    });
  });

  test('keeps the younger of equally strong ones', () => {
    const agesOf = (...ages: (number | undefined)[]) => {
      const { report } = screen({ wifiAccessPoints: ages.map(age => ({ ...WIFI, age })) });
      return values(report!.observations, OBSERVATION_AGE);
    };
    expect(agesOf(900, 100, 500)).toEqual([100]);
    expect(agesOf(undefined, 500)).toEqual([500]);
    expect(agesOf(500, undefined)).toEqual([500]);
  });

  test('stays where its first reading stood, and counts a refused reading under its own rule', () => {
    const old = { ...WIFI, signalStrength: -30, age: 30_000 };
    const { stations, rules, report } = screen({
      wifiAccessPoints: [old, WIFI, OTHER_WIFI, { ...WIFI, signalStrength: -40 }],
    });
    expect(stations).toEqual(['wifi 88:f7:c7:52:54:c6', 'wifi 88:f7:c7:52:54:c7']);
    expect(values(report!.observations, OBSERVATION_SIGNAL)).toEqual([-40, -70]);
    expect(rules).toEqual({ 'reading age': 1, repeated: 1 });
  });

  test('stays the serving cell when one of its readings says so', () => {
    const { report } = screen({
      cellTowers: [
        { ...CELL, cellId: 1000, signalStrength: -60 },
        { ...CELL, serving: 1, signalStrength: -90 },
        { ...CELL, signalStrength: -80 },
      ],
    });
    expect(values(report!.observations, OBSERVATION_SIGNAL)).toEqual([-60, -80]);
    expect(values(report!.observations, OBSERVATION_FLAGS).map(flags => flags & FLAG_SERVING)).toEqual([0, 1]);
  });

  test('is one of another kind with the same address', () => {
    expect(
      screen({ wifiAccessPoints: [WIFI], bluetoothBeacons: [{ macAddress: WIFI.macAddress }] }).stations,
    ).toHaveLength(2);
  });
});
