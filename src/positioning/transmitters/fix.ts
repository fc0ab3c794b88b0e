// Locates by the selected transmitters around the device, in one call of the core (wasm/transmitters/fix.ts has the
// steps). WiFi and Bluetooth use the same steps with different constants.

import type { TransmitterModel } from '../../core/transmitter_model.ts';
import { type Estimate, groupOfTransmitters, type Tail } from '../estimates/estimate.ts';
import type { Heard } from './selection.ts';

/** One kind of transmitter: what is known of it beside the constants that the core computes with. */
export interface RadioModel extends TransmitterModel {
  /** Its name in explanations. */
  strategy: 'wifi' | 'bluetooth';
  /** One of SOURCE_*. */
  source: number;
  /** One of GROUP_*. */
  group: number;
  /** Evidence of one station, see Estimate. */
  evidence: number;
}

/** Of more radios of one kind nothing is answered: no device hears so many at once. */
const SCAN_MAX = 300;
/** Largest evidence of one kind of station: more of them may all have come on one truck. */
const EVIDENCE_LIMIT = 4;
/**
 * What the part of a scan that is elsewhere takes of the evidence, as a multiple: where a third of it contradicts the
 * rest, a cell that does so too is believed. Access points of another town come along in an old cache, or on a truck.
 */
const DISSENT = 3;
/** Heavier than the tail of a Gaussian, see wasm/transmitters/uncertainty.ts. */
const TAIL: Tail = { at68: 1.42, at95: 3.4 };

/**
 * Locates by the selected stations.
 * @param sent radios of the kind, known or not
 * @returns undefined if fewer of them belong together than the model's minimum
 */
export function locateByTransmitters(
  { selection, guesser, recorder }: Pick<Heard, 'selection' | 'guesser' | 'recorder'>,
  model: RadioModel,
  sent: number,
): Estimate | undefined {
  const { selected, count, leastDriftMetres } = selection;
  if (count < model.minimum || sent > SCAN_MAX) {
    recorder?.none(model.strategy, count === 0 ? 'noneKnown' : sent > SCAN_MAX ? 'tooMany' : 'tooFew');
    return undefined;
  }
  const located = selected.locate(model, count, leastDriftMetres);
  const { taken, fix } = located;
  guesser?.noteSelected(selected, count, taken);
  recorder?.located(model.strategy, selection, located);
  if (fix === undefined) {
    recorder?.none(model.strategy, taken === 0 ? 'apart' : 'noFit');
    return undefined;
  }
  const { latitude, longitude, used } = fix;
  if (guesser !== undefined && taken > 1 && selected.votesNeeded === 2) guesser.guesses++;
  const estimate = {
    source: model.source,
    latitude,
    longitude,
    cxx: fix.varianceEast,
    cxy: fix.covariance,
    cyy: fix.varianceNorth,
    tail: TAIL,
    group: groupOfTransmitters(model.group, selection.logSamples),
    used,
    evidence: Math.min(used * model.evidence, EVIDENCE_LIMIT),
    agreement: taken === 1 ? 1 : Math.max(0, 1 - DISSENT * (1 - taken / count)),
  };
  recorder?.estimate(model.strategy, estimate);
  return estimate;
}
