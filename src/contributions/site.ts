// A site: observations of one station that agree on where it is, kept as a bounded set of places. An observation joins the nearest place of its own
// contributor, or becomes a place; where there are too many, the two places of the most represented contributor whose union loses least are united
// (Ward's criterion), so that what is thinned out is what says least, whatever its age, and nobody can push out what others have seen.

import { isCell, KIND_CDMA, KIND_GSM, KIND_WIFI } from '../radio/kind.ts';
import { type Place, type Site, SLOT_OTHERS, SLOT_TRUSTED, SLOTS } from '../tables/learned.ts';

/** Metres a degree of latitude. */
const METRES_PER_E7 = (6_371_008.8 * Math.PI) / 180 / 1e7;
const RADIANS_PER_E7 = Math.PI / 180 / 1e7;
const CIRCLE_E7 = 3_600_000_000;

/** Places of the site a station stands for: cells cover so much that a point says little; access points are small. */
const CELL_PLACES = 64;
const OTHER_PLACES = 24;
/** Places of a site that only contradicts: one for each slot at least, so that nobody's are given up for those of others. */
export const RIVAL_PLACES = SLOT_OTHERS + 1;
/** What the trusted contributors together count among the others, where these are told apart. */
const TRUSTED_VOTES = 2;
/** Observations this close are one place: what a good fix is exact to, and what it takes a cell's signal to change. */
const CELL_PLACE_METRES = 15;
const OTHER_PLACE_METRES = 3;

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
  };
  const near = nearestOfSlot(site.places, place, isCell(kind) ? CELL_PLACE_METRES : OTHER_PLACE_METRES);
  if (near !== undefined) {
    unite(near, place);
    return;
  }
  site.places.push(place);
  while (site.places.length > limit) thin(site.places);
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

/** Weighted mean of positions. */
export function meanOf<P extends Position>(positions: readonly P[], weightOf: (position: P) => number): Position {
  const [first] = positions;
  let weights = 0;
  let north = 0;
  let east = 0;
  for (const position of positions) {
    const weight = weightOf(position);
    weights += weight;
    north += weight * (position.latitudeE7 - first.latitudeE7);
    east += weight * wrapE7(position.longitudeE7 - first.longitudeE7);
  }
  return {
    latitudeE7: Math.round(first.latitudeE7 + north / weights),
    longitudeE7: wrapE7(Math.round(first.longitudeE7 + east / weights)),
  };
}

/**
 * Where those who have seen a station place it: of the means of all contributors the median, north and east. However much one of them reports, and wherever,
 * it has one vote. Trusted contributors together have two, and where there are none an imported position has theirs.
 * @param imported position of the imported record; undefined where there is none, or it does not count
 */
export function middleOf(places: readonly Place[], imported: Position | undefined, weightOf = weightOfPlace): Position {
  const first = places[0];
  const weights = new Float64Array(SLOT_OTHERS + 1);
  const north = new Float64Array(SLOT_OTHERS + 1);
  const east = new Float64Array(SLOT_OTHERS + 1);
  for (const place of places) {
    const weight = weightOf(place);
    weights[place.slot] += weight;
    north[place.slot] += weight * (place.latitudeE7 - first.latitudeE7);
    east[place.slot] += weight * wrapE7(place.longitudeE7 - first.longitudeE7);
  }
  const norths: number[] = [];
  const easts: number[] = [];
  for (let slot = 0; slot <= SLOT_OTHERS; slot++) {
    if (weights[slot] === 0) continue;
    for (let vote = 0; vote < (slot === SLOT_TRUSTED ? TRUSTED_VOTES : 1); vote++) {
      norths.push(north[slot] / weights[slot]);
      easts.push(east[slot] / weights[slot]);
    }
  }
  if (imported !== undefined && weights[SLOT_TRUSTED] === 0) {
    for (let vote = 0; vote < TRUSTED_VOTES; vote++) {
      norths.push(imported.latitudeE7 - first.latitudeE7);
      easts.push(wrapE7(imported.longitudeE7 - first.longitudeE7));
    }
  }
  return {
    latitudeE7: Math.round(first.latitudeE7 + medianOf(norths)),
    longitudeE7: wrapE7(Math.round(first.longitudeE7 + medianOf(easts))),
  };
}

/** What the contributors of a site say, each once and the trusted ones twice, and its median: where radii are measured as positions are. */
export function medianOfVotes(bySlot: readonly (number | undefined)[], imported: number | undefined): number {
  const votes: number[] = [];
  for (const [slot, value] of bySlot.entries()) {
    if (value !== undefined) votes.push(value);
    if (value !== undefined && slot === SLOT_TRUSTED) votes.push(value);
  }
  if (imported !== undefined && bySlot[SLOT_TRUSTED] === undefined) votes.push(imported, imported);
  return medianOf(votes);
}

function weightOfPlace({ weight }: Place): number {
  return weight;
}

/** Median of some numbers, which are sorted by it. */
function medianOf(values: number[]): number {
  values.sort((a, b) => a - b);
  return (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2;
}

/** Metres between two positions that lie near each other: the plane touching at the first. */
export function metresBetween(a: Position, b: Position): number {
  const north = (b.latitudeE7 - a.latitudeE7) * METRES_PER_E7;
  const east = wrapE7(b.longitudeE7 - a.longitudeE7) * METRES_PER_E7 * Math.cos(a.latitudeE7 * RADIANS_PER_E7);
  return Math.sqrt(north * north + east * east);
}

/** Brings a longitude, or a difference of two, within half a circle of 0. */
export function wrapE7(longitudeE7: number): number {
  if (longitudeE7 > CIRCLE_E7 / 2) return longitudeE7 - CIRCLE_E7;
  return longitudeE7 < -CIRCLE_E7 / 2 ? longitudeE7 + CIRCLE_E7 : longitudeE7;
}

function nearestOfSlot(places: readonly Place[], place: Place, limitMetres: number): Place | undefined {
  let nearest: Place | undefined;
  let least = limitMetres;
  for (const other of places) {
    if (other.slot !== place.slot) continue;
    const metres = metresBetween(place, other);
    if (metres > least) continue;
    least = metres;
    nearest = other;
  }
  return nearest;
}

/** Unites `other` with `place`: means by weight, the mean amplitude as a level. */
function unite(place: Place, other: Place): void {
  const weight = place.weight + other.weight;
  const share = other.weight / weight;
  place.latitudeE7 = Math.round(place.latitudeE7 + share * (other.latitudeE7 - place.latitudeE7));
  place.longitudeE7 = wrapE7(Math.round(place.longitudeE7 + share * wrapE7(other.longitudeE7 - place.longitudeE7)));
  place.levelDbm = Math.fround(20 * Math.log10(amplitudeOf(place.levelDbm) * (1 - share) + amplitudeOf(other.levelDbm) * share));
  place.weight = Math.fround(weight);
  place.count = Math.min(place.count + other.count, 65_535);
  place.lastDay = Math.max(place.lastDay, other.lastDay);
}

/** Amplitude of a level, relative to 0 dBm. */
export function amplitudeOf(levelDbm: number): number {
  return 10 ** (levelDbm / 20);
}

/** Unites the two places of the most represented slot whose union loses least; there are more places than slots. */
function thin(places: Place[]): void {
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
  unite(places[first], places[second]);
  places.splice(second, 1);
}
