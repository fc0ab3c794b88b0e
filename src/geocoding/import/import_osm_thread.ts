// The thread that works out the places of extracts (import_beside.ts).

import { parentPort, workerData } from 'node:worker_threads';
import { ImportanceTable } from '../../tables/places/importance_table.ts';
import { encodePlace, placeBuilder } from '../../tables/places/place_record.ts';
import type { OsmNews, OsmThreadSetup } from './import_messages.ts';
import { importOsm } from './import_osm.ts';
import { raiseImportance } from './objects/importance.ts';
import type { PlaceSink } from './objects/place_of.ts';
import { PlaceBatch } from './place_batch.ts';

/** Batches on their way: 4 MB. */
const BATCHES_AHEAD = 4;

const { taken, importance = [], ...options } = workerData as OsmThreadSetup;
const tables = importance.map(path => new ImportanceTable(path));
const news = (message: OsmNews, transfer: ArrayBuffer[] = []): void => parentPort!.postMessage(message, transfer);

/** Sends places on in batches. */
class PlaceSender {
  private readonly builder = placeBuilder();
  private readonly batch = new PlaceBatch();
  private places = 0;
  private posted = 0;
  /** Places that a table of importance knows. */
  rated = 0;

  /** @returns the number of the place */
  readonly add: PlaceSink['add'] = (place, geometry) => {
    if (raiseImportance(place, tables)) this.rated++;
    if (this.batch.add(encodePlace(place, this.builder), geometry)) this.post();
    return ++this.places;
  };

  /** Waits where it is too far ahead: whoever gives the import up ends the thread, also while it waits. */
  post(): void {
    for (let before = Atomics.load(taken, 0); this.posted - before >= BATCHES_AHEAD; before = Atomics.load(taken, 0))
      Atomics.wait(taken, 0, before);
    const full = this.batch.take();
    news({ batch: full }, [full.buffer]);
    this.posted++;
  }
}

const sender = new PlaceSender();
const summary = await importOsm({ ...options, sink: sender, onProgress: progress => news({ progress }) });
sender.post();
news({ summary: tables.length === 0 ? summary : { ...summary, rated: sender.rated } });
for (const table of tables) table.close();
