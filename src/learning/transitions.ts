// What each event does to a station in each state of its life-cycle. The events are told apart by life_cycle.ts.

import { LEARNED_BLOCKED, LEARNED_KNOWN, LEARNED_NEW } from '../tables/stations/learned_record.ts';

/** State of a station that was never seen. */
export const NONE = 0;

/** What a report means to a station. */
export type Event =
  /** Seen at the main candidate, so far by one contributor only. */
  | 'unbacked'
  /** Seen at the main candidate; a trusted or second contributor, or an imported record, agrees. */
  | 'backed'
  /** Seen elsewhere, in a way that proves nothing yet. */
  | 'stray'
  /** Seen elsewhere by a trusted contributor or two others. */
  | 'moved'
  /** The same, and the main candidate is old. */
  | 'outdated'
  /** Seen at several other candidates by a trusted contributor or two others. */
  | 'travelling'
  /** Blocked, and seen at one candidate for long enough. */
  | 'settled';

/** What an event does to the station. */
export type Action =
  /** First seen: a station begins. */
  | 'new'
  /** The candidate takes the sighting in. */
  | 'change'
  /** It begins to count in lookups. */
  | 'confirm'
  /** The candidate where it was seen becomes the main one. */
  | 'replace'
  /** It no longer counts in lookups. */
  | 'block'
  /** The sighting is remembered, and changes nothing. */
  | 'keep';

/** Rows by state: what an event does, and the state after it. */
export const TRANSITIONS: { readonly [state: number]: { readonly [event in Event]?: readonly [Action, number] } } = {
  [NONE]: { unbacked: ['new', LEARNED_NEW], backed: ['new', LEARNED_KNOWN] },
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
