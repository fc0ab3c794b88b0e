// The life-cycle of a station. Each sighting is an event, which depends on where the station was seen before and by
// whom; one table says what follows from it. A station counts in lookups only while it is known.
//
// A station has moved when a trusted contributor, or two others, have seen it elsewhere. It is then blocked, because
// nobody can tell where it will be next. It comes back once it has been seen at one candidate only for a while, which
// grows with each block. So travelling hotspots never stay in the tables, and a router that moved house is back after a
// day. One contributor alone can neither make a station known nor have one blocked.
//
// Whoever knows the address of an access point that one contributor has reported might claim it everywhere, to be the
// second one where it is. So a second witness must agree closely, and a contributor who has claimed the station
// elsewhere too is none: each has one guess. The same holds for who brings back a blocked one.

import { isCell } from '../radio/kind.ts';
import {
  type Candidate,
  LEARNED_BLOCKED,
  LEARNED_KNOWN,
  LEARNED_NEW,
  type Learned,
  SLOT_TRUSTED,
} from '../tables/stations/learned_record.ts';
import { decodeStation, type Station, stationView } from '../tables/stations/station.ts';
import {
  addToCandidate,
  hasTrusted,
  isBacked,
  meanOfContributor,
  newCandidate,
  OTHER_CANDIDATE_POINTS,
  pointsOfKind,
  reachMetres,
  type Sighting,
} from './candidate.ts';
import { isFirstOf, settleClaim, spansDays } from './confirmation.ts';
import { metresBetween, middleOf, type Position } from './middle.ts';
import { type Action, type Event, NONE, TRANSITIONS } from './transitions.ts';

/** Candidates kept of one station: the main one, and two for each of two contributors, which show that it travels. */
export const CANDIDATES = 5;
/**
 * Metres between the places where two contributors hear a new access point or beacon, at most, if they are to agree. In
 * the shared scans of Ariel 95 % of those that two devices heard are this near.
 */
const WITNESS_METRES = 150;
/** Another candidate with fewer reports may be one bad fix. */
const MOVED_REPORTS = 2;
/**
 * Samples of a cell, learned or imported, that one track elsewhere does not outweigh, whoever reports it: a modem that
 * answers a stale identity for minutes is more likely than a mast that moves. A track ends with half a day of silence.
 */
const WELL_SAMPLED = 20;
const TRACK_SECONDS = 43_200;
/** Candidates further apart in time do not show that a station travels: each may be a bad fix. */
const TRAVEL_SECONDS = 30 * 86_400;
/** A candidate not confirmed for this long gives way when the station is seen elsewhere. */
const OUTDATED_SECONDS = 365 * 86_400;
/**
 * A blocked station comes back after a day at one candidate. The time doubles with each further block, up to about two
 * months.
 */
const SETTLING_SECONDS = 86_400;
const SETTLING_DOUBLINGS = 6;
const SETTLING_REPORTS = 3;
/** Numbers that no account has. They stand for all trusted contributors, and for those without a slot. */
const TRUSTED = -1;
const OTHERS = -2;
const NOBODY: readonly number[] = [];

/** What a sighting has done. */
interface Observed {
  event: Event;
  action: Action;
  /** Accounts that earn by it. */
  earners: readonly number[];
}

/** Adds one sighting to what is learned about a station. */
export function observe(learned: Learned, kind: number, sighting: Sighting): Observed {
  const state = learned.candidates.length === 0 && learned.base === undefined ? NONE : learned.state;
  const { index, isFirst } = assignSighting(learned, kind, sighting);
  const candidate = learned.candidates[index];
  const event =
    state === LEARNED_BLOCKED ? settle(learned, kind, index, sighting) : judge(learned, kind, index, sighting);
  const transition = TRANSITIONS[state][event];
  if (transition === undefined) throw new Error(`A station in state ${state} cannot meet the event "${event}".`);
  const [action, next] = transition;
  if (action === 'block') block(learned, index, sighting);
  if (action === 'replace') replace(learned, index);
  learned.state = next;
  return {
    event,
    action,
    earners: next === LEARNED_BLOCKED ? NOBODY : earnersOf(learned, kind, candidate, sighting, isFirst),
  };
}

/**
 * Accounts that earn by a sighting of a candidate: by one of the main candidate, if who agrees there is a witness, or
 * hears it as near as one.
 */
function earnersOf(
  learned: Learned,
  kind: number,
  candidate: Candidate,
  sighting: Sighting,
  isFirst: boolean,
): readonly number[] {
  const { claimant } = candidate;
  if (candidate !== learned.candidates[learned.main]) return NOBODY;
  const isSettled = claimant === 0;
  if (isSettled && !isCell(kind) && !isNearOthers(candidate, sighting)) return NOBODY;
  if (!isSettled && claimant !== sighting.contributor && !isWitnessed(learned, candidate, kind)) return NOBODY;
  return settleClaim(learned.candidates, candidate, sighting, isFirst);
}

/** True if others, where there are any, have seen the station closely. */
function isNearOthers({ points, contributors }: Candidate, sighting: Sighting): boolean {
  const slot = contributors.indexOf(sighting.contributor) + 1;
  const others = points.filter(point => point.slot !== slot);
  return others.length === 0 || metresBetween(middleOf(others, undefined), sighting) <= WITNESS_METRES;
}

/**
 * Adds the sighting to the candidate that it agrees with, or begins one. @returns the candidate's index, and whether
 * the contributor is new there
 */
function assignSighting(learned: Learned, kind: number, sighting: Sighting): { index: number; isFirst: boolean } {
  const base = importedOf(learned);
  const isAtMain = isNearMain(learned, kind, sighting, base);
  const found = isAtMain ? learned.main : nearestOther(learned, kind, sighting);
  if (found >= 0) {
    const candidate = learned.candidates[found];
    const isFirst = isFirstOf(candidate, sighting);
    addToCandidate(
      candidate,
      sighting,
      kind,
      found === learned.main ? pointsOfKind(kind, candidate.reports) : OTHER_CANDIDATE_POINTS,
    );
    return { index: found, isFirst };
  }
  if (learned.candidates.length === CANDIDATES) dropOther(learned, sighting);
  learned.candidates.push(newCandidate(sighting));
  const index = learned.candidates.length - 1;
  if (learned.main < 0 && (isAtMain || base === undefined)) learned.main = index;
  return { index, isFirst: true };
}

/** True when the sighting agrees with the main candidate or the imported record. */
function isNearMain(learned: Learned, kind: number, sighting: Sighting, base: Imported | undefined): boolean {
  return (
    metresFromMain(learned, sighting, base) <= reachMetres(kind) + sighting.accuracyMetres + (base?.r95Metres ?? 0)
  );
}

/** Metres from where the station is taken to be; infinite where nothing tells. */
function metresFromMain(learned: Learned, sighting: Sighting, base: Imported | undefined): number {
  const candidate = learned.candidates[learned.main] as Candidate | undefined;
  if (candidate === undefined && base === undefined) return Number.POSITIVE_INFINITY;
  return metresBetween(candidate === undefined ? base! : middleOf(candidate.points, base), sighting);
}

/** Metres of a sighting from where the station is taken to be; infinite if it does not agree with that. */
export function metresOff(learned: Learned, kind: number, sighting: Sighting): number {
  const base = importedOf(learned);
  return isNearMain(learned, kind, sighting, base) ? metresFromMain(learned, sighting, base) : Number.POSITIVE_INFINITY;
}

/** Index of the nearest other candidate that the sighting agrees with, -1 where there is none. */
function nearestOther({ candidates, main }: Learned, kind: number, sighting: Sighting): number {
  let nearest = -1;
  let least = reachMetres(kind) + sighting.accuracyMetres;
  for (const [c, { points }] of candidates.entries()) {
    if (c === main) continue;
    const metres = metresBetween(middleOf(points, undefined), sighting);
    if (metres > least) continue;
    least = metres;
    nearest = c;
  }
  return nearest;
}

/**
 * Makes room for a candidate. Drops an unbacked one of the contributor who has most of them, preferring the reporter's
 * own; among equals, the oldest.
 */
function dropOther(learned: Learned, { contributor, isTrusted }: Sighting): void {
  const others = learned.candidates.filter((_, c) => c !== learned.main);
  const claims = new Map<number, number>();
  for (const candidate of others)
    if (!isBacked(candidate)) claims.set(candidate.contributors[0], 1 + (claims.get(candidate.contributors[0]) ?? 0));
  const rank = (candidate: Candidate): number => {
    if (isBacked(candidate)) return 0;
    const [claimant] = candidate.contributors;
    return 2 * claims.get(claimant)! + (!isTrusted && claimant === contributor ? 1 : 0);
  };
  const victim = others.reduce((worst, candidate) => {
    const more = rank(candidate) - rank(worst);
    return more > 0 || (more === 0 && candidate.lastSeconds < worst.lastSeconds) ? candidate : worst;
  });
  const index = learned.candidates.indexOf(victim);
  learned.candidates.splice(index, 1);
  if (learned.main > index) learned.main--;
}

/** An imported record, with its position in the units of candidates. */
export interface Imported extends Position, Station {}

/** The station has an imported record that counts. */
function countsImported({ base, isBaseDisowned }: Learned): boolean {
  return base !== undefined && !isBaseDisowned;
}

/** The imported record of a station; undefined when there is none, or when it no longer counts. */
export function importedOf(learned: Learned): Imported | undefined {
  if (!countsImported(learned)) return undefined;
  const station = stationOf(learned.base!);
  return {
    ...station,
    latitudeE7: Math.round(station.latitude * 1e7),
    longitudeE7: Math.round(station.longitude * 1e7),
  };
}

function stationOf(record: Uint8Array): Station {
  return decodeStation(stationView(record), 0);
}

/** Joins an imported record with what is learned of its station. */
export function rebase(learned: Learned, kind: number, imported: Uint8Array): void {
  learned.base = imported;
  learned.isBaseDisowned = learned.state === LEARNED_BLOCKED;
  if (learned.state === LEARNED_BLOCKED) return;
  learned.state = LEARNED_KNOWN;
  const candidate = learned.candidates[learned.main] as Candidate | undefined;
  const base = importedOf(learned)!;
  if (
    candidate === undefined ||
    metresBetween(middleOf(candidate.points, undefined), base) <= reachMetres(kind) + base.r95Metres
  )
    return;
  // The import wins against one contributor, and loses against a trusted one or several, unless it is well sampled.
  const outweighs = !isWellSampled(kind, base.samples) || isOfTwoTracks([candidate]);
  if (isBacked(candidate) && outweighs) learned.isBaseDisowned = true;
  else learned.main = -1;
}

/** Takes the imported record out of what is learned of its station. @returns false when nothing is left */
export function disjoin(learned: Learned, kind: number): boolean {
  learned.base = undefined;
  learned.isBaseDisowned = false;
  if (learned.candidates.length === 0) return false;
  if (learned.state === LEARNED_BLOCKED) return true;
  // Without the record the candidate that was seen first would have been the main one, or another that is backed.
  const backed = learned.candidates.findIndex(candidate => isWitnessed(learned, candidate, kind));
  if (learned.main < 0) learned.main = Math.max(0, backed);
  learned.state = isWitnessed(learned, learned.candidates[learned.main], kind) ? LEARNED_KNOWN : LEARNED_NEW;
  return true;
}

/** The event of a sighting at candidate `index` of a station that is not blocked. */
function judge(learned: Learned, kind: number, index: number, { seconds }: Sighting): Event {
  const candidate = learned.candidates[index];
  const isKnown = learned.state === LEARNED_KNOWN;
  if (index === learned.main)
    return isKnown || isWitnessed(learned, candidate, kind) || countsImported(learned) ? 'backed' : 'unbacked';
  const [mainFirst, mainLast] = spanOfMain(learned);
  // A candidate last seen before the main one was first seen is where the station came from.
  const others = learned.candidates.filter((other, c) => c !== learned.main && other.lastSeconds >= mainFirst);
  const hasEvidence = isKnown ? isBacked(candidate) : isWitnessed(learned, candidate, kind);
  const isSure = isWellSampled(kind, samplesOfMain(learned));
  const outweighs = (places: readonly Candidate[]) => !isSure || isOfTwoTracks(places);
  if (hasEvidence && candidate.reports >= MOVED_REPORTS && others.includes(candidate) && outweighs([candidate]))
    return seconds - mainLast > OUTDATED_SECONDS ? 'outdated' : 'moved';
  const recent = others.filter(({ lastSeconds }) => seconds - lastSeconds <= TRAVEL_SECONDS);
  return isTravelling(recent) && outweighs(recent) ? 'travelling' : 'stray';
}

function isWellSampled(kind: number, samples: number): boolean {
  return isCell(kind) && samples >= WELL_SAMPLED;
}

/** Sightings behind where the station is taken to be. */
function samplesOfMain(learned: Learned): number {
  const main = learned.candidates[learned.main] as Candidate | undefined;
  return (main?.reports ?? 0) + (importedOf(learned)?.samples ?? 0);
}

/** True if the sightings of some candidates are of two days, and too far apart to be of one track. */
function isOfTwoTracks(candidates: readonly Candidate[]): boolean {
  const first = Math.min(...candidates.map(({ firstSeconds }) => firstSeconds));
  const last = Math.max(...candidates.map(({ lastSeconds }) => lastSeconds));
  return last - first >= TRACK_SECONDS && spansDays(first, last);
}

/**
 * True when a trusted contributor, or two others who agree closely and claim the station nowhere else, have seen it
 * here. Cells are no secret: any two do.
 */
function isWitnessed({ candidates }: Learned, candidate: Candidate, kind: number): boolean {
  if (isCell(kind) || hasTrusted(candidate)) return isBacked(candidate);
  const isElsewhere = (contributor: number) =>
    candidates.some(other => other !== candidate && other.contributors.includes(contributor));
  const places = candidate.contributors
    .filter(contributor => !isElsewhere(contributor))
    .map(contributor => meanOfContributor(candidate, contributor));
  return places.some((place, p) => places.slice(0, p).some(other => metresBetween(other, place) <= WITNESS_METRES));
}

/** True when a trusted contributor, or each of two others, has seen the station at several of these candidates. */
function isTravelling(candidates: readonly Candidate[]): boolean {
  const seenAt = new Map<number, number>();
  for (const { points, contributors } of candidates) {
    const there = new Set(
      points.map(({ slot }) => (slot === SLOT_TRUSTED ? TRUSTED : (contributors[slot - 1] ?? OTHERS))),
    );
    for (const who of there) seenAt.set(who, 1 + (seenAt.get(who) ?? 0));
  }
  const witnesses = [...seenAt].filter(([, count]) => count >= 2).map(([who]) => who);
  return witnesses.length >= 2 || witnesses.includes(TRUSTED);
}

function spanOfMain(learned: Learned): [number, number] {
  if (learned.main >= 0) {
    const { firstSeconds, lastSeconds } = learned.candidates[learned.main];
    return [firstSeconds, lastSeconds];
  }
  return learned.base === undefined ? [0, 0] : [0, stationOf(learned.base).lastSeenDay * 86_400];
}

/** The event of a sighting at candidate `index` of a blocked station. */
function settle(learned: Learned, kind: number, index: number, sighting: Sighting): Event {
  const { seconds } = sighting;
  const candidate = learned.candidates[index];
  if (index !== learned.main) {
    // An old report does not show where the station is now.
    if (seconds < learned.settlingSince) return 'stray';
    learned.main = index;
    learned.settlingSince = seconds;
    learned.settlingReports = 1;
    return 'stray';
  }
  learned.settlingReports = Math.min(learned.settlingReports + 1, 65_535);
  const needed = SETTLING_SECONDS * 2 ** Math.min(learned.blocks - 1, SETTLING_DOUBLINGS);
  const hasSettled = seconds - learned.settlingSince >= needed && learned.settlingReports >= SETTLING_REPORTS;
  if (!isBacked(candidate)) return 'unbacked';
  return hasSettled && mayBringBack(learned, candidate, kind, sighting) ? 'settled' : 'backed';
}

/**
 * True if the sighting may end a block: who reports it is trusted, or agrees closely with another contributor. Of both,
 * each may have seen the station at one other candidate, from where it has moved. Who claims it at one place after the
 * other would learn by its return that it is there.
 */
function mayBringBack(
  { candidates }: Learned,
  candidate: Candidate,
  kind: number,
  { contributor, isTrusted }: Sighting,
): boolean {
  const { points, contributors } = candidate;
  if (isCell(kind) || isTrusted || !contributors.includes(contributor)) return true;
  const claims = (who: number) =>
    candidates.filter(other => other !== candidate && other.contributors.includes(who)).length;
  if (claims(contributor) > 1) return false;
  const own = meanOfContributor(candidate, contributor);
  const places = contributors
    .filter(who => who !== contributor && claims(who) <= 1)
    .map(who => meanOfContributor(candidate, who));
  const trusted = points.filter(({ slot }) => slot === SLOT_TRUSTED);
  if (trusted.length > 0) places.push(middleOf(trusted, undefined));
  return places.some(place => metresBetween(own, place) <= WITNESS_METRES);
}

function block(learned: Learned, index: number, { seconds }: Sighting): void {
  learned.blocks = Math.min(learned.blocks + 1, 255);
  learned.isBaseDisowned = learned.base !== undefined;
  learned.main = index;
  learned.settlingSince = seconds;
  learned.settlingReports = 1;
}

/** Makes a candidate the only one. */
function replace(learned: Learned, index: number): void {
  learned.candidates = [learned.candidates[index]];
  learned.main = 0;
  learned.isBaseDisowned = learned.base !== undefined;
  learned.settlingSince = 0;
  learned.settlingReports = 0;
}
