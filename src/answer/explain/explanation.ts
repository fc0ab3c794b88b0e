// The explanation of an answer: plain data with stable names and SI units, as `sextant explain --json` prints it. What of it goes over the public address is decided in
// src/protocol/answers/explanation.ts.

import type { Stage } from '../../positioning/recorder.ts';
import type { LeftOut, StationList } from '../../radio/query/left_out.ts';

/** A member of an entry that is out of its range, and counts as not sent. */
export interface IgnoredMember {
  list: StationList;
  entry: number;
  member: string;
}

/** What the body holds. */
export interface Sent {
  /** Entries of each list. */
  wifiAccessPoints: number;
  bluetoothBeacons: number;
  cellTowers: number;
  /** Entries that are left out, and members that are. */
  leftOut: LeftOut[];
  ignored: IgnoredMember[];
}

/** What the tables say of a station. */
export interface KnownStation {
  /** `learned` from reports, or only `imported`. */
  source: 'learned' | 'imported';
  /** Only accounts vouch for it that are not trusted. */
  isUntrusted?: true;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Half, and 95 %, of its observations lie within. */
  r50Metres: number;
  r95Metres: number;
  /** Power of two at or below the number of its observations. */
  samples: number;
  /** Day of the last one, to 64 days; absent if that is not known. */
  lastSeen?: string;
}

/** A station that the device heard. */
export interface ExplainedStation {
  list: StationList;
  /** Its place in the list, from 0. */
  entry: number;
  /** As the commands name it; absent for a cell without an id. */
  station?: string;
  /** Scrambling code or physical cell id, where a cell has no id. */
  code?: number;
  /** As sent. */
  signalDbm?: number;
  ageSeconds?: number;
  known?: KnownStation;
  /** Known, and left out, since it was sent too often beside others of places where it does not belong. */
  isStray?: true;
}

/** How an answer came about. */
export interface Explanation {
  sent: Sent;
  stations: ExplainedStation[];
  /** Steps in their order. */
  stages: Stage[];
}
