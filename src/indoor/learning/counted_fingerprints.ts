// Which fingerprints of a building count, and which are too many.
//
// These rules hold against liars. What one contributor has measured in a place weighs no more than a few scans
// (indoor/fingerprints/places.ts), and nobody untrusted has more than an eighth of the places that a map can have. A
// floor or a radio counts only where an operator's file, a trusted key or a second contributor has been on it, or heard
// it, as well; a beacon needs the file or the trusted key, as it may be somebody's headphones. And a fingerprint of an
// untrusted contributor that contradicts others does not count. It contradicts in two ways.
//
// It says that radios are near which others have heard as near from far away. A radio that is heard at -65 dBm is some
// ten metres away, so two such readings at places that are further apart, or two floors, cannot both be true, unless it
// was moved. Or its whole pattern is clearly more like those that others have heard on another floor or far away than
// those that they have heard where it was taken (patterns.ts). The one counts that more contributors support;
// operators' files and trusted keys count as two. Where one stands against one, both count.
//
// A square metre keeps so many bytes of files, and so many reports beside them: files never go for reports, nor trusted
// reports for others, and whoever brings most loses first. Of each contributor the oldest go, as what was measured last
// is what devices hear now. A report that went would go as well if all came at once: its place among the others only
// falls.

import { isNetworkRadio } from '../../radio/station_key.ts';
import { PLACES_MAX } from '../fingerprints/map_record.ts';
import type { StoredFingerprint } from '../tables/fingerprints/fingerprint_record.ts';
import { Patterns, TRUSTED, voiceOf } from './patterns.ts';

/** A fingerprint of a building. */
export interface PlacedFingerprint
  extends Pick<StoredFingerprint, 'floor' | 'contributor' | 'isTrusted' | 'timeMs' | 'readings'> {
  eastMetres: number;
  northMetres: number;
  /** Of its record. */
  bytes: number;
}

/** Bytes that the imported fingerprints of a square metre take at most. */
export const SQUARE_BYTES_MAX = 32_768;
/** Reports of a square metre that are kept, and of one untrusted contributor: as many as weigh in a place. */
export const SQUARE_REPORTS_MAX = 32;
export const CONTRIBUTOR_REPORTS_MAX = 8;
/** Fingerprints of an untrusted contributor that can count. Each makes one place at most. */
export const CONTRIBUTOR_FINGERPRINTS_MAX: number = PLACES_MAX / 8;
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

/** Who has heard a radio or was on a floor, where that is no single untrusted account. */
const AGREED = -1;

/** The fingerprints that are too many for their square metre. */
export function fingerprintsBeyondBounds(fingerprints: readonly PlacedFingerprint[]): Set<PlacedFingerprint> {
  const squares = groupsOf(
    fingerprints,
    ({ floor, eastMetres, northMetres }) => `${floor} ${Math.floor(eastMetres)} ${Math.floor(northMetres)}`,
  );
  const beyond = new Set<PlacedFingerprint>();
  for (const square of squares.values()) {
    let bytes = 0;
    for (const imported of square.filter(({ contributor }) => contributor === 0).sort(byAge)) {
      bytes += imported.bytes;
      if (bytes > SQUARE_BYTES_MAX) beyond.add(imported);
    }
    for (const report of reportsBeyond(square.filter(({ contributor }) => contributor !== 0))) beyond.add(report);
  }
  return beyond;
}

/** Untrusted ones go first, then what is older among those of its contributor. */
function reportsBeyond(reports: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  const ranked: { report: PlacedFingerprint; rank: number }[] = [];
  const beyond: PlacedFingerprint[] = [];
  for (const own of groupsOf(reports, ({ contributor, isTrusted }) => `${contributor} ${isTrusted}`).values()) {
    for (const [rank, report] of own.sort(byAge).entries()) {
      if (!report.isTrusted && rank >= CONTRIBUTOR_REPORTS_MAX) beyond.push(report);
      else ranked.push({ report, rank });
    }
  }
  ranked.sort(
    (a, b) =>
      Number(b.report.isTrusted) - Number(a.report.isTrusted) ||
      a.rank - b.rank ||
      byAge(a.report, b.report) ||
      a.report.contributor - b.report.contributor,
  );
  return [...beyond, ...ranked.slice(SQUARE_REPORTS_MAX).map(({ report }) => report)];
}

/** What counts: fingerprints that others do not contradict, on floors and with the radios on which they agree. */
export function countedFingerprints(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  return withAgreedRadios(withoutContradicted(withinShares(onAgreedFloors(fingerprints))));
}

function onAgreedFloors(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  const seenBy = new Map<number, number>();
  for (const fingerprint of fingerprints) agree(seenBy, fingerprint.floor, fingerprint);
  return fingerprints.filter(({ floor }) => seenBy.get(floor) === AGREED);
}

/** Notes who knows of something. */
function agree(known: Map<number, number>, what: number, { contributor, isTrusted }: PlacedFingerprint): void {
  const other = known.get(what);
  known.set(what, isTrusted || (other !== undefined && other !== contributor) ? AGREED : contributor);
}

function withinShares(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  const untrusted = fingerprints.filter(({ isTrusted }) => !isTrusted);
  const beyond = new Set<PlacedFingerprint>();
  for (const own of groupsOf(untrusted, ({ contributor }) => `${contributor}`).values()) {
    if (own.length <= CONTRIBUTOR_FINGERPRINTS_MAX) continue;
    for (const fingerprint of own.sort(byAge).slice(CONTRIBUTOR_FINGERPRINTS_MAX)) beyond.add(fingerprint);
  }
  return fingerprints.filter(fingerprint => !beyond.has(fingerprint));
}

function withAgreedRadios(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  const heardBy = new Map<number, number>();
  for (const fingerprint of fingerprints)
    for (const { radio } of fingerprint.readings)
      if (fingerprint.isTrusted || isNetworkRadio(radio)) agree(heardBy, radio, fingerprint);
  return fingerprints.flatMap(fingerprint => {
    const readings = fingerprint.readings.filter(({ radio }) => heardBy.get(radio) === AGREED);
    return readings.length === 0 ? [] : [{ ...fingerprint, readings }];
  });
}

function withoutContradicted(fingerprints: readonly PlacedFingerprint[]): PlacedFingerprint[] {
  if (fingerprints.every(({ isTrusted }) => isTrusted)) return [...fingerprints];
  const places = nearPlacesOf(fingerprints);
  const patterns = new Patterns(fingerprints);
  return fingerprints.filter(
    fingerprint =>
      fingerprint.isTrusted || !(isContradicted(fingerprint, places) || isOfElsewhere(fingerprint, patterns)),
  );
}

function isOfElsewhere(fingerprint: PlacedFingerprint, patterns: Patterns): boolean {
  const { against, support } = patterns.voicesOn(fingerprint);
  return votesOf(against) > 1 + votesOf(support);
}

function votesOf(contributors: readonly number[]): number {
  return contributors.reduce((sum, contributor) => sum + (contributor === TRUSTED ? VOTES_TRUSTED : 1), 0);
}

function nearPlacesOf(fingerprints: readonly PlacedFingerprint[]): NearPlaces {
  const places: NearPlaces = new Map();
  for (const fingerprint of fingerprints) {
    const contributor = voiceOf(fingerprint);
    const { floor, eastMetres, northMetres } = fingerprint;
    for (const { radio, levelDbm } of fingerprint.readings) {
      if (levelDbm < NEAR_DBM) continue;
      const byContributor = places.get(radio) ?? new Map<number, NearPlace[]>();
      places.set(radio, byContributor);
      const own = byContributor.get(contributor) ?? [];
      byContributor.set(contributor, own);
      own.push({ floor, eastMetres, northMetres, levelDbm });
      own.sort((a, b) => b.levelDbm - a.levelDbm || byPlace(a, b)).splice(PLACES_OF_CONTRIBUTOR);
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

function groupsOf(fingerprints: readonly PlacedFingerprint[], name: (fingerprint: PlacedFingerprint) => string) {
  const groups = new Map<string, PlacedFingerprint[]>();
  for (const fingerprint of fingerprints) {
    const group = groups.get(name(fingerprint));
    if (group === undefined) groups.set(name(fingerprint), [fingerprint]);
    else group.push(fingerprint);
  }
  return groups;
}

/** The newest first, those without a time last; of the same time, an order that is that of what they say. */
function byAge(a: PlacedFingerprint, b: PlacedFingerprint): number {
  return timeOf(b) - timeOf(a) || byPlace(a, b) || byReadings(a, b);
}

function byPlace(a: NearPlace | PlacedFingerprint, b: NearPlace | PlacedFingerprint): number {
  return a.floor - b.floor || a.eastMetres - b.eastMetres || a.northMetres - b.northMetres;
}

function byReadings({ readings: a }: PlacedFingerprint, { readings: b }: PlacedFingerprint): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = a[i].radio - b[i].radio || a[i].levelDbm - b[i].levelDbm;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function timeOf({ timeMs }: PlacedFingerprint): number {
  return Number.isNaN(timeMs) ? 0 : timeMs;
}
