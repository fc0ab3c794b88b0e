import { expect, test } from 'vitest';
import { JsonDocument } from '../../../src/transfer/formats/json_document.ts';
import { readFile } from './read_file.ts';

const item = (latitude: number) => ({
  timestamp: 1405602028568,
  position: { latitude, longitude: 24.94 },
  wifiAccessPoints: [{ macAddress: '01:23:45:67:89:ab', ssid: 'a "{[" \\' }],
});
const ITEMS = [1, 2, 3].map(item);
const LINES = ITEMS.map(value => JSON.stringify(value));
const SCANS = [1, 2, 3].map(lat => ({ t: 1405602028568, lat, lon: 1, aps: [['01:23:45:67:89:ab', -60, 6, 0]] }));

test.each([
  ['a list in an object, an item a line', `{"items":[\n${LINES.join(',\n')}\n]}\n`, [2, 3, 4]],
  ['the same with a comma behind the last', `{"items":[\n${LINES.map(line => `${line},\n`).join('')}]}`, [2, 3, 4]],
  ['a body over many lines', JSON.stringify({ items: ITEMS }, null, 2), [3, 16, 29]],
  ['the same with more than the list', JSON.stringify({ version: '{[', items: ITEMS, n: [1] }, null, 2), [4, 17, 30]],
  [
    'items over many lines, one after another',
    ITEMS.map(value => JSON.stringify(value, null, '\t')).join('\n'),
    [1, 14, 27],
  ],
  ['a list on one line', JSON.stringify(ITEMS), [1, 1, 1]],
  ['a list, an item a line', `[${LINES.join(',\r\n')}]\r\n`, [1, 2, 3]],
  ['a list over many lines', JSON.stringify(ITEMS, null, 1), [2, 15, 28]],
  ['items with a comma behind each', LINES.map(line => `${line},\n`).join(''), [1, 2, 3]],
  ['lists one after another', `[${LINES[0]}]\n[${LINES[1]},${LINES[2]}]\n`, [1, 2, 2]],
])('%s', async (_, text, lines) => {
  const { format, found, refused } = await readFile(text);
  expect({ format, refused }).toEqual({ format: 'geosubmit', refused: [] });
  expect(found.map(({ draft }) => draft.latitude)).toEqual([1, 2, 3]);
  expect(found.map(({ line }) => line)).toEqual(lines);
  expect(found[0].draft.wifiAccessPoints).toEqual(ITEMS[0].wifiAccessPoints);
});

test('scan lines as a list are scan lines', async () => {
  const { format, found } = await readFile(JSON.stringify(SCANS, null, 2));
  expect(format).toBe('scans');
  expect(found.map(({ draft }) => draft.latitude)).toEqual([1, 2, 3]);
});

test('a wrong item costs itself only', async () => {
  const { found, refused } = await readFile(`[\n${LINES[0]},\n{"position":{nothing}},\n${LINES[2]}\n]\n`);
  expect(refused).toEqual(['3: the line is not a JSON object']);
  expect(found.map(({ line }) => line)).toEqual([2, 4]);
});

test('a document that has lost its end is read up to there', async () => {
  const whole = JSON.stringify(ITEMS, null, 1);
  await expect(readFile(whole.slice(0, -20))).rejects.toThrow('file ends within the item that begins on line 28.');
});

test('an item without end is no reason to hold the file in memory', () => {
  const document = new JsonDocument('endless');
  const line = '['.repeat(1024 * 1024);
  expect(document.take('{"a":', 1)).toEqual([]);
  expect(() => {
    for (let i = 2; i < 20; i++) document.take(line, i);
  }).toThrow('endless goes on for more than 16 MiB within the item that begins on line 1.');
});

test('items are cut where they are, however the text is split into lines', () => {
  const texts = ITEMS.map(value => JSON.stringify(value, null, 1));
  const document = new JsonDocument('file');
  const lines = `[${texts.join(' , ')}]`.split('\n');
  const items = lines.flatMap((line, i) => document.take(line, i + 1));
  expect(items.map(({ text }) => JSON.parse(text))).toEqual(ITEMS);
});
