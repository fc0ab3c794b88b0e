// Locates a device by the fingerprints of a building, before anything else is asked. While there is no map this costs a look at shared memory, and outside of
// buildings a look at the table of radios for each that was heard.
//
// Of the buildings that know radios of the scan, the one whose radios are heard best is meant. Two networks of access points are needed, as everywhere, or a
// beacon.
//
// A device that is tracked carries where it may have been, and its sensors say how it moved since. At most one request in five seconds goes on with its track;
// others, and those with a track of another building or of long ago, are answered as single scans. A track that is not used now is carried on as it is.
//
// Beside a building the map has no fingerprints, and answers the place in it that is most like what is heard. So a scan must be like that place (ALIKE_MIN), or the
// position must be where access points and beacons would have it as well (src/positioning/strategies.ts).

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { createCore } from '../core/core.ts';
import type { Scan } from '../indoor/fingerprints/fingerprint.ts';
import { FingerprintMap, type Match } from '../indoor/fingerprints/fingerprint_map.ts';
import { type Posterior, posteriorOf, type Summary, summarise } from '../indoor/fingerprints/posterior.ts';
import type { Storey } from '../indoor/indoor_at.ts';
import { circularEstimate, type Estimate } from '../positioning/estimates/estimate.ts';
import type { IndoorEstimate } from '../positioning/strategies.ts';
import { KIND_WIFI } from '../radio/kind.ts';
import { AGE_ABSENT, SIGNAL_ABSENT, SOURCE_BLUETOOTH, SOURCE_WIFI } from '../radio/query/layout.ts';
import type { QueryReader } from '../radio/query/reader.ts';
import { type QueryTrack, readNextTrack, readTrack, writeNextTrack } from '../radio/query/track.ts';
import { radioNumber } from '../radio/station_key.ts';
import type { BuildingReader } from '../tables/buildings/reader.ts';
import type { FingerprintedBuilding } from '../tables/fingerprints/fingerprint.ts';
import type { RadioIndex } from '../tables/fingerprints/radio_index.ts';
import { FingerprintReader } from '../tables/fingerprints/reader.ts';
import { decodeTrack } from '../tracking/indoor/track.ts';
import { IndoorTracker } from '../tracking/indoor/tracker.ts';
import { wallsOf } from './building_walls.ts';

/** Where a device is in a building. */
export interface IndoorFix {
  estimate: IndoorEstimate;
  storey: Storey;
}

/** Where the device may be, and that as an answer. */
interface Likely {
  posterior: Posterior;
  summary: Summary;
}

/** Opened maps that a thread keeps. */
const MAPS_KEPT = 16;
/** Share of the scan, by received level, that the map must know. */
const SHARE_MIN = 0.3;
/**
 * Similarity with a place from which on a scan is like it. Of the walks in the mall, matched with maps of one side of it, scans taken 10 m and more inside of what was
 * surveyed have this in 93 of 100 cases. Within 40 m of the border the mean error was 18.7 m where the map always answered, and 8.5 m where the centroids of stations
 * answered for scans that are less alike.
 */
const ALIKE_MIN = 0.6;
/** The same for the share of the scan that the map knows: behind a wall all stations of the building are weaker, as they are to a phone that hears badly. */
const ALIKE_SHARE_MIN = 0.6;
/** Buildings whose radios are heard this well, as part of the best, are compared by their maps. */
const RIVAL_SHARE = 0.5;
/** A device is followed at most once in five seconds; the clocks of devices and the network take off a second at most. */
const FOLLOW_MS_MIN = 4_000;
/** As much as access points and beacons at most. */
const EVIDENCE = 4;
/** Level of a reading without one: the median of weak readings. */
const LEVEL_DBM_UNKNOWN = -85;
const NETWORKS_MIN = 2;

/** Locates in buildings, in one thread. */
export class IndoorLocator {
  private readonly fingerprints: FingerprintReader;
  private readonly opened = new Map<number, FingerprintMap>();
  private readonly heard = new Map<number, number>();
  private readonly buildings: BuildingReader;
  private tracker: IndoorTracker | undefined;
  private revision = 0;
  private scan = scanOf(256);

  /** @param folder data folder @param maps memory that says when maps have changed @param buildings models, which the caller releases and closes */
  constructor(folder: string, maps: SharedArrayBuffer, buildings: BuildingReader) {
    this.buildings = buildings;
    this.fingerprints = new FingerprintReader(folder, maps);
  }

  /**
   * Locates the device of a query.
   * @returns undefined outside of buildings with fingerprints
   * @throws Error when the tables cannot be used
   */
  locate(query: QueryReader): IndoorFix | undefined {
    const index = this.fingerprints.radios();
    if (index === undefined) return undefined;
    const track = readTrack(query.memory, query.offset);
    const fix = this.locateScan(query, index, track);
    // Nothing was learned of where the device went: the next request may go on from where it was.
    if (track?.state !== undefined && readNextTrack(query.memory, query.offset) === undefined)
      writeNextTrack(query.memory, query.offset, track.state);
    return fix;
  }

  /** Locates by the scan, and by the track if there is one, which is written into the query for the next request. */
  private locateScan(query: QueryReader, index: RadioIndex, track: QueryTrack | undefined): IndoorFix | undefined {
    const sources = this.read(query, index);
    if (sources === 0) return undefined;
    let best: { id: number; map: FingerprintMap; match: Match; likely: Likely } | undefined;
    const most = Math.max(...this.heard.values());
    for (const [id, level] of this.heard) {
      if (level < RIVAL_SHARE * most) continue;
      const map = this.map(id);
      const match = map?.match(this.scan);
      if (match === undefined || match.share < SHARE_MIN || (best !== undefined && match.similarity <= best.match.similarity)) continue;
      best = { id, map: map!, match, likely: likelyOf(posteriorOf(match)) };
    }
    const building = best && this.fingerprints.building(best.id);
    if (best === undefined || building === undefined) return undefined;
    const likely = (track && this.follow(query, track, best.id, building, best.match)) ?? best.likely;
    return fixOf(building, best.map, likely, sources, this.scan.count, isAlike(best.match));
  }

  /** Goes on with the track of a device, or begins one. @returns undefined where the single scan says more */
  private follow(
    { memory, offset }: QueryReader,
    track: QueryTrack,
    id: number,
    building: FingerprintedBuilding,
    match: Match,
  ): Likely | undefined {
    const before = track.state && decodeTrack(track.state);
    const agoMs = before === undefined ? Number.NaN : track.timeMs - before.timeMs;
    if (before?.building === id && agoMs > -FOLLOW_MS_MIN && agoMs < FOLLOW_MS_MIN) return undefined;
    this.tracker ??= new IndoorTracker(createCore());
    const tracked = this.tracker.follow({ ...track, building: id, match, walls: wallsOf(this.buildings, building) });
    if (tracked === undefined) return undefined;
    writeNextTrack(memory, offset, tracked.state);
    return tracked.isFollowed ? { summary: tracked.position, posterior: tracked.posterior } : undefined;
  }

  /** Ends the read transaction. */
  release(): void {
    this.fingerprints.release();
  }

  close(): Promise<void> {
    return this.fingerprints.close();
  }

  /** Reads the scan, and how well the radios of each building are heard. @returns SOURCE_* bits of the kinds of stations that may locate in a building */
  private read(query: QueryReader, index: RadioIndex): number {
    const { memory, wifi, firstCell } = query;
    const { heard } = this;
    if (this.scan.radio.length < firstCell) this.scan = scanOf(2 * firstCell);
    const { scan } = this;
    heard.clear();
    let network = -1;
    let networks = 0;
    let beacons = 0;
    for (let i = 0; i < firstCell; i++) {
      const at = query.at(i);
      const radio = radioNumber(memory.u8, memory.i32, at);
      const signalDbm = query.signalDbm(i);
      const ageMs = query.ageMs(i);
      scan.radio[i] = radio;
      scan.levelDbm[i] = signalDbm === SIGNAL_ABSENT ? LEVEL_DBM_UNKNOWN : signalDbm;
      scan.ageMs[i] = ageMs === AGE_ABSENT ? Number.NaN : ageMs;
      if (!index.has(radio)) continue;
      if (query.kind(i) !== KIND_WIFI) beacons++;
      else if (radio !== network) {
        network = radio;
        networks++;
      }
      const weight = Math.max(1, scan.levelDbm[i] + 100);
      index.forEachBuilding(radio, building => heard.set(building, (heard.get(building) ?? 0) + weight));
    }
    scan.count = firstCell;
    const areEnough = networks >= NETWORKS_MIN && query.submittedRadios >= NETWORKS_MIN;
    // With one network alone nothing may be told of it.
    if (!areEnough && wifi > 0) this.drop(wifi);
    return (areEnough ? SOURCE_WIFI : 0) | (beacons > 0 ? SOURCE_BLUETOOTH : 0);
  }

  /** Takes the first readings, which are those of access points, out of the scan. */
  private drop(readings: number): void {
    for (const column of [this.scan.radio, this.scan.levelDbm, this.scan.ageMs]) column.copyWithin(0, readings, this.scan.count);
    this.scan.count -= readings;
  }

  /** The opened map of a building. */
  private map(id: number): FingerprintMap | undefined {
    const { opened, fingerprints } = this;
    if (this.revision !== fingerprints.revision) {
      opened.clear();
      this.revision = fingerprints.revision;
    }
    const known = opened.get(id);
    if (known !== undefined) return known;
    const record = fingerprints.map(id);
    if (record === undefined) return undefined;
    if (opened.size >= MAPS_KEPT) opened.clear();
    const map = new FingerprintMap(record);
    opened.set(id, map);
    return map;
  }
}

function isAlike({ similarity, share }: Match): boolean {
  return similarity >= ALIKE_MIN && share >= ALIKE_SHARE_MIN;
}

function likelyOf(posterior: Posterior): Likely {
  return { posterior, summary: summarise(posterior) };
}

function fixOf(
  building: FingerprintedBuilding,
  { latitude, longitude }: FingerprintMap,
  { posterior, summary }: Likely,
  sources: number,
  used: number,
  isAlike: boolean,
): IndoorFix {
  const { floor, floorProbability } = summary;
  return {
    estimate: { ...estimateOf(latitude, longitude, summary, sources, used), isAlike },
    storey: { building, floor, floorProbability, where: { latitude, longitude, ...posterior } },
  };
}

/** @param latitude, longitude origin of the map, degrees */
function estimateOf(latitude: number, longitude: number, summary: Summary, sources: number, used: number): Estimate {
  const { eastMetres, northMetres, r50Metres, at68Metres, at95Metres } = summary;
  const tail = { at68: at68Metres / r50Metres, at95: at95Metres / r50Metres };
  const north = latitude + northMetres / METRES_PER_DEGREE;
  const east = longitude + eastMetres / (METRES_PER_DEGREE * Math.cos(latitude * RADIANS_PER_DEGREE));
  return circularEstimate(sources, north, east, r50Metres, tail, used, EVIDENCE);
}

function scanOf(length: number): Scan {
  return { count: 0, radio: new Float64Array(length), levelDbm: new Float64Array(length), ageMs: new Float64Array(length) };
}
