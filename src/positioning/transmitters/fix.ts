// Locates by the selected transmitters around the device, in one call of the core (wasm/transmitters/fix.ts has the
// steps). WiFi and Bluetooth use the same steps with different constants.

import type { TransmitterModel } from '../../core/transmitter_model.ts';
import { type Estimate, groupOfTransmitters, roughR50Metres, type Tail } from '../estimates/estimate.ts';
import type { Heard } from './selection.ts';
import { noteStrays } from './stray_places.ts';

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

/** A station farther from the anchor than both of these is foreign. */
const ANCHOR_RADII = 3;
const ANCHOR_METRES = 2_000;
/** Largest evidence of one kind of station: more of them may all have come on one truck. */
const EVIDENCE_LIMIT = 4;
/** Heavier than the tail of a Gaussian, see wasm/transmitters/uncertainty.ts. */
const TAIL: Tail = { at68: 1.42, at95: 3.4 };

/**
 * Locates by the selected stations.
 * @param anchor a coarse position of the device, if there is one: where stations disagree, those around it count
 * @returns undefined if fewer of them belong together than the model's minimum
 */
export function locateByTransmitters(
  { stations, selection, recorder }: Omit<Heard, 'query'>,
  model: RadioModel,
  anchor: Estimate | undefined,
): Estimate | undefined {
  const { selected, count, leastDriftMetres } = selection;
  if (count < model.minimum) {
    recorder?.none(model.strategy, count === 0 ? 'noneKnown' : 'tooFew');
    return undefined;
  }
  const around = anchor && {
    latitude: anchor.latitude,
    longitude: anchor.longitude,
    metres: Math.max(ANCHOR_RADII * roughR50Metres(anchor), ANCHOR_METRES),
  };
  const located = selected.locate(model, count, leastDriftMetres, around);
  const { taken, fix } = located;
  if (taken < count) noteStrays(selected, count, taken, stations, around !== undefined);
  recorder?.located(model.strategy, selection, located);
  if (fix === undefined) {
    recorder?.none(model.strategy, taken === 0 ? 'apart' : 'noFit');
    return undefined;
  }
  const { latitude, longitude, used } = fix;
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
  };
  recorder?.estimate(model.strategy, estimate);
  return estimate;
}
