// The explanation of an answer: plain data with stable names and SI units, as `sextant explain --json` prints it. What
// of it goes over the public address is decided in src/protocol/answers/explanation.ts.

import type {
  AbsentReason,
  FallbackResult,
  Part,
  Stage,
  Strategy,
  Taken,
} from '../../positioning/estimates/recorder.ts';
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
  /** The fix is `read`, or `leftOut`: it is none, or too old; absent where none was sent. */
  gps?: 'read' | 'leftOut';
  /** Entries that are left out, and members that are. */
  leftOut: LeftOut[];
  ignored: IgnoredMember[];
  /** How many more of each there are, where not all are named. */
  more?: { leftOut?: number; ignored?: number; stations?: number };
}

/** What the tables say of a station. */
export interface KnownStation {
  /** `learned` from reports, or only `imported`. */
  source: 'learned' | 'imported';
  /** Names of the sources that list it, in the order of their import; absent where none does. */
  sources?: string[];
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
  taken: Taken;
  /** The estimate in which it takes part. */
  strategy?: Strategy;
  /** In the estimate, 0..1; the weights of an estimate add up to 1. */
  weight?: number;
  /** From the position of the estimate. */
  distanceMetres?: number;
  /** The distance that its level stands for. */
  expectedMetres?: number;
  known?: KnownStation;
}

/** Names of parts, and metres. */
export type RadiusParts = Partial<Record<Part, number>>;

/** Square metres: a covariance in the plane. */
interface Covariance {
  eastEast: number;
  eastNorth: number;
  northNorth: number;
}

/** The estimate of a strategy. */
export interface ExplainedEstimate {
  strategy: Strategy;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Radius that holds half, after calibration; and before, the squares of its parts added up. */
  radiusMetres: number;
  uncalibratedMetres: number;
  parts: RadiusParts;
  /** By which tests have multiplied the radius. */
  calibration: number;
  /** After calibration. */
  covariance: Covariance;
  /** Stations it rests on. */
  stations: number;
  /** How many errors it would take for the device to be elsewhere. */
  evidence: number;
  /** It is part of the answer. */
  joined: boolean;
  /** In the answer, 0..1: the mean of both axes. The weights of those that are joined add up to 1. */
  weight?: number;
  /** From the answer. */
  distanceMetres: number;
}

/** The map of the serving cell. */
interface ExplainedMap {
  station: string;
  /**
   * Reference points that were compared, the observations behind the map, and the cells that were compared at each
   * point.
   */
  points: number;
  observations: number;
  cells: number;
  /** Where the device was before takes part. */
  isFollowed: boolean;
}

/** The map of a building. */
export interface ExplainedBuilding {
  name: string;
  /** Of the scan that the map knows, and how like the likeliest place it is, 0..1. */
  share: number;
  similarity: number;
  floorIndex: number;
  floorProbability: number;
  isFollowed: boolean;
  /** It takes the place of access points and beacons. */
  isUsed: boolean;
}

/** The answered radius. */
interface ExplainedRadius {
  /** Radius that holds `confidence` percent, as it is answered. */
  metres: number;
  /** Radius that holds half: the root of the sum of the squares of the parts, plus calibration and track. */
  r50Metres: number;
  parts: RadiusParts;
  /** By which tests and the track widen it, or narrow it where this is below 0. */
  calibrationMetres: number;
  trackMetres: number;
  /** Percent. */
  confidence: number;
  /** `metres` over `r50Metres`, before both are rounded. */
  confidenceFactor: number;
}

/** The answer. */
export interface ExplainedAnswer {
  /** Degrees. */
  latitude: number;
  longitude: number;
  radius: ExplainedRadius;
  /** Fallback that found it. */
  fallback?: string;
}

/** A fallback that was tried. */
interface ExplainedFallback {
  fallback: string;
  result: FallbackResult;
  /** Places of the cells or areas that resemble those that were sent, likeliest first, 64 at most; absent without. */
  guesses?: { latitude: number; longitude: number; typicalMetres: number }[];
}

/** How an answer came about. */
export interface Explanation {
  sent: Sent;
  stations: ExplainedStation[];
  building?: ExplainedBuilding;
  map?: ExplainedMap;
  /** In the order of the strategies. */
  estimates: ExplainedEstimate[];
  /** Strategies without an estimate. */
  absent: { strategy: Strategy; why: AbsentReason }[];
  /** Those that were tried, in their order. */
  fallbacks: ExplainedFallback[];
  /** What the track of a followed device made of the position. */
  track?: { movedMetres: number; radiusFactor: number };
  /** Absent where nothing was found. */
  answer?: ExplainedAnswer;
  /** Steps in their order. */
  stages: Stage[];
}
