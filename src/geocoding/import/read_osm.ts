// Signature only for now: the implementation follows in the next commits.
import type { OsmFeatures, ReadOsmOptions } from './osm_features.ts';

/**
 * Reads OpenStreetMap files up to features.
 * @throws Error that names the file: missing, truncated, damaged, or none of OpenStreetMap's
 */
export async function readOsm(options: ReadOsmOptions): Promise<OsmFeatures> {
  throw new Error(`Reading ${options.files.join(', ')} is not built yet.`);
}
