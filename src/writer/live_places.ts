// The live layers of places of a data folder, as its owner has them: handed out to all threads while serving, and replaced when an import has built others.

import type { PlacesImportJob } from '../jobs/job.ts';
import { currentLayer, placesFolder, removeReplacedLayers, WORLD_FOLDER } from '../tables/places/generations.ts';
import { LayerShareSource, type LayerShareState } from '../tables/places/layer_share.ts';

/** Owns `places/` of a data folder. */
export class LivePlaces {
  private readonly folder: string;
  private readonly share: LayerShareSource | undefined;

  /**
   * Removes what a kill has left, and hands the live layers out.
   * @param dataFolder absolute path
   * @param state undefined in commands that serve nobody: then nothing is read or removed, so that what is damaged can be replaced
   * @throws Error when a live layer cannot be used
   */
  constructor(dataFolder: string, state: LayerShareState | undefined) {
    this.folder = placesFolder(dataFolder);
    if (state === undefined) return;
    removeReplacedLayers(this.folder);
    this.share = new LayerShareSource(state);
    try {
      this.share.replace({ world: currentLayer(WORLD_FOLDER), extract: currentLayer(this.folder) });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Takes over what an import has made the live layer on the disk. Threads take it at their next batch; the one before loses its name now, and its room
   * on the disk when the last of them has let go.
   */
  adopt(kind: PlacesImportJob['kind']): void {
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
