// signatures follow
import type { LayerMeta } from '../../tables/layer.ts';

/**
 * Builds the layer of the embedded gazetteer.
 * @param folder absolute path; it is made
 * @param onProgress share of the work that is done, 0..1
 * @throws Error with a sentence when a data package is missing or the layer cannot be written
 */
export function buildWorld(_folder: string, _onProgress?: (share: number) => void): Promise<LayerMeta> {
  throw new Error('Signature only.');
}
