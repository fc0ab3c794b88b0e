// What lies above what on a map: the ground, areas of views that leave the names of the ground readable, these names,
// and all else that views draw.

import type { LayerSpecification } from 'maplibre-gl';

/** Layers that a view draws. */
export interface Drawn {
  /** Its areas lie below the names of the ground. */
  isBelowNames?: true;
  /** From the bottom up. */
  layers(isDark: boolean): readonly LayerSpecification[];
}

/** All layers from the bottom up. @param ground those of the ground */
export function inOrder(
  ground: readonly LayerSpecification[],
  overlays: readonly Drawn[],
  isDark: boolean,
): LayerSpecification[] {
  const drawn = overlays.flatMap(({ layers, isBelowNames = false }) =>
    layers(isDark).map(layer => ({ layer, place: isBelowNames && layer.type === 'fill' ? 1 : 3 })),
  );
  const own = ground.map(layer => ({ layer, place: layer.type === 'symbol' ? 2 : 0 }));
  return [...own, ...drawn].sort((a, b) => a.place - b.place).map(({ layer }) => layer);
}
