// What people call the layers of places.

import type { LayerName } from '../../geocoding/shown_layers.ts';

/** A layer by its name in sentences. */
export const LAYERS: Readonly<Record<LayerName, string>> = { extract: 'extract', world: 'gazetteer' };
