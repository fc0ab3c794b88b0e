import { expect, test } from 'vitest';
import { readFile } from './read_file.ts';

const HEADER =
  'Timestamp\tLongitude\tLatitude\tSpeed\tOperatorname\tOperator\tCGI\tCellname\tNode\tCellID\tLAC\tNetworkTech\tNetworkMode\tLevel\tQual\tSNR\tPSC\tAltitude\tAccuracy\tEVENT';
const row = (tech: string, mode: string, node: string, cell: string, operator = '22801') =>
  `2024.05.06_07.08.09\t9.521\t47.141\t36\tPhone Co\t${operator}\t-\t-\t${node}\t${cell}\t3080\t${tech}\t${mode}\t-88\t-9\t12\t209\t450\t5\t`;

test('a log of cells, their ids put together of node and cell', async () => {
  const { format, found, refused } = await readFile(
    [HEADER, row('4G', 'LTE', '120805', '0'), row('3G', 'HSPA+', '4', '1'), row('2G', 'EDGE', '-', '4001')].join('\n'),
    'log.txt',
  );
  expect({ format, refused }).toEqual({ format: 'gnettrack', refused: [] });
  expect(found.map(({ draft }) => draft)).toMatchObject([
    {
      timeMs: Date.UTC(2024, 4, 6, 7, 8, 9),
      latitude: 47.141,
      longitude: 9.521,
      speed: 10,
      altitude: 450,
      accuracyMetres: 5,
      cellTowers: [
        {
          radioType: 'lte',
          mobileCountryCode: '228',
          mobileNetworkCode: '01',
          locationAreaCode: '3080',
          cellId: 120805 * 256,
          signalStrength: '-88',
          primaryScramblingCode: '209',
        },
        { radioType: 'wcdma', cellId: 4 * 65536 + 1 },
        { radioType: 'gsm', cellId: 4001 },
      ],
    },
  ]);
});

test('a table with commas and the id as the network writes it', async () => {
  const { found } = await readFile(
    'Timestamp,Longitude,Latitude,Speed,Operator,CellID,LAC,NetworkMode,Level,RAWCELLID\n' +
      '2024.05.06_07.08.09,9.521,47.141,0,310260,12,3080,5G SA,-95,5000000001\n',
  );
  expect(found[0].draft.cellTowers).toMatchObject([
    { radioType: 'nr', mobileCountryCode: '310', mobileNetworkCode: '260', cellId: 5000000001 },
  ]);
});

test('the network may stand in the CGI alone', async () => {
  const logged = row('4G', 'LTE', '120805', '0', '-').replace('\t-\t-\t-\t120805', '\t-\t228-01-3080-0\t-\t120805');
  const { found } = await readFile(`${HEADER}\n${logged}`);
  expect(found[0].draft.cellTowers).toMatchObject([{ mobileCountryCode: '228', mobileNetworkCode: '01' }]);
});

test('what tells of no cell is refused with its reason', async () => {
  const rows = [
    row('-', '-', '-', '-'),
    row('4G', 'LTE', '120805', '1', '-'),
    row('4G', 'LTE', '-', '-'),
    row('5G', '5G SA', '1000', '7'),
    row('4G', 'LTE', '120805', '1').slice(0, 60),
  ];
  const { refused } = await readFile([HEADER, ...rows].join('\n'));
  expect(refused).toEqual([
    '2: the radio type "-" is unknown',
    '3: the operator "-" is not country and network code',
    '4: there is no id of the cell',
    '5: of a 5G cell only RAWCELLID is the whole id',
    '6: the radio type "" is unknown',
  ]);
});
