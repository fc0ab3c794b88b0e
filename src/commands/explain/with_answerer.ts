// An answerer for one command: that of the service, over tables that are opened for reading, beside a service or
// without one.

import { Answerer } from '../../answer/answerer.ts';
import { createRevision } from '../../tables/environment/revision.ts';
import { currentLayer, placesFolder, WORLD_FOLDER } from '../../tables/places/generations.ts';
import { createLayerShare, LayerShareSource } from '../../tables/places/layer_share.ts';
import { createCacheMemory, StationCache } from '../../tables/stations/cache.ts';
import { currentGeneration } from '../../tables/stations/generation.ts';

/** The cache is for one question. */
const CACHE_MEGABYTES = 1;

/** Does some work with an answerer. @throws what the work throws, or Error when a table cannot be used */
export async function withAnswerer<T>(folder: string, work: (answerer: Answerer) => Promise<T>): Promise<T> {
  const cache = createCacheMemory(CACHE_MEGABYTES);
  const live = currentGeneration(folder);
  if (live !== undefined) new StationCache(cache).startGeneration(live);
  const layers = createLayerShare();
  const source = new LayerShareSource(layers);
  source.replace({ world: currentLayer(WORLD_FOLDER), extract: currentLayer(placesFolder(folder)) });
  const answerer = await Answerer.open({ folder, cache, revision: createRevision(), layers }, 'nothing');
  try {
    return await work(answerer);
  } finally {
    await answerer.close();
  }
}
