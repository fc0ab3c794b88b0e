import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dateOrderOf, readFileTime, timeOfFile } from '../../../src/transfer/files/file_time.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const MOMENT = Date.UTC(2024, 5, 18, 9, 5, 7);

test.each([
  '2024-06-18 09:05:07',
  '2024-06-18T09:05:07Z',
  '2024-06-18T11:05:07+02:00',
  '2024-6-18 9:5:7',
  '2024/6/18 9:05:07',
  '2024.06.18 09:05:07',
  '2024-Jun-18 09:05:07',
  '2024-june-18 9:05:07 AM',
  '18-Jun-2024 09:05:07',
  '18 Jun 2024 09:05:07 UTC',
  '18.06.2024 09:05:07',
  '18/06/2024, 9:05:07',
  '6/18/2024 9:05:07 am',
  '18-06-2024 09:05:07.000',
  '2024.06.18_09.05.07',
  '18.06.2024 9.05.07',
  'Tue Jun 18 09:05:07 2024',
  'Jun 18 09:05:07 UTC 2024',
  ' 1718701507 ',
  '1718701507000',
])('%j is a time', text => {
  expect([readFileTime(text, 'day'), readFileTime(text, 'month')]).toEqual([MOMENT, MOMENT]);
});

test.each([
  ['2019-Mar-04 12:41:26', Date.UTC(2019, 2, 4, 12, 41, 26)],
  ['2024-6-18', Date.UTC(2024, 5, 18)],
  ['18.06.2024 0:05', Date.UTC(2024, 5, 18, 0, 5)],
  ['6/18/2024 12:05:07 AM', Date.UTC(2024, 5, 18, 0, 5, 7)],
  ['6/18/2024 12:05:07 PM', Date.UTC(2024, 5, 18, 12, 5, 7)],
  ['6/18/2024 1:05 PM', Date.UTC(2024, 5, 18, 13, 5)],
])('%j is another', (text, expected) => {
  expect(readFileTime(text, 'day')).toBe(expected);
});

test('where day and month may stand in either order, the order of the file decides', () => {
  expect(readFileTime('01/02/2024 10:00:00', 'day')).toBe(Date.UTC(2024, 1, 1, 10));
  expect(readFileTime('01/02/2024 10:00:00', 'month')).toBe(Date.UTC(2024, 0, 2, 10));
  expect(readFileTime('01.02.2024 10:00:00', 'month')).toBe(Date.UTC(2024, 1, 1, 10));
});

test.each([
  [['01/02/2024 10:00'], 'day'],
  [['01/02/2024 10:00', '13/02/2024 10:00'], 'day'],
  [['01/02/2024 10:00', '02/13/2024 10:00'], 'month'],
  [['01/02/2024 10:00 AM'], 'month'],
  [['13/02/2024 10:00 AM'], 'day'],
  [['', '2024-13-01', 'x', '1718701507'], 'day'],
  [[], 'day'],
] as const)('the order of %j is that of %s', (texts, order) => {
  expect(dateOrderOf(texts)).toBe(order);
});

test.each([
  undefined,
  '',
  ' ',
  '0000-00-00 00:00:00',
  'when',
  '2024-06-31 10:00:00',
  '2024-13-13 10:00:00',
  '31/31/2024 10:00:00',
  '2024-06-18 25:00:00',
  '2024-06-18 10:61:00',
  '13:05:07 PM',
  '6/18/2024 13:05 PM',
  '6/18/2024 0:05 AM',
  '18-Foo-2024 10:00:00',
  '1/2/24 10:00',
  '18-06/2024',
  '-5',
  `2024-06-18 ${'9'.repeat(100)}`,
])('%j is none', text => {
  expect(readFileTime(text, 'day')).toBeNaN();
});

test.each([
  ['signal-2022-12-15.csv', Date.UTC(2022, 11, 15)],
  ['20221215_drive.csv', Date.UTC(2022, 11, 15)],
  ['signal-2022-13-15.csv', MOMENT],
  ['signal-202212150.csv', MOMENT],
  ['signal.csv', MOMENT],
])('the file %s is of the day in its name, or of its last change', (name, expected) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, '');
  utimesSync(path, MOMENT / 1000, MOMENT / 1000);
  expect(timeOfFile(path)).toBe(expected);
});
