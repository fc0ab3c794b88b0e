// A small world for one question: a map in characters becomes stations in a real data folder, and a real Locator
// answers.
//
//   capital letters   access points, each with three networks of the same radio (all but the first octet are equal)
//   digits            LTE cells of the test network 001-01, area 1
//   small letters     positions that a test names
//   anything else     nothing
//
// A character is `metres` wide and high, north is up. The map's first character stands at the origin.

import { onTestFinished } from 'vitest';
import { KIND_BLUETOOTH, KIND_LTE } from '../../../src/radio/kind.ts';
import {
  ADDRESS_ABSENT,
  AGE_ABSENT,
  CODE_ABSENT,
  FLAG_SERVING,
  SIGNAL_ABSENT,
} from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../../src/radio/query/writer.ts';
import { areaOfKey, cellOfKey, mccOfKey, mncOfKey, networkNumber } from '../../../src/radio/station_key.ts';
import type { Guesses } from '../../../src/tables/stations/guesses.ts';
import type { StationChange } from '../../../src/tables/stations/knowledge.ts';
import { type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { drawn, metresTo, type Position } from './ground.ts';
import { type Answer, StationFolder } from './station_folder.ts';
import { beaconKey, cellKey, deviceMac, macKey, putting } from './stations.ts';

const ORIGIN: Position = [49.87, 8.65];
const UUID = Uint8Array.from({ length: 16 }, (_, i) => i * 7);
/** First octets of the networks of one radio. */
const NETWORKS = [0x02, 0x06, 0x0a];

/** What a map cannot say. */
export interface Drawing {
  map: string;
  /** Metres from one character to the next. */
  metres: number;
  /** Position of the map's first character. */
  origin?: Position;
  /** Capital letters that are Bluetooth devices, and those that are iBeacons. */
  bluetooth?: string;
  beacons?: string;
  /** 50 % radius of single stations; access points have 30 m, beacons 5, cells 400. */
  r50?: Record<string, number>;
  /** Other values of single stations. */
  stations?: Record<string, Partial<Station>>;
}

/** Stations in a data folder with a locator in front. `close` removes the folder. */
export class World {
  readonly positions = new Map<string, Position>();
  private readonly changes: StationChange[] = [];
  private folder: StationFolder | undefined;
  memory = new QueryMemory(new ArrayBuffer(queryBytes(256)));

  /** Draws maps for the running test, at whose end the world is closed. */
  static async draw(...drawings: Drawing[]): Promise<World> {
    const world = new World();
    onTestFinished(() => world.close());
    for (const drawing of drawings) world.addMap(drawing);
    await world.build();
    return world;
  }

  /** Puts the stations of one more map; before `build`. */
  addMap({ map, metres, origin = ORIGIN, bluetooth = '', beacons = '', r50 = {}, stations = {} }: Drawing): void {
    for (const [name, position] of Object.entries(drawn(map, metres, origin))) {
      this.positions.set(name, position);
      const kindRadius = /[0-9]/.test(name) ? 400 : (bluetooth + beacons).includes(name) ? 5 : 30;
      const radius = r50[name] ?? kindRadius;
      const station = { ...stationAt(position[0], position[1], radius, radius * 2.1), ...stations[name] };
      if (/[0-9]/.test(name)) this.addCell(Number(name), station);
      else if (bluetooth.includes(name)) this.add(macKey(beaconMacOf(name), KIND_BLUETOOTH), station);
      else if (beacons.includes(name)) this.add(beaconKey(UUID, 1, name.charCodeAt(0)), station);
      else if (/[A-Z]/.test(name))
        for (let network = 0; network < NETWORKS.length; network++) this.addWifi(macOf(name, network), station);
    }
  }

  /** Puts an access point; before `build`. */
  addWifi(mac: number, station: Station): void {
    this.add(macKey(mac), station);
  }

  addBluetooth(mac: number, station: Station): void {
    this.add(macKey(mac, KIND_BLUETOOTH), station);
  }

  /** Puts a cell; before `build`. */
  addCell(cell: number, station: Station, kind = KIND_LTE, area = 1): void {
    this.add(cellKey(kind, 1, 1, area, cell), station);
  }

  /** Writes the stations and opens the locator. */
  async build(): Promise<void> {
    this.folder = await StationFolder.open();
    await this.folder.writer.apply(this.changes);
  }

  /** Begins a request. */
  ask(): Question {
    return new Question(this);
  }

  /** Metres from an answer to a position on the map; infinite when nothing was found. */
  metresTo(answer: Answer | undefined, name: string): number {
    const position = this.positions.get(name);
    if (position === undefined) throw new Error(`The map has no ${name}.`);
    return metresTo(answer, position);
  }

  /** What accounts have guessed. */
  get guesses(): Guesses {
    if (this.folder === undefined) throw new Error('The world is not built.');
    return this.folder.cache.guesses;
  }

  /** Answers a query that was written at byte 0 of `memory`. */
  locate(): Answer | undefined {
    if (this.folder === undefined) throw new Error('The world is not built.');
    return this.folder.locate(this.memory);
  }

  async close(): Promise<void> {
    await this.folder?.close();
  }

  /** Puts any station; before `build`. */
  add(key: Uint8Array, station: Station): void {
    this.changes.push(putting(key, station));
  }
}

interface Sighting {
  ageMs?: number;
}

/** One request, written thing by thing and answered at the end. */
export class Question {
  private readonly world: World;
  private readonly accessPoints: (() => void)[] = [];
  private lone = 0;
  private asker = 0;
  private readonly beacons: (() => void)[] = [];
  private readonly cells: (() => void)[] = [];
  private readonly radios = new Set<number>();
  private fix: { position: Position; accuracy: number; age: number } | undefined;
  private writer!: QueryWriter;
  private strangers = 0;

  constructor(world: World) {
    this.world = world;
  }

  /** An access point of the map, by its n-th network. */
  wifi(name: string, signalDbm = SIGNAL_ABSENT, { ageMs = AGE_ABSENT, network = 0, frequency = 0 } = {}): this {
    return this.wifiByMac(macOf(name, network), signalDbm, { ageMs, frequency });
  }

  /** An access point by its address. */
  wifiByMac(mac: number, signalDbm: number, { ageMs = AGE_ABSENT, frequency = 0 } = {}): this {
    this.radios.add(mac % 2 ** 40);
    this.accessPoints.push(() => this.writer.addWifi(mac, signalDbm, frequency, ageMs, 0));
    return this;
  }

  /** An access point that no table holds. */
  unknownWifi(signalDbm = -60): this {
    return this.wifiByMac(0x02ffff000000 + this.strangers++, signalDbm);
  }

  bluetooth(name: string, signalDbm = SIGNAL_ABSENT, { ageMs = AGE_ABSENT }: Sighting = {}): this {
    return this.bluetoothByMac(beaconMacOf(name), signalDbm, ageMs);
  }

  bluetoothByMac(mac: number, signalDbm = SIGNAL_ABSENT, ageMs = AGE_ABSENT): this {
    this.beacons.push(() => this.writer.addBluetooth(mac, signalDbm, ageMs));
    return this;
  }

  /** @param which LONE_BEACONS_* */
  loneBeacons(which: number): this {
    this.lone = which;
    return this;
  }

  /** Asks as an account. @param asker from `askerOf` */
  as(asker: number): this {
    this.asker = asker;
    return this;
  }

  /** An iBeacon. */
  beacon(name: string, signalDbm = SIGNAL_ABSENT, { ageMs = AGE_ABSENT }: Sighting = {}): this {
    this.beacons.push(() => this.writer.addBeacon(UUID, 1, name.charCodeAt(0), signalDbm, ageMs, ADDRESS_ABSENT));
    return this;
  }

  /** A cell of the map, by its digit, or any number. */
  cell(
    name: string | number,
    signalDbm = SIGNAL_ABSENT,
    { serving = false, kind = KIND_LTE, area = 1, flags = 0 } = {},
  ): this {
    const bits = flags | (serving ? FLAG_SERVING : 0);
    this.cells.push(() => {
      this.writer.identifyCell(kind, networkNumber(kind, 1, 1), area, Number(name));
      this.writer.addCell(signalDbm, CODE_ABSENT, AGE_ABSENT, -1, bits);
    });
    return this;
  }

  /** A cell by the bytes of its key. */
  cellByKey(key: Uint8Array, signalDbm = SIGNAL_ABSENT, serving = false): this {
    const [kind] = key;
    const [mcc, mnc, area, cell] = [mccOfKey(key, 0), mncOfKey(key, 0), areaOfKey(key, 0), cellOfKey(key, 0)];
    const flags = serving ? FLAG_SERVING : 0;
    this.cells.push(() => {
      this.writer.identifyCell(kind, networkNumber(kind, mcc, mnc), area, cell);
      this.writer.addCell(signalDbm, CODE_ABSENT, AGE_ABSENT, -1, flags);
    });
    return this;
  }

  gps(name: string | Position, accuracy: number, age = 0): this {
    const position = typeof name === 'string' ? this.world.positions.get(name) : name;
    if (position === undefined) throw new Error(`The map has no ${name}.`);
    this.fix = { position, accuracy, age };
    return this;
  }

  /** The service's answer; undefined when nothing was found. */
  answer(): Answer | undefined {
    const bytes = queryBytes(this.accessPoints.length + this.beacons.length + this.cells.length);
    if (this.world.memory.buffer.byteLength < bytes) this.world.memory = new QueryMemory(new ArrayBuffer(bytes * 2));
    const writer = new QueryWriter(this.world.memory);
    this.writer = writer;
    writer.begin(0);
    for (const add of [...this.accessPoints, ...this.beacons, ...this.cells]) add();
    writer.setSubmittedRadios(this.radios.size);
    writer.setLoneBeacons(this.lone);
    writer.setAsker(this.asker);
    if (this.fix !== undefined) {
      const [latitude, longitude] = this.fix.position;
      writer.setFix({ latitude, longitude, accuracyMetres: this.fix.accuracy, ageSeconds: this.fix.age });
    }
    writer.end();
    return this.world.locate();
  }
}

/** Beacons have the addresses of their vendors, access points those that they make up for their networks. */
function beaconMacOf(name: string): number {
  return macOf(name) % 2 ** 40;
}

function macOf(name: string, network = 0): number {
  return NETWORKS[network] * 2 ** 40 + (deviceMac(name.charCodeAt(0)) % 2 ** 40);
}
