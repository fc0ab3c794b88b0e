import { expect, test } from 'vitest';
import { INTAKE_RULES } from '../../src/intake/rules.ts';

test('rules have different names and each a whole sentence', () => {
  const names = INTAKE_RULES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, description } of INTAKE_RULES) expect(description, name).toMatch(/^[A-Z][^\n]*[^.]\.$/);
});

test('the limits stand in the descriptions', () => {
  const descriptions = Object.fromEntries(INTAKE_RULES.map(({ name, description }) => [name, description]));
  expect(descriptions).toMatchObject({
    'too many stations': 'A report lists more than 1000 entries.',
    'null island': 'Latitude and longitude both lie within 1 degree of 0.',
    time: 'The time lies before the year 2000, or more than 24 hours after its arrival.',
    'position age': 'Position and report are more than 20 s apart.',
    speed: 'The device moved faster than 50 m/s.',
    altitude: 'The altitude lies outside -500..5500 m.',
    'outside its country': 'The cell was heard more than 20 km outside every country of its country code.',
  });
  expect(descriptions.accuracy).toContain('200 m for an access point, 100 m for a beacon, 1000 m for a cell');
  expect(descriptions['reading age']).toContain('more than 20 s');
  expect(descriptions['impossible jump']).toContain('100 m/s');
});
