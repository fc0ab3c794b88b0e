// A scan with known truth: what a device heard at one moment, in the words of the specification's bodies, and where it really was.

/** One scan. Members of the lists go into requests as they are. */
export interface Scan {
  /** Names the scan in reports: the file's line, or walk and time. */
  id: string;
  /** What the scan is split by: scans of one track are never on both sides. */
  track: string;
  /** Whose phone it was: one batch of contributions holds one device. */
  device: string;
  /** Milliseconds since 1970; undefined where nobody knows. */
  timeMs: number | undefined;
  /** The truth, degrees. */
  latitude: number;
  longitude: number;
  /** Radius of the truth, metres; undefined where it was not recorded. */
  accuracyMetres: number | undefined;
  cellTowers: readonly CellTower[];
  wifiAccessPoints: readonly AccessPoint[];
  bluetoothBeacons: readonly Beacon[];
}

/** A cell as requests name it. `cellId` is absent for a neighbour known by its scrambling code alone. */
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

/** An iBeacon as requests name it. */
export interface Beacon {
  macAddress: string;
  uuid: string;
  major: number;
  minor: number;
  /** dBm. */
  signalStrength: number;
  /** Milliseconds before the scan. */
  age: number;
}
