// The thread that works out the places of extracts (import_beside.ts).

import { parentPort, workerData } from 'node:worker_threads';
import { encodePlace, placeBuilder } from '../../tables/places/place_record.ts';
import type { OsmNews, OsmThreadSetup } from './import_messages.ts';
import { importOsm } from './import_osm.ts';
import { PlaceBatch } from './place_batch.ts';

/** Batches on their way: 4 MB. */
const BATCHES_AHEAD = 4;

const { taken, ...options } = workerData as OsmThreadSetup;
const news = (message: OsmNews, transfer: ArrayBuffer[] = []): void => parentPort!.postMessage(message, transfer);
const builder = placeBuilder();
const batch = new PlaceBatch();
let places = 0;
let posted = 0;

const summary = await importOsm({
  ...options,
  sink: {
    add(place, geometry) {
      if (batch.add(encodePlace(place, builder), geometry)) post();
      return ++places;
    },
  },
  onProgress: progress => news({ progress }),
});
post();
news({ summary });

/** Waits where it is too far ahead: whoever gives the import up ends the thread, also while it waits. */
function post(): void {
  for (let before = Atomics.load(taken, 0); posted - before >= BATCHES_AHEAD; before = Atomics.load(taken, 0))
    Atomics.wait(taken, 0, before);
  const full = batch.take();
  news({ batch: full }, [full.buffer]);
  posted++;
}
