// Prior knowledge of one kind of transmitter, as the core keeps it: how far it is heard, how its signal fades, and how
// well its position is known.

import * as layout from '../../wasm/memory.ts';

/** Constants of one kind of transmitter. */
export interface TransmitterModel {
  /** Where the core keeps it: 0..MAX_MODELS-1, another one for each model. */
  number: number;
  /**
   * Metres from its position within which a station is heard, at least and at most; the 95 % radius of its record
   * decides in between. The most is less for a station that only untrusted accounts vouch for.
   */
  reachMetres: number;
  reachMetresMax: number;
  reachMetresUntrusted: number;
  /** Number of stations that must agree. */
  minimum: number;
  /** Standard deviation of a level in dB: shadowing and receiver noise. */
  levelSigmaDb: number;
  /**
   * Standard deviation of a station's position as a share of its 50 % radius, for an imported and for a learned
   * station, and its least value in metres.
   */
  positionShare: number;
  learnedShare: number;
  positionFloorMetres: number;
  /**
   * Standard deviation in metres, along each axis, of a position learned from one observation: the distance from where
   * a station is heard.
   */
  samplingMetres: number;
  /**
   * Least scatter of stations as a share of the variance of their positions; smaller if the positions come from more
   * walks.
   */
  hiddenShare: number;
  /** Level at one metre in dBm for a station without a fit of its own; the second is for frequencies above 3 GHz. */
  referenceDbm: number;
  referenceHighBandDbm: number;
  /** Path-loss exponent for a station without a fit of its own. */
  exponent: number;
  /** How far the path loss of a scan may differ from that: standard deviation of a common offset in dB. */
  offsetSigmaDb: number;
  /** Standard deviation of a common change of the exponent. Stations with a fit of their own keep theirs. */
  exponentSigma: number;
  /** Distance at which the prior level is known to `offsetSigmaDb`, in metres. */
  pivotMetres: number;
}

/** Where the core has each constant of its first model. */
const OFFSETS: Readonly<Record<Exclude<keyof TransmitterModel, 'number'>, number>> = {
  reachMetres: layout.MODEL_REACH_METRES,
  reachMetresMax: layout.MODEL_REACH_METRES_MAX,
  reachMetresUntrusted: layout.MODEL_REACH_METRES_UNTRUSTED,
  minimum: layout.MODEL_MINIMUM,
  levelSigmaDb: layout.MODEL_LEVEL_SIGMA_DB,
  positionShare: layout.MODEL_POSITION_SHARE,
  learnedShare: layout.MODEL_LEARNED_SHARE,
  positionFloorMetres: layout.MODEL_POSITION_FLOOR_METRES,
  samplingMetres: layout.MODEL_SAMPLING_METRES,
  hiddenShare: layout.MODEL_HIDDEN_SHARE,
  referenceDbm: layout.MODEL_REFERENCE_DBM,
  referenceHighBandDbm: layout.MODEL_REFERENCE_HIGH_BAND_DBM,
  exponent: layout.MODEL_EXPONENT,
  offsetSigmaDb: layout.MODEL_OFFSET_SIGMA_DB,
  exponentSigma: layout.MODEL_EXPONENT_SIGMA,
  pivotMetres: layout.MODEL_PIVOT_METRES,
};

/** Writes a model into the memory of a core. */
export function writeModel(memory: DataView, model: TransmitterModel): void {
  for (const [name, offset] of Object.entries(OFFSETS))
    memory.setFloat64(offset + model.number * layout.MODEL_BYTES, model[name as keyof TransmitterModel], true);
}
