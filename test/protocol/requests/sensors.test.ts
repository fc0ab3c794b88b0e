import { describe, expect, test } from 'vitest';
import { ACTIVITIES, motionOf, readSensors } from '../../../src/protocol/requests/sensors.ts';
import { WANTS_TRACK } from '../../../src/radio/query/layout.ts';
import { queryOf } from '../../kits/radio/query_in_memory.ts';

const sensorsOf = (...sensors: unknown[]) => readSensors(sensors);
const none = { pressure: undefined, steps: undefined, heading: undefined, activity: undefined };

test.each([
  ['pressure', [1, 1013.25, 1200], [0, -1, 1201, 'x']],
  ['steps', [0, 7, 65_535], [-1, 65_536, 'x']],
  ['heading', [0, 180, 359], [-1, 360, 'x']],
  [
    'activity',
    ['IN_VEHICLE', 'ON_BICYCLE', 'ON_FOOT', 'RUNNING', 'STILL', 'TILTING', 'UNKNOWN', 'WALKING'],
    ['FLYING', 'still', 3],
  ],
] as const)('%s is kept in range and dropped outside', (field, inside, outside) => {
  for (const value of inside) expect(sensorsOf({ [field]: value })).toEqual([{ ...none, [field]: value }]);
  for (const value of [...outside, null, undefined, {}])
    expect(sensorsOf({ [field]: value, activity: field === 'activity' ? value : 'STILL' })).toEqual(
      field === 'activity' ? [] : [{ ...none, activity: 'STILL' }],
    );
});

test('numbers may be text', () => {
  expect(sensorsOf({ pressure: '1013', steps: '4' })).toEqual([{ ...none, pressure: 1013, steps: 4 }]);
});

test('entries without any usable value are skipped', () => {
  expect(sensorsOf(null, 4, 'x', [], {}, { other: 1 })).toEqual([]);
});

describe('together', () => {
  const together = (...entries: object[]) => motionOf(readSensors(entries));
  const nothing = { pressureHpa: Number.NaN, steps: Number.NaN, headingDegrees: Number.NaN, activity: -1 };

  test('entries without values say nothing', () => {
    expect(together()).toEqual(nothing);
    expect(together({ steps: -1 }, {})).toEqual(nothing);
  });

  test('the last pressure, heading and activity count', () => {
    const motion = together(
      { pressure: 1013, heading: 10, activity: 'WALKING' },
      { pressure: 1012, heading: 20 },
      { activity: 'STILL' },
    );
    expect(motion).toEqual({
      ...nothing,
      pressureHpa: 1012,
      headingDegrees: 20,
      activity: ACTIVITIES.indexOf('STILL'),
    });
  });

  test('legs with headings make a straight line', () => {
    const { steps, headingDegrees } = together({ steps: 3, heading: 0 }, { steps: 4, heading: 90 });
    expect(steps).toBeCloseTo(5, 9);
    expect(headingDegrees).toBeCloseTo((Math.atan2(4, 3) * 180) / Math.PI, 9);
    expect(together({ steps: 4, heading: 10 }, { steps: 4, heading: 190 }).steps).toBeCloseTo(0, 9);
    expect(together({ steps: 7, heading: 350 }).headingDegrees).toBeCloseTo(350, 9);
  });

  test('steps are added where a leg has no heading, or none are taken', () => {
    expect(together({ steps: 3, heading: 180 }, { steps: 4 })).toEqual({ ...nothing, steps: 7, headingDegrees: 180 });
    expect(together({ steps: 0, heading: 359 })).toEqual({ ...nothing, steps: 0, headingDegrees: 359 });
  });
});

test('the query of a tracked device has them, with its time and what its state holds; others have nothing of it', () => {
  const body = { timestamp: 1_600_000_000, sensors: [{ pressure: 990, steps: 8, heading: 45, activity: 'RUNNING' }] };
  const motion = { pressureHpa: 990, steps: 8, headingDegrees: 45, activity: ACTIVITIES.indexOf('RUNNING') };
  for (const state of [undefined, Uint8Array.of(1, 2, 3)]) {
    const { track, length, end } = queryOf(body, WANTS_TRACK, state);
    expect([track?.timeMs, track?.state, length]).toEqual([1_600_000_000_000, state, end]);
    for (const [name, value] of Object.entries(motion))
      expect(track?.motion[name as keyof typeof motion]).toBeCloseTo(value, 4);
  }
  expect(queryOf(body).track).toBeUndefined();
});
