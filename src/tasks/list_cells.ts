// Lists the cells of an area: those that lookups use, and nothing of any other kind of station. The thread that is
// asked keeps an index of them (tiles/stations/index_keeper.ts), which takes 23 bytes a cell, as long as it lives.

import type { Answerer } from '../answer/answerer.ts';
import type { Slices } from '../pool/slices.ts';
import type { CellArea, CellInArea, CellsInArea } from '../protocol/requests/cell_area.ts';
import { areaOfKey, cellOfKey, mccOfKey, mncOfKey } from '../radio/station_key.ts';
import { answeredStation } from '../tables/stations/cell_area.ts';
import { type Generation, openLiveGeneration } from '../tables/stations/generation.ts';
import { isAtHome } from '../tables/stations/home_country.ts';
import { STATE_ACTIVE, stationView } from '../tables/stations/station.ts';
import { IndexKeeper } from '../tiles/stations/index_keeper.ts';
import { stationsInBox } from '../tiles/stations/station_box.ts';
import type { StationColumns } from '../tiles/stations/station_columns.ts';
import { kindAt } from '../tiles/stations/station_index.ts';

interface CellsQuestion {
  /** Data folder. */
  folder: string;
  area: CellArea;
}

/** Work on the index for each question; one slice. */
const MAKING_MILLISECONDS = 5;

/** Those of this thread. */
const keepers = new Map<string, IndexKeeper>();

/** Lists cells. The first question of a thread waits for the index. @throws Error when a table cannot be used */
export async function listCells(_: Answerer, { folder, area }: CellsQuestion, slices: Slices): Promise<CellsInArea> {
  const keeper = keepers.get(folder) ?? new IndexKeeper(folder, ['cell']);
  keepers.set(folder, keeper);
  let kept = keeper.work(MAKING_MILLISECONDS);
  while (kept === undefined) {
    await slices.giveWay();
    kept = keeper.work(MAKING_MILLISECONDS);
  }
  const { cell: columns } = kept.index.groups;
  const keys: Buffer[] = [];
  let total = 0;
  for (const at of stationsInBox(columns, area.box)) {
    const key = columns.aboutOf(at).isUsed ? keyAt(columns, at) : undefined;
    if (key === undefined || !fits(key, area)) continue;
    if (total >= area.offset && keys.length < area.limit) keys.push(key);
    total++;
  }
  return { total, cells: keys.length === 0 ? [] : await readCells(folder, keys) };
}

function keyAt(columns: StationColumns, at: number): Buffer {
  return Buffer.concat([Buffer.of(kindAt('cell', columns, at)), columns.keyOf(at)]);
}

function fits(key: Buffer, { kind, mcc, mnc, area }: CellArea): boolean {
  if (kind !== undefined && key[0] !== kind) return false;
  if (mcc !== undefined && mccOfKey(key, 0) !== mcc) return false;
  if (mnc !== undefined && mncOfKey(key, 0) !== mnc) return false;
  return area === undefined || areaOfKey(key, 0) === area;
}

/** What is known of them now: the index is older. */
async function readCells(folder: string, keys: readonly Buffer[]): Promise<CellInArea[]> {
  const generation = openLiveGeneration(folder);
  if (generation === undefined) return [];
  try {
    return keys.map(key => cellOf(generation, key)).filter(cell => cell !== undefined);
  } finally {
    await generation.root.close();
  }
}

function cellOf({ stations }: Generation, key: Buffer): CellInArea | undefined {
  const record = stations.getBinary(key);
  const station = record && answeredStation(key[0], stationView(record));
  if (station === undefined || station.state !== STATE_ACTIVE) return undefined;
  const { latitude, longitude, r95Metres, samples } = station;
  if (!isAtHome(key, 0, latitude, longitude)) return undefined;
  return {
    kind: key[0],
    mcc: mccOfKey(key, 0),
    mnc: mncOfKey(key, 0),
    area: areaOfKey(key, 0),
    cell: cellOfKey(key, 0),
    latitude,
    longitude,
    r95Metres,
    samples,
  };
}
