// The tags of all objects of an extract that carry a house number, as they stand in the file.

import type { Tags } from '../../../src/geocoding/import/osm/features.ts';
import { readOsm } from '../../../src/geocoding/import/osm/read.ts';
import type { Place } from '../../../src/tables/places/place.ts';

/** Tags by the place of their object. */
export interface TagsOfPlaces {
  get(place: Place): Tags | undefined;
}

export async function extractTags(file: string, scratchFolder: string): Promise<TagsOfPlaces> {
  const wants = (_type: number, tags: Tags) => (tags['addr:housenumber'] === undefined ? undefined : 'house');
  const features = await readOsm({ files: [file], scratchFolder, wants, onProgress: () => {} });
  const byObject = new Map<string, Tags>();
  for (const { type, id, tags } of features.read('house')) byObject.set(`${type}/${id}`, tags);
  features.close();
  return { get: ({ osmType, osmId }) => byObject.get(`${osmType}/${osmId}`) };
}
