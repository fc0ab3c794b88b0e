// What of the lists of a body is left out of its query, for explanations. The readers note it where they decide it.

/** A list of stations in a body. */
export type StationList = 'wifiAccessPoints' | 'bluetoothBeacons' | 'cellTowers';

/** Why an entry is no observation: in the order in which the readers look. */
export type LeftOutReason =
  | 'noObject'
  | 'noAddress'
  | 'groupAddress'
  | 'optedOut'
  | 'movingHotspot'
  | 'noIdentity'
  | 'noNetwork'
  | 'noArea'
  | 'noCell';

/** An entry that is left out. */
export interface LeftOut {
  list: StationList;
  /** Its place in the list, from 0. */
  entry: number;
  why: LeftOutReason;
}
