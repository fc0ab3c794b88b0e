import { expect, test } from 'vitest';
import { isGuided, leavesBuilding, moveOf, plausibleMotion } from '../../../src/indoor/tracking/motion.ts';
import { motion } from '../../kits/tracked_building.ts';

const [IN_VEHICLE, ON_BICYCLE, ON_FOOT, RUNNING, STILL] = [0, 1, 2, 3, 4];

test('steps with a heading are a way in its direction, of 0.65 m each', () => {
  const move = moveOf(motion({ steps: 10, headingDegrees: 90 }), 5);
  expect(move.lengthMetres).toBeCloseTo(6.5);
  expect(move.heading).toBeCloseTo(Math.PI / 2);
  expect(move.driftSigma).toBeLessThan(1);
});

test('steps without a heading lead anywhere on a circle', () => {
  const { lengthMetres, driftSigma } = moveOf(motion({ steps: 10 }), 5);
  expect(lengthMetres).toBe(0);
  expect(driftSigma).toBeCloseTo(6.5 / Math.SQRT2, 0);
});

test('no steps are no way', () => {
  expect(moveOf(motion({ steps: 0, headingDegrees: 90 }), 5)).toMatchObject({ lengthMetres: 0, lengthSigma: 0 });
  expect(moveOf(motion({ steps: 5000, headingDegrees: 90 }), 5).lengthMetres).toBeCloseTo(3250);
});

test('more steps than anybody takes in the time, and pressures that are nowhere, count as not sent', () => {
  const believed = (sent: Parameters<typeof motion>[0], seconds = 5) => plausibleMotion(motion(sent), seconds);
  for (const steps of [0, 10, 20])
    expect(believed({ steps, headingDegrees: 90 })).toEqual(motion({ steps, headingDegrees: 90 }));
  for (const steps of [20.5, 21, 5000, 65_535])
    expect(believed({ steps, headingDegrees: 90 })).toEqual(motion({ headingDegrees: 90 }));
  expect(believed({ steps: 240 }, 60).steps).toBe(240);
  expect(believed({ steps: 241 }, 60).steps).toBeNaN();
  for (const pressureHpa of [300, 650, 1100]) expect(believed({ pressureHpa }).pressureHpa).toBe(pressureHpa);
  for (const pressureHpa of [1, 249, 299.9, 1100.1, 1200]) expect(believed({ pressureHpa }).pressureHpa).toBeNaN();
});

test('without steps a device spreads with time, by what it does', () => {
  const spread = (activity: number, seconds = 5) => moveOf(motion({ activity }), seconds).driftSigma;
  expect(spread(STILL)).toBeLessThan(0.6);
  expect(spread(ON_FOOT)).toBe(spread(-1));
  expect(spread(RUNNING)).toBeGreaterThan(1.5 * spread(ON_FOOT));
  expect(spread(ON_BICYCLE)).toBeGreaterThan(spread(RUNNING));
  expect(spread(ON_FOOT, 60)).toBeGreaterThan(2 * spread(ON_FOOT));
});

test('only a vehicle leaves the building', () => {
  for (const activity of [-1, ON_BICYCLE, ON_FOOT, RUNNING, STILL])
    expect(leavesBuilding(motion({ activity }))).toBe(false);
  expect(leavesBuilding(motion({ activity: IN_VEHICLE }))).toBe(true);
});

test('steps in a direction guide a track, and so does standing still; less does not', () => {
  for (const sent of [{ steps: 3, headingDegrees: 0 }, { steps: 0 }, { activity: STILL }])
    expect(isGuided(motion(sent)), JSON.stringify(sent)).toBe(true);
  for (const sent of [{}, { steps: 3 }, { headingDegrees: 90 }, { activity: ON_FOOT }])
    expect(isGuided(motion(sent)), JSON.stringify(sent)).toBe(false);
});
