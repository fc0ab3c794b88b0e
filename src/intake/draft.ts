// A measurement as a client or file states it, before the rules: a position, and lists of entries with the members of
// the HTTP interface. Every format is read into drafts, and one function (screen.ts) turns drafts into reports.

/** One measurement. Absent members were not stated; numbers may be implausible. */
export interface ReportDraft {
  /** Milliseconds since 1970. */
  timeMs?: number;
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /**
   * How the position was found, in the words of the Mozilla formats: `gps`, `gnss`, `fused`, `fixed`, `manual`,
   * `query`.
   */
  source?: string;
  /** Metres. */
  accuracyMetres?: number;
  /** How much older than `timeMs` the position is, milliseconds. */
  positionAgeMs?: number;
  /** Metres above sea. */
  altitude?: number;
  /** Degrees from north. */
  heading?: number;
  /** m/s. */
  speed?: number;
  /** Index of the floor in its building; 0 = ground level. */
  floor?: number;
  /**
   * Entries as in the specification: `macAddress`, `ssid`, `ssidHex`, `signalStrength`, `frequency`, `channel`, `age`.
   */
  wifiAccessPoints?: readonly unknown[];
  /**
   * Entries: `macAddress`, or `uuid`, `major`, `minor` (also `beaconType`, `id1`, `id2`, `id3`); `signalStrength`,
   * `age`.
   */
  bluetoothBeacons?: readonly unknown[];
  /**
   * Entries: `radioType`, `mobileCountryCode`, `mobileNetworkCode`, `locationAreaCode`, `cellId`, `signalStrength`, …
   */
  cellTowers?: readonly unknown[];
  /** For cells that name no radio type themselves. */
  radioType?: unknown;
}

/** The origin of drafts. */
export interface Origin {
  /** Account, 1..1,048,575; 0 = a file that the operator imports. */
  contributor: number;
  /** Needs no second contributor to agree. */
  isTrusted: boolean;
  /** Pseudonym of the device or batch, 0 = unknown. */
  track: number;
  /** Time of arrival, milliseconds since 1970: the time of drafts that state none. Later times lie in the future. */
  receivedMs: number;
}
