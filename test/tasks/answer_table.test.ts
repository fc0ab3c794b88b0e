// Tables with positions and places in them: the columns that are read, what is added, and rows that are no question.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answerer } from '../../src/answer/answerer.ts';
import { withAnswerer } from '../../src/commands/explain/with_answerer.ts';
import type { BodyDefaults } from '../../src/protocol/requests/position_query.ts';
import { answerAsParquet, answerTable, joinedAddress, type TableSummary } from '../../src/tasks/answer_table.ts';
import type { NamedColumns, TableKind } from '../../src/tasks/table_columns.ts';
import { openTable } from '../../src/transfer/files/table_file.ts';
import { parquetOf } from '../kits/parquet.ts';
import { DrawnMap } from '../kits/places/drawn_map.ts';
import { makeDemoFolder } from '../kits/radio/demo_queries.ts';
import { folderOfFile, temporaryFolder } from '../kits/temporary_folder.ts';

/** The demo town, the places of the gazetteer, and a town with two houses. */
const data = join(folderOfFile(), 'var');
let answerer: Answerer;
let end: () => void;
let ended: Promise<void>;
beforeAll(async () => {
  await makeDemoFolder(data);
  const map = new DrawnMap();
  map.boundary(8, [10, 20], 0.05, { name: 'Köslin' });
  map.node([10, 20], { place: 'town', name: 'Köslin' });
  map.way(
    [
      [10.001, 20],
      [10.001, 20.01],
    ],
    { highway: 'residential', name: 'Müllerstraße' },
  );
  for (const number of ['5', '7'])
    map.node([10.0012, 20 + Number(number) / 1_000], {
      'addr:housenumber': number,
      'addr:street': 'Müllerstraße',
      'addr:postcode': '76530',
      'addr:city': 'Köslin',
    });
  await map.importInto(data);
  await new Promise<void>((ready, fail) => {
    ended = withAnswerer(
      data,
      opened =>
        new Promise<void>(close => {
          answerer = opened;
          end = close;
          ready();
        }),
    );
    ended.catch(fail);
  });
});
afterAll(async () => {
  end();
  await ended;
});

/** A table answered as Parquet, and read again. */
async function asParquet(kind: TableKind, name: string, content: string | Buffer, columns: NamedColumns = {}) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  const pieces: Buffer[] = [];
  const question = { kind, columns, loneBeacons: 0 };
  const summary = { rows: 0, found: 0 };
  for await (const piece of answerAsParquet(answerer, await openTable(path), question, summary, () => {}))
    pieces.push(piece);
  writeFileSync(path, Buffer.concat(pieces));
  const { header, rows, parquet } = await openTable(path);
  const values: unknown[][] = [];
  for await (const row of rows()) values.push([...row.values!]);
  return { header, values, types: parquet!.columns.map(({ element }) => element.type), summary };
}

async function answered(
  kind: TableKind,
  text: string,
  more: { columns?: NamedColumns; defaults?: BodyDefaults; languages?: string[]; name?: string } = {},
): Promise<{ lines: string[]; summary: TableSummary; turns: number }> {
  const path = join(temporaryFolder(), more.name ?? 'table.csv');
  writeFileSync(path, text);
  const lines: string[] = [];
  let turns = 0;
  const summary = { rows: 0, found: 0 };
  const question = { kind, ...more, loneBeacons: 0 };
  for await (const line of answerTable(answerer, await openTable(path), question, summary, () => void turns++))
    lines.push(line.trimEnd());
  return { lines, summary, turns };
}

describe('locate', () => {
  test('access points of a row, in the form of the compact interface', async () => {
    const { lines, summary, turns } = await answered(
      'locate',
      'id;WiFi;note\n7;"02:00:5e:00:00:d3,a,-50;02:00:5e:00:00:d4,b,-60";"a ""note"""\n8;02:00:5e:99:00:01;\n',
    );
    expect(lines).toEqual([
      'id;WiFi;note;latitude;longitude;radius;place;quality',
      '7;"02:00:5e:00:00:d3,a,-50;02:00:5e:00:00:d4,b,-60";"a ""note""";1.2502446;-2.4997308;15;;wifi',
      '8;02:00:5e:99:00:01;;;;;;not found: no station is known',
    ]);
    expect([summary, turns]).toEqual([{ rows: 2, found: 1 }, 2]);
  });

  test('a cell of a row, under the names that tables have for its columns', async () => {
    for (const names of ['radio,mcc,net,area,cell', 'Radio Type\tMCC\tMNC\tTAC\tCI']) {
      const cells = names.includes('\t') ? 'LTE\t1\t1\t1\t256001' : 'LTE,1,1,1,256001';
      const { lines } = await answered('locate', `${names}\n${cells}\n`);
      expect(lines[1].slice(cells.length + 1).split(/[,\t]/)).toEqual(['1.2544966', '-2.5', '489', '', 'cell']);
    }
  });

  test('requests as JSON lines, each with its own mistakes', async () => {
    const cell = { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1 };
    const bodies = [
      { cellTowers: [{ ...cell, cellId: 256_001 }] },
      { cellTowers: [{ ...cell, cellId: 256_100 }], fallbacks: { nbcidf: true } },
      { gps: 5 },
    ];
    const text = `${bodies.map(body => JSON.stringify(body)).join('\n')}\n\n{"broken\n`;
    const { lines, summary } = await answered('locate', text, { name: 'scans.jsonl' });
    expect(lines.map(line => line.slice(line.lastIndexOf(',') + 1))).toEqual([
      'quality',
      'cell',
      'fallback nbcidf',
      'gps must be an object.',
      'The row is not JSON.',
    ]);
    expect(summary).toEqual({ rows: 4, found: 2 });
  });
});

describe('locate says why not', () => {
  const cell = { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1 };
  const known = { macAddress: '02:00:5e:00:00:d3' };

  test.each([
    [{}, 'not found: nothing was sent that tells a position'],
    [[], 'The body must be an object.'],
    [{ wifiAccessPoints: [{ macAddress: '02:00:5e:99:00:01' }] }, 'not found: no station is known'],
    [{ wifiAccessPoints: [known] }, 'not found: too few are known, of different devices'],
    [
      { wifiAccessPoints: [known, { ssid: 'x' }, { macAddress: 'ff:ff:ff:ff:ff:ff' }] },
      'not found: too few are known, of different devices; wifiAccessPoints[1] is left out: it has no readable ' +
        'address; wifiAccessPoints[2] is left out: its address is that of a group, or none',
    ],
    [
      { cellTowers: [{ ...cell, cellId: 256_001, mobileCountryCode: 1_000 }] },
      'not found: nothing was sent that tells a position; cellTowers[0] is left out: its country or network is ' +
        'missing or out of range',
    ],
    [
      { cellTowers: [{ ...cell, cellId: 256_100, locationAreaCode: 70_000 }] },
      'not found: no station is known; locationAreaCode of cellTowers[0] is out of range',
    ],
    [
      { gps: { latitude: 100, longitude: 0 } },
      'not found: nothing was sent that tells a position; gps is left out: it is no position, or too old',
    ],
  ])('%j', async (body, why) => {
    const { lines } = await answered('locate', `{}\n${JSON.stringify(body)}\n`);
    expect(
      lines[2]
        .replaceAll('""', "'")
        .replace(/^.*,,,,,/, '')
        .replaceAll('"', ''),
    ).toBe(why);
  });

  test('of a list only the first entries are named', async () => {
    const wifiAccessPoints = Array.from({ length: 40 }, () => ({}));
    const { lines } = await answered('locate', `${JSON.stringify({ wifiAccessPoints })}\n`);
    expect(lines[1]).toContain('wifiAccessPoints[2] is left out: it has no readable address; and 37 more');
  });
});

test('locate: fallbacks and confidence count for rows that do not say them', async () => {
  const cell = 'radio,mcc,mnc,lac,cell\nlte,1,1,1,256100\n';
  const last = async (...table: Parameters<typeof answered>) => (await answered(...table)).lines[1].split(',');
  expect((await last('locate', cell)).at(-1)).toBe('not found: no station is known');
  const guess = await last('locate', cell, { defaults: { fallbacks: ['nbcidf'] } });
  expect(guess.at(-1)).toBe('fallback nbcidf');
  const wide = await last('locate', cell, { defaults: { fallbacks: ['all'], confidence: 95 } });
  expect(Number(wide[7])).toBeGreaterThan(Number(guess[7]));
});

test('geocode: an address of a row, in the language that is asked for', async () => {
  const table = 'customer,address\n1,"Vaduz, Liechtenstein"\n2,Zzyzxqqq\n3,\n4,Wien\n';
  const { lines } = await answered('geocode', table, { columns: { column: 'address' }, languages: ['de'] });
  expect(lines[1]).toBe('1,"Vaduz, Liechtenstein",47.14151,9.52154,2690,"Vaduz, Liechtenstein",district');
  expect(lines.slice(2, 4)).toEqual(['2,Zzyzxqqq,,,,,not found', '3,,,,,,not found']);
  expect(lines[4]).toContain('"Wien, Österreich",city');
});

describe('geocode by several columns', () => {
  const table = 'Straße;Hausnr;PLZ;Ort\nMüllerstraße;7;76530;Köslin\nMüllerstraße;5;;Köslin\n;;;Köslin\n';
  const houses = [
    expect.stringMatching(/^Müllerstraße;7;76530;Köslin;10\.0012;20\.007;.*;house$/),
    expect.stringMatching(/^Müllerstraße;5;;Köslin;10\.0012;20\.005;.*;house$/),
    expect.stringMatching(/^;;;Köslin;10;20;.*;city$/),
  ];

  test('several columns make one address, in their order', async () => {
    const { lines } = await answered('geocode', table, { columns: { column: ['Straße', 'Hausnr', 'PLZ', 'Ort'] } });
    expect(lines.slice(1)).toEqual(houses);
  });

  test('columns are parts of the address', async () => {
    const columns = { street: ['Straße', 'Hausnr'], postcode: 'PLZ', city: ['Ort'] };
    expect((await answered('geocode', table, { columns })).lines.slice(1)).toEqual(houses);
  });

  test('what names no address, or two, is refused', async () => {
    for (const [columns, reason] of [
      [{}, 'Name the column of the address'],
      [{ column: 'Ort', city: 'Ort' }, 'Name either the columns of whole addresses, or'],
      [{ column: 'Ort', latitude: 'PLZ' }, 'latitude names a column of reverse'],
    ] as const)
      await expect(answered('geocode', table, { columns })).rejects.toThrow(reason);
  });

  test('a number stands beside what it belongs to', () => {
    for (const [texts, address] of [
      [['Hauptstraße', '5', '1010', 'Wien'], 'Hauptstraße 5, 1010 Wien'],
      [['12a', 'Main Street', 'Springfield', '62704'], '12a Main Street, Springfield 62704'],
      [['Hauptstraße 5', 'Wien'], 'Hauptstraße 5, Wien'],
      [['Hauptstraße', '5', 'Wien', 'Österreich'], 'Hauptstraße 5, Wien, Österreich'],
      [['Wien'], 'Wien'],
      [[], ''],
    ] as const)
      expect(joinedAddress(texts)).toBe(address);
  });
});

test('locate and reverse: columns with other names than tables have', async () => {
  const columns = { radio: 'Typ', mcc: 'Land', mnc: 'Netz', lac: 'Gebiet', cell: 'Zelle' };
  const cells = await answered('locate', 'Typ,Land,Netz,Gebiet,Zelle\nLTE,1,1,1,256001\n', { columns });
  expect(cells.lines[1]).toBe('LTE,1,1,1,256001,1.2544966,-2.5,489,,cell');
  const places = await answered('reverse', 'Breite,Länge\n47.14,9.52\n', {
    columns: { latitude: 'Breite', longitude: 'Länge' },
  });
  expect(places.summary.found).toBe(1);
  await expect(answered('reverse', 'a,b\n1,2\n', { columns: { latitude: ['a', 'b'] } })).rejects.toThrow(
    'One column holds latitude, and 2 are named.',
  );
});

test('reverse: columns that the table has keep their names, and ours have another', async () => {
  const { lines } = await answered('reverse', 'Latitude,longitude,place\n47.14,9.52,home\n"48,2",16.37,\n91,0,\n,,\n');
  expect(lines[0]).toBe('Latitude,longitude,place,latitude,found_longitude,radius,found_place,quality');
  expect(lines[1]).toBe('47.14,9.52,home,47.14151,9.52154,2690,"Vaduz, Liechtenstein",district');
  expect(lines[2]).toContain('Vienna, Austria');
  expect(lines.slice(3)).toEqual(['91,0,,,,,,no position', ',,,,,,,no position']);
});

test.each([
  ['locate', 'a,b\n1,2\n', 'neither access points (wifi), nor a cell'],
  ['geocode', 'a,b\n1,2\n', 'no column "address"; it has a, b.'],
  ['geocode', 'address,address\n1,2\n', 'two columns "address"'],
  ['reverse', 'lat,name\n1,2\n', 'no columns for latitude and longitude; it has lat, name.'],
  ['reverse', '', 'is empty.'],
  ['reverse', 'PK\u0003\u0004\u0000\u0000', 'it holds binary data.'],
  ['reverse', 'lat,"lon\n1,2\n', 'table.csv is no table: its line 1 has a stray quote.'],
] as const)('%s of %j is refused with the reason', async (kind, text, reason) => {
  const columns = kind === 'geocode' ? { column: 'address' } : {};
  await expect(answered(kind, text, { columns })).rejects.toThrow(reason);
});

test('reverse: positions in every form that the search reads', async () => {
  const forms = [
    '47.14;9.52',
    '47,14;9,52',
    '47° 8′ 24″ N;9° 31′ 12″ E',
    "N 47 8.4;E 9 31.2'",
    '47.14;9° 31′ 12″ E',
    '9.52 E;47.14 N',
    '+47.14; 9.52 ',
  ];
  const { lines } = await answered('reverse', `lat;lon\n${forms.join('\n')}\n`);
  expect(lines.slice(1).map(line => line.replace(/.*;2690;/, ''))).toEqual(
    forms.map(() => 'Vaduz, Liechtenstein;district'),
  );
  const together = ['47.14, 9.52', '47°08′24″N 9°31′12″E', 'geo:47.14,9.52', '32T 539418 5220930'];
  const of = await answered('reverse', `Coordinates\tb\n${together.map(form => `${form}\t`).join('\n')}\n`);
  expect(of.lines.slice(1).map(line => line.replace(/.*\t2690\t/, ''))).toEqual(
    together.map(() => 'Vaduz, Liechtenstein\tdistrict'),
  );
  // Half a position is none: it was taken for one on the equator or the meridian of Greenwich.
  const none = ['47.14;', ';9.52', '47.14; ', '91;0', '0;181', 'here;there', '47.14 9.52 1;1'];
  const missing = await answered('reverse', `lat;lon\n${none.join('\n')}\n`);
  expect(missing.lines.slice(1).map(line => line.split(';').at(-1))).toEqual(none.map(() => 'no position'));
});

test('a row with too many cells is named, and nothing of it stands under the name of another column', async () => {
  const table = 'a,address,c\n1,Wien, Austria,x\n2,Wien,x\n3,Wien,x,,\n';
  const { lines, summary } = await answered('geocode', table, { columns: { column: 'address' } });
  expect(lines[1]).toBe('1,Wien, Austria,,,,,line 2 has 4 cells for 3 columns: a cell with a comma needs quotes,x');
  expect(lines[2]).toMatch(/^2,Wien,x,48\..*,city$/);
  expect(lines[3]).toMatch(/^3,Wien,x,48\..*,city$/);
  expect(summary).toEqual({ rows: 3, found: 2 });
});

test('a stray quote costs its row, and no other', async () => {
  const many = 'Wien,z\n'.repeat(300);
  const table = `address,b\n"Wien,1\nWien,2\n"Wien"er,3\n"Vaduz,\nLiechtenstein",4\n5" pipe,"5"\n"x,6\n${many}`;
  const { lines, summary } = await answered('geocode', table, { columns: { column: 'address' } });
  expect(lines[1]).toBe('"""Wien",1,,,,,line 2 has a stray quote: one in a cell is written twice');
  expect(lines[2]).toMatch(/^Wien,2,48\./);
  expect(lines[3]).toMatch(/^"""Wien""er",3,,,,,line 4 has a stray quote/);
  expect(lines[4]).toBe('"Vaduz,\nLiechtenstein",4,47.14151,9.52154,2690,"Vaduz, Liechtenstein",district');
  expect(lines[5]).toMatch(/^"5"" pipe",5,/);
  expect(lines[6]).toMatch(/^"""x",6,,,,,line 8 has a stray quote/);
  expect(summary.rows).toBe(306);
});

test('a line before the header says what is between the columns, and stays', async () => {
  const { lines } = await answered('geocode', 'sep=|\r\nid|address\r\n1|Wien\r\n', { columns: { column: 'address' } });
  expect(lines[0]).toBe('sep=|\nid|address|latitude|longitude|radius|place|quality');
  expect(lines[1]).toMatch(/^1\|Wien\|48\.\d+\|/);
});

test('rows that are short get their missing cells, and a place is no formula of a spreadsheet', async () => {
  const { lines } = await answered('geocode', 'a,address,c\n1,Wien\n', { columns: { column: 'address' } });
  expect(lines[1]).toMatch(/^1,Wien,,48\.\d+,/);
});

test('a missing file is a sentence', async () => {
  await expect(openTable('/nowhere/table.csv')).rejects.toThrow('/nowhere/table.csv does not exist, or is no file.');
});

test('a row without an end is refused, whatever the table is', async () => {
  const path = join(temporaryFolder(), 'table');
  const rows = async () => {
    for await (const _ of (await openTable(path)).rows());
  };
  const long = 'x'.repeat(8 * 1_048_576);
  for (const text of [
    `{}\n{"a":"${long}`,
    `{}\n${long}\n{}\n`,
    `a,b\n1,2\n${long}`,
    `a,b\n1,2\n"${long}`,
    `a,${long}`,
  ]) {
    writeFileSync(path, text);
    await expect(rows(), text.slice(0, 20)).rejects.toThrow('goes on for more than');
  }
  writeFileSync(path, '{"a":1}\r\n\n{"b":2}');
  const table = await openTable(path);
  const bodies: string[][] = [];
  for await (const { cells } of table.rows()) bodies.push(cells);
  expect(bodies).toEqual([['{"a":1}'], ['{"b":2}']]);
  expect(table.bytesDone()).toBe(table.bytesTotal);
});

describe('as Parquet', () => {
  test('columns of a Parquet file keep their types, and ours have theirs', async () => {
    const content = parquetOf([
      { name: 'id', data: [7n, 8n], type: 'INT64' },
      { name: 'address', data: ['Müllerstraße 5, Köslin', 'Nowhereville Qqq'], type: 'STRING' },
    ]);
    const { header, values, types, summary } = await asParquet('geocode', 'x.parquet', content, {
      column: ['address'],
    });
    expect(header).toEqual(['id', 'address', 'latitude', 'longitude', 'radius', 'place', 'quality']);
    expect(types).toEqual(['INT64', 'BYTE_ARRAY', 'DOUBLE', 'DOUBLE', 'INT32', 'BYTE_ARRAY', 'BYTE_ARRAY']);
    const found = [
      7n,
      'Müllerstraße 5, Köslin',
      10.0012,
      20.005,
      expect.any(Number),
      expect.stringContaining('5'),
      'house',
    ];
    expect(values).toEqual([found, [8n, 'Nowhereville Qqq', null, null, null, null, 'not found']]);
    expect(summary).toEqual({ rows: 2, found: 1 });
  });

  test('every column has a name of its own, also where a table was answered before', async () => {
    const text = 'lat,lon,,note,note,note_2,latitude,found_latitude\n10.0012,20.005,a,b,c,d,e,f\n';
    const { header, values } = await asParquet('reverse', 'x.csv', text, { latitude: 'lat' });
    const own = ['lat', 'lon', 'column_3', 'note', 'note_3', 'note_2', 'latitude', 'found_latitude'];
    expect(header).toEqual([...own, 'found_found_latitude', 'longitude', 'radius', 'place', 'quality']);
    expect(values[0].slice(2, 9)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 10.0012]);
  });

  test('cells beyond the columns are not lost: there is no file', async () => {
    const refused = asParquet('reverse', 'x.csv', 'lat,lon\n10.0012,20.005\n1,2,3\n');
    await expect(refused).rejects.toThrow('Line 3 has more cells than columns');
  });

  test('a table of texts becomes one, and numbers of a Parquet file are read', async () => {
    const { values } = await asParquet('reverse', 'x.csv', 'lat;lon\n10,0012;20,005\n');
    expect(values).toEqual([['10,0012', '20,005', 10.0012, 20.005, expect.any(Number), expect.any(String), 'house']]);
    const content = parquetOf([
      { name: 'latitude', data: [10.0012], type: 'DOUBLE' },
      { name: 'lon', data: [20.005], type: 'DOUBLE' },
    ]);
    const { header, values: again } = await asParquet('reverse', 'x.parquet', content);
    expect(header).toEqual(['latitude', 'lon', 'found_latitude', 'longitude', 'radius', 'place', 'quality']);
    expect(again).toEqual([[10.0012, 20.005, 10.0012, 20.005, expect.any(Number), expect.any(String), 'house']]);
  });
});
