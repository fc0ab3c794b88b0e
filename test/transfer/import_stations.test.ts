import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ReplacementRefused } from '../../src/tables/sources/source_name.ts';
import { AREA_KEY_BYTES } from '../../src/tables/stations/areas.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { STATION_SAMPLES } from '../../src/tables/stations/record_layout.ts';
import { type ImportProgress, importStations, type StationImport } from '../../src/transfer/import_stations.ts';
import { IMPORT_PARTS } from '../kits/radio/imports.ts';
import { readTables } from '../kits/radio/read_tables.ts';
import { stationOf } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const CELL_HEADER = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n';
const WIFI_HEADER = 'bssid,lat,lon\n';

function cellRow(cell: number, latitude: number, area = 251): string {
  return `LTE,206,1,${area},${cell},88,4.35,${latitude},1500,42,1,1459814306,1741057142,0\n`;
}

function wifiRow(index: number, latitude: number): string {
  return `${(0x88f7c7000000 + index).toString(16)},${latitude},8\n`;
}

/** A data folder and files beside it. */
function workplace() {
  const folder = temporaryFolder();
  const files = temporaryFolder();
  return {
    folder,
    write(name: string, content: string | Buffer): string {
      writeFileSync(join(files, name), content);
      return join(files, name);
    },
    run(kind: StationImport['kind'], paths: string[], more: Partial<StationImport> = {}) {
      return importStations({
        folder,
        kind,
        files: paths,
        stdin: Readable.from([]),
        onProgress: () => {},
        ...IMPORT_PARTS,
        ...more,
      });
    },
    async latitudes(): Promise<number[]> {
      return [...(await readTables(folder)).stations.values()].map(station => station.latitude);
    },
  };
}

describe('cells', () => {
  test('come from the lists of network monitors', async () => {
    const { run, write, latitudes } = workplace();
    const monster = write(
      'cells.ntm',
      '2G;206;01;51764;251;;;50.1;4.35;"Mill", a place, here;60\n' +
        '4G;206;01;13;251;141311;270;50.2;4.35;Mill;1\n4G;206;01;13;2147483647;141311;270;50.3;4.35;Mill;1\n' +
        'CD;;12;3611;;;4139;50.4;4.35;Mill;\n',
    );
    const clf = write(
      'cells.clf',
      '//cell list exchange format v3.0//\r\n20601;51765;00251;00000;50.5;4.35;0;Mill;0\r\n',
    );
    const { accepted, refused, refusedLines } = await run('cells', [monster, clf]);
    expect({ accepted, refused }).toEqual({ accepted: 4, refused: 1 });
    expect(refusedLines).toMatchObject([{ line: 3, why: expect.stringContaining('area "" is not a whole number') }]);
    expect((await latitudes()).sort()).toEqual([50.1, 50.2, 50.4, 50.5]);
  });

  test('come with and without header, plain and compressed, from several files, the later winning', async () => {
    const { run, write, latitudes, folder } = workplace();
    const first = write('a.csv', CELL_HEADER + cellRow(1, 50) + cellRow(2, 50));
    const second = write('b.csv.gz', gzipSync(cellRow(2, 51) + cellRow(3, 51) + cellRow(3, 51.5)));
    const summary = await run('cells', [first, second]);
    expect(summary).toEqual({
      generation: 1,
      stations: 3,
      added: 3,
      replaced: 0,
      removed: 0,
      source: expect.any(String),
      rows: 5,
      accepted: 5,
      refused: 0,
      refusedByRule: {},
      refusedLines: [],
    });
    expect(await latitudes()).toEqual([50, 51, 51.5]);
    expect([...(await readTables(folder)).areas]).toEqual([
      ['0b03380100' + '00fb', expect.objectContaining({ samples: 3 })],
    ]);
  });

  test('come from standard input between files', async () => {
    const { run, write, latitudes } = workplace();
    const paths = [write('a.csv', cellRow(1, 50) + cellRow(2, 50)), '-', write('c.csv', cellRow(3, 52))];
    const stdin = Readable.from([gzipSync(CELL_HEADER + cellRow(2, 51) + cellRow(3, 51))]);
    expect(await run('cells', paths, { stdin })).toMatchObject({ stations: 3, accepted: 5 });
    expect(await latitudes()).toEqual([50, 51, 52]);
    await expect(run('cells', ['-', '-'])).rejects.toThrow(
      'Standard input can be read only once, but "-" is given more often.',
    );
  });

  test('that are known already are replaced', async () => {
    const { run, write, latitudes } = workplace();
    await run('cells', [write('a.csv', cellRow(1, 50) + cellRow(2, 50))]);
    expect(await run('cells', [write('b.csv', cellRow(2, 51) + cellRow(3, 51))])).toMatchObject({
      generation: 2,
      stations: 3,
      added: 1,
      replaced: 1,
      removed: 0,
      source: expect.any(String),
    });
    expect(await latitudes()).toEqual([50, 51, 51]);
  });

  test('on bad lines are counted by rule, and the first five are shown', async () => {
    const { run, write, latitudes } = workplace();
    const bad = [
      'LTE,206\n',
      '\n',
      '"x,\n',
      cellRow(-1, 50),
      cellRow(4, 95),
      cellRow(5, 0).replace('4.35', '0'),
      cellRow(1, 50, 70_000),
      '\n',
    ];
    const path = write('a.csv', CELL_HEADER + cellRow(1, 50) + bad.join('') + cellRow(2, 50));
    const summary = await run('cells', [path]);
    expect(summary).toMatchObject({ rows: 8, accepted: 2, refused: 6 });
    expect(summary.refusedByRule).toEqual({ columns: 2, 'cell id': 1, position: 1, 'null island': 1, area: 1 });
    expect(summary.refusedLines).toEqual([
      { file: path, line: 3, why: 'there are 2 columns instead of 14' },
      { file: path, line: 5, why: 'the line is not CSV: a quote is not closed' },
      { file: path, line: 6, why: 'cell "-1" is not a whole number from 0 to 268435455' },
      { file: path, line: 7, why: 'the latitude is not a number from -90 to 90' },
      { file: path, line: 8, why: 'the position 0, 0 is within a degree of 0, 0, where no land is' },
    ]);
    expect(await latitudes()).toEqual([50, 50]);
  });
});

test('a table of which less than half is taken is named, with what was wrong most often', async () => {
  const { run, write } = workplace();
  const [good, poor] = [
    write('good.csv', cellRow(1, 50)),
    write('poor.csv', cellRow(2, 50) + cellRow(3, 95) + cellRow(4, 95) + cellRow(-1, 50)),
  ];
  expect(await run('cells', [good, poor])).toMatchObject({
    accepted: 2,
    mostlyRefused: [
      { file: poor, rows: 4, taken: 1, reason: 'the latitude is not a number from -90 to 90', reasonRows: 2 },
    ],
  });
  expect(await run('cells', [write('half.csv', cellRow(2, 50) + cellRow(3, 95))])).not.toHaveProperty('mostlyRefused');
});

test('a table without rows is an error, and replaces nothing', async () => {
  const { run, write, latitudes } = workplace();
  await run('cells', [write('a.csv', CELL_HEADER + cellRow(1, 50.1))], { source: 'cells' });
  const empty = write('b.csv', `${CELL_HEADER}\n`);
  await expect(run('cells', [empty], { source: 'cells', replace: true })).rejects.toThrow(
    `${empty} holds nothing to import: no row stands below its header.`,
  );
  await expect(run('wifi', [write('c.csv', WIFI_HEADER)])).rejects.toThrow('no row stands below its header');
  expect(await latitudes()).toEqual([50.1]);
});

test('cells of OpenCelliD may have the names of networks', async () => {
  const { run, write } = workplace();
  const rows = ['LTE+', 'HSPA+', 'EDGE'].map((radio, i) => cellRow(i + 1, 50).replace('LTE', radio));
  expect(await run('cells', [write('a.csv', cellRow(9, 50) + rows.join(''))])).toMatchObject({ accepted: 4 });
});

test('access points and cells live side by side', async () => {
  const { run, write, folder } = workplace();
  await run('cells', [write('a.csv', cellRow(1, 50))]);
  const summary = await run('wifi', [write('b.csv', WIFI_HEADER + wifiRow(1, 49) + wifiRow(2, 49))]);
  expect(summary).toMatchObject({ generation: 2, stations: 3, added: 2 });
  const { stations, areas } = await readTables(folder);
  expect([...stations.keys()]).toEqual(['0188f7c7000001', '0188f7c7000002', '0b033801000000000100' + '00fb']);
  expect(areas.size).toBe(1);
});

describe('a source of the same name', () => {
  const rows = (...cells: number[]) => cells.map(cell => cellRow(cell, 50)).join('');

  test('is left alone by a file that lacks more than half of it, unless that is meant', async () => {
    const { run, write, latitudes, folder } = workplace();
    await run('cells', [write('cells.csv', rows(1, 2, 3, 4))]);
    const other = write('cells.csv', `${rows(4)}${cellRow(5, 51)}${cellRow(6, 51)}`);
    const before = [readdirSync(folder, { recursive: true }).sort(), await latitudes()];
    const refusal = run('cells', [other]);
    await expect(refusal).rejects.toThrow(ReplacementRefused);
    await expect(refusal).rejects.toThrow(
      'What is imported now lacks 3 of the 4 stations of the source "cells", more than half: it may be another ' +
        'file of the same name. Nothing was changed.',
    );
    expect([readdirSync(folder, { recursive: true }).sort(), await latitudes()]).toEqual(before);
    expect(await run('cells', [other], { source: 'other' })).toMatchObject({ added: 2, replaced: 1, removed: 0 });
    expect(await run('cells', [other], { replace: true })).toMatchObject({ removed: 3, stations: 3 });
  });

  test('is updated by a file that lacks up to half of it', async () => {
    const { run, write } = workplace();
    await run('cells', [write('cells.csv', rows(1, 2, 3, 4))]);
    expect(await run('cells', [write('cells.csv', rows(3, 4, 5, 6, 7))])).toMatchObject({
      removed: 2,
      added: 3,
      stations: 5,
    });
  });
});

test('a few access points change a large table in place', async () => {
  const { run, write } = workplace();
  const many = Array.from({ length: 1000 }, (_, i) => wifiRow(i, 49)).join('');
  await run('wifi', [write('a.csv', WIFI_HEADER + many)]);
  const summary = await run('wifi', [
    write('b.csv', WIFI_HEADER + wifiRow(7, 50) + wifiRow(7, 51) + wifiRow(5000, 50)),
  ]);
  expect(summary).toMatchObject({ generation: 1, stations: 1001, added: 1, replaced: 1, accepted: 3 });
  expect(Buffer.from(summary.changedKeys!).toString('hex')).toBe('0188f7c7000007000188f7c700138800');
});

test('progress goes through the bytes of all files, then through the stations', async () => {
  const { run, write } = workplace();
  const paths = ['a.csv', 'b.csv'].map(name => write(name, cellRow(1, 50) + cellRow(2, 50)));
  const seen: ImportProgress[] = [];
  await run('cells', paths, { onProgress: progress => seen.push(progress) });
  const bytes = 2 * (cellRow(1, 50) + cellRow(2, 50)).length;
  expect(seen[0]).toEqual({ phase: 'reading', rows: 2, bytesDone: bytes / 2, bytesTotal: bytes });
  expect(seen.at(-1)).toEqual({ phase: 'writing', rows: 2, bytesDone: 72, bytesTotal: 72 });
});

describe('a wrong file among good ones', () => {
  const GOOD = cellRow(1, 50);
  const WRONG: [string, string | Buffer, string][] = [
    ['an empty file', '', 'wrong.csv is empty.'],
    ['an archive', Buffer.from('PK\u0003\u0004\u0000\u0000\u0000'), 'wrong.csv is not CSV: it holds binary data.'],
    [
      'a list of access points',
      WIFI_HEADER + wifiRow(1, 50),
      'wrong.csv holds access points: import it with "sextant import wifi".',
    ],
    [
      'a table with other columns',
      'radio,mcc,mnc,lac,cid\n',
      'wrong.csv is not a cell table: its header must read radio,mcc,net,area,cell',
    ],
    ['prose', 'Dear operator,\nplease find enclosed\n', 'wrong.csv is not a cell table'],
    ['a gzip file without its end', gzipSync(GOOD.repeat(9000)).subarray(0, 900), 'wrong.csv is a damaged gzip file'],
  ];
  test.each(WRONG)('%s ends the import before anything is written', async (_, content, reason) => {
    const { run, write, folder } = workplace();
    const good = write('good.csv', GOOD);
    const wrong = write('wrong.csv', content);
    await expect(run('cells', [good, wrong])).rejects.toThrow(reason);
    expect(currentGeneration(folder)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['a table of cells with a header', CELL_HEADER + GOOD],
    ['one without', GOOD],
    ['a list of a network monitor', '4G;206;01;13;251;141311;270;50.2;4.35;Mill;1\n'],
  ])('%s among access points says that it holds cells', async (_, content) => {
    const { run, write, folder } = workplace();
    await expect(run('wifi', [write('cells.csv', content)])).rejects.toThrow(
      'cells.csv holds cells: import it with "sextant import cells".',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('on standard input ends it too', async () => {
    const { run, write, folder } = workplace();
    await expect(
      run('cells', [write('good.csv', GOOD), '-'], { stdin: Readable.from([Buffer.from('hello\n')]) }),
    ).rejects.toThrow('standard input is not a cell table');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that is missing ends it too', async () => {
    const { run, write, folder } = workplace();
    await expect(run('wifi', [write('good.csv', WIFI_HEADER), join(folder, 'none.csv')])).rejects.toThrow(
      'none.csv does not exist.',
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

const REAL = '../shared/data/positioning';
if (!existsSync(REAL)) console.log(`skipped: imports of real data, because ${REAL} is absent`);
describe.skipIf(!existsSync(REAL))('real data', () => {
  test('three countries of OpenCelliD', async () => {
    const { run, folder } = workplace();
    const summary = await run(
      'cells',
      ['204', '206', '234'].map(mcc => `${REAL}/opencellid_${mcc}.csv.gz`),
    );
    expect(summary).toMatchObject({
      rows: 249_168,
      accepted: 249_131,
      stations: 249_131,
      refused: 37,
      refusedByRule: { area: 1, 'fake identity': 36 },
    });
    const { root, stations, areas } = openGeneration(generationPath(folder, 1));
    const cellsOfAreas = [...areas.getRange()]
      .filter(({ key }) => key.length === AREA_KEY_BYTES)
      .map(({ value }) => value.readUInt16LE(STATION_SAMPLES));
    expect(cellsOfAreas.reduce((sum, cells) => sum + cells, 0)).toBe(249_131);
    // GSM,204,8,3040,11197,0,4.8486,52.398,4015,50,…
    const record = stations.get(Buffer.from('08033008' + '0000002bbd' + '000be0', 'hex'))!;
    expect(stationOf(record)).toMatchObject({ latitude: 52.398, longitude: 4.8486, r50Metres: 4016, samples: 50 });
    await root.close();
  });

  test('access points of a town', async () => {
    const { run, latitudes } = workplace();
    const summary = await run('wifi', [`${REAL}/darmstadt_aps.csv.gz`]);
    expect(summary).toMatchObject({
      rows: 34_699,
      accepted: 34_630,
      stations: 32_052,
      refusedByRule: { 'opted out': 8, 'moving hotspot': 61 },
    });
    const inTown = (await latitudes()).filter(latitude => Math.abs(latitude - 49.87) < 0.1);
    expect(inTown.length).toBeGreaterThan(32_000);
  });
});
