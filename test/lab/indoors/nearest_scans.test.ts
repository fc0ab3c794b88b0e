import { expect, test } from 'vitest';
import type { IndoorScan } from '../../../lab/indoors/indoor_scan.ts';
import { nearestScans, powerCentroid } from '../../../lab/indoors/nearest_scans.ts';
import { drawnScan } from './drawn_scan.ts';

const heard = (...levels: (number | undefined)[]) =>
  levels.flatMap((signalStrength, i) =>
    signalStrength === undefined ? [] : [{ macAddress: `station ${i}`, signalStrength }],
  );
const scanOf = (levels: (number | undefined)[], changes: Partial<IndoorScan> = {}) =>
  drawnScan({ wifiAccessPoints: heard(...levels), ...changes });

test('the scan that is most alike is answered, with its floor', () => {
  const method = nearestScans(1, 3_000);
  method.train(scanOf([-40, -80], { latitude: 1, floor: 2 }));
  method.train(scanOf([-80, -40], { latitude: 2, floor: 3 }));
  expect(method.answer(scanOf([-45, -85]))).toMatchObject({
    latitude: 1,
    floor: 2,
    building: 'Hall',
    accuracyMetres: 1,
  });
  expect(method.answer(scanOf([-90, -50]))).toMatchObject({ latitude: 2, floor: 3 });
});

test('the floor with most votes is answered, and the mean of the scans there', () => {
  const method = nearestScans(3, 3_000);
  for (const [latitude, floor] of [
    [1, 0],
    [1.001, 0],
    [5, 1],
  ])
    method.train(scanOf([-50], { latitude, floor }));
  const answer = method.answer(scanOf([-50]))!;
  expect([answer.latitude, answer.floor]).toEqual([expect.closeTo(1.0005, 6), 0]);
  expect(answer.accuracyMetres).toBeCloseTo(55.6, 0);
});

test('who hears nothing that is known gets no answer', () => {
  const method = nearestScans(3, 3_000);
  expect(method.answer(scanOf([-50]))).toBeUndefined();
  method.train(scanOf([undefined, -50]));
  expect(method.answer(scanOf([-50]))).toBeUndefined();
  expect(method.answer(scanOf([]))).toBeUndefined();
});

test('old readings are left out', () => {
  const method = nearestScans(1, 3_000);
  method.train(scanOf([-50], { latitude: 1 }));
  const aged = (age: number) => drawnScan({ wifiAccessPoints: [{ ...heard(-50)[0], age }] });
  expect(method.answer(aged(3_000))).toMatchObject({ latitude: 1 });
  expect(method.answer(aged(3_001))).toBeUndefined();
});

test('the centroid weighs stations and observations by their power, and knows no floor', () => {
  const method = powerCentroid(3_000);
  method.train(scanOf([-40, undefined], { latitude: 1 }));
  method.train(scanOf([undefined, -40], { latitude: 2 }));
  const answer = method.answer(scanOf([-50, -60]))!;
  expect(answer.latitude).toBeCloseTo((10 * 1 + 2) / 11, 6);
  expect([answer.floor, answer.accuracyMetres]).toEqual([undefined, undefined]);
  expect(method.answer(scanOf([-50]))).toBeUndefined();
});
