// What is known beforehand of one kind of transmitter: how far it is heard, how its signal fades, and how well the place of one is known.

import type { PathLossPrior } from './path_loss_fit.ts';

/** Constants of one kind of transmitter. */
export interface RadioModel {
  /** One of SOURCE_*. */
  source: number;
  /** Stations farther apart than this make no group, in metres. */
  groupMetres: number;
  /** Stations this near to the centre of the chosen group take part, whatever their own group. */
  extentMetres: number;
  /** Stations that must agree. */
  minimum: number;
  /** Noise of a level in dB: shadowing and the receiver's own. */
  levelSigmaDb: number;
  /** Standard deviation of a listed station's position as a share of its 50 % radius, the same of a learned one, and what it is at least, in metres. */
  positionShare: number;
  learnedShare: number;
  positionFloorMetres: number;
  /** How far a station stands from where it is heard, along each axis: the error of a place learned from one observation. */
  samplingMetres: number;
  /** Share of the variance of their places that stations scatter with at least: the smaller, the more walks their places were learned on. */
  hiddenShare: number;
  /** Level at one metre in dBm where the station has no fit of its own; above 3 GHz the second. */
  referenceDbm: number;
  referenceHighBandDbm: number;
  /** Path-loss exponent where the station has no fit of its own. */
  exponent: number;
  /** Evidence of one station, see Estimate. */
  evidence: number;
  /** How far a scan may differ from these. */
  prior: PathLossPrior;
}
