// The embedded gazetteer as a layer of places: built from packages among the dependencies.
//
// A running service has the generation open that was live at its start. So the previous generation stays until the next
// one is built.

import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitForOwnerLock } from '../folder/owner_lock.ts';
import { buildWorld } from '../geocoding/import/gazetteer/gazetteer.ts';
import {
  buildLayer,
  currentLayer,
  forgetDamagedLayer,
  removeReplacedLayers,
  WORLD_FOLDER,
} from '../tables/places/generations.ts';
import { LayerReader } from '../tables/places/layer.ts';

/**
 * Builds the gazetteer again and makes it the live layer on disk. If several processes do so at once, they wait for
 * each other.
 * @param isUpToDate asked while nobody else builds; if true, nothing is done
 * @param builtAt what it says of its time: that of a release is its commit's, so that its bytes are the same each time
 * @returns its number of places; undefined if it was up to date
 * @throws Error when the build fails; the live layer stays as it was
 */
export async function rebuildWorld(
  isUpToDate: () => boolean = () => false,
  builtAt?: string,
): Promise<{ places: number } | undefined> {
  try {
    mkdirSync(WORLD_FOLDER, { recursive: true });
    const lock = await waitForOwnerLock(WORLD_FOLDER);
    try {
      forgetDamagedLayer(WORLD_FOLDER);
      if (isUpToDate()) return undefined;
      removeReplacedLayers(WORLD_FOLDER);
      await buildLayer<unknown>(WORLD_FOLDER, folder => buildWorld(folder, builtAt));
      const layer = new LayerReader(currentLayer(WORLD_FOLDER)!);
      await layer.close();
      letAllRead();
      return { places: layer.meta.count };
    } finally {
      lock.release();
    }
  } catch (error) {
    throw new Error(`The gazetteer could not be built in ${WORLD_FOLDER}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Makes it readable for every user: unlike a data folder it is no secret, and a service of another user reads it. */
function letAllRead(): void {
  const live = currentLayer(WORLD_FOLDER)!;
  for (const folder of [WORLD_FOLDER, live]) chmodSync(folder, 0o755);
  for (const entry of readdirSync(live, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  chmodSync(join(WORLD_FOLDER, 'CURRENT'), 0o644);
}
