// The live layers of places of a data folder. The owner hands them out to all threads while serving, and replaces them
// when an import has built new ones.

import { livePlaces, removeUnusedExtracts } from '../tables/places/extract_files.ts';
import { currentLayer, placesFolder, removeReplacedLayers, WORLD_FOLDER } from '../tables/places/generations.ts';
import { LayerShareSource, type LayerShareState } from '../tables/places/layer_share.ts';

/** Owns `places/` of a data folder. */
export class LivePlaces {
  private readonly folder: string;
  private readonly share: LayerShareSource | undefined;

  /**
   * Removes leftovers of a kill and hands out the live layers.
   * @param dataFolder absolute path
   * @param state undefined in commands that serve nobody: then nothing is read or removed, so that a damaged layer can
   *   be replaced
   * @throws Error when a live layer cannot be used
   */
  constructor(dataFolder: string, state: LayerShareState | undefined) {
    this.folder = placesFolder(dataFolder);
    if (state === undefined) return;
    removeReplacedLayers(this.folder);
    this.share = new LayerShareSource(state);
    try {
      removeUnusedExtracts(dataFolder, livePlaces(dataFolder));
      this.share.replace({ world: currentLayer(WORLD_FOLDER), extract: currentLayer(this.folder) });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Adopts the layer that an import has made live on disk. Threads switch to it at their next batch. The previous layer
   * loses its name now, and its disk space once the last thread has closed it.
   */
  adopt(kind: 'osm' | 'places'): void {
    if (kind === 'places') {
      this.share?.replace({ world: currentLayer(WORLD_FOLDER) });
      return;
    }
    this.share?.replace({ extract: currentLayer(this.folder) });
    removeReplacedLayers(this.folder);
  }

  close(): void {
    this.share?.close();
  }
}
