// A report: where a device was at one moment and what it heard there. It is what contributions are made of, from a single request up to a file of a
// million lines, after the rules of intake and before any knowledge is drawn from it.

/** One report. Numbers that were not sent are NaN. */
export interface Report {
  /** When the observations were made, milliseconds since 1970. */
  timeMs: number;
  /** The client named that time; otherwise it is the time of arrival. */
  isTimed: boolean;
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** Radius of the position, metres. */
  accuracyMetres: number;
  /** How much older than `timeMs` the position is, milliseconds. */
  positionAgeMs: number;
  /** Metres above sea. */
  altitude: number;
  /** Degrees from north, 0..360. */
  heading: number;
  /** m/s. */
  speed: number;
  /** Account that sent it; 0 = a file that the operator imported. */
  contributor: number;
  /** Needs no second witness: the key is trusted, or the operator asks for none. */
  isTrusted: boolean;
  /** Pseudonym of the device, or of the batch where devices have no name: 1..2^53-1; 0 = unknown. One device's reports can contradict one another. */
  track: number;
  /** What was heard: OBSERVATION_BYTES each (wasm/layout.ts), access points, then beacons, then cells; no station twice. */
  observations: Uint8Array;
}
