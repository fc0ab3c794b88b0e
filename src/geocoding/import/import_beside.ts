// Imports extracts with two threads: another one reads them and works out the places, this one stores and indexes
// those meanwhile, which takes half as long. The other thread gives all of its memory back before the indexes are
// written.

import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { decodePlace } from '../../tables/places/place_record.ts';
import type { ImportBesideOptions, OsmNews, OsmThreadSetup } from './import_messages.ts';
import type { OsmImportSummary } from './import_osm.ts';
import type { LayerBuilder } from './layer_builder.ts';
import { placesIn } from './place_batch.ts';

/** New objects of the other thread: hardly any live for long, and by default there is room for some 200 MB of them. */
const YOUNG_MEGABYTES = 32;

/**
 * Reads extracts and adds their places to a layer.
 * @throws Error with a full sentence if a file cannot be read or a place not written, and what `onProgress` throws; the
 *   layer must then be given up
 */
export async function importBeside(
  layer: LayerBuilder,
  { onProgress, ...options }: ImportBesideOptions,
): Promise<OsmImportSummary> {
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('./import_osm_thread.ts', import.meta.url), {
    workerData: { ...options, taken } satisfies OsmThreadSetup,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  try {
    for await (const [news] of on(thread, 'message', { close: ['exit'] }) as AsyncIterable<[OsmNews]>) {
      if ('summary' in news) return news.summary;
      if ('progress' in news) onProgress(news.progress);
      else {
        for (const { record, geometry } of placesIn(news.batch)) layer.add(decodePlace(record), geometry, record);
        // The collector would come for it much later.
        news.batch.buffer.transfer(0);
        Atomics.add(taken, 0, 1);
        Atomics.notify(taken, 0);
      }
    }
    throw new Error('The thread that works out the places has ended.');
  } finally {
    await thread.terminate();
  }
}
