// What is learned about one station from observations: its life-cycle and its candidates. The station record is derived
// from it. A candidate is a possible location of the station: a set of reference points, each with a position and a
// mean level. A station has one candidate, and others only while reports contradict each other. The reference points of
// the main candidate are the station's radio map.
//
// All numbers have the precision in which they are stored (learned_record.ts). So a record read back from disk
// continues exactly like one that stayed in memory, and replaying a log gives the same tables wherever it was
// interrupted.
//
// A cell's reference points also keep which other cells were heard there, and how strongly, because what a device hears
// tells the points of one cell apart. A record names the other cells once; its points refer to them by index.

import { CODE_ABSENT } from '../../radio/query/layout.ts';

/** Another cell heard at a reference point. */
export interface Heard {
  /** Index among the neighbours of the record. */
  neighbour: number;
  /** Observations of the point in which it was heard, 1..65,535 (saturating). */
  count: number;
  /** Its mean level there, hundredths of dBm. */
  levelE2: number;
}

/** A reference point: observations at one position, all by one contributor or all by trusted ones. */
export interface ReferencePoint {
  /** Mean position, degrees times 1e7. */
  latitudeE7: number;
  longitudeE7: number;
  /** Sum of the observations' weights, single precision. */
  weight: number;
  /** Level of the mean amplitude, of cells the mean level, in dBm, single precision. */
  levelDbm: number;
  /** Observations, 1..65,535 (saturating). */
  count: number;
  /** Day of the last one, since 1970-01-01. */
  lastDay: number;
  /** 0 = trusted, 1.. = contributor `slot - 1` of the candidate, `SLOT_OTHERS` = a contributor without a slot. */
  slot: number;
  /** Cells: the other cells heard here. */
  heard: Heard[];
}

/** Slot of trusted contributors. */
export const SLOT_TRUSTED = 0;
/** Number of contributors that a candidate tells apart. */
export const SLOTS = 6;
/** Slot that all further contributors share. */
export const SLOT_OTHERS = SLOTS + 1;

/** Days of arrival that a claim tells apart: eleven years. */
export const CLAIM_DAYS = 4_096;

/** A candidate location of a station: sightings that agree on where the station is. */
export interface Candidate {
  points: ReferencePoint[];
  /** Accounts that are not trusted, in order of appearance, at most `SLOTS`. */
  contributors: number[];
  /** Reports behind it, saturating at 65,535. */
  reports: number;
  /** Seconds since 1970 of the earliest and the latest report. */
  firstSeconds: number;
  lastSeconds: number;
  /** Account that has seen it first and waits for a confirmation, by which it earns credits; 0 = nobody waits. */
  claimant: number;
  /** Day on which that report arrived, since 1970-01-01, modulo `CLAIM_DAYS`; 0 where nobody waits. */
  claimDay: number;
}

/** Life-cycle of a station; `src/learning/life_cycle.ts` has the transitions. */
export const LEARNED_NEW = 1;
export const LEARNED_KNOWN = 2;
export const LEARNED_BLOCKED = 3;

/** What is known of one station. */
export interface Learned {
  /** `LEARNED_*`. */
  state: number;
  /**
   * Index of the main candidate, where the station is taken to be (blocked: where it was seen last); -1 while only the
   * base tells.
   */
  main: number;
  /** How often it was blocked, saturating at 255. */
  blocks: number;
  /**
   * Blocked stations: since when they have been seen at one candidate only, seconds since 1970, and in how many
   * reports.
   */
  settlingSince: number;
  settlingReports: number;
  /** Scrambling code or physical cell id last heard, CODE_ABSENT = none. */
  code: number;
  /** Station record of 24 bytes that was imported, not learned. */
  base: Uint8Array | undefined;
  /** The base contradicts what was learned since and no longer counts. */
  isBaseDisowned: boolean;
  /** Cells: keys of the others that were heard with it, each a string of 12 bytes (latin1). */
  neighbours: string[];
  candidates: Candidate[];
}

/** A station of which nothing is known except, perhaps, an imported record. */
export function newLearned(base: Uint8Array | undefined): Learned {
  return {
    state: base === undefined ? LEARNED_NEW : LEARNED_KNOWN,
    main: -1,
    blocks: 0,
    settlingSince: 0,
    settlingReports: 0,
    code: CODE_ABSENT,
    base,
    isBaseDisowned: false,
    neighbours: [],
    candidates: [],
  };
}
