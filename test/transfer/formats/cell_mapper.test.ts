import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openObservations } from '../../../src/transfer/formats/observation_file.ts';
import { readFile } from './read_file.ts';

const ROWS = [
  '51.31127,9.47352,205,262,1,3080,30926080,-88,LTE,LTE-A,1300,209',
  '51.31127,9.47352,205,262,1,300,262145,-90,UMTS,HSPA+,10812,211',
  '51.31130,9.47360,205,262,1,300,4001,-71,GSM,EDGE,60,',
].map(row => `${row}\n`);
const DAY = Date.UTC(2022, 11, 15);

test('rows have no header and no time: they are of the day in the name of the file', async () => {
  const { format, found, refused } = await readFile(ROWS.join(''), 'telekom_signal-2022-12-15.csv');
  expect({ format, refused }).toEqual({ format: 'cellmapper', refused: [] });
  expect(found.map(({ draft }) => draft)).toMatchObject([
    {
      timeMs: DAY,
      latitude: 51.31127,
      longitude: 9.47352,
      altitude: 205,
      cellTowers: [
        {
          radioType: 'lte',
          mobileCountryCode: '262',
          mobileNetworkCode: '1',
          locationAreaCode: '3080',
          cellId: '30926080',
          signalStrength: '-88',
          primaryScramblingCode: '209',
        },
        { radioType: 'wcdma', cellId: '262145', primaryScramblingCode: '211' },
      ],
    },
    { timeMs: DAY, cellTowers: [{ radioType: 'gsm', cellId: '4001' }] },
  ]);
});

test('a header is read, and a time that it names', async () => {
  const header = 'Latitude,Longitude,Altitude,MCC,MNC,LAC,Cell ID,Signal,Type,Subtype,ARFCN,PSC or PCI';
  const without = await readFile(`${header}\n${ROWS[0]}`, 'signal_20221215.csv');
  expect(without.found).toMatchObject([{ line: 2, draft: { timeMs: DAY, cellTowers: [{ cellId: '30926080' }] } }]);
  const row = ROWS[0].trim();
  const { found, refused } = await readFile(`${header},Timestamp\n${row},2022-12-15 10:00:00\n${row},\n`);
  expect(found.map(({ draft }) => draft.timeMs)).toEqual([DAY + 36_000_000]);
  expect(refused).toEqual(['3: it states no time']);
});

test('a wrong row costs itself only', async () => {
  const rows = [ROWS[0], ROWS[0].replace(',LTE,LTE-A', ',?,?'), '51.3,9.4\n', ROWS[2].replace(/,\n/, '\n')];
  const { found, refused } = await readFile(rows.join(''));
  expect(refused).toEqual(['2: the radio type "?" is unknown', '3: the radio type "" is unknown']);
  expect(found).toHaveLength(2);
});

test('standard input has no time', async () => {
  await expect(openObservations('-', Readable.from([Buffer.from(ROWS.join(''))]))).rejects.toThrow(
    'standard input states no times, which would be those of the file; name the file.',
  );
});
