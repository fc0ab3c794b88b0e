import { expect, test } from 'vitest';
import { Fingerprints } from '../../lab/fingerprints.ts';
import { uniform } from '../kits/random.ts';

const scaled = (signalDbm: number) => ((signalDbm + 115) / 115) ** Math.E;

test('the nearest scans are those of the smallest Sørensen distance over all cells', () => {
  const random = uniform(8);
  const draw = () =>
    new Map(Array.from({ length: 4 }, () => [`c${Math.floor(random() * 8)}`, -110 + 70 * random()] as const));
  const fingerprints = new Fingerprints();
  const scans = Array.from({ length: 60 }, (_, i) => ({ signals: draw(), latitude: 50 + i / 1000, longitude: 4 }));
  const listed = (signals: Map<string, number>) => [...signals].map(([key, signalDbm]) => ({ key, signalDbm }));
  for (const scan of scans) fingerprints.add(listed(scan.signals), scan);
  for (let round = 0; round < 20; round++) {
    const asked = draw();
    const ranked = scans
      .map(({ signals, latitude }) => {
        let difference = 0;
        let sum = 0;
        for (const key of new Set([...signals.keys(), ...asked.keys()])) {
          const a = signals.has(key) ? scaled(signals.get(key)!) : 0;
          const b = asked.has(key) ? scaled(asked.get(key)!) : 0;
          difference += Math.abs(a - b);
          sum += a + b;
        }
        return { distance: difference / sum, latitude };
      })
      .filter(({ distance }) => distance < 1)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 5);
    const mean = ranked.reduce((sum, { latitude }) => sum + latitude, 0) / ranked.length;
    const weights = ranked.map(({ distance }) => Math.max(0.01, distance) ** -4);
    const sharp =
      ranked.reduce((sum, { latitude }, i) => sum + weights[i] * latitude, 0) /
      weights.reduce((sum, weight) => sum + weight, 0);
    const [even, weighted] = fingerprints.answers(listed(asked), [
      { neighbours: 5, sharpness: 0 },
      { neighbours: 5, sharpness: 4 },
    ]);
    expect(even?.latitude).toBeCloseTo(mean, 9);
    expect(weighted?.latitude).toBeCloseTo(sharp, 9);
  }
});

test('a scan without a cell in common has no neighbours', () => {
  const fingerprints = new Fingerprints();
  fingerprints.add([{ key: 'a', signalDbm: -60 }], { latitude: 50, longitude: 4 });
  const ten = [{ neighbours: 10, sharpness: 0 }];
  expect(fingerprints.answers([{ key: 'b', signalDbm: -60 }], ten)).toEqual([undefined]);
  expect(fingerprints.answers([{ key: 'a', signalDbm: -120 }], ten)).toEqual([
    { latitude: 50, longitude: 4, accuracyMetres: 0 },
  ]);
});

test('scans that are equally near count alike, whatever their order', () => {
  const scans = [...[50, 51, 52, 53].map(latitude => ({ signalDbm: -80, latitude })), { signalDbm: -70, latitude: 60 }];
  const neighbourhoods = [1, 2, 5].flatMap(neighbours => [0, 4].map(sharpness => ({ neighbours, sharpness })));
  for (const ordered of [scans, scans.toReversed()]) {
    const fingerprints = new Fingerprints();
    for (const { signalDbm, latitude } of ordered)
      fingerprints.add([{ key: 'a', signalDbm }], { latitude, longitude: 4 });
    const latitudes = fingerprints
      .answers([{ key: 'a', signalDbm: -70 }], neighbourhoods)
      .map(answer => answer!.latitude);
    expect(latitudes[0]).toBe(60);
    // Of two neighbours, the second is all four that come next, each with a quarter of its weight.
    expect(latitudes[2]).toBeCloseTo((60 + 51.5) / 2, 9);
    expect(latitudes[4]).toBeCloseTo((60 + 4 * 51.5) / 5, 9);
    const [asked, other] = [scaled(-70), scaled(-80)];
    const weight = ((asked - other) / (asked + other)) ** -4;
    expect(latitudes[3]).toBeCloseTo((0.01 ** -4 * 60 + weight * 51.5) / (0.01 ** -4 + weight), 9);
  }
});
