import { expect, test } from 'vitest';
import { box, coordinate, flag, listed, oneOf, plain, Query, words } from '../../../src/protocol/requests/query.ts';
import { LATITUDE } from '../../../src/radio/ranges.ts';

const QUERY = new Query({
  lat: coordinate(LATITUDE, 'Degrees.', 47.1),
  q: words('What is searched for.'),
  form: oneOf(['text', 'json'], 'text', 'The form.'),
  deep: flag(true, 'Deep.'),
  codes: listed(2, 'Codes.', 'a,b'),
  bbox: box('A box.'),
  lang: plain('A language.', 'de'),
});

test('each parameter is read by its kind, and one without a value as if it were not there', () => {
  const { lat, q, form, deep, codes, bbox, lang } = QUERY.read('/x?lat=1&q=+a+&form=json&deep=0&codes=,a,%20b,c&lang=');
  expect({ lat, q, form, deep, codes, bbox, lang }).toEqual({
    lat: 1,
    q: 'a',
    form: 'json',
    deep: false,
    codes: ['a'],
    bbox: undefined,
    lang: undefined,
  });
  const none = QUERY.read('/x');
  expect([none.form, none.deep, none.codes]).toEqual(['text', true, []]);
});

test('a parameter that is wrong is refused by its name, once it is asked for', () => {
  const sent = QUERY.read(`/x?lat=91&form=xml&bbox=1,2&q=${'a'.repeat(1001)}`);
  expect(() => sent.lat).toThrow('lat must be a number from -90 to 90.');
  expect(() => sent.form).toThrow('form must be one of text, json.');
  expect(() => sent.bbox).toThrow('bbox must be four numbers');
  expect(() => sent.q).toThrow('q must have at most 1000 characters.');
  expect(() => QUERY.read('/x').lat).toThrow('lat is missing.');
});

test('the document lists the parameters in their order', () => {
  expect(QUERY.documented.slice(0, 3)).toEqual([
    {
      name: 'lat',
      in: 'query',
      description: 'Degrees.',
      schema: { type: 'number', minimum: -90, maximum: 90 },
      example: 47.1,
      required: true,
    },
    { name: 'q', in: 'query', description: 'What is searched for.', schema: { type: 'string', maxLength: 1000 } },
    { name: 'form', in: 'query', description: 'The form.', schema: { enum: ['text', 'json'], default: 'text' } },
  ]);
});
