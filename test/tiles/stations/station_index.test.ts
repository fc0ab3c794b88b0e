// The index of stations, read from the tables of a data folder.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { KIND_BLUETOOTH, KIND_NR } from '../../../src/radio/kind.ts';
import { STATE_BLOCKED, type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { worldPointOf } from '../../../src/tiles/stations/place_order.ts';
import { makeStationIndex, type StationIndex } from '../../../src/tiles/stations/station_index.ts';
import { type StationQuery, stationTile } from '../../../src/tiles/stations/station_tile.ts';
import { importStations } from '../../../src/transfer/import_stations.ts';
import { IMPORT_PARTS } from '../../kits/radio/imports.ts';
import { beaconKey, cellKey, macKey, putting } from '../../kits/radio/stations.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const LATITUDE = 47.14;
const LONGITUDE = 9.52;

function here(changes: Partial<Station> = {}): Station {
  return { ...stationAt(LATITUDE, LONGITUDE, 30, 60), samples: 5, lastSeenDay: 20_000, ...changes };
}

/** Makes the index, all steps at once. @returns it, and the last progress that was told */
function made(folder: string) {
  const steps = makeStationIndex(folder);
  let progress = { done: 0, total: 0 };
  for (;;) {
    const { value, done } = steps.next();
    if (done) return { index: value, progress };
    progress = { ...value };
  }
}

async function imported(folder: string, kind: 'cells' | 'wifi', source: string, text: string): Promise<void> {
  const path = join(temporaryFolder(), 'table.csv');
  writeFileSync(path, text);
  const stdin = Readable.from([]);
  await importStations({ folder, kind, files: [path], source, stdin, onProgress: () => {}, ...IMPORT_PARTS });
}

function namesIn(index: StationIndex, query: StationQuery): string[] {
  const { x, y } = worldPointOf(LATITUDE, LONGITUDE);
  const tile = { z: 14, x: x >>> 18, y: y >>> 18 };
  return stationTile(index, tile, query)
    .points.map(({ name }) => name)
    .sort();
}

test('stations of all kinds are found with the import that they come from', async () => {
  const folder = temporaryFolder();
  expect(namesIn(made(folder).index, {})).toEqual([]);
  const header = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n';
  const row = (cell: number) => `LTE,228,1,10,${cell},0,${LONGITUDE},${LATITUDE},500,7,1,1459692342,1488347104,0\n`;
  await imported(folder, 'cells', 'first', header + row(1) + row(2));
  await imported(folder, 'cells', 'second', header + row(2) + row(3));
  const wifi = (octet: string) => `02:00:00:00:00:${octet},${LATITUDE},${LONGITUDE}\n`;
  await imported(folder, 'wifi', 'routers', `bssid,latitude,longitude\n${wifi('0a')}${wifi('0b')}`);
  const writer = await StationWriter.open(folder, undefined);
  const uuid = Buffer.from('f7826da64fa24e988024bc5b71e0893e', 'hex');
  await writer.apply([
    putting(macKey(0x02000000000b), here({ isLearned: true, samples: 100 })),
    putting(macKey(0x02000000000c, KIND_BLUETOOTH), here({ lastSeenDay: 0 })),
    putting(beaconKey(uuid, 1, 7), here()),
    putting(cellKey(KIND_NR, 228, 2, 5, 68_719_476_735), here({ state: STATE_BLOCKED })),
  ]);
  await writer.close();

  const { index, progress } = made(folder);
  expect(progress).toEqual({ done: 8, total: 8 });
  expect(index.sources).toEqual(['first', 'second', 'routers']);
  const beacon = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e/1/7';
  const nr = 'nr-228-2-5-68719476735';
  const lte = [1, 2, 3].map(cell => `lte-228-1-10-${cell}`);
  const macs = ['0a', '0b', '0c'].map(octet => `02:00:00:00:00:${octet}`);
  expect(namesIn(index, {})).toEqual([...macs, beacon, ...lte, nr].sort());
  expect(namesIn(index, { kind: 'wifi' })).toEqual(macs.slice(0, 2));
  expect(namesIn(index, { kind: 'bluetooth' })).toEqual([macs[2]]);
  expect(namesIn(index, { kind: 'beacon' })).toEqual([beacon]);
  expect(namesIn(index, { kind: KIND_NR })).toEqual([nr]);
  expect(namesIn(index, { source: 'first' })).toEqual([lte[0]]);
  expect(namesIn(index, { source: 'second' })).toEqual(lte.slice(1));
  expect(namesIn(index, { source: 'routers' })).toEqual([macs[0]]);
  expect(namesIn(index, { isLearned: true })).toEqual([macs[1]]);
  expect(namesIn(index, { kind: 'bluetooth', seenAfterDay: 1 })).toEqual([]);
  const { x, y } = worldPointOf(LATITUDE, LONGITUDE);
  const { points } = stationTile(index, { z: 22, x: x >>> 10, y: y >>> 10 }, {});
  expect(points.find(({ name }) => name === nr)).toMatchObject({ kind: 'nr', used: false, samples: 4 });
  expect(points.find(({ name }) => name === macs[1])).toMatchObject({
    kind: 'wifi',
    used: true,
    samples: 64,
    learned: true,
    lastSeen: '2024-10-04',
    source: undefined,
  });
});

test('more stations than there are room for at first do not change what is found', async () => {
  const folder = temporaryFolder();
  const rows = Array.from({ length: 5_000 }, (_, i) => {
    const mac = `02:00:00:00:${(i >> 8).toString(16).padStart(2, '0')}:${(i & 255).toString(16).padStart(2, '0')}`;
    return `${mac},${47 + (i % 100) / 1e4},${9.5 + Math.floor(i / 100) / 1e4}\n`;
  });
  await imported(folder, 'wifi', 'all', `bssid,latitude,longitude\n${rows.join('')}`);
  const { index } = made(folder);
  const { squares } = stationTile(index, { z: 0, x: 0, y: 0 }, {});
  expect(squares).toEqual([expect.objectContaining({ stations: 5_000 })]);
  expect(index.bytes).toBeLessThan(5_000 * 18 * 1.5);
});
