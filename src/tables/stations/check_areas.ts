// Checks the areas of a generation: each is derived again from all of its cells and must come out the same, byte for
// byte. Cells are met in key order, so a network is complete when the next one begins.
//
// The cells of a network may span several slices and change between them. So when areas differ, the network is read
// once more in one snapshot, and only differences found there are reported. Networks whose areas are marked as older
// than their cells are skipped, and so are those with a damaged cell, which is a finding by itself.

import { isCell, radioOfKind } from '../../radio/kind.ts';
import { areaOfKey, mccOfKey, mncOfKey } from '../../radio/station_key.ts';
import { type Check, inSnapshot, REBUILD, type TableCheck, walkRows } from '../environment/check_walk.ts';
import { AREA_KEY_BYTES, AreaCollector, NETWORK_BYTES } from './areas.ts';
import type { Generation } from './generation.ts';
import { ID_DISTANCES_BYTES } from './id_distances.ts';
import { isCellKey, problemWithKey, problemWithRecord } from './station.ts';

const REMEDY = `${REBUILD}, which derives it again`;

/** Derives areas from the cells that a walk meets. */
export class AreaCheck {
  private readonly generation: Generation;
  private readonly areas: TableCheck;
  private readonly networks = new Set<string>();
  private readonly collector: AreaCollector;
  private derived = new Map<string, Buffer>();
  private network: Buffer | undefined;
  private isSound = true;

  constructor(generation: Generation, check: Check, prefix: string) {
    this.generation = generation;
    this.areas = check.table(`${prefix}areas`, REMEDY);
    this.collector = new AreaCollector((key, record) => this.derived.set(key.toString('hex'), Buffer.from(record)));
  }

  /** Takes the next station in key order. @param isSound its record can be read */
  add(key: Buffer, record: Buffer, isSound: boolean): void {
    if (!isCellKey(key)) return;
    const network = key.subarray(0, NETWORK_BYTES);
    if (this.network === undefined || !network.equals(this.network)) {
      this.endNetwork();
      this.network = network;
    }
    if (isSound) this.collector.add(key, record);
    else this.isSound = false;
  }

  /** Compares the network that was being gathered, in the read transaction that is open. */
  endNetwork(): void {
    const { network, derived, isSound } = this;
    this.collector.end();
    this.derived = new Map();
    this.network = undefined;
    this.isSound = true;
    if (network === undefined) return;
    this.networks.add(network.toString('hex'));
    if (isSound && this.differences(network, derived).length > 0) this.lookAgain(network);
  }

  /** Walks through the areas: their records, and those of networks that have no cell. */
  async walk(): Promise<void> {
    const { root, areas } = this.generation;
    await walkRows(root, areas, this.areas, (key, record) => {
      if (!(isArea(key) || key.length === NETWORK_BYTES) || !isCell(key[0]))
        this.areas.find('key', `key ${key.toString('hex')}`, 'it names no area');
      else this.areas.findSome('record', nameArea(key), problemWith(key, record));
      const network = key.subarray(0, NETWORK_BYTES).toString('hex');
      if (this.networks.has(network)) return;
      this.networks.add(network);
      this.lookAgain(key.subarray(0, NETWORK_BYTES));
    });
  }

  /** Derives a network's areas in one snapshot and tells what does not follow. */
  private lookAgain(network: Buffer): void {
    const { root, stations, stale } = this.generation;
    inSnapshot(root, this.areas, network, () => {
      if (stale.doesExist(network)) return;
      const derived = new Map<string, Buffer>();
      const collector = new AreaCollector((key, record) => derived.set(key.toString('hex'), Buffer.from(record)));
      for (const { key, value } of stations.getRange({ start: network, end: behind(network) })) {
        if (problemWithKey(key) !== undefined || problemWithRecord(value) !== undefined) return;
        collector.add(Buffer.from(key), value);
      }
      collector.end();
      for (const { key, what } of this.differences(network, derived)) this.areas.find('derived', nameArea(key), what);
    });
  }

  private differences(network: Buffer, derived: ReadonlyMap<string, Buffer>): { key: Buffer; what: string }[] {
    const found: { key: Buffer; what: string }[] = [];
    const stored = new Set<string>();
    for (const { key, value } of this.generation.areas.getRange({ start: network, end: behind(network) })) {
      const expected = derived.get(key.toString('hex'));
      stored.add(key.toString('hex'));
      if (expected === undefined) found.push({ key: Buffer.from(key), what: 'none of its cells is in the tables' });
      // A record that is damaged by itself is told by the walk.
      else if (!expected.equals(value) && problemWith(key, value) === undefined)
        found.push({ key: Buffer.from(key), what: 'it does not follow from its cells' });
    }
    for (const key of derived.keys())
      if (!stored.has(key))
        found.push({ key: Buffer.from(key, 'hex'), what: 'it is missing, and its cells are there' });
    return found;
  }
}

/** An area's own key; what a network's cell ids say about distances stands under the network's. */
function isArea(key: Buffer): boolean {
  return key.length === AREA_KEY_BYTES;
}

function problemWith(key: Buffer, value: Buffer): string | undefined {
  if (isArea(key)) return problemWithRecord(value);
  return value.length === ID_DISTANCES_BYTES
    ? undefined
    : `its record has ${value.length} bytes instead of ${ID_DISTANCES_BYTES}`;
}

/** The first key that is no longer of a network. */
function behind(network: Buffer): Buffer {
  return Buffer.concat([network, Buffer.alloc(AREA_KEY_BYTES * 2, 0xff)]);
}

/** An area for people, `area lte 206-1-251`, or the distances between a network's cells, `id distances lte 206-1`. */
function nameArea(key: Buffer): string {
  const cell = Buffer.concat([
    key.subarray(0, NETWORK_BYTES),
    Buffer.alloc(5),
    key.subarray(NETWORK_BYTES),
    Buffer.alloc(3),
  ]);
  const network = mccOfKey(cell, 0) < 0 ? mncOfKey(cell, 0) : `${mccOfKey(cell, 0)}-${mncOfKey(cell, 0)}`;
  return isArea(key)
    ? `area ${radioOfKind(key[0])} ${network}-${areaOfKey(cell, 0)}`
    : `id distances ${radioOfKind(key[0])} ${network}`;
}
