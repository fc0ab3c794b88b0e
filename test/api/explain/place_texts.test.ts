// What `sextant explain --search` and `--reverse` say to people.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Section, textOf } from '../../../src/api/explain/explained.ts';
import { describePoint } from '../../../src/api/explain/reverse.ts';
import { describeSearch } from '../../../src/api/explain/search.ts';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { type Drawn, withDrawn, worldPlace } from '../../kits/places/layers.ts';
import { runSextant } from '../../kits/service_process.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

// Springfield twice, one of them larger, and a state of the country.
const WORLD: readonly Drawn[] = [
  worldPlace('country', 'United States', 4, 39.8, -98.6, { countryCode: 'us', importance: 0.9 }),
  worldPlace('state', 'Illinois', 8, 40, -89, { countryCode: 'us', rows: [1], importance: 0.3 }),
  worldPlace('city', 'Springfield', 16, 39.8, -89.65, { countryCode: 'us', rows: [2, 1], importance: 0.4 }),
  worldPlace('village', 'Springfield', 19, 39.9, -89.9, { countryCode: 'us', rows: [2, 1], importance: 0.147 }),
];

/** Lines without the times of steps. */
function linesOf(sections: readonly Section[]): string[] {
  return textOf(sections)
    .replaceAll(/\d+ µs/g, '# µs')
    .trimEnd()
    .split('\n');
}

function searched(text: string): Promise<string[]> {
  return withDrawn({ world: WORLD }, geocoder =>
    linesOf(describeSearch(geocoder.explainSearch(freeTextQuestion(text)).explained)),
  );
}

function reversed(latitude: number, longitude: number, zoom = 18): Promise<string[]> {
  return withDrawn({ world: WORLD }, geocoder =>
    linesOf(describePoint(geocoder.explainReverse({ latitude, longitude, zoom, languages: [] }).explained)),
  );
}

test('a mistyped word, the step that found it, and why the second is not the first', async () => {
  expect(await searched('Springfeld')).toEqual([
    'Words',
    '  springfeld (gazetteer: 0 places, 100 % of the query)',
    '  springfeld may be a typing error for springfield (gazetteer: 2 places, penalty 0.3 by share)',
    'Steps',
    '  reading; # µs',
    '  words as they are written, gazetteer: left out, as no place of it could be in the answer; # µs',
    '  words with one letter mistyped, gazetteer: 2 places rated, there are answers; # µs',
    '  joining the layers; # µs',
    '  description; # µs',
    'Places',
    '  1. Springfield, Illinois, United States (gazetteer), in the answer',
    '     penalty 0.090 = readings +0.300, wholeName -0.050, importance -0.160',
    '     springfeld as springfield in its name',
    '  2. Springfield, Illinois, United States (gazetteer), in the answer',
    '     penalty 0.191 = readings +0.300, wholeName -0.050, importance -0.059',
    '     springfeld as springfield in its name',
    'The second would be the first with a penalty smaller by 0.101. It differs by importance +0.101.',
  ]);
});

test('a search without an answer names what its words leave', async () => {
  const lines = await searched('Springfield Illinoys Qwertyuiop');
  expect(lines).toContain(
    '  1. Springfield, Illinois, United States (gazetteer), dropped: it leaves words that a result must explain',
  );
  expect(lines).toContain('     springfield in its name, illinoys as illinois in an area around it; left: qwertyuiop');
  expect((await searched('Qwertyuiop')).at(-1)).toBe(
    'No place was rated: some word is in the name of none, however it is read.',
  );
});

test('coordinates in a search are explained as a point', async () => {
  const [first, ...point] = await searched('39.81, -89.65');
  expect(first).toBe('The query is coordinates.');
  expect(point).toEqual(await reversed(39.81, -89.65));
});

test('a point between two towns belongs to the one that reaches farther', async () => {
  expect(await reversed(39.86, -89.8)).toEqual([
    'Point: 39.86, -89.8, zoom 18, country us',
    'Answer: Springfield, Illinois, United States (gazetteer), 14.4 km away: it has the least distance of all ' +
      'towns, where larger towns reach farther',
    'Around, town (gazetteer)',
    '  Springfield, Illinois, United States: 14.4 km, counts as 5.8 km (the answer)',
    '  Springfield, Illinois, United States: 9.6 km, counts as 9.6 km',
    'Time: country # µs, gazetteer # µs, description # µs',
  ]);
});

test('a coarse zoom and the open sea', async () => {
  expect((await reversed(39.86, -89.8, 6))[1]).toBe(
    'Answer: Illinois, United States (gazetteer), 70.0 km away: it is the state of the nearest town',
  );
  expect((await reversed(30, -40)).slice(0, 2)).toEqual(['Point: 30, -40, zoom 18, in no country', 'Answer: none']);
});

test('the command refuses what it cannot read, and two questions at once', async () => {
  const folder = join(temporaryFolder(), 'data');
  await runSextant('import', 'osm', 'docs/examples/village.osm.pbf', '--data', folder);
  const told = await Promise.all(
    [
      ['--reverse', '95,2'],
      ['--reverse', '/reverse?lat=5'],
      ['--search', ' '],
      ['--search', 'a', '--reverse', '1,2'],
    ].map(words => runSextant('explain', '--data', folder, ...words)),
  );
  expect(told.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, 'lat must be a number from -90 to 90.\n'],
    [1, 'lon is missing.\n'],
    [1, 'q is missing.\n'],
    [2, expect.stringMatching(/^error: name one question: /)],
  ]);
});
