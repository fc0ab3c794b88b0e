// Reads what a query hears of buildings: the scan, and which buildings may be meant. A building takes part by its
// access points if most that are known are of it (building_votes.ts), and by its beacons if one is. Two access points
// of two devices must have been heard near the place that is answered: those at the other end of a building say
// nothing of it.
//
// An iBeacon with an address is two radios: phones hide addresses, and there are iBeacons as they left the factory,
// which have all the same identity.
//
// A body may name many thousands of stations. The strongest of them are used, and there is room for no more.

import { KIND_BEACON, KIND_WIFI } from '../../radio/kind.ts';
import { isSameDevice } from '../../radio/mac.ts';
import { ADDRESS_ABSENT, AGE_ABSENT, SIGNAL_ABSENT } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { radioNumber, radioOfAddress } from '../../radio/station_key.ts';
import type { Scan } from '../fingerprints/fingerprint.ts';
import type { FingerprintMap, Match } from '../fingerprints/fingerprint_map.ts';
import type { RadioIndex } from '../tables/fingerprints/reader.ts';
import type { BuildingVotes } from './building_votes.ts';

/** A building that may be meant. */
export interface HeardBuilding {
  id: number;
  /** True if it takes part by access points, and by beacons. */
  hasNetworks: boolean;
  hasBeacons: boolean;
  /** How well the radios are heard by which it takes part. */
  level: number;
}

/** What is heard of a building. */
interface Sums {
  networks: number;
  networkLevel: number;
  beaconLevel: number;
}

/** Readings that are used. */
const READINGS_MAX = 1_024;
/** Buildings whose radios are heard this well, as part of the best, are compared by their maps; the best of them. */
const RIVAL_SHARE = 0.5;
const RIVALS_MAX = 4;
/** Level of a reading without one: the median of weak readings. */
const LEVEL_DBM_UNKNOWN = -85;
const NETWORKS_MIN = 2;
/** Radios that were heard this near to a place, on its floor, are heard there. */
const NEAR_METRES = 5;
/** Levels that are told apart, from 0 dBm down. */
const LEVELS = 128;

const COUNTS = new Uint32Array(LEVELS);

/** The scan of the last query that was read. */
export class HeardScan {
  /** All that is heard. */
  readonly all: Scan = {
    count: 0,
    radio: new Float64Array(READINGS_MAX),
    levelDbm: new Float64Array(READINGS_MAX),
    ageMs: new Float64Array(READINGS_MAX),
  };
  /** Access points in it, which come first. */
  private networks = 0;
  /** Beacons in it, which may be more radios. */
  private devices = 0;
  private readonly sums = new Map<number, Sums>();

  /**
   * Reads a query.
   * @param votes which access points take part
   * @returns buildings that may be meant, the one heard best first
   */
  read(query: QueryReader, index: RadioIndex, votes: Pick<BuildingVotes, 'isOut'>): HeardBuilding[] {
    const { all, sums } = this;
    const { memory, firstCell } = query;
    const bounds = firstCell > READINGS_MAX ? boundsOf(query) : { faintest: LEVELS, room: 0 };
    sums.clear();
    all.count = 0;
    this.networks = 0;
    this.devices = 0;
    for (let i = 0; i < firstCell; i++) {
      const levelDbm = levelAt(query, i);
      const step = stepOf(levelDbm);
      if (step > bounds.faintest || (step === bounds.faintest && bounds.room-- <= 0)) continue;
      const kind = query.kind(i);
      if (kind === KIND_WIFI && votes.isOut(i)) continue;
      const ageMs = query.ageMs(i) === AGE_ABSENT ? Number.NaN : query.ageMs(i);
      if (kind === KIND_WIFI) this.networks++;
      else this.devices++;
      this.take(radioNumber(memory.u8, memory.i32, query.at(i)), kind === KIND_WIFI, levelDbm, ageMs, index);
      if (kind !== KIND_BEACON || query.address(i) === ADDRESS_ABSENT) continue;
      this.take(radioOfAddress(query.address(i)), false, levelDbm, ageMs, index);
    }
    return heardBest(sums, query.submittedRadios >= NETWORKS_MIN);
  }

  /** Stations of the scan, and those of them that are beacons. */
  get stations(): number {
    return this.networks + this.devices;
  }

  get beaconStations(): number {
    return this.devices;
  }

  /** The beacons alone. Valid until the next query is read. */
  beacons(): Scan {
    const { networks, all } = this;
    const part = (column: Float64Array) => column.subarray(networks);
    return {
      count: all.count - networks,
      radio: part(all.radio),
      levelDbm: part(all.levelDbm),
      ageMs: part(all.ageMs),
    };
  }

  /** True if two access points of the scan were heard near the place that is most like it. */
  hasTwoAtBest(map: FingerprintMap, { count, floors, east, north, logLikelihood }: Match): boolean {
    let best = 0;
    for (let place = 1; place < count; place++) if (logLikelihood[place] > logLikelihood[best]) best = place;
    let first = this.heardAt(map, best, -1);
    if (first >= 0 && this.heardAt(map, best, first) >= 0) return true;
    for (let place = 0; place < count; place++) {
      if (
        floors[place] !== floors[best] ||
        Math.hypot(east[place] - east[best], north[place] - north[best]) > NEAR_METRES
      )
        continue;
      const other = this.heardAt(map, place, first);
      if (other >= 0 && first >= 0) return true;
      if (first < 0) first = other;
    }
    return false;
  }

  /** An access point of the scan that was heard at a place, of another device than `known`; -1 if there is none. */
  private heardAt(map: FingerprintMap, place: number, known: number): number {
    const { radio } = this.all;
    for (let i = 0; i < this.networks; i++) {
      if ((known < 0 || !isSameDevice(radio[i], known)) && map.hears(place, radio[i])) return radio[i];
    }
    return -1;
  }

  private take(radio: number, isNetwork: boolean, levelDbm: number, ageMs: number, index: RadioIndex): void {
    const { all } = this;
    if (all.count === READINGS_MAX) return;
    all.radio[all.count] = radio;
    all.levelDbm[all.count] = levelDbm;
    all.ageMs[all.count++] = ageMs;
    if (index.has(radio)) index.forEachBuilding(radio, id => this.add(id, isNetwork, Math.max(1, levelDbm + 100)));
  }

  private add(id: number, isNetwork: boolean, level: number): void {
    let sums = this.sums.get(id);
    if (sums === undefined) {
      sums = { networks: 0, networkLevel: 0, beaconLevel: 0 };
      this.sums.set(id, sums);
    }
    if (!isNetwork) sums.beaconLevel += level;
    else {
      sums.networkLevel += level;
      sums.networks++;
    }
  }
}

function heardBest(sums: ReadonlyMap<number, Sums>, areEnough: boolean): HeardBuilding[] {
  const heard: HeardBuilding[] = [];
  let most = 0;
  for (const [id, { networks, networkLevel, beaconLevel }] of sums) {
    const hasNetworks = areEnough && networks >= NETWORKS_MIN;
    const level = (hasNetworks ? networkLevel : 0) + beaconLevel;
    if (level > 0) heard.push({ id, hasNetworks, hasBeacons: beaconLevel > 0, level });
    most = Math.max(most, level);
  }
  const rivals = heard.filter(({ level }) => level >= RIVAL_SHARE * most);
  return rivals.sort((a, b) => b.level - a.level).slice(0, RIVALS_MAX);
}

function levelAt(query: QueryReader, i: number): number {
  const signalDbm = query.signalDbm(i);
  return signalDbm === SIGNAL_ABSENT ? LEVEL_DBM_UNKNOWN : signalDbm;
}

/** Down to which level the strongest readings go that there is room for, and how many of that level are among them. */
function boundsOf(query: QueryReader): { faintest: number; room: number } {
  COUNTS.fill(0);
  for (let i = 0; i < query.firstCell; i++) COUNTS[stepOf(levelAt(query, i))]++;
  let faintest = 0;
  let room = READINGS_MAX;
  while (COUNTS[faintest] < room) room -= COUNTS[faintest++];
  return { faintest, room };
}

/** Levels beyond what a radio can have count as the nearest that it can. */
function stepOf(levelDbm: number): number {
  return Math.max(0, Math.min(LEVELS - 1, Math.round(-levelDbm)));
}
