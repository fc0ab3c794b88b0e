import { describe, expect, test } from 'vitest';
import { cellListOf } from '../../../src/transfer/formats/cell_lists.ts';

/** Radio, mcc, network, area, cell, code, longitude and latitude of each line, or why it is refused. */
function read(text: string) {
  const lines = text.trim().split('\n');
  const list = cellListOf(lines)!;
  const cells = lines
    .filter(line => !list.isComment(line))
    .map(list.readLine)
    .map(cell => ('why' in cell ? cell.why : cell.slice(0, 8).join(' ')));
  return { name: list.name, cells };
}

describe('NetMonster', () => {
  test('cells of all types, their ids put together of node and cell', () => {
    expect(
      read(`
2G;230;04;8136;21800;60;25;50.087411;14.421265;Old Town Square, pylon;60
3G;230;04;35796;21800;4011;211;50.087411;14.421265;"Old" Town;10812
3G;230;04;262896596;21800;2147483647;211;50.087411;14.421265;whole id;10812
4G;230;04;13;21800;141311;270;50.087411;14.421265;;6200
4G;268;06;1792553;48290;0;21;39.219;-9.295;whole id;500
5G;230;04;5000000001;21800;;752;50.087411;14.421265;x;151600
CD;;12;3611;;;4139;36.1;-115.1;x;
`),
    ).toEqual({
      name: 'NetMonster',
      cells: [
        'GSM 230 04 21800 8136  14.421265 50.087411',
        `UMTS 230 04 21800 ${4011 * 65536 + 35796} 211 14.421265 50.087411`,
        'UMTS 230 04 21800 262896596 211 14.421265 50.087411',
        `LTE 230 04 21800 ${141311 * 256 + 13} 270 14.421265 50.087411`,
        'LTE 268 06 48290 1792553 21 -9.295 39.219',
        'NR 230 04 21800 5000000001 752 14.421265 50.087411',
        'CDMA 0 4139 12 3611  -115.1 36.1',
      ],
    });
  });

  test('what is no cell is refused', () => {
    expect(
      read(
        '4G;230;04;13;21800;141311;270;50.1;14.4;x;1\n6G;230;04;13;21800;1;2;50.1;14.4;x;1\n4G;230\n3G;230;04;35796;1;;1;50;14;x;1',
      ).cells.slice(1),
    ).toEqual([
      'the radio type "6G" is unknown',
      'there are 2 columns instead of 11',
      'the UMTS cell id "35796" lacks its RNC',
    ]);
  });
});

describe('CLF', () => {
  test('version 3, decimal and hexadecimal: the RNC, or the size of the id, tells the radio type', () => {
    expect(
      read(`
//cell list exchange format v3.0//
// a comment
26202;07812;03101;00000;45.894375;31.51312;0;City; Square;0
26202;0x1E84;0x0C1D;0x0000;45.894375;31.51312;-1;City Square;0
26202;35796;03101;04011;45.894375;31.51312;-1;City Square;0
310260;30926080;03080;00000;45.894375;31.51312;-1;City Square;0
26202;5000000001;03080;00000;45.894375;31.51312;-1;City Square;0
`),
    ).toEqual({
      name: 'CLF 3',
      cells: [
        'GSM 262 02 3101 7812  31.51312 45.894375',
        'GSM 262 02 3101 7812  31.51312 45.894375',
        `UMTS 262 02 3101 ${4011 * 65536 + 35796}  31.51312 45.894375`,
        'LTE 310 260 3080 30926080  31.51312 45.894375',
        'NR 262 02 3080 5000000001  31.51312 45.894375',
      ],
    });
  });

  test('version 4 states the radio type', () => {
    const line = (cell: string, system: number) =>
      `26202;${cell};03101;0;45.89;31.51;-1;City Square;${system};S_1;120;30;65;7;2;S`;
    expect(
      read(
        [
          line('07812', 1),
          line('262896596', 3),
          line('30926080', 4),
          line('7812', 5),
          line('7812', 9),
          line('7812', 3),
        ].join('\n'),
      ),
    ).toEqual({
      name: 'CLF 4',
      cells: [
        'GSM 262 02 3101 7812  31.51 45.89',
        'UMTS 262 02 3101 262896596  31.51 45.89',
        'LTE 262 02 3101 30926080  31.51 45.89',
        'NR 262 02 3101 7812  31.51 45.89',
        'the system "9" is unknown',
        'the UMTS cell id "7812" lacks its RNC',
      ],
    });
  });

  test('version 2 has a position only where its description has', () => {
    expect(
      read(`
//cell list exchange format v2.0//
1E840C1D26202\tCity Square 45.89437, 31.51312
1E840C1D26202\tCity Square
`),
    ).toEqual({
      name: 'CLF 2.0',
      cells: [
        'GSM 262 02 3101 7812  31.51312 45.89437',
        'CLF 2 has no column for the position, and the description states none',
      ],
    });
    expect(read('078120310126202\tCity 45.89437;31.51312\n').cells).toEqual([
      'GSM 262 02 3101 7812  31.51312 45.89437',
    ]);
  });
});

test.each([
  ['a cell table', 'LTE,206,1,251,51764,88,4.3517,50.8466,1500,42,1,1459814306,1741057142,0'],
  ['a table with semicolons', 'radio;mcc;net'],
  ['nothing', ''],
])('%s is none of these lists', (_, line) => expect(cellListOf([line])).toBeUndefined());
