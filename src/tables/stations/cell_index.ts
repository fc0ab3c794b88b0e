// Finds cells by parts of their identity, for fallbacks. Cells are sorted by radio type, network, cell id and area, so
// each question is a short range of rows or a walk that jumps from network to network. Every walk has a bound.

import { areaOfKey, cellOfKey, networkNumber, writeCellKey } from '../../radio/station_key.ts';
import { AREA_KEY_BYTES, NETWORK_BYTES } from './areas.ts';
import { answeredStation } from './cell_area.ts';
import type { Generation } from './generation.ts';
import { isAtHome } from './home_country.ts';
import { ID_DISTANCES_BYTES, usualIdDistances } from './id_distances.ts';
import { decodeStation, STATE_ACTIVE, type Station, stationView } from './station.ts';

/** Most networks of one country that are read. */
const NETWORKS_MAX = 128;
/** Most RNCs of one network that are read. */
const RNCS_MAX = 512;
const AREA_MAX = 16_777_215;
const CELL_MAX = 2 ** 36 - 1;
const KEY_BYTES = 12;

/** A cell of the table that takes part in lookups and stands in its country. */
export interface IndexedCell extends Station {
  cell: number;
  area: number;
}

/** What to do with a row. */
type Choice = (cell: number, area: number) => 'take' | 'leave' | 'end';

/** A network: radio type as kind byte, MCC (ignored for cdma) and MNC. */
export interface NetworkId {
  kind: number;
  mcc: number;
  mnc: number;
}

/** Reads one generation, in the read transaction that is open. */
export class CellIndex {
  private readonly generation: Generation;

  constructor(generation: Generation) {
    this.generation = generation;
  }

  /** One cell, or undefined. */
  cell(network: NetworkId, area: number, cell: number): IndexedCell | undefined {
    const key = keyOf(network, area, cell);
    const record = this.generation.stations.getBinary(key);
    return record === undefined ? undefined : usable(key, record);
  }

  /**
   * Cells of a network from an id and area up or down, itself included.
   * @param rows of the table to be read at most
   * @param choose decides by the cell id and area of each row: take it, leave it, or end
   */
  outward(network: NetworkId, area: number, cell: number, isUp: boolean, rows: number, choose: Choice): IndexedCell[] {
    const start = keyOf(network, area, cell);
    const end = isUp ? keyOf(network, AREA_MAX, CELL_MAX) : keyOf(network, 0, 0);
    const found: IndexedCell[] = [];
    for (const { key, value } of this.generation.stations.getRange({ start, end, reverse: !isUp, limit: rows })) {
      const choice = choose(cellOfKey(key, 0), areaOfKey(key, 0));
      if (choice === 'end') break;
      const each = choice === 'take' ? usable(key, value) : undefined;
      if (each !== undefined) found.push(each);
    }
    return found;
  }

  /** All areas of a cell id, at most `rows`. */
  areasOf(network: NetworkId, cell: number, rows: number): IndexedCell[] {
    return this.outward(network, 0, cell, true, rows, each => (each === cell ? 'take' : 'end'));
  }

  /** The networks of a country in one radio type. */
  networksOf(kind: number, mcc: number): NetworkId[] {
    const found: NetworkId[] = [];
    for (let mnc = 0; found.length < NETWORKS_MAX && mnc < 1000; mnc++) {
      const key = this.keyFrom(keyOf({ kind, mcc, mnc }, 0, 0));
      if (key === undefined || key[0] !== kind) break;
      const network = key.readUIntBE(1, 3);
      if (network >>> 10 !== mcc) break;
      mnc = network & 1023;
      found.push({ kind, mcc, mnc });
    }
    return found;
  }

  /** Cells of all RNCs of a network whose ids end in these 16 bits, by RNC then area. */
  acrossRncs(network: NetworkId, shortId: number): IndexedCell[] {
    const found: IndexedCell[] = [];
    const prefix = keyOf(network, 0, 0).subarray(0, NETWORK_BYTES);
    let cell = shortId;
    for (let steps = 0; steps < 2 * RNCS_MAX; steps++) {
      const key = this.keyFrom(keyOf(network, 0, cell));
      if (key === undefined || key.compare(prefix, 0, NETWORK_BYTES, 0, NETWORK_BYTES) !== 0) break;
      const next = cellOfKey(key, 0);
      if (next === cell) {
        found.push(...this.areasOf(network, cell, 8));
        cell += 65_536;
      } else cell = Math.floor(next / 65_536) * 65_536 + shortId + (next % 65_536 > shortId ? 65_536 : 0);
    }
    return found;
  }

  /** A location area as a station: centre, distances of its cells, their number. */
  area(network: NetworkId, area: number): Station | undefined {
    const key = Buffer.alloc(AREA_KEY_BYTES);
    keyOf(network, 0, 0).copy(key, 0, 0, NETWORK_BYTES);
    key.writeUIntBE(area, NETWORK_BYTES, 3);
    const record = this.generation.areas.getBinary(key);
    return record === undefined ? undefined : decodeStation(stationView(record), 0);
  }

  /**
   * What the network's cell ids say about distances (src/tables/stations/id_distances.ts); the usual values when that
   * is unknown or stored in another format.
   */
  idDistances(network: NetworkId): Buffer {
    const record = this.generation.areas.getBinary(keyOf(network, 0, 0).subarray(0, NETWORK_BYTES));
    return record?.length === ID_DISTANCES_BYTES ? record : usualIdDistances(network.kind);
  }

  private keyFrom(start: Buffer): Buffer | undefined {
    for (const key of this.generation.stations.getKeys({ start, limit: 1 })) return key;
    return undefined;
  }
}

function keyOf({ kind, mcc, mnc }: NetworkId, area: number, cell: number): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  writeCellKey(key, 0, kind, networkNumber(kind, mcc, mnc), area, cell);
  return key;
}

function usable(key: Buffer, record: Buffer): IndexedCell | undefined {
  const station = answeredStation(key[0], stationView(record));
  if (station.state !== STATE_ACTIVE || !isAtHome(key, 0, station.latitude, station.longitude)) return undefined;
  return { ...station, cell: cellOfKey(key, 0), area: areaOfKey(key, 0) };
}
