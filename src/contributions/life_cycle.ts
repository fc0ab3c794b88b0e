// The life-cycle of a station. A report that hears it is an event, told from where the station was seen before and by whom; what follows is the row of
// one table. A station counts in lookups only while it is known.
//
// A station that a trusted contributor, or two independent ones, have seen elsewhere has moved: it is blocked, because nobody can tell where it will be next, and
// comes back where it is then seen alone for a while, the longer the more often it was blocked. So travelling hotspots never stay in the tables, and a
// router that moved house is back after a day. One contributor alone can neither make a station known nor have one blocked.

import { LEARNED_BLOCKED, LEARNED_KNOWN, LEARNED_NEW, type Learned, type Site, SLOT_TRUSTED } from '../tables/learned.ts';
import { decodeStation } from '../tables/station.ts';
import { addToSite, isBacked, metresBetween, middleOf, newSite, placesOfKind, RIVAL_PLACES, reachMetres, type Sighting } from './site.ts';

/** Sites kept of one station. */
export const SITES = 4;
/** A rival site of fewer reports may be one bad fix. */
const MOVED_REPORTS = 2;
/** A site not confirmed for so long is believed no longer when the station is seen elsewhere. */
const OUTDATED_SECONDS = 365 * 86_400;
/** A blocked station comes back when it has been at one site for a day, twice as long for each further time it was blocked, at most about two months. */
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
  /** Blocked, and seen at one site for long enough. */
  | 'settled';

/** What is done about it. */
export type Action =
  /** First seen: a station begins. */
  | 'new'
  /** Its site takes the sighting in. */
  | 'change'
  /** It begins to count in lookups. */
  | 'confirm'
  /** The site where it was seen takes the place of the one it stood for. */
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
  },
  [LEARNED_KNOWN]: {
    unbacked: ['change', LEARNED_KNOWN],
    backed: ['change', LEARNED_KNOWN],
    stray: ['keep', LEARNED_KNOWN],
    moved: ['block', LEARNED_BLOCKED],
    outdated: ['replace', LEARNED_KNOWN],
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
  const state = learned.sites.length === 0 && learned.base === undefined ? NONE : learned.state;
  const index = placeSighting(learned, kind, sighting);
  const event = state === LEARNED_BLOCKED ? settle(learned, index, sighting) : judge(learned, kind, index, sighting);
  const transition = TRANSITIONS[state][event];
  if (transition === undefined) throw new Error(`A station in state ${state} cannot meet the event "${event}".`);
  const [action, next] = transition;
  if (action === 'block') block(learned, index, sighting);
  if (action === 'replace') replace(learned, index);
  learned.state = next;
  return { event, action };
}

/** Adds the sighting to the site that it agrees with, or begins one. @returns the site's index */
function placeSighting(learned: Learned, kind: number, sighting: Sighting): number {
  const reach = reachMetres(kind) + sighting.accuracyMetres;
  let index = -1;
  let least = reach;
  for (let s = 0; s < learned.sites.length; s++) {
    const metres = metresBetween(middleOf(learned.sites[s].places), sighting);
    // The site that the station stands for is asked first: only who lies outside of it contradicts.
    if (metres > least && !(s === learned.main && metres <= reach)) continue;
    index = s;
    if (s === learned.main) break;
    least = metres;
  }
  if (index < 0) {
    if (learned.sites.length === SITES) dropRival(learned, sighting);
    learned.sites.push(newSite(sighting));
    index = learned.sites.length - 1;
    if (learned.main < 0 && (learned.base === undefined || agreesWithBase(learned, kind, learned.sites[index]))) learned.main = index;
    return index;
  }
  addToSite(learned.sites[index], sighting, kind, index === learned.main ? placesOfKind(kind) : RIVAL_PLACES);
  return index;
}

/** Makes room for a site: a contributor's own lonely claim first, then the oldest that nobody backs, then the oldest. */
function dropRival(learned: Learned, { contributor, isTrusted }: Sighting): void {
  let victim = -1;
  let victimRank = Number.POSITIVE_INFINITY;
  for (let s = 0; s < learned.sites.length; s++) {
    if (s === learned.main) continue;
    const site = learned.sites[s];
    const isOwn = !isTrusted && !isBacked(site) && site.contributors[0] === contributor;
    const rank = (isOwn ? 0 : isBacked(site) ? 2 : 1) * 2 ** 33 + site.lastSeconds;
    if (rank >= victimRank) continue;
    victim = s;
    victimRank = rank;
  }
  learned.sites.splice(victim, 1);
  if (learned.main > victim) learned.main--;
}

/** True where an imported record, not disowned, has the station near this site. */
export function agreesWithBase(learned: Learned, kind: number, site: Site): boolean {
  if (learned.base === undefined || learned.isBaseDisowned) return false;
  const base = stationOf(learned.base);
  const at = { latitudeE7: Math.round(base.latitude * 1e7), longitudeE7: Math.round(base.longitude * 1e7) };
  return metresBetween(middleOf(site.places), at) <= reachMetres(kind) + base.r95Metres;
}

function stationOf(record: Uint8Array) {
  return decodeStation(new DataView(record.buffer, record.byteOffset, record.byteLength), 0);
}

/** What a sighting at site `index` means to a station that is not blocked. */
function judge(learned: Learned, kind: number, index: number, { seconds }: Sighting): Event {
  const site = learned.sites[index];
  if (index === learned.main) return isBacked(site) || agreesWithBase(learned, kind, site) ? 'backed' : 'unbacked';
  const [mainFirst, mainLast] = spanOfMain(learned);
  // What was seen only before the main site was is where the station came from.
  const rivals = learned.sites.filter((rival, s) => s !== learned.main && rival.lastSeconds >= mainFirst);
  const isProven = isBacked(site) && site.reports >= MOVED_REPORTS && site.lastSeconds >= mainFirst;
  const isTravelling = rivals.length >= 2 && areProven(rivals);
  if (!isProven && !isTravelling) return 'stray';
  return seconds - mainLast > OUTDATED_SECONDS && isProven ? 'outdated' : 'moved';
}

/** True when a trusted contributor, or each of two others, has seen the station repeatedly at these sites taken together. */
function areProven(sites: readonly Site[]): boolean {
  const sightings = new Map<number, number>();
  for (const { places, contributors } of sites) {
    for (const { slot, count } of places) {
      const who = slot === SLOT_TRUSTED ? TRUSTED : (contributors[slot - 1] ?? OTHERS);
      sightings.set(who, (sightings.get(who) ?? 0) + count);
    }
  }
  const repeated = [...sightings].filter(([, count]) => count >= MOVED_REPORTS);
  return repeated.length >= 2 || repeated.some(([who]) => who === TRUSTED);
}

function spanOfMain(learned: Learned): [number, number] {
  if (learned.main >= 0) {
    const { firstSeconds, lastSeconds } = learned.sites[learned.main];
    return [firstSeconds, lastSeconds];
  }
  return learned.base === undefined ? [0, 0] : [0, stationOf(learned.base).lastSeenDay * 86_400];
}

/** What a sighting at site `index` means to a blocked station. */
function settle(learned: Learned, index: number, { seconds }: Sighting): Event {
  const site = learned.sites[index];
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
  if (!isBacked(site)) return 'unbacked';
  return hasSettled ? 'settled' : 'backed';
}

function block(learned: Learned, index: number, { seconds }: Sighting): void {
  learned.blocks = Math.min(learned.blocks + 1, 255);
  learned.isBaseDisowned = learned.base !== undefined;
  learned.main = index;
  learned.settlingSince = seconds;
  learned.settlingReports = 1;
}

/** The station stands for this site from now on; what it stood for before is forgotten. */
function replace(learned: Learned, index: number): void {
  learned.sites = [learned.sites[index]];
  learned.main = 0;
  learned.isBaseDisowned = learned.base !== undefined;
  learned.settlingSince = 0;
  learned.settlingReports = 0;
}
