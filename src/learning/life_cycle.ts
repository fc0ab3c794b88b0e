// The life-cycle of a station. A report that hears it is an event, told from where the station was seen before and by whom; what follows is the row of
// one table. A station counts in lookups only while it is known.
//
// A station that a trusted contributor, or two independent ones, have seen elsewhere has moved: it is blocked, because nobody can tell where it will be next, and
// comes back where it is then seen alone for a while, the longer the more often it was blocked. So travelling hotspots never stay in the tables, and a
// router that moved house is back after a day. One contributor alone can neither make a station known nor have one blocked.

import { type Candidate, LEARNED_BLOCKED, LEARNED_KNOWN, LEARNED_NEW, type Learned, SLOT_TRUSTED } from '../tables/stations/learned.ts';
import { decodeStation, type Station, stationView } from '../tables/stations/station.ts';
import {
  addToCandidate,
  isBacked,
  metresBetween,
  middleOf,
  newCandidate,
  OTHER_CANDIDATE_POINTS,
  type Position,
  pointsOfKind,
  reachMetres,
  type Sighting,
} from './candidate.ts';

/** Candidates kept of one station: its own, and for two others two each that show it travelling. */
export const CANDIDATES = 5;
/** Another candidate with fewer reports may be one bad fix. */
const MOVED_REPORTS = 2;
/** Candidates further apart in time do not show a station travelling: each may be a bad fix of its own. */
const TRAVEL_SECONDS = 30 * 86_400;
/** A candidate not confirmed for so long is believed no longer when the station is seen elsewhere. */
const OUTDATED_SECONDS = 365 * 86_400;
/** A blocked station comes back when it has been at one candidate for a day, twice as long for each further time it was blocked, at most about two months. */
const SETTLING_SECONDS = 86_400;
const SETTLING_DOUBLINGS = 6;
const SETTLING_REPORTS = 3;
/** Numbers that no account has: trusted contributors together, and those that found no slot. */
const TRUSTED = -1;
const OTHERS = -2;
/** State of a station that was never seen. */
const NONE = 0;

/** What a report means to a station. */
export type Event =
  /** Seen where it is thought to be, so far by one contributor only. */
  | 'unbacked'
  /** Seen where it is thought to be, and a trusted or a second contributor or an imported record agrees. */
  | 'backed'
  /** Seen elsewhere, in a way that proves nothing yet. */
  | 'stray'
  /** Seen elsewhere by those who can be believed. */
  | 'moved'
  /** The same, and what was known is old. */
  | 'outdated'
  /** Seen elsewhere at several candidates, by those who can be believed. */
  | 'travelling'
  /** Blocked, and seen at one candidate for long enough. */
  | 'settled';

/** What is done about it. */
export type Action =
  /** First seen: a station begins. */
  | 'new'
  /** Its candidate takes the sighting in. */
  | 'change'
  /** It begins to count in lookups. */
  | 'confirm'
  /** The candidate where it was seen becomes the main one. */
  | 'replace'
  /** It counts no more. */
  | 'block'
  /** The sighting is remembered, and changes nothing. */
  | 'keep';

/** Rows by state: what an event does, and the state after it. */
export const TRANSITIONS: { readonly [state: number]: { readonly [event in Event]?: readonly [Action, number] } } = {
  [NONE]: {
    unbacked: ['new', LEARNED_NEW],
    backed: ['new', LEARNED_KNOWN],
  },
  [LEARNED_NEW]: {
    unbacked: ['change', LEARNED_NEW],
    backed: ['confirm', LEARNED_KNOWN],
    stray: ['keep', LEARNED_NEW],
    moved: ['replace', LEARNED_KNOWN],
    outdated: ['replace', LEARNED_KNOWN],
    travelling: ['block', LEARNED_BLOCKED],
  },
  [LEARNED_KNOWN]: {
    backed: ['change', LEARNED_KNOWN],
    stray: ['keep', LEARNED_KNOWN],
    moved: ['block', LEARNED_BLOCKED],
    outdated: ['replace', LEARNED_KNOWN],
    travelling: ['block', LEARNED_BLOCKED],
  },
  [LEARNED_BLOCKED]: {
    unbacked: ['change', LEARNED_BLOCKED],
    backed: ['change', LEARNED_BLOCKED],
    stray: ['change', LEARNED_BLOCKED],
    settled: ['replace', LEARNED_KNOWN],
  },
};

/** Takes one sighting of a station of a kind into what is learned about it. @returns what it meant and what was done */
export function observe(learned: Learned, kind: number, sighting: Sighting): { event: Event; action: Action } {
  const state = learned.candidates.length === 0 && learned.base === undefined ? NONE : learned.state;
  const index = assignSighting(learned, kind, sighting);
  const event = state === LEARNED_BLOCKED ? settle(learned, index, sighting) : judge(learned, index, sighting);
  const transition = TRANSITIONS[state][event];
  if (transition === undefined) throw new Error(`A station in state ${state} cannot meet the event "${event}".`);
  const [action, next] = transition;
  if (action === 'block') block(learned, index, sighting);
  if (action === 'replace') replace(learned, index);
  learned.state = next;
  return { event, action };
}

/** Adds the sighting to the candidate that it agrees with, or begins one. @returns the candidate's index */
function assignSighting(learned: Learned, kind: number, sighting: Sighting): number {
  const base = importedOf(learned);
  const isAtMain = isNearMain(learned, kind, sighting, base);
  const found = isAtMain ? learned.main : nearestOther(learned, kind, sighting);
  if (found >= 0) {
    addToCandidate(learned.candidates[found], sighting, kind, found === learned.main ? pointsOfKind(kind) : OTHER_CANDIDATE_POINTS);
    return found;
  }
  if (learned.candidates.length === CANDIDATES) dropOther(learned, sighting);
  learned.candidates.push(newCandidate(sighting));
  const index = learned.candidates.length - 1;
  if (learned.main < 0 && (isAtMain || base === undefined)) learned.main = index;
  return index;
}

/** True where the station is thought to be: only who lies outside of it contradicts. */
function isNearMain(learned: Learned, kind: number, sighting: Sighting, base: Imported | undefined): boolean {
  const candidate = learned.candidates[learned.main] as Candidate | undefined;
  if (candidate === undefined && base === undefined) return false;
  const middle = candidate === undefined ? base! : middleOf(candidate.points, base);
  return metresBetween(middle, sighting) <= reachMetres(kind) + sighting.accuracyMetres + (base?.r95Metres ?? 0);
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

/** Makes room for a candidate: of those that nobody backs one of the contributor who has most of them, rather the reporter's own; then the oldest. */
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

/** An imported record, with its position as candidates have theirs. */
export interface Imported extends Position, Station {}

/** The imported record of a station; undefined where there is none, or it counts no more. */
export function importedOf({ base, isBaseDisowned }: Learned): Imported | undefined {
  if (base === undefined || isBaseDisowned) return undefined;
  const station = stationOf(base);
  return { ...station, latitudeE7: Math.round(station.latitude * 1e7), longitudeE7: Math.round(station.longitude * 1e7) };
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
  if (candidate === undefined || metresBetween(middleOf(candidate.points, undefined), base) <= reachMetres(kind) + base.r95Metres) return;
  // One witness against the import: the import is believed. Several know better.
  if (isBacked(candidate)) learned.isBaseDisowned = true;
  else learned.main = -1;
}

/** What a sighting at candidate `index` means to a station that is not blocked. */
function judge(learned: Learned, index: number, { seconds }: Sighting): Event {
  const candidate = learned.candidates[index];
  if (index === learned.main) return isBacked(candidate) || importedOf(learned) !== undefined ? 'backed' : 'unbacked';
  const [mainFirst, mainLast] = spanOfMain(learned);
  // What was seen only before the main candidate was is where the station came from.
  const others = learned.candidates.filter((other, c) => c !== learned.main && other.lastSeconds >= mainFirst);
  if (isBacked(candidate) && candidate.reports >= MOVED_REPORTS && others.includes(candidate))
    return seconds - mainLast > OUTDATED_SECONDS ? 'outdated' : 'moved';
  return isTravelling(others.filter(({ lastSeconds }) => seconds - lastSeconds <= TRAVEL_SECONDS)) ? 'travelling' : 'stray';
}

/** True when a trusted contributor, or each of two others, has seen the station at several of these candidates. */
function isTravelling(candidates: readonly Candidate[]): boolean {
  const seenAt = new Map<number, number>();
  for (const { points, contributors } of candidates) {
    const there = new Set(points.map(({ slot }) => (slot === SLOT_TRUSTED ? TRUSTED : (contributors[slot - 1] ?? OTHERS))));
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

/** What a sighting at candidate `index` means to a blocked station. */
function settle(learned: Learned, index: number, { seconds }: Sighting): Event {
  const candidate = learned.candidates[index];
  if (index !== learned.main) {
    // Old news does not show where it is now.
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
  return hasSettled ? 'settled' : 'backed';
}

function block(learned: Learned, index: number, { seconds }: Sighting): void {
  learned.blocks = Math.min(learned.blocks + 1, 255);
  learned.isBaseDisowned = learned.base !== undefined;
  learned.main = index;
  learned.settlingSince = seconds;
  learned.settlingReports = 1;
}

/** The station stands for this candidate from now on; what it stood for before is forgotten. */
function replace(learned: Learned, index: number): void {
  learned.candidates = [learned.candidates[index]];
  learned.main = 0;
  learned.isBaseDisowned = learned.base !== undefined;
  learned.settlingSince = 0;
  learned.settlingReports = 0;
}
