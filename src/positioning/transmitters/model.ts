// What positioning knows of one kind of transmitter, beside the constants that the core computes with.

import type { TransmitterModel } from '../../core/transmitter_model.ts';

/** One kind of transmitter. */
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
