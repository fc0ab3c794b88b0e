import { expect, test } from 'vitest';
import { withoutPhoneNumbers } from '../../../../src/geocoding/search/words/phone_numbers.ts';

test.each([
  ['Larks Store +356 99821491', 'Larks Store'],
  ['Larks Store, +423/232 20 42', 'Larks Store'],
  ['tel. +4233736650 Larks Store', 'Larks Store'],
  ['Larks Store 0041 76 700 60 06', 'Larks Store'],
  ['Larks Store Tel.: 373 66 50', 'Larks Store'],
  ['Larks Store тел. 8 (495) 123-45-67', 'Larks Store'],
  ['Larks Store τηλ 2101234567', 'Larks Store'],
  ['Larks Store (+423) 399 33 11', 'Larks Store'],
])('%s is %s', (text, rest) => {
  expect(withoutPhoneNumbers(text)).toBe(rest);
});

test.each([
  ['Larks Store (356) 99821491', 'Larks Store'],
  ['Larks Store, 423 230 10 40', 'Larks Store'],
  ['Larks Store 21378606', 'Larks Store'],
])('%s is %s only where nothing is found with the number', (text, rest) => {
  expect(withoutPhoneNumbers(text)).toBe(text);
  expect(withoutPhoneNumbers(text, true)).toBe(rest);
});

test.each([
  'Tel Aviv 12',
  '+47.140000, +9.520000',
  '47.1410000 9.5210000',
  '8FVC9G8F+6X',
  'GV35+22 London',
  '12-14 Larks Lane, 9490 Vauclair',
  'Larks Lane 1234567',
])('%s has none', text => {
  expect(withoutPhoneNumbers(text, true)).toBe(text);
});
