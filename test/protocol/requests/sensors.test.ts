import { expect, test } from 'vitest';
import { queryOf } from '../../kits/radio/query_in_memory.ts';

const sensorsOf = (...sensors: unknown[]) => queryOf({ sensors }).outcome.sensors;
const none = { pressure: undefined, steps: undefined, heading: undefined, activity: undefined };

test.each([
  ['pressure', [1, 1013.25, 1200], [0, -1, 1201, 'x']],
  ['steps', [0, 7, 65_535], [-1, 65_536, 'x']],
  ['heading', [0, 180, 359], [-1, 360, 'x']],
  ['activity', ['IN_VEHICLE', 'ON_BICYCLE', 'ON_FOOT', 'RUNNING', 'STILL', 'TILTING', 'UNKNOWN', 'WALKING'], ['FLYING', 'still', 3]],
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

test('entries without any usable value are skipped, and no list is no readings', () => {
  expect(sensorsOf(null, 4, 'x', [], {}, { other: 1 })).toEqual([]);
  expect([queryOf({}).outcome.sensors, queryOf({ sensors: null }).outcome.sensors]).toEqual([undefined, undefined]);
});
