// Small random worlds in which any station can be moved anywhere: two to eight access points or beacons at one to three
// places, whose addresses have few or many octets in common, learned or imported, and a scan that names them, perhaps
// with a fix or a cell. Stations stand in the cache of the service, so that moving one takes microseconds; what answers
// is the code of the service.

import type { Locator } from '../../../src/positioning/locate.ts';
import { KIND_BLUETOOTH, KIND_LTE, KIND_WIFI } from '../../../src/radio/kind.ts';
import { deviceHigh, deviceLow, deviceNumbers, isSameDevice } from '../../../src/radio/mac.ts';
import { AGE_ABSENT, CODE_ABSENT, REQUEST_BYTES, RESULT_STATUS } from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../../src/radio/query/writer.ts';
import { networkNumber, radioNumber } from '../../../src/radio/station_key.ts';
import type { StationCache } from '../../../src/tables/stations/cache.ts';
import { packStation } from '../../../src/tables/stations/packed_station.ts';
import { type Station, stationAt, stationView } from '../../../src/tables/stations/station.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { moved, type Position } from '../../kits/radio/ground.ts';
import { cellKey, macKey, recordOf } from '../../kits/radio/stations.ts';
import { uniform } from '../../kits/random.ts';

/** A station of a world. */
export interface WorldStation {
  mac: number;
  kind: number;
  station: Station;
  levelDbm: number;
  ageMs: number;
  /** The operator vouches for it, so that its place is public. */
  isPublic: boolean;
}

/** A world, and the scan that names all of its stations. */
export interface SmallWorld {
  stations: readonly WorldStation[];
  fix: { at: Position; accuracyMetres: number } | undefined;
  hasCell: boolean;
  unknown: number;
  middle: Position;
}

/** What an account was wrong about: a device, and where. */
export interface WrongGuess {
  account: number;
  device: number;
  /** A number stands for the set of devices of a scan that was not answered. */
  places: (Position | number)[];
}

/** What came of a scan. */
export interface Outcome {
  /** All that an answer is made of, in hexadecimal. */
  bytes: string;
  isFound: boolean;
  at: Position;
  wrong: WrongGuess[];
}

const CELL = 7;
const MIDDLES: readonly Position[] = [
  [49.87, 8.65],
  [-17.5, 179.9995],
  [0, 0],
  [69.6, 18.9],
];

/** Draws a world. */
export function drawWorld(seed: number): SmallWorld {
  const random = uniform(seed);
  const whole = (below: number) => Math.floor(random() * below);
  const middle = MIDDLES[whole(MIDDLES.length)];
  const places = [middle, moved(middle, 500 + 3_000 * random(), 400 * random()), moved(middle, -20_000, 9_000)];
  const count = 2 + whole(7);
  const spread = 10 * 10 ** (1.6 * random());
  const kind = random() < 0.8 ? KIND_WIFI : KIND_BLUETOOTH;
  const base = drawMac(random);
  const likelyPlaces = 1 + whole(3);
  const stations = Array.from({ length: count }, (): WorldStation => {
    const at = places[whole(likelyPlaces)];
    const position = moved(at, spread * (2 * random() - 1), spread * (2 * random() - 1));
    const isPublic = kind === KIND_BLUETOOTH && random() < 0.3;
    const r95Metres = 20 + 500 * random() ** 2;
    return {
      mac: random() < 0.5 ? relatedTo(base, random) : drawMac(random),
      kind,
      station: {
        ...stationAt(...position, r95Metres / 2.1, r95Metres),
        isLearned: random() < 0.5,
        isUntrusted: kind === KIND_BLUETOOTH ? !isPublic : random() < 0.5,
        samples: 1 + whole(200),
      },
      levelDbm: -30 - whole(65),
      ageMs: random() < 0.7 ? AGE_ABSENT : whole(90_000),
      isPublic,
    };
  });
  const byRadio = new Map(stations.map(each => [each.mac % 2 ** 40, each]));
  return {
    stations: [...byRadio.values()],
    fix: random() < 0.3 ? { at: places[whole(3)], accuracyMetres: 5 + whole(250) } : undefined,
    hasCell: random() < 0.3,
    unknown: whole(4),
    middle,
  };
}

/** An address that a vendor gave: neither local nor of a group. */
function drawMac(random: () => number): number {
  return Math.floor(random() * 64) * 4 * 2 ** 40 + Math.floor(random() * 2 ** 40);
}

/** An address that has the first one to five octets in common with another one. */
function relatedTo(mac: number, random: () => number): number {
  const bits = 8 * (1 + Math.floor(random() * 5));
  return mac - (mac % 2 ** bits) + Math.floor(random() * 2 ** bits);
}

/** The folder's own part, and one account after another. */
export class WorldAsker {
  private readonly cache: StationCache;
  private readonly locator: Locator;
  private readonly memory = new QueryMemory(new ArrayBuffer(queryBytes(64)));
  private readonly payload = new Int32Array(PAYLOAD_WORDS);
  private account = 0;

  constructor(cache: StationCache, locator: Locator) {
    this.cache = cache;
    this.locator = locator;
  }

  /** Has all stations of a world known, where they stand. */
  settle({ stations, middle }: SmallWorld): void {
    for (const each of stations) this.put(each, [each.station.latitude, each.station.longitude]);
    const cell = cellKey(KIND_LTE, 1, 1, 1, CELL);
    this.write(cell, stationAt(...middle, 400, 900));
  }

  /** Has a station known at a place. */
  put({ mac, kind, station }: WorldStation, [latitude, longitude]: Position): void {
    this.write(macKey(mac, kind), { ...station, latitude, longitude });
  }

  private write(key: Buffer, station: Station): void {
    const words = new Int32Array(8);
    new Uint8Array(words.buffer).set(key);
    packStation(key, 0, stationView(recordOf(station)), this.payload, 0);
    this.cache.write(words, 0, (key.length + 3) >> 2, this.payload, 0, true);
  }

  /** An account that has not asked yet. */
  newAccount(): number {
    this.account = (this.account % 1_000_000) + 1;
    return this.account;
  }

  /** Has an account use up its guesses of a station. */
  spend(account: number, station: WorldStation): void {
    for (let place = 0; place < 3; place++) this.noteFar(account, true, station, place);
  }

  /** Has so many accounts be wrong about a station that its device has no vote. */
  leaveOut(station: WorldStation): void {
    for (let n = 0; n < 10; n++) this.noteFar(this.newAccount(), false, station, n);
  }

  private noteFar(account: number, isTrusted: boolean, { mac, kind }: WorldStation, place: number): void {
    this.cache.guesses.noteElsewhere(account, isTrusted, radioOf(mac, kind), [-800_000_000, place * 1e7], Date.now());
    this.takeWrong();
  }

  /** One of five others asks the same. */
  askAsOther(world: SmallWorld): void {
    this.ask(world, 1_000_001 + (this.account % 5), false);
  }

  /** Asks by the scan of a world. */
  ask(world: SmallWorld, account: number, isTrusted = true): Outcome {
    const { memory, locator } = this;
    const writer = new QueryWriter(memory);
    writer.begin(0);
    const sent = world.stations;
    for (const { mac, levelDbm, ageMs } of sent.filter(({ kind }) => kind === KIND_WIFI))
      writer.addWifi(mac, levelDbm, 0, ageMs, 0);
    for (let n = 0; n < world.unknown; n++) writer.addWifi(0x0cffff000000 + 70_000 * n, -60, 0, AGE_ABSENT, 0);
    for (const { mac, levelDbm, ageMs } of sent.filter(({ kind }) => kind === KIND_BLUETOOTH))
      writer.addBluetooth(mac, levelDbm, ageMs);
    if (world.hasCell) {
      writer.identifyCell(KIND_LTE, networkNumber(KIND_LTE, 1, 1), 1, CELL);
      writer.addCell(-80, CODE_ABSENT, AGE_ABSENT, -1, 0);
    }
    writer.setSubmittedRadios(sent.length + world.unknown);
    // Trusted ones count for themselves alone, so no device is left out of votes by what was asked before.
    writer.setAsker(2 * account + (isTrusted ? 1 : 0));
    if (world.fix !== undefined) {
      const [latitude, longitude] = world.fix.at;
      writer.setFix({ latitude, longitude, accuracyMetres: world.fix.accuracyMetres, ageSeconds: 1 });
    }
    writer.end();
    if (locator.lookUp(memory, 0)) locator.locate();
    locator.release();
    const { latitude, longitude, isFound } = readPlace(memory);
    return {
      bytes: Buffer.from(memory.buffer, RESULT_STATUS, REQUEST_BYTES - RESULT_STATUS).toString('hex'),
      isFound,
      at: [latitude, longitude],
      wrong: this.takeWrong(),
    };
  }

  /** What was noted since the last call. */
  private takeWrong(): WrongGuess[] {
    const { table } = this.cache.guesses;
    return table
      .takeChanged(1_000)
      .map(entry => readEntry(table.read(entry)!))
      .filter(({ account, device }) => account < 2 ** 30 && device >= 0);
  }
}

function readPlace({ i32, f64 }: QueryMemory): { latitude: number; longitude: number; isFound: boolean } {
  const isFound = i32[RESULT_STATUS >> 2] === 1;
  return { isFound, latitude: f64[(RESULT_STATUS + 8) >> 3], longitude: f64[(RESULT_STATUS + 16) >> 3] };
}

/** An entry of the memory of guesses: account, device in two words, week and places, what was found, three places. */
function readEntry(words: Int32Array): WrongGuess {
  if (words.length !== 11) throw new Error('An entry of the memory of guesses has another length.');
  const count = Math.min(3, words[3] & 255);
  const places: WrongGuess['places'] = [];
  for (let place = 0; place < count; place++) {
    const [first, second] = words.subarray(5 + 2 * place, 7 + 2 * place);
    places.push(second === 0x7fffffff ? first : [first / 1e7, second / 1e7]);
  }
  return { account: words[0], device: words[2] * 2 ** 32 + (words[1] >>> 0), places };
}

/** The number under which guesses of a station are kept. */
export function guessedDevice({ mac, kind }: WorldStation): number {
  const radio = radioOf(mac, kind);
  const numbers = deviceNumbers(radio);
  return deviceHigh((radio / 2 ** 32) | 0, 0, numbers) * 2 ** 32 + (deviceLow(radio | 0, 0, numbers) >>> 0);
}

/** True if two stations are one device. */
export function areOneDevice(a: WorldStation, b: WorldStation): boolean {
  return isSameDevice(radioOf(a.mac, a.kind), radioOf(b.mac, b.kind));
}

function radioOf(mac: number, kind: number): number {
  const key = Buffer.alloc(8);
  key.set(macKey(mac, kind));
  const words = new Int32Array(2);
  new Uint8Array(words.buffer).set(key);
  return radioNumber(key, words, 0);
}
