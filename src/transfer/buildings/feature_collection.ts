// Reads a file of GeoJSON features, and leads an error back to the feature that caused it.

import type { GeoJsonGeometry } from './geometry.ts';

/** A feature as the file has it. */
export interface GeoJsonFeature {
  id?: unknown;
  geometry?: GeoJsonGeometry | null;
  properties?: Record<string, unknown> | null;
}

/** Names in messages are cut here. */
const ID_CHARACTERS_MAX = 60;

/**
 * The features of a collection.
 * @param name of the file in messages
 * @throws Error when the text is none
 */
export function readFeatures(name: string, text: string): readonly GeoJsonFeature[] {
  let root: { type?: unknown; features?: unknown };
  try {
    root = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Error(`${name} is not JSON: ${(error as Error).message.replace(/\.$/, '')}.`);
  }
  if (root?.type !== 'FeatureCollection' || !Array.isArray(root.features))
    throw new Error(
      `${name} is not GeoJSON as it is needed: "type" must be "FeatureCollection", and "features" a list.`,
    );
  return root.features;
}

/**
 * Reads each feature in turn.
 * @param read throws an Error whose message is the end of a sentence, without a full stop
 * @throws Error that names the file and the feature
 */
export function forEachFeature(
  name: string,
  features: readonly GeoJsonFeature[],
  read: (feature: GeoJsonFeature, where: string) => void,
): void {
  for (const [i, feature] of features.entries()) {
    const where = `${name}, feature ${i + 1}${idOf(feature)}`;
    try {
      if (typeof feature !== 'object' || feature === null) throw new Error('it is no object');
      if (typeof (feature.properties ?? {}) !== 'object') throw new Error('properties is no object');
      read(feature, where);
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}.`, { cause: error });
    }
  }
}

/** Its id, or a number that a program gave it. */
function idOf(feature: GeoJsonFeature | null): string {
  const id = feature?.id;
  if (typeof id !== 'string' && typeof id !== 'number') return '';
  return ` (${String(id).slice(0, ID_CHARACTERS_MAX)})`;
}
