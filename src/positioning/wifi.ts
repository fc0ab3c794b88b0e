// WiFi. Two access points must be submitted and two known ones agree: with fewer, nothing of what was sent has any influence, so that nobody can ask
// for the place of a single one. Networks of one radio (the same last five octets) are one.

import {
  OBSERVATION_BYTES,
  OBSERVATION_FREQUENCY,
  REQUEST_BYTES,
  REQUEST_SUBMITTED_WIFI,
  REQUEST_WIFI,
  SOURCE_WIFI,
} from '../../wasm/layout.ts';
import type { Core } from '../core/core.ts';
import type { StationReader } from '../tables/stations.ts';
import type { Estimate } from './estimate.ts';
import type { QueryMemory } from './query.ts';
import { locateByRadio, type RadioModel } from './radio_fix.ts';
import type { Selection } from './selection.ts';

const MINIMUM_RADIOS = 2;

/** Level at one metre of a 20 dBm transmitter by free space (ITU-R P.525), less 6 dB for bodies and walls nearby. */
const REFERENCE_DBM_2_4_GHZ = -26;
const REFERENCE_DBM_5_GHZ = -33;

const WIFI: RadioModel = {
  source: SOURCE_WIFI,
  clusterMetres: 500,
  minimum: MINIMUM_RADIOS,
  levelSigmaDb: 6,
  offsetSigmaDb: 8,
  positionShare: 0.35,
  positionFloorMetres: 4,
  referenceDbm: frequency => (frequency > 3_000 ? REFERENCE_DBM_5_GHZ : REFERENCE_DBM_2_4_GHZ),
  exponent: 3.2,
  reach: 1,
  covarianceFactor: 1,
};

/** Locates by the access points, the first observations of the query. */
export function locateByWifi(
  memory: QueryMemory,
  offset: number,
  stations: StationReader,
  selection: Selection,
  core: Core,
  anchor: Estimate | undefined,
): Estimate | undefined {
  const count = memory.u32[(offset + REQUEST_WIFI) >> 2];
  if (count < MINIMUM_RADIOS || memory.u32[(offset + REQUEST_SUBMITTED_WIFI) >> 2] < MINIMUM_RADIOS) return undefined;
  const start = offset + REQUEST_BYTES;
  const { u8, u16 } = memory;
  // The last five octets: key bytes 2..6.
  const radioOf = (at: number) => (u8[at + 2] * 65536 + u8[at + 3] * 256 + u8[at + 4]) * 65536 + u8[at + 5] * 256 + u8[at + 6];
  selection.select(memory, start, 0, count, stations, radioOf);
  const frequencyOf = (observation: number) => u16[(start + observation * OBSERVATION_BYTES + OBSERVATION_FREQUENCY) >> 1];
  return locateByRadio(core, WIFI, selection, stations, frequencyOf, anchor);
}
