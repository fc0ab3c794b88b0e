// A site: observations of one station that agree on where it is, kept as a bounded set of places. An observation joins the nearest place of its own
// contributor, or becomes a place; where there are too many, the two places of the most represented contributor whose union loses least are united
// (Ward's criterion), so that what is thinned out is what says least, whatever its age, and nobody can push out what others have seen.

import { EARTH_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { wrapE7 } from '../geo/angle.ts';
import { isCell, KIND_CDMA, KIND_GSM, KIND_WIFI } from '../radio/kind.ts';
import { type Heard, type Place, type Site, SLOT_OTHERS, SLOT_TRUSTED, SLOTS } from '../tables/stations/learned.ts';

/** Metres a degree of latitude. */
const METRES_PER_E7 = (EARTH_RADIUS_METRES * Math.PI) / 180 / 1e7;
const RADIANS_PER_E7 = RADIANS_PER_DEGREE / 1e7;

/** Places of the site a station stands for: cells cover so much that a point says little. Ten contributors share them, and each needs a handful for the radii to hold. */
const CELL_PLACES = 64;
const OTHER_PLACES = 48;
/** Places of a site that only contradicts: one for each slot at least, so that nobody's are given up for those of others. */
export const RIVAL_PLACES = SLOT_OTHERS + 1;
const SLOT_COUNT = SLOT_OTHERS + 1;
/** Observations this close are one place: what a good fix is exact to, and what it takes a cell's signal to change. */
const CELL_PLACE_METRES = 15;
const OTHER_PLACE_METRES = 3;
/** Other cells remembered of a place: those heard most often. */
export const HEARD_LIMIT = 8;

/** Metres from the middle of a site within which a station of a kind can be observed: further away it is another place, or another station. */
export function reachMetres(kind: number): number {
  if (kind === KIND_WIFI) return 500;
  if (!isCell(kind)) return 150;
  return kind === KIND_GSM || kind === KIND_CDMA ? 70_000 : 50_000;
}

/** Places that the main site of a station of this kind may have. */
export function placesOfKind(kind: number): number {
  return isCell(kind) ? CELL_PLACES : OTHER_PLACES;
}

/** Level that stands for a reading without one: a median of such readings. */
export function usualLevelDbm(kind: number): number {
  if (kind === KIND_WIFI) return -80;
  if (!isCell(kind)) return -85;
  return kind === KIND_GSM || kind === KIND_CDMA ? -90 : -100;
}

/** One station heard once. */
export interface Sighting {
  latitudeE7: number;
  longitudeE7: number;
  /** Radius of the position, metres. */
  accuracyMetres: number;
  /** How much it tells, above 0 up to 1. */
  weight: number;
  levelDbm: number;
  /** Seconds since 1970. */
  seconds: number;
  contributor: number;
  isTrusted: boolean;
  /** Cells: the others heard in the same report. */
  heard: readonly Heard[];
}

/** A site of one sighting. */
export function newSite(sighting: Sighting): Site {
  const { seconds } = sighting;
  const site: Site = { places: [], contributors: [], reports: 0, firstSeconds: seconds, lastSeconds: seconds };
  addToSite(site, sighting, 0, RIVAL_PLACES);
  return site;
}

/**
 * Adds a sighting to a site.
 * @param kind of the station
 * @param limit places that the site may have, at least one for each slot
 */
export function addToSite(site: Site, sighting: Sighting, kind: number, limit: number): void {
  const slot = slotOf(site, sighting);
  site.reports = Math.min(site.reports + 1, 65_535);
  site.firstSeconds = Math.min(site.firstSeconds, sighting.seconds);
  site.lastSeconds = Math.max(site.lastSeconds, sighting.seconds);
  const place: Place = {
    latitudeE7: sighting.latitudeE7,
    longitudeE7: sighting.longitudeE7,
    weight: Math.fround(sighting.weight),
    levelDbm: Math.fround(sighting.levelDbm),
    count: 1,
    lastDay: Math.floor(sighting.seconds / 86_400),
    slot,
    heard: sighting.heard.map(one => ({ ...one })),
  };
  const near = nearestOfSlot(site.places, place, isCell(kind) ? CELL_PLACE_METRES : OTHER_PLACE_METRES);
  if (near !== undefined) {
    unite(near, place, kind);
    return;
  }
  site.places.push(place);
  while (site.places.length > limit) thin(site.places, kind);
}

/** The slot of a sighting's contributor; takes one where there is room. */
function slotOf(site: Site, { isTrusted, contributor }: Sighting): number {
  if (isTrusted) return SLOT_TRUSTED;
  const index = site.contributors.indexOf(contributor);
  if (index >= 0) return index + 1;
  if (site.contributors.length === SLOTS) return SLOT_OTHERS;
  site.contributors.push(contributor);
  return site.contributors.length;
}

/** A trusted contributor, or two others, have seen the station here. */
export function isBacked(site: Site): boolean {
  return site.contributors.length >= 2 || hasTrusted(site);
}

/** A trusted contributor has seen the station here. */
function hasTrusted(site: Site): boolean {
  for (const { slot } of site.places) if (slot === SLOT_TRUSTED) return true;
  return false;
}

/** A position in degrees times 1e7. */
export interface Position {
  latitudeE7: number;
  longitudeE7: number;
}

/** Mean of places by weights. */
export function meanOf(places: readonly Place[], weights: Float64Array): Position {
  const [first] = places;
  let sum = 0;
  let north = 0;
  let east = 0;
  for (let p = 0; p < places.length; p++) {
    const weight = weights[p];
    sum += weight;
    north += weight * (places[p].latitudeE7 - first.latitudeE7);
    east += weight * wrapE7(places[p].longitudeE7 - first.longitudeE7);
  }
  return offsetFrom(first, north / sum, east / sum);
}

/**
 * Where those who have seen a station place it: of the means of all contributors the median, north and east. However much one of them reports, and wherever,
 * it has one vote. Trusted contributors together have two, and where there are none an imported position has theirs.
 * @param imported position of the imported record; undefined where there is none, or it does not count
 * @param weights of the places, in place of their own
 */
export function middleOf(places: readonly Place[], imported: Position | undefined, weights?: Float64Array): Position {
  const [first] = places;
  const sums = new Float64Array(3 * SLOT_COUNT);
  for (let p = 0; p < places.length; p++) {
    const { slot, latitudeE7, longitudeE7 } = places[p];
    const weight = weights === undefined ? places[p].weight : weights[p];
    sums[slot] += weight;
    sums[slot + SLOT_COUNT] += weight * (latitudeE7 - first.latitudeE7);
    sums[slot + 2 * SLOT_COUNT] += weight * wrapE7(longitudeE7 - first.longitudeE7);
  }
  const north = new Votes();
  const east = new Votes();
  for (let slot = 0; slot < SLOT_COUNT; slot++) {
    if (sums[slot] === 0) continue;
    north.cast(slot, sums[slot + SLOT_COUNT] / sums[slot]);
    east.cast(slot, sums[slot + 2 * SLOT_COUNT] / sums[slot]);
  }
  if (imported !== undefined) {
    north.castImported(imported.latitudeE7 - first.latitudeE7);
    east.castImported(wrapE7(imported.longitudeE7 - first.longitudeE7));
  }
  return offsetFrom(first, north.median(), east.median());
}

/** What the contributors of a site say, each once, the trusted ones and what stands for them twice. */
export class Votes {
  private readonly values = new Float64Array(SLOT_COUNT + 1);
  private count = 0;
  private hasTrusted = false;

  /** The vote of a slot. */
  cast(slot: number, value: number): void {
    this.values[this.count++] = value;
    if (slot !== SLOT_TRUSTED) return;
    this.values[this.count++] = value;
    this.hasTrusted = true;
  }

  /** What was imported, behind all slots: it votes where nobody trusted does. */
  castImported(value: number): void {
    if (!this.hasTrusted) this.cast(SLOT_TRUSTED, value);
  }

  median(): number {
    const sorted = this.values.subarray(0, this.count).sort();
    return (sorted[(this.count - 1) >> 1] + sorted[this.count >> 1]) / 2;
  }
}

function offsetFrom({ latitudeE7, longitudeE7 }: Position, northE7: number, eastE7: number): Position {
  return { latitudeE7: Math.round(latitudeE7 + northE7), longitudeE7: wrapE7(Math.round(longitudeE7 + eastE7)) };
}

/** Metres from a position to each of some places. */
export function metresFrom(position: Position, places: readonly Place[]): Float64Array {
  const perEast = METRES_PER_E7 * Math.cos(position.latitudeE7 * RADIANS_PER_E7);
  const metres = new Float64Array(places.length);
  for (let p = 0; p < places.length; p++) {
    const north = (places[p].latitudeE7 - position.latitudeE7) * METRES_PER_E7;
    const east = wrapE7(places[p].longitudeE7 - position.longitudeE7) * perEast;
    metres[p] = Math.sqrt(north * north + east * east);
  }
  return metres;
}

/** Metres between two positions that lie near each other: the plane touching at the first. */
export function metresBetween(a: Position, b: Position): number {
  const north = (b.latitudeE7 - a.latitudeE7) * METRES_PER_E7;
  const east = wrapE7(b.longitudeE7 - a.longitudeE7) * (METRES_PER_E7 * Math.cos(a.latitudeE7 * RADIANS_PER_E7));
  return Math.sqrt(north * north + east * east);
}

function nearestOfSlot(places: readonly Place[], place: Place, limitMetres: number): Place | undefined {
  const metres = metresFrom(place, places);
  let nearest: Place | undefined;
  let least = limitMetres;
  for (let p = 0; p < places.length; p++) {
    if (places[p].slot !== place.slot || metres[p] > least) continue;
    least = metres[p];
    nearest = places[p];
  }
  return nearest;
}

/**
 * Unites `other` with `place`: means by weight. The level is that of the mean amplitude, which is what says how near an access point is; of a cell it is the
 * mean of the levels, which is what the next reading is compared with.
 */
function unite(place: Place, other: Place, kind: number): void {
  const weight = place.weight + other.weight;
  const share = other.weight / weight;
  place.latitudeE7 = Math.round(place.latitudeE7 + share * (other.latitudeE7 - place.latitudeE7));
  place.longitudeE7 = wrapE7(Math.round(place.longitudeE7 + share * wrapE7(other.longitudeE7 - place.longitudeE7)));
  place.levelDbm = Math.fround(
    isCell(kind)
      ? place.levelDbm + share * (other.levelDbm - place.levelDbm)
      : 20 * Math.log10(amplitudeOf(place.levelDbm) * (1 - share) + amplitudeOf(other.levelDbm) * share),
  );
  place.weight = Math.fround(weight);
  uniteHeard(place, other);
  place.count = Math.min(place.count + other.count, 65_535);
  place.lastDay = Math.max(place.lastDay, other.lastDay);
}

/** Unites what else was heard: mean levels by count, and the most frequent of all. Takes over what only `other` has. */
function uniteHeard({ heard }: Place, other: Place): void {
  for (const own of other.heard) {
    let known: Heard | undefined;
    for (const one of heard) if (one.neighbour === own.neighbour) known = one;
    if (known === undefined) {
      heard.push(own);
      continue;
    }
    known.levelE2 = Math.round((known.levelE2 * known.count + own.levelE2 * own.count) / (known.count + own.count));
    known.count = Math.min(known.count + own.count, 65_535);
  }
  if (heard.length <= HEARD_LIMIT) return;
  heard.sort((a, b) => b.count - a.count || b.levelE2 - a.levelE2 || a.neighbour - b.neighbour);
  heard.length = HEARD_LIMIT;
}

/** Amplitude of a level, relative to 0 dBm. */
export function amplitudeOf(levelDbm: number): number {
  return 10 ** (levelDbm / 20);
}

/** Unites the two places of the most represented slot whose union loses least; there are more places than slots. */
function thin(places: Place[], kind: number): void {
  const counts = new Array<number>(SLOT_OTHERS + 1).fill(0);
  for (const { slot } of places) counts[slot]++;
  const slot = counts.indexOf(Math.max(...counts));
  let least = Number.POSITIVE_INFINITY;
  let first = -1;
  let second = -1;
  const cosine = Math.cos(places[0].latitudeE7 * RADIANS_PER_E7);
  for (let a = 0; a < places.length; a++) {
    if (places[a].slot !== slot) continue;
    const { latitudeE7, longitudeE7, weight } = places[a];
    for (let b = a + 1; b < places.length; b++) {
      const other = places[b];
      if (other.slot !== slot) continue;
      const north = other.latitudeE7 - latitudeE7;
      const east = wrapE7(other.longitudeE7 - longitudeE7) * cosine;
      const loss = ((weight * other.weight) / (weight + other.weight)) * (north * north + east * east);
      if (loss >= least) continue;
      least = loss;
      first = a;
      second = b;
    }
  }
  unite(places[first], places[second], kind);
  places.splice(second, 1);
}
