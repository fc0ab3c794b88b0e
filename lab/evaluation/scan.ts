// A scan with known truth: what a device heard at one moment, with the member names of the specification's bodies, and
// where it really was.

import type { Beacon } from '../../src/indoor/transfer/surveys/walk_lines.ts';

/** A position, degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** One scan, with the truth as its position. The entries of the lists go into requests unchanged. */
export interface Scan extends Position {
  /** Name of the scan in results: the file's line, or walk and time. */
  id: string;
  /** Scans are split by track: those of one track are never in training and test at once. */
  track: string;
  /** The device: a batch of contributions comes from one device. */
  device: string;
  /** Milliseconds since 1970; undefined if unknown. */
  timeMs: number | undefined;
  /** Accuracy of the truth, metres; undefined if it was not recorded. */
  accuracyMetres: number | undefined;
  cellTowers: readonly CellTower[];
  wifiAccessPoints: readonly AccessPoint[];
  bluetoothBeacons: readonly Beacon[];
}

/** A cell as requests name it. `cellId` is absent for a neighbour identified only by its scrambling code. */
export interface CellTower {
  radioType: string;
  mobileCountryCode: number;
  mobileNetworkCode: number;
  locationAreaCode?: number;
  cellId?: number;
  /** dBm. */
  signalStrength?: number;
  primaryScramblingCode?: number;
  timingAdvance?: number;
  /** Channel number, as Android clients send it. */
  arfcn?: number;
  serving: 0 | 1;
}

/** An access point as requests name it. */
export interface AccessPoint {
  macAddress: string;
  /** dBm. */
  signalStrength: number;
  /** MHz. */
  frequency?: number;
  channel?: number;
  /** Milliseconds before the scan. */
  age?: number;
}
