import { describe, expect, test } from 'vitest';
import { pointOf } from '../../../src/transfer/formats/network_survey_package.ts';
import { databaseOf } from './database_of.ts';
import { readFile } from './read_file.ts';

const COMMON = 'deviceTime,latitude,longitude,altitude,speed,accuracy,missionId,recordNumber,groupNumber';
const AT = '2024-05-06T09:08:09.125+02:00,47.141,9.521,450.5,3.2,5.5,NS 1,1,1';
const REPORT = {
  timeMs: Date.UTC(2024, 4, 6, 7, 8, 9, 125),
  latitude: 47.141,
  longitude: 9.521,
  altitude: 450.5,
  speed: 3.2,
  accuracyMetres: 5.5,
};

describe('CSV', () => {
  test.each([
    [
      'lte',
      'mcc,mnc,tac,eci,earfcn,pci,rsrp,rsrq,ta,servingCell',
      '228,1,3080,30926080,1300,209,-88.0,-9.0,3,true',
      {
        locationAreaCode: '3080',
        cellId: '30926080',
        primaryScramblingCode: '209',
        signalStrength: '-88.0',
        timingAdvance: '3',
        serving: 'true',
      },
    ],
    [
      'nr',
      'mcc,mnc,tac,nci,narfcn,pci,ssRsrp,ssRsrq',
      '228,1,3080,5000000001,632000,7,-95,-11',
      { cellId: '5000000001', signalStrength: '-95' },
    ],
    [
      'gsm',
      'mcc,mnc,lac,ci,arfcn,bsic,signalStrength,ta',
      '228,1,300,4001,60,25,-71.0,',
      { locationAreaCode: '300', cellId: '4001', signalStrength: '-71.0' },
    ],
    [
      'wcdma',
      'mcc,mnc,lac,cid,uarfcn,psc,rscp,ecno,signalStrength',
      '228,1,300,262145,10812,211,-90,-6,-80',
      { cellId: '262145', primaryScramblingCode: '211', signalStrength: '-90' },
    ],
    [
      'cdma',
      'sid,nid,zone,bsid,channel,signalStrength',
      '4139,12,1,3611,300,-94',
      { mobileNetworkCode: '4139', locationAreaCode: '12', cellId: '3611', signalStrength: '-94' },
    ],
  ])('cells of %s', async (radioType, columns, values, cell) => {
    const { format, found, refused } = await readFile(
      `# CSV Version=0.5.0\n${COMMON},${columns},provider\r\n${AT},${values},P\r\n`,
    );
    expect({ format, refused }).toEqual({ format: 'networksurvey', refused: [] });
    expect(found.map(({ draft }) => draft)).toMatchObject([{ ...REPORT, cellTowers: [{ radioType, ...cell }] }]);
  });

  test('access points and beacons', async () => {
    const wifi = await readFile(
      `${COMMON},bssid,ssid,channel,frequencyMhz,signalStrength\n${AT},02:00:00:00:00:01,Harbour,6,2437,-60\n${AT},02:00:00:00:00:02,,6,2437,-61\n`,
    );
    expect(wifi.found.map(({ draft }) => draft)).toMatchObject([
      {
        ...REPORT,
        wifiAccessPoints: [
          { macAddress: '02:00:00:00:00:01', ssid: 'Harbour', channel: '6', frequency: '2437', signalStrength: '-60' },
          { macAddress: '02:00:00:00:00:02' },
        ],
      },
    ]);
    const beacons = await readFile(`${COMMON},sourceAddress,signalStrength\n${AT},02:00:00:00:00:03,-70\n`);
    expect(beacons.found[0].draft).toMatchObject({
      bluetoothBeacons: [{ macAddress: '02:00:00:00:00:03', signalStrength: '-70' }],
    });
  });

  test('a table of satellites is refused', async () => {
    await expect(readFile(`${COMMON},svid,cn0DbHz\n${AT},7,40\n`)).rejects.toThrow(
      'file is not a table of cells, access points or beacons of Network Survey: its header names no column nci.',
    );
  });
});

/** A point as the app's library stores it. */
function point(latitude: number, longitude: number, { envelope = 0, big = false, height = false } = {}): Buffer {
  const header = Buffer.from([0x47, 0x50, 0, envelope << 1, 0, 0, 0, 0]);
  const body = Buffer.alloc(height ? 29 : 21);
  body[0] = big ? 0 : 1;
  const type = height ? 1001 : 1;
  if (big) body.writeUInt32BE(type, 1);
  else body.writeUInt32LE(type, 1);
  for (const [i, number] of [longitude, latitude].entries())
    big ? body.writeDoubleBE(number, 5 + 8 * i) : body.writeDoubleLE(number, 5 + 8 * i);
  return Buffer.concat([header, Buffer.alloc([0, 32, 48, 48, 64][envelope]), body]);
}

describe('GeoPackage', () => {
  const BASE = 'id INTEGER PRIMARY KEY, geom BLOB, Time INTEGER, "Serving Cell" BOOLEAN';
  const at = (latitude: number) => ({ geom: point(latitude, 9.521, { height: true }), Time: 1714979289125 });

  test('tables of all kinds are read, and what was heard at once is one report', async () => {
    const { format, found, refused } = await readFile(
      databaseOf([
        { name: 'gpkg_contents', columns: 'table_name TEXT', rows: [] },
        {
          name: 'LTE_MESSAGE',
          columns: `${BASE}, MCC INT, MNC INT, TAC INT, ECI INT, Phys_Cell_ID INT, RSRP REAL, TA INT`,
          rows: [
            {
              ...at(47.141),
              'Serving Cell': 1,
              MCC: 228,
              MNC: 1,
              TAC: 3080,
              ECI: 30926080,
              Phys_Cell_ID: 209,
              RSRP: -88.5,
              TA: 3,
            },
          ],
        },
        {
          name: 'GSM_MESSAGE',
          columns: `${BASE}, MCC INT, MNC INT, LAC INT, CID INT, "Signal Strength" REAL`,
          rows: [{ ...at(47.142), MCC: 228, MNC: 1, LAC: 300, CID: 4001, 'Signal Strength': -71 }],
        },
        {
          name: 'UMTS_MESSAGE',
          columns: `${BASE}, MCC INT, MNC INT, LAC INT, "Cell ID" INT, PSC INT, RSCP REAL`,
          rows: [{ ...at(47.143), MCC: 228, MNC: 1, LAC: 300, 'Cell ID': 262145, PSC: 211, RSCP: -90 }],
        },
        {
          name: '80211_BEACON_MESSAGE',
          columns: `${BASE}, BSSID TEXT, SSID TEXT, Channel INT, Frequency INT, "Signal Strength" REAL`,
          rows: [
            {
              ...at(47.141),
              BSSID: '02:00:00:00:00:01',
              SSID: 'Harbour',
              Channel: 6,
              Frequency: 2437,
              'Signal Strength': -60,
            },
          ],
        },
        {
          name: 'BLUETOOTH_MESSAGE',
          columns: `${BASE}, "Source Address" TEXT, "Signal Strength" REAL`,
          rows: [{ ...at(47.141), 'Source Address': '02:00:00:00:00:03', 'Signal Strength': -70 }],
        },
      ]),
      'survey.gpkg',
    );
    expect({ format, refused }).toEqual({ format: 'networksurvey', refused: [] });
    const [together, ...others] = found.map(({ draft }) => draft).sort((a, b) => a.latitude - b.latitude);
    expect(together).toMatchObject({
      timeMs: 1714979289125,
      latitude: 47.141,
      longitude: 9.521,
      cellTowers: [
        {
          radioType: 'lte',
          cellId: '30926080',
          locationAreaCode: '3080',
          primaryScramblingCode: '209',
          signalStrength: '-88.5',
          timingAdvance: '3',
          serving: '1',
        },
      ],
      wifiAccessPoints: [{ macAddress: '02:00:00:00:00:01', ssid: 'Harbour', signalStrength: '-60' }],
      bluetoothBeacons: [{ macAddress: '02:00:00:00:00:03' }],
    });
    expect(others).toMatchObject([
      { cellTowers: [{ radioType: 'gsm', cellId: '4001' }] },
      { cellTowers: [{ radioType: 'wcdma', cellId: '262145', signalStrength: '-90' }] },
    ]);
  });

  test.each([
    ['without an envelope', point(47.1, 9.5)],
    ['in the other byte order', point(47.1, 9.5, { big: true })],
    ['with an envelope', point(47.1, 9.5, { envelope: 1 })],
    ['with an envelope of four dimensions and height', point(47.1, 9.5, { envelope: 4, height: true })],
  ])('a point %s', (_, blob) => expect(pointOf(blob.toString('hex'))).toEqual([9.5, 47.1]));

  test.each([
    ['nothing', ''],
    ['text', '48656c6c6f'],
    ['a point that is cut', point(47.1, 9.5).subarray(0, 20).toString('hex')],
    [
      'an envelope of no form',
      point(47.1, 9.5)
        .toString('hex')
        .replace(/^(.{6}).{2}/, '$1ff'),
    ],
  ])('%s is no point', (_, hex) => expect(pointOf(hex)).toEqual([Number.NaN, Number.NaN]));
});
