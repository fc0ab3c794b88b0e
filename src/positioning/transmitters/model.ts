// Prior knowledge of one kind of transmitter: how far it is heard, how its signal fades, and how well its position is known.

/** Priors for the difference of a scan's path loss from that of the stations. */
interface PathLossPrior {
  /** Standard deviation of the common offset in dB. */
  offsetSigmaDb: number;
  /** Standard deviation of the common change of the exponent. Stations with a fit of their own keep theirs. */
  exponentSigma: number;
  /** Distance at which the prior level is known to `offsetSigmaDb`, in metres. */
  pivotMetres: number;
}

/** Constants of one kind of transmitter. */
export interface RadioModel {
  /** Where the core keeps the constants: 0..MAX_MODELS-1, another one for each model. */
  number: number;
  /** One of SOURCE_*. */
  source: number;
  /** One of GROUP_*. */
  group: number;
  /**
   * Metres from its position within which a station is heard, at least and at most; the 95 % radius of its record decides in between. The most is less
   * for a station that only untrusted accounts vouch for.
   */
  reachMetres: number;
  reachMetresMax: number;
  reachMetresUntrusted: number;
  /** Number of stations that must agree. */
  minimum: number;
  /** Standard deviation of a level in dB: shadowing and receiver noise. */
  levelSigmaDb: number;
  /** Standard deviation of a station's position as a share of its 50 % radius, for an imported and for a learned station, and its least value in metres. */
  positionShare: number;
  learnedShare: number;
  positionFloorMetres: number;
  /** Standard deviation in metres, along each axis, of a position learned from one observation: the distance from where a station is heard. */
  samplingMetres: number;
  /** Least scatter of stations as a share of the variance of their positions; smaller if the positions come from more walks. */
  hiddenShare: number;
  /** Level at one metre in dBm for a station without a fit of its own; the second is for frequencies above 3 GHz. */
  referenceDbm: number;
  referenceHighBandDbm: number;
  /** Path-loss exponent for a station without a fit of its own. */
  exponent: number;
  /** Evidence of one station, see Estimate. */
  evidence: number;
  /** How far the path loss of a scan may differ. */
  prior: PathLossPrior;
}
