import { expect, test } from 'vitest';
import { readFile } from './read_file.ts';

const HEADER =
  'lat,lon,mcc,mnc,sid,lac,tac,nid,cellid,bid,psc,pci,signal,ta,measured_at,rating,speed,direction,act,devn\n';
const AT = '"2024-05-06 07:08:09.125Z"';

test('rows of one time and position are one report, of all radio types', async () => {
  const { format, found, refused } = await readFile(
    `${HEADER}50.8,4.4,206,1,,251,,,51764,,,,-71,3,${AT},6,12,270,GSM,"X 1"
50.8,4.4,206,1,,251,,,517640,,33,,70,,${AT},6,12,270,UMTS,"X 1"
50.8,4.4,206,1,,,2124,,102764173,,,435,62,1,${AT},6,12,270,LTE,"X 1"
50.8,4.4,,,4139,,,12,,3611,,,-94,,${AT},6,12,270,CDMA,"X 1"
50.9,4.4,206,1,,,2124,,68719476735,,,1000,40,,${AT},,,,NR,"X 1"
`,
  );
  expect(format).toBe('towercollector');
  expect(refused).toEqual([]);
  const moment = {
    timeMs: Date.UTC(2024, 4, 6, 7, 8, 9, 125),
    latitude: 50.8,
    longitude: 4.4,
    accuracyMetres: 6,
    speed: 12,
    heading: 270,
  };
  expect(found[0].draft).toMatchObject({
    ...moment,
    cellTowers: [
      {
        radioType: 'gsm',
        mobileCountryCode: '206',
        mobileNetworkCode: '1',
        locationAreaCode: '251',
        cellId: '51764',
        timingAdvance: '3',
      },
      { radioType: 'wcdma', cellId: '517640', primaryScramblingCode: '33', signalStrength: -50 },
      { radioType: 'lte', locationAreaCode: '2124', primaryScramblingCode: '435', signalStrength: -78 },
      { radioType: 'cdma', mobileNetworkCode: '4139', locationAreaCode: '12', cellId: '3611', signalStrength: -94 },
    ],
  });
  expect(found[1]).toMatchObject({
    line: 6,
    draft: { latitude: 50.9, cellTowers: [{ radioType: 'nr', signalStrength: -100 }] },
  });
  expect(found[1].draft.accuracyMetres).toBeUndefined();
});

test.each([
  ['GSM', 'dBm', '-71', -71],
  ['GSM', 'ASU', '0', -113],
  ['GSM', 'ASU', '31', -51],
  ['GSM', 'unknown', '99', Number.NaN],
  ['UMTS', 'ASU of either power', '31', Number.NaN],
  ['UMTS', 'ASU', '96', -24],
  ['LTE', 'ASU', '0', -140],
  ['LTE', 'unknown', '99', Number.NaN],
  ['CDMA', 'ASU', '16', Number.NaN],
  ['LTE', 'nothing', '', Number.NaN],
])('the level of a %s cell as %s', async (act, _, signal, dbm) => {
  const { found } = await readFile(`${HEADER}50.8,4.4,206,1,,251,,,51764,,,,${signal},,${AT},6,,,${act},x\n`);
  expect(found[0].draft.cellTowers![0]).toMatchObject({ signalStrength: dbm });
});

test('types of networks are read by the names that Android and apps show', async () => {
  const types = ['EDGE', 'GPRS', 'HSPA+', 'LTE+', 'LTE_CA', 'NR NSA', 'NB-IoT'];
  const row = (act: string, i: number) => `50.8,4.4,206,1,,251,,,${51764 + i},,,,-71,,${AT},6,,,${act},x\n`;
  const { found, refused } = await readFile(HEADER + types.map(row).join(''));
  expect(refused).toEqual([]);
  expect(found[0].draft.cellTowers!.map(cell => (cell as { radioType: string }).radioType)).toEqual([
    'gsm',
    'gsm',
    'wcdma',
    'lte',
    'lte',
    'lte',
    'nbiot',
  ]);
});

test('a row without a time that can be read is refused', async () => {
  const row = (at: string) => `50.8,4.4,206,1,,251,,,51764,,,,-71,,${at},6,,,GSM,x\n`;
  const { found, refused } = await readFile(HEADER + ['06.05.2024 7:08', '', 'when'].map(row).join(''));
  expect(found.map(({ draft }) => draft.timeMs)).toEqual([Date.UTC(2024, 4, 6, 7, 8)]);
  expect(refused).toEqual(['3: it states no time', '4: "when" is no time']);
});

test('a wrong row costs itself only', async () => {
  const { found, refused } = await readFile(
    `${HEADER}50.8,4.4,206,1,,251,,,51764,,,,-71,,${AT},6,,,IWLAN,x\n50.8,4.4\n50.8,4.4,206,1,,251,,,51764,,,,-71,,${AT},6,,,GSM,x\n`,
  );
  expect(refused).toEqual(['2: the radio type "IWLAN" is unknown', '3: there are 2 columns instead of 20']);
  expect(found).toHaveLength(1);
});

test('a table with other columns is refused', async () => {
  await expect(readFile('lat,lon,measured_at\n')).rejects.toThrow(
    'file is not a table of TowerCollector: its header names no column mcc, mnc, lac, cellid, act.',
  );
});

test("the app's own export is read", async () => {
  const header =
    'mcc,mnc,lac,cell_id,psc,asu,dbm,ta,lat,lon,accuracy,speed,bearing,altitude,measured_at,net_type,neighboring,device';
  const at = '50.8,4.4,6.5,12.25,270,33.1,"2024-05-06T07:08:09.125Z"';
  const { format, found, refused } = await readFile(
    [
      header,
      `206,1,2124,102764173,435,62,-78,1,${at},LTE,false,"Maker X 1"`,
      `206,1,2124,102764174,436,,,,${at},LTE,true,"Maker X 1"`,
      `206,1,251,51764,,21,-71,,${at},GSM,true,"Maker X 1"`,
      '',
    ].join('\r\n'),
  );
  expect({ format, refused }).toEqual({ format: 'towercollector', refused: [] });
  expect(found).toHaveLength(1);
  expect(found[0].draft).toMatchObject({
    timeMs: Date.UTC(2024, 4, 6, 7, 8, 9, 125),
    latitude: 50.8,
    longitude: 4.4,
    accuracyMetres: 6.5,
    speed: 12.25,
    heading: 270,
    altitude: 33.1,
    cellTowers: [
      {
        radioType: 'lte',
        mobileCountryCode: '206',
        locationAreaCode: '2124',
        cellId: '102764173',
        primaryScramblingCode: '435',
        signalStrength: -78,
        timingAdvance: '1',
        serving: 1,
      },
      { cellId: '102764174', signalStrength: Number.NaN, serving: 0 },
      { radioType: 'gsm', cellId: '51764', signalStrength: -71, serving: 0 },
    ],
  });
});
