// Locates a device by the fingerprints of a building, before any other strategy. Without maps this costs one read of
// shared memory, and outside of buildings one lookup in the table of radios for each radio of the scan.
//
// Of the buildings that know radios of the scan (heard_scan.ts), the one whose map explains it best is chosen, or none
// if that map knows too little of the scan: a map that knows more of it explains it worse.
//
// The state of a tracked device holds its likely earlier places, and its sensors say how it has moved since. At most
// one request in five seconds continues the track. Other requests, and those whose track is old or of another building,
// are answered as single scans, and their track is passed on unchanged.
//
// Outside of its walls a building has no fingerprints, so its map answers the most similar place inside. Therefore the
// scan must be similar to that place (ALIKE_MIN), or access points and beacons must give the same position
// (src/positioning/strategies.ts).

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { coreOfThread } from '../../core/instantiate.ts';
import type { AnswerPart, PartFix } from '../../feature.ts';
import { circularEstimate, type Estimate } from '../../positioning/estimates/estimate.ts';
import type { PositionRecorder } from '../../positioning/estimates/recorder.ts';
import type { KnownScan } from '../../positioning/transmitters/selection.ts';
import { type QueryTrack, readNextTrack, readTrack, writeNextTrack } from '../../radio/query/answer.ts';
import { SOURCE_BLUETOOTH, SOURCE_WIFI } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { RecentlyUsed } from '../../tables/environment/recently_used.ts';
import { TrackedParticles } from '../core/tracked_particles.ts';
import { FingerprintMap, type Match } from '../fingerprints/fingerprint_map.ts';
import { type Posterior, posteriorOf, type Summary, summarise } from '../fingerprints/posterior.ts';
import { type Indoor, indoorAt, type Storey } from '../indoor_at.ts';
import { BuildingReader } from '../tables/buildings/reader.ts';
import type { FingerprintedBuilding } from '../tables/fingerprints/fingerprint_record.ts';
import type { RadioIndex } from '../tables/fingerprints/reader.ts';
import { FingerprintReader } from '../tables/fingerprints/reader.ts';
import { leavesBuilding } from '../tracking/motion.ts';
import { decodeTrack } from '../tracking/track.ts';
import { IndoorTracker } from '../tracking/tracker.ts';
import { planOf } from './building_plan.ts';
import { BuildingVotes } from './building_votes.ts';
import { type HeardBuilding, HeardScan } from './heard_scan.ts';

/** Where a device is in a building. */
export interface IndoorFix extends PartFix {
  storey: Storey;
}

/** Where the device may be, and that as an answer. */
interface Likely {
  posterior: Posterior;
  summary: Summary;
}

/** What the map of a building makes of a scan. */
interface Matched {
  id: number;
  map: FingerprintMap;
  match: Match;
  /** SOURCE_* bits of the stations that were used, and how many readings those were. */
  sources: number;
  used: number;
}

/** A map that is kept open. */
interface OpenedMap {
  map: FingerprintMap;
  record: Uint8Array;
  /** The last at which it was the map of its building. */
  revision: number;
}

/**
 * Bytes of the maps that a thread keeps open: that of a mall has 1.4 million, and takes 2 ms to open, as long as
 * several scans take to be matched.
 */
const MAPS_BYTES_MAX = 64 * 1_048_576;
/** Share of the scan, by received level, that the map must know. */
const SHARE_MIN = 0.3;
/**
 * Similarity with a place from which on a scan is like it. Of the walks in the mall, matched with maps of one side of
 * it, scans taken 10 m and more inside of what was surveyed have this in 93 of 100 cases. Within 40 m of the border the
 * mean error was 18.7 m where the map always answered, and 8.5 m where the centroids of stations answered for scans
 * that are less alike.
 */
const ALIKE_MIN = 0.6;
/**
 * The same for the share of the scan that the map knows: behind a wall all stations of the building are weaker, as they
 * are to a phone that hears badly.
 */
const ALIKE_SHARE_MIN = 0.6;
/**
 * A device is followed at most once in five seconds; the clocks of devices and the network take off a second at most.
 */
const FOLLOW_MS_MIN = 4_000;
/**
 * A track whose radius is this many times that of the single scan contradicts it, and is not answered: sensors that err
 * do that.
 */
const CONTRADICTING = 2;
/** As much as access points and beacons at most. */
const EVIDENCE = 4;

/** Locates in buildings, in one thread. */
export class IndoorLocator implements AnswerPart {
  private readonly fingerprints: FingerprintReader;
  private readonly opened = new RecentlyUsed<OpenedMap>(MAPS_BYTES_MAX);
  private readonly heard = new HeardScan();
  private readonly buildings: BuildingReader;
  private tracker: IndoorTracker | undefined;

  /** @param folder data folder @param revision memory that says when tables have changed */
  constructor(folder: string, revision: SharedArrayBuffer) {
    this.buildings = new BuildingReader(folder, revision);
    this.fingerprints = new FingerprintReader(folder, revision);
  }

  /**
   * Locates the device of a query whose stations have been looked up.
   * @param recorder for an explanation
   * @returns undefined outside of buildings with fingerprints
   * @throws Error when the tables cannot be used
   */
  locate(scan: KnownScan, recorder?: PositionRecorder): IndoorFix | undefined {
    const { query } = scan;
    const index = this.fingerprints.radios();
    if (index === undefined) return undefined;
    const track = readTrack(query.memory, query.offset);
    const fix = this.locateScan(scan, index, track, recorder);
    // Nothing was learned of where the device went: the next request may go on from where it was.
    if (track?.state !== undefined && readNextTrack(query.memory, query.offset) === undefined && !endsTrack(track))
      writeNextTrack(query.memory, query.offset, track.state);
    return fix;
  }

  /** The building at a position, and where the position rests on fingerprints, floor and room. */
  describe(...[latitude, longitude, shareWithin, fix]: Parameters<AnswerPart['describe']>): Indoor | undefined {
    return indoorAt(this.buildings, latitude, longitude, shareWithin, (fix as IndoorFix | undefined)?.storey);
  }

  /** Locates by the scan, and by the track if there is one, which is written into the query for the next request. */
  private locateScan(
    scan: KnownScan,
    index: RadioIndex,
    track: QueryTrack | undefined,
    recorder: PositionRecorder | undefined,
  ): IndoorFix | undefined {
    let best: Matched | undefined;
    const { query } = scan;
    const votes = new BuildingVotes(scan, index);
    const heard = this.heard.read(query, index, votes);
    for (const each of heard) {
      const matched = this.match(each, heard.length > 1, votes);
      if (matched === undefined) continue;
      if (best === undefined || matched.match.explained > best.match.explained) best = matched;
    }
    if (best === undefined || best.match.share < SHARE_MIN) return undefined;
    const building = this.fingerprints.building(best.id);
    if (building === undefined) return undefined;
    if ((best.sources & SOURCE_WIFI) !== 0) votes.noteWon(best.id, building);
    if (scan.guesser?.isOutdated === true) return undefined;
    const single = likelyOf(posteriorOf(best.match));
    const followed = track && this.follow(query, track, best.id, building, best.match);
    const isBetter = followed !== undefined && followed.summary.r50Metres <= CONTRADICTING * single.summary.r50Metres;
    const likely = isBetter ? followed : single;
    if (recorder !== undefined) {
      const { share, similarity } = best.match;
      const { floor, floorProbability } = likely.summary;
      const isLike = isAlike(best.match);
      recorder.building = {
        name: building.name,
        share,
        similarity,
        isAlike: isLike,
        floor,
        floorProbability,
        isFollowed: isBetter,
        isUsed: false,
      };
    }
    return fixOf(building, best, likely);
  }

  /** Compares what is heard with the map of a building. @param isRival true where there are others */
  private match(
    { id, hasNetworks, hasBeacons }: HeardBuilding,
    isRival: boolean,
    votes: BuildingVotes,
  ): Matched | undefined {
    const map = this.map(id);
    if (map === undefined) return undefined;
    const { all } = this.heard;
    const match = hasNetworks && votes.wins(id) ? map.match(all, isRival) : undefined;
    if (match !== undefined && this.heard.hasTwoAtBest(map, match))
      return { id, map, match, sources: SOURCE_WIFI | (hasBeacons ? SOURCE_BLUETOOTH : 0), used: this.heard.stations };
    if (!hasBeacons) return undefined;
    const beacons = this.heard.beacons();
    const alone = map.match(beacons, isRival);
    return alone && { id, map, match: alone, sources: SOURCE_BLUETOOTH, used: this.heard.beaconStations };
  }

  /** Goes on with the track of a device, or begins one. @returns undefined where no track says where the device is */
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
    this.tracker ??= new IndoorTracker(new TrackedParticles(coreOfThread()));
    const tracked = this.tracker.follow({ ...track, building: id, match, ...planOf(this.buildings, building) });
    if (tracked === undefined) return undefined;
    writeNextTrack(memory, offset, tracked.state);
    return tracked.isFollowed ? { summary: tracked.position, posterior: tracked.posterior } : undefined;
  }

  /** Ends the read transaction. */
  release(): void {
    this.fingerprints.release();
    this.buildings.release();
  }

  async close(): Promise<void> {
    await this.fingerprints.close();
    await this.buildings.close();
  }

  /** The opened map of a building. */
  private map(id: number): FingerprintMap | undefined {
    const { opened, fingerprints } = this;
    const { revision } = fingerprints;
    const known = opened.get(id);
    if (known?.revision === revision) return known.map;
    const record = fingerprints.map(id, known?.record);
    if (record === undefined) return undefined;
    const map = record === known?.record ? known.map : new FingerprintMap(record);
    opened.set(id, { map, record, revision }, map.bytes);
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
  { map, match, sources, used }: Matched,
  { posterior, summary }: Likely,
): IndoorFix {
  const { floor, floorProbability } = summary;
  const { latitude, longitude } = map;
  return {
    estimate: { ...estimateOf(map, summary, sources, used), isAlike: isAlike(match) },
    storey: { building, floor, floorProbability, where: { latitude, longitude, ...posterior } },
  };
}

/** True if a device has left the building of its track. */
function endsTrack({ state, motion }: QueryTrack): boolean {
  return leavesBuilding(motion) && state !== undefined && decodeTrack(state) !== undefined;
}

function estimateOf(
  { latitude, longitude }: FingerprintMap,
  { eastMetres, northMetres, r50Metres, at68Metres, at95Metres }: Summary,
  source: number,
  used: number,
): Estimate {
  const tail = { at68: at68Metres / r50Metres, at95: at95Metres / r50Metres };
  return circularEstimate({
    source,
    latitude: latitude + northMetres / METRES_PER_DEGREE,
    longitude: longitude + eastMetres / (METRES_PER_DEGREE * Math.cos(latitude * RADIANS_PER_DEGREE)),
    r50Metres,
    tail,
    used,
    evidence: EVIDENCE,
  });
}
