// Locates by the selected transmitters around the device, in one call of the core (wasm/transmitters/fix.ts has the steps). WiFi and Bluetooth use the same
// steps with different constants.

import { STATUS_OK } from '../../../wasm/memory.ts';
import type { Core } from '../../core/core.ts';
import { type Estimate, groupOfTransmitters, roughR50Metres, type Tail } from '../estimates/estimate.ts';
import type { RadioModel } from './model.ts';
import type { Selection } from './selection.ts';

/** A group farther from the anchor than both of these is foreign: it counts a third against one cell, and less against more evidence. */
const ANCHOR_RADII = 3;
const ANCHOR_METRES = 2_000;
const FOREIGN_DIVISOR = 2;
/** Largest evidence of one kind of station: more of them may all have come on one truck. */
const EVIDENCE_LIMIT = 4;
/** Heavier than the tail of a Gaussian, see wasm/transmitters/uncertainty.ts. */
const TAIL: Tail = { at68: 1.42, at95: 3.4 };

/**
 * Locates by the selected stations.
 * @param anchor a coarse position that decides between groups of similar evidence, if there is one
 * @returns undefined if fewer stations than the model's minimum agree
 */
export function locateByTransmitters(
  core: Core,
  model: RadioModel,
  selection: Selection,
  anchor: Estimate | undefined,
): Estimate | undefined {
  const { count, leastDriftMetres } = selection;
  if (count < model.minimum) return undefined;
  writeModel(core, model);
  const anchorMetres = anchor === undefined ? 0 : Math.max(ANCHOR_RADII * roughR50Metres(anchor), ANCHOR_METRES);
  const { selected } = core;
  const status = selected.locate(
    model.number,
    count,
    leastDriftMetres,
    anchor?.latitude ?? Number.NaN,
    anchor?.longitude ?? Number.NaN,
    anchorMetres,
    FOREIGN_DIVISOR + (anchor?.evidence ?? 0),
  );
  if (status !== STATUS_OK) return undefined;
  const { used } = core;
  return {
    source: model.source,
    latitude: selected.latitude,
    longitude: selected.longitude,
    cxx: core.varianceEast,
    cxy: core.covariance,
    cyy: core.varianceNorth,
    tail: TAIL,
    group: groupOfTransmitters(model.group, selection.logSamples),
    used,
    evidence: Math.min(used * model.evidence, EVIDENCE_LIMIT),
  };
}

/** Writes the constants of a model into a core that does not have them yet. */
function writeModel(core: Core, model: RadioModel): void {
  const constants = core.selected.modelConstants(model.number);
  if (constants[0] === model.groupMetres) return;
  const { prior } = model;
  constants.set([
    model.groupMetres,
    model.extentMetres,
    model.minimum,
    model.levelSigmaDb,
    model.positionShare,
    model.learnedShare,
    model.positionFloorMetres,
    model.samplingMetres,
    model.hiddenShare,
    model.referenceDbm,
    model.referenceHighBandDbm,
    model.exponent,
    prior.offsetSigmaDb,
    prior.exponentSigma,
    prior.pivotMetres,
  ]);
}
