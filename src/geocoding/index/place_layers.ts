// The layers of OpenStreetMap's geocoder, by which a request says what kinds of places may answer.

/** Layers by the key of a place's tag; whatever is in none of them is in `manmade`. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  address: ['boundary', 'building', 'highway', 'place'],
  poi: [
    'amenity',
    'club',
    'craft',
    'emergency',
    'healthcare',
    'historic',
    'leisure',
    'office',
    'shop',
    'sport',
    'tourism',
  ],
  railway: ['railway'],
  natural: ['natural', 'water', 'waterway'],
};
const OTHER_LAYER = 'manmade';
/** Names of layers. */
export const LAYER_NAMES: readonly string[] = [...Object.keys(LAYERS), OTHER_LAYER];

/** The layer of a place. @param category key of its tag */
export function layerOf(category: string): string {
  return Object.entries(LAYERS).find(([, keys]) => keys.includes(category))?.[0] ?? OTHER_LAYER;
}
