import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readFile } from './read_file.ts';

const MARK_4 = 'WigleWifi-1.4,appRelease=2.53,model=X,release=11,device=d,display=d,board=b,brand=b\n';
const HEADER_4 =
  'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type\n';
const MARK_6 =
  'WigleWifi-1.6,appRelease=2.78,model=X,release=11,device=d,display=d,board=b,"brand=Moog, ' +
  'LLC",star=Sol,body=4,subBody=0\n';
const HEADER_6 =
  'MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type\n';
const POSITION = '50.8,4.4,33.5,6';
const TIME_MS = Date.UTC(2024, 4, 6, 7, 8, 9);

describe('version 1.6', () => {
  const ROWS = [
    `1a:9f:ee:5c:71:c6,"Scampoodle, 5 GHz",[WPA2],2024-05-06 07:08:09,161,5805,-43,${POSITION},,,WIFI`,
    `63:56:ac:c4:d4:30,,Misc [LE],2024-05-06 07:08:09,0,0,-67,${POSITION},,72,BLE`,
    `63:56:ac:c4:d4:31,phone,,2024-05-06 07:08:09,,,-68,${POSITION},,,BT`,
    `310260_7033_17811,Roaming,GSM;us,2024-05-06 07:08:09,,,-71,${POSITION},,,GSM`,
    `2064_2124_102764173,Base,LTE;be,2024-05-06 07:08:09,1300,,-91,${POSITION},,,LTE`,
    `20601_2124_68719476735,,NR;be,2024-05-06 07:08:09,,,-92,${POSITION},,,NR`,
    `20601_2124_4711,,WCDMA;be,2024-05-06 07:08:09,,,-93,${POSITION},,,WCDMA`,
    `4139_12_3611,,CDMA;us,2024-05-06 07:08:09,,,-94,${POSITION},,,CDMA`,
  ];

  test('rows of one time and position are one report, of all types', async () => {
    const { format, found, refused } = await readFile(MARK_6 + HEADER_6 + ROWS.join('\n'));
    expect(format).toBe('wigle');
    expect(refused).toEqual([]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      line: 3,
      draft: {
        timeMs: TIME_MS,
        latitude: 50.8,
        longitude: 4.4,
        altitude: 33.5,
        accuracyMetres: 6,
        wifiAccessPoints: [
          {
            macAddress: '1a:9f:ee:5c:71:c6',
            ssid: 'Scampoodle, 5 GHz',
            signalStrength: -43,
            channel: 161,
            frequency: 5805,
          },
        ],
        bluetoothBeacons: [
          { macAddress: '63:56:ac:c4:d4:30', signalStrength: -67 },
          { macAddress: '63:56:ac:c4:d4:31', signalStrength: -68 },
        ],
        cellTowers: [
          {
            radioType: 'gsm',
            mobileCountryCode: '310',
            mobileNetworkCode: '260',
            locationAreaCode: '7033',
            cellId: '17811',
            signalStrength: -71,
          },
          {
            radioType: 'lte',
            mobileCountryCode: '206',
            mobileNetworkCode: '4',
            locationAreaCode: '2124',
            cellId: '102764173',
          },
          { radioType: 'nr', cellId: '68719476735' },
          { radioType: 'wcdma', cellId: '4711' },
          { radioType: 'cdma', mobileNetworkCode: '4139', locationAreaCode: '12', cellId: '3611' },
        ],
      },
    });
  });

  test('another time or another position begins another report', async () => {
    const other = ROWS[0].replace('07:08:09', '07:08:10');
    const elsewhere = other.replace('50.8,', '50.9,');
    const { found } = await readFile(MARK_6 + HEADER_6 + [ROWS[0], other, elsewhere, ROWS[0]].join('\n'));
    expect(found.map(({ line, draft }) => [line, draft.timeMs! - TIME_MS, draft.latitude])).toEqual([
      [3, 0, 50.8],
      [4, 1000, 50.8],
      [5, 1000, 50.9],
      [6, 0, 50.8],
    ]);
  });

  test('what a row does not state is not stated', async () => {
    const { found } = await readFile(`${MARK_6}${HEADER_6}1a:9f:ee:5c:71:c6,,,2024-05-06,,,,50.8,4.4,,0,,,WIFI\n`);
    expect(Object.keys(found[0].draft)).toEqual(['latitude', 'longitude', 'timeMs', 'wifiAccessPoints']);
  });

  test('dates are read in the forms in which recorders and spreadsheets write them, and a row without one is refused', async () => {
    const dates = ['2024-6-18 9:5:7', '2019-Mar-04 12:41:26', '01/02/2024 10:00:00', '1718701507000', '', 'when'];
    const rows = dates.map(date => ROWS[0].replace('2024-05-06 07:08:09', date));
    const { found, refused } = await readFile(MARK_6 + HEADER_6 + rows.join('\n'));
    expect(found.map(({ line, draft }) => [line, draft.timeMs])).toEqual([
      [3, Date.UTC(2024, 5, 18, 9, 5, 7)],
      [4, Date.UTC(2019, 2, 4, 12, 41, 26)],
      [5, Date.UTC(2024, 1, 1, 10)],
      [6, 1718701507000],
    ]);
    expect(refused).toEqual(['7: it states no time', '8: "when" is no time']);
  });

  test('a date that can only be read with the month first says so of its file', async () => {
    const rows = ['01/02/2024 10:00:00', '12/31/2023 10:00:00'].map(date =>
      ROWS[0].replace('2024-05-06 07:08:09', date),
    );
    const { found } = await readFile(MARK_6 + HEADER_6 + rows.join('\n'));
    expect(found.map(({ draft }) => draft.timeMs)).toEqual([Date.UTC(2024, 0, 2, 10), Date.UTC(2023, 11, 31, 10)]);
  });

  test('cells are told by the name of any type of network', async () => {
    const rows = ['HSPA+', 'LTE_CA', 'edge'].map(type => ROWS[3].replace(/GSM$/, type));
    const { found, refused } = await readFile(MARK_6 + HEADER_6 + rows.join('\n'));
    expect(refused).toEqual([]);
    expect(found[0].draft.cellTowers).toMatchObject([
      { radioType: 'wcdma' },
      { radioType: 'lte' },
      { radioType: 'gsm' },
    ]);
  });

  test('a wrong row costs itself only', async () => {
    const rows = [
      ROWS[0],
      ROWS[0].replace(/WIFI$/, 'NFC'),
      ROWS[3].replace('310260_7033_17811', '310260_7033'),
      'WIFI,1',
      '"open,1',
      '',
      ROWS[1],
    ];
    const { found, refused } = await readFile(MARK_6 + HEADER_6 + rows.join('\n'));
    expect(refused).toEqual([
      '4: the type "NFC" is unknown',
      '5: "310260_7033" is not network, area and cell id joined by "_"',
      '6: there are 2 columns instead of 14',
      '7: the line is not CSV: a quote is not closed',
    ]);
    expect(found.map(({ draft }) => [draft.wifiAccessPoints?.length, draft.bluetoothBeacons?.length])).toEqual([
      [1, 1],
    ]);
  });
});

test('version 1.4, compressed', async () => {
  const row = `1a:9f:ee:5c:71:c6,x,[ESS],2024-05-06 07:08:09,11,-43,${POSITION},WIFI\r\n`;
  const { found } = await readFile(gzipSync(MARK_4 + HEADER_4 + row));
  expect(found[0].draft).toMatchObject({ timeMs: TIME_MS, wifiAccessPoints: [{ signalStrength: -43, channel: 11 }] });
});

test('a file without rows has no reports', async () => {
  expect(await readFile(MARK_6 + HEADER_6)).toMatchObject({ found: [], refused: [] });
});

test('a file without its header, or with another, is refused', async () => {
  await expect(readFile(MARK_6)).rejects.toThrow('file is not a WiGLE file: it ends before its header.');
  await expect(readFile(`${MARK_6}MAC,SSID,RSSI\n`)).rejects.toThrow(
    'file is not a WiGLE file: its header names no column firstseen, currentlatitude, currentlongitude, type.',
  );
});

test('a report that never ends is cut', async () => {
  const row = `1a:9f:ee:5c:71:c6,x,[ESS],2024-05-06 07:08:09,11,-43,${POSITION},WIFI\n`;
  const { found } = await readFile(MARK_4 + HEADER_4 + row.repeat(25_000));
  expect(found.map(({ draft }) => draft.wifiAccessPoints!.length)).toEqual([10_000, 10_000, 5_000]);
});

describe('dialects of other recorders', () => {
  const ROW = `1a:9f:ee:5c:71:c6,x,[ESS],2024-05-06 07:08:09,11,-43,${POSITION},WIFI\n`;
  const READ = {
    timeMs: TIME_MS,
    latitude: 50.8,
    longitude: 4.4,
    altitude: 33.5,
    accuracyMetres: 6,
    wifiAccessPoints: [{ macAddress: '1a:9f:ee:5c:71:c6', ssid: 'x', signalStrength: -43, channel: 11 }],
  };

  test.each([
    ['without the first line', HEADER_4 + ROW],
    ['without any header', ROW],
    ['with semicolons', HEADER_4.replaceAll(',', ';') + ROW.replaceAll(',', ';')],
    ['with a type in other letters', MARK_4 + HEADER_4 + ROW.replace('WIFI', 'Wi-Fi')],
    [
      'with the position under other names',
      MARK_4 + HEADER_4.replace('CurrentLatitude,CurrentLongitude', 'Latitude,Longitude') + ROW,
    ],
    ['of an older version', MARK_4.replace('1.4', '1.0') + HEADER_4 + ROW],
  ])('%s', async (_, text) => {
    const { format, found, refused } = await readFile(text);
    expect({ format, refused }).toEqual({ format: 'wigle', refused: [] });
    expect(found.map(({ draft }) => draft)).toMatchObject([READ]);
  });

  test('version 1.6 without any header', async () => {
    const { format, found } = await readFile(
      `206_2124_1,Base,LTE;be,2024-05-06 07:08:09,1300,,-91,${POSITION},,,LTE\n`.replace('206_', '2064_'),
    );
    expect(format).toBe('wigle');
    expect(found[0].draft.cellTowers).toMatchObject([{ radioType: 'lte', mobileNetworkCode: '4', cellId: '1' }]);
  });
});

test('a first line in brackets is no JSON', async () => {
  const row = `1a:9f:ee:5c:71:c6,Mill,[WPA2],2024-05-06 07:08:09,161,5805,-43,${POSITION},,,WIFI`;
  for (const mark of ['[WigleWifi-1.6,appRelease=2.78]\n', '[export of 2024]\n\n']) {
    const { format, found, refused } = await readFile(`${mark}${HEADER_6}${row}\n`);
    expect([format, found.length, refused]).toEqual(['wigle', 1, []]);
  }
});
