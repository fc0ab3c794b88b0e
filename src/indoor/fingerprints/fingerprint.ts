// What fingerprints and scans are made of, as those see them who learn a building and those who ask for a position in
// it.
//
// A radio is one transmitter, as one whole number: the virtual networks of one access point are one radio (radioOfMac
// in src/radio/mac.ts), a beacon is one as well. The number says nothing here but which readings are of the same
// transmitter; who makes it keeps access points and beacons apart.

/** A radio as it was heard at a known position. */
export interface Reading {
  /** 0..2^53-1. Several readings of one radio in a fingerprint count as one of their mean level. */
  radio: number;
  /** dBm; outside of -127..0 the reading is ignored. */
  levelDbm: number;
  /**
   * Time from the measurement to that of the position, milliseconds; absent or NaN where it is not known. Old readings
   * count less.
   */
  ageMs?: number;
}

/** A scan at a known point of a known floor of a building. */
export interface Fingerprint {
  /** Floor index; 0 is ground level. -128..254 is kept, others are refused. */
  floor: number;
  /** Metres from the origin of the building's map, in its plane. */
  eastMetres: number;
  northMetres: number;
  readings: readonly Reading[];
  /** Milliseconds since 1970; absent or NaN where it is not known. */
  timeMs?: number;
  /**
   * Who measured it: of what several have measured in one place, each counts the same. Absent: one like all others
   * without.
   */
  contributor?: number;
}

/** What a device hears, to be matched. Columns, since there are hundreds of readings. */
export interface Scan {
  /** Readings that are used, from the beginning of the columns. */
  count: number;
  /** As in `Reading`; several readings of one radio count as one. */
  radio: Float64Array;
  levelDbm: Float64Array;
  /** Time since the measurement, milliseconds; NaN where it is not known. */
  ageMs: Float64Array;
}
