import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

// 600 towns, more than a list of documents holds. Each has a main street and a café there. Every second town is called
// Neustadt too.

const TOWNS = 600;
const ADDED = 'abcdefghij';

let layer: LineLayer;

beforeAll(async () => {
  const lines = ['li | place=country | Liechtenstein'];
  for (let i = 0; i < TOWNS; i++) {
    lines.push(`t${i} | boundary=administrative | ${nameOf(i)}${i % 2 === 0 ? ' Neustadt' : ''} | | | | li`);
    lines.push(`s${i} | highway=residential | Hauptstrasse | | | | t${i} li`);
    lines.push(`c${i} | amenity=cafe | | | | s${i} |`);
  }
  layer = await layerOf(lines.join('\n'));
});

afterAll(() => layer.close());

/** A name of its own, more than two letters from every other. */
function nameOf(town: number): string {
  return [...String(town).padStart(3, '0')].map(digit => ADDED[Number(digit)].repeat(3)).join('');
}

test.each([0, 1, 300, 597, 598, 599])('a street that every town has is found in town %i', town => {
  expect(layer.find(`Hauptstrasse, ${nameOf(town)}`)[0]).toBe(`s${town}`);
  expect(layer.find(`${nameOf(town)} Hauptstr`, { isAutocomplete: true })[0]).toBe(`s${town}`);
});

test.each([0, 301, 599])('a kind that every town has is found in town %i, and at its street', town => {
  expect(layer.find(`cafe in ${nameOf(town)}`)[0]).toBe(`c${town}`);
  expect(layer.find(`cafe Hauptstrasse ${nameOf(town)}`)[0]).toBe(`c${town}`);
  expect(layer.find(`[amenity=cafe] ${nameOf(town)}`)[0]).toBe(`c${town}`);
});

test('a common word alone finds some of the places', () => {
  expect(layer.find('Hauptstrasse', { limit: 50 })).toHaveLength(50);
});

test('the same question has the same answer, also if it is long and vague', () => {
  const question = Array.from({ length: 15 }, () => 'Neustadt Hauptstrase').join(' ');
  expect(layer.find(question, { isAutocomplete: true })).toEqual(layer.find(question, { isAutocomplete: true }));
});
