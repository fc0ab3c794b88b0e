// Which fingerprints of a building count, and which are too many.
//
// Three rules hold against liars. What one contributor has measured in a place weighs no more than a few scans (indoor/fingerprints/places.ts). A radio counts only
// where an operator's file, a trusted key or a second contributor has heard it too, as stations do. And a fingerprint of an untrusted contributor that contradicts
// others does not count: it says that radios are near which others have heard as near from far away. A radio that is
// heard at -65 dBm is some ten metres away, so two such readings at places that are further apart, or two floors, cannot both be true, unless it was moved. The
// one counts that more contributors support; operators' files and trusted keys count as two. Where one stands against one, both count.
//
// A square metre keeps at most so many bytes. Beyond that the oldest go, as what was measured last is what devices hear now.

import type { StoredFingerprint } from '../../tables/fingerprints/fingerprint.ts';

/** A fingerprint of a building. */
export interface PlacedFingerprint extends Pick<StoredFingerprint, 'floor' | 'contributor' | 'isTrusted' | 'timeMs' | 'readings'> {
  eastMetres: number;
  northMetres: number;
  /** Of its record. */
  bytes: number;
}

/** Bytes that the fingerprints of a square metre take at most. */
export const SQUARE_BYTES_MAX = 32_768;
/** A radio that is heard at this level is near. */
const NEAR_DBM = -65;
/** Metres between two places in which the same radio can be near. */
const NEAR_METRES = 40;
/** The same for floors: in halls that are open from floor to floor the next floor hears as much. */
const NEAR_FLOORS = 1;
/** Places at which a radio is near that are compared, those heard as nearest of each contributor. */
const PLACES_OF_CONTRIBUTOR = 4;
const VOTES_TRUSTED = 2;
/** Radios that must contradict: one may have been moved. */
const CONTRADICTIONS_MIN = 2;

interface NearPlace {
  floor: number;
  eastMetres: number;
  northMetres: number;
  levelDbm: number;
}

/** Radios with the places at which contributors have heard them as near; trusted ones are one contributor. */
type NearPlaces = Map<number, Map<number, NearPlace[]>>;

const TRUSTED = 0;
/** Who has heard a radio, where that is no single untrusted account. */
const AGREED = -1;

/** The fingerprints that are too many for their square metre. */
export function fingerprintsBeyondBounds(fingerprints: readonly PlacedFingerprint[]): Set<PlacedFingerprint> {
  const squares = new Map<string, PlacedFingerprint[]>();
  for (const fingerprint of fingerprints) {
    const { floor, eastMetres, northMetres } = fingerprint;
    const square = `${floor} ${Math.floor(eastMetres)} ${Math.floor(northMetres)}`;
    const others = squares.get(square);
    if (others === undefined) squares.set(square, [fingerprint]);
    else others.push(fingerprint);
  }
  const beyond = new Set<PlacedFingerprint>();
  for (const square of squares.values()) {
    let bytes = 0;
    // Without a time they count as old; among equals what came last stays.
    const newestFirst = square.toReversed().sort((a, b) => timeOf(b) - timeOf(a));
    for (const fingerprint of newestFirst) {
      bytes += fingerprint.bytes;
      if (bytes > SQUARE_BYTES_MAX) beyond.add(fingerprint);
    }
  }
  return beyond;
}

/** What counts: fingerprints that others do not contradict, with the radios on which they agree. */
export function countedFingerprints(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  return withAgreedRadios(withoutContradicted(fingerprints));
}

function withAgreedRadios(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  const heardBy = new Map<number, number>();
  for (const { readings, contributor, isTrusted } of fingerprints) {
    for (const { radio } of readings) {
      const other = heardBy.get(radio);
      const isAgreed = isTrusted || (other !== undefined && other !== contributor);
      heardBy.set(radio, isAgreed ? AGREED : contributor);
    }
  }
  return fingerprints.flatMap(fingerprint => {
    const readings = fingerprint.readings.filter(({ radio }) => heardBy.get(radio) === AGREED);
    return readings.length === 0 ? [] : [{ ...fingerprint, readings }];
  });
}

function withoutContradicted(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  if (fingerprints.every(({ isTrusted }) => isTrusted)) return [...fingerprints];
  const places = nearPlacesOf(fingerprints);
  return fingerprints.filter(fingerprint => fingerprint.isTrusted || !isContradicted(fingerprint, places));
}

function nearPlacesOf(fingerprints: readonly PlacedFingerprint[]): NearPlaces {
  const places: NearPlaces = new Map();
  for (const fingerprint of fingerprints) {
    const contributor = fingerprint.isTrusted ? TRUSTED : fingerprint.contributor;
    const { floor, eastMetres, northMetres } = fingerprint;
    for (const { radio, levelDbm } of fingerprint.readings) {
      if (levelDbm < NEAR_DBM) continue;
      const byContributor = places.get(radio) ?? new Map<number, NearPlace[]>();
      places.set(radio, byContributor);
      const own = byContributor.get(contributor) ?? [];
      byContributor.set(contributor, own);
      own.push({ floor, eastMetres, northMetres, levelDbm });
      own.sort((a, b) => b.levelDbm - a.levelDbm).splice(PLACES_OF_CONTRIBUTOR);
    }
  }
  return places;
}

function isContradicted(fingerprint: PlacedFingerprint, places: NearPlaces): boolean {
  let contradicted = 0;
  let known = 0;
  for (const { radio, levelDbm } of fingerprint.readings) {
    if (levelDbm < NEAR_DBM) continue;
    let against = 0;
    let support = 1;
    for (const [contributor, near] of places.get(radio) ?? []) {
      if (contributor === fingerprint.contributor) continue;
      const votes = contributor === TRUSTED ? VOTES_TRUSTED : 1;
      if (near.some(place => isNear(place, fingerprint))) support += votes;
      else against += votes;
    }
    if (against + support > 1) known++;
    if (against > support) contradicted++;
  }
  return contradicted >= CONTRADICTIONS_MIN && 2 * contradicted > known;
}

function isNear(place: NearPlace, { floor, eastMetres, northMetres }: PlacedFingerprint): boolean {
  if (Math.abs(place.floor - floor) > NEAR_FLOORS) return false;
  return Math.hypot(place.eastMetres - eastMetres, place.northMetres - northMetres) <= NEAR_METRES;
}

function timeOf({ timeMs }: PlacedFingerprint): number {
  return Number.isNaN(timeMs) ? 0 : timeMs;
}
