// WiFi. Two access points must be submitted and two known ones agree: with fewer, nothing of what was sent has any influence, so that nobody can ask
// for the place of a single one. Networks of one radio (the same last five octets) are one.

import type { Core } from '../../core/core.ts';
import { REQUEST_BYTES, REQUEST_SUBMITTED_WIFI, REQUEST_WIFI, SOURCE_WIFI } from '../../radio/query/layout.ts';
import type { QueryMemory } from '../../radio/query/writer.ts';
import type { StationReader } from '../../tables/stations/reader.ts';
import type { Estimate } from '../estimates/estimate.ts';
import type { RadioFix } from './fix.ts';
import type { RadioModel } from './model.ts';

const MINIMUM_RADIOS = 2;

/** Levels: free space (ITU-R P.525) from a 20 dBm transmitter would give -20 dBm at a metre; bodies, cases and walls take 18 dB of it in the mean. */
const WIFI: RadioModel = {
  source: SOURCE_WIFI,
  groupMetres: 500,
  extentMetres: 800,
  minimum: MINIMUM_RADIOS,
  levelSigmaDb: 6,
  positionShare: 0.25,
  learnedShare: 0.8,
  positionFloorMetres: 4,
  samplingMetres: 80,
  hiddenShare: 1 / 3,
  referenceDbm: -38,
  referenceHighBandDbm: -45,
  exponent: 3.1,
  evidence: 1,
  prior: { offsetSigmaDb: 10, exponentSigma: 0.5, pivotMetres: 20 },
};

/** Level that sorts a reading sent without one: the median of weak readings. */
const LEVEL_DBM_UNKNOWN = -85;

/** Locates by the access points, the first observations of the query. */
export function locateByWifi(
  memory: QueryMemory,
  offset: number,
  stations: StationReader,
  radioFix: RadioFix,
  core: Core,
  anchor: Estimate | undefined,
): Estimate | undefined {
  const count = memory.u32[(offset + REQUEST_WIFI) >> 2];
  if (count < MINIMUM_RADIOS || memory.u32[(offset + REQUEST_SUBMITTED_WIFI) >> 2] < MINIMUM_RADIOS) return undefined;
  radioFix.selection.select(memory, offset + REQUEST_BYTES, 0, count, stations, radioOf, LEVEL_DBM_UNKNOWN);
  return radioFix.locate(core, WIFI, stations, anchor);
}

/** The last five octets of the address in a key: those of all networks of one radio. */
function radioOf({ u8 }: QueryMemory, at: number): number {
  return (u8[at + 2] * 65536 + u8[at + 3] * 256 + u8[at + 4]) * 65536 + u8[at + 5] * 256 + u8[at + 6];
}
