// The embedded gazetteer as a layer of places: built from packages among the dependencies.
//
// A service that runs has the generation open that was live when it started; so the one before the live one stays until the next is built.

import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitForOwnerLock } from '../folder/owner_lock.ts';
import { buildWorld } from '../geocoding/import/gazetteer/gazetteer.ts';
import { buildLayer, currentLayer, forgetDamagedLayer, removeReplacedLayers, WORLD_FOLDER } from '../tables/places/generations.ts';
import { LayerReader } from '../tables/places/layer.ts';

/**
 * Builds the gazetteer again and makes it the live layer on the disk. Several processes may do so at the same time: one waits for the other.
 * @param isUpToDate asked when nobody else is building; then nothing is done
 * @returns places in it; undefined where it was up to date
 * @throws Error when the build fails; the live layer stays as it was
 */
export async function rebuildWorld(isUpToDate: () => boolean = () => false): Promise<{ places: number } | undefined> {
  try {
    mkdirSync(WORLD_FOLDER, { recursive: true });
    const lock = await waitForOwnerLock(WORLD_FOLDER);
    try {
      forgetDamagedLayer(WORLD_FOLDER);
      if (isUpToDate()) return undefined;
      removeReplacedLayers(WORLD_FOLDER);
      await buildLayer<unknown>(WORLD_FOLDER, buildWorld);
      const layer = new LayerReader(currentLayer(WORLD_FOLDER)!);
      await layer.close();
      letAllRead();
      return { places: layer.meta.count };
    } finally {
      lock.release();
    }
  } catch (error) {
    throw new Error(`The gazetteer could not be built in ${WORLD_FOLDER}: ${(error as Error).message}`, { cause: error });
  }
}

/** Unlike a data folder it is nobody's secret: a service of another user reads it, whatever this one's files are like. */
function letAllRead(): void {
  const live = currentLayer(WORLD_FOLDER)!;
  for (const folder of [WORLD_FOLDER, live]) chmodSync(folder, 0o755);
  for (const file of readdirSync(live)) chmodSync(join(live, file), 0o644);
  chmodSync(join(WORLD_FOLDER, 'CURRENT'), 0o644);
}
