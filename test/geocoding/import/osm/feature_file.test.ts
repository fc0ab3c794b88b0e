import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { FeatureFile, type NewFeature } from '../../../../src/geocoding/import/osm/feature_file.ts';
import { ScratchFile } from '../../../../src/tables/environment/scratch_file.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY } from '../../../../src/tables/places/place.ts';
import { folderOfFile } from '../../../kits/temporary_folder.ts';

const folder = folderOfFile();

function written(features: NewFeature[]): FeatureFile {
  const file = new FeatureFile(new ScratchFile(folder));
  onTestFinished(() => file.close());
  for (const feature of features) file.write(feature);
  file.finish();
  return file;
}

const NODE: NewFeature = {
  type: OSM_NODE,
  id: 12_345_678_901,
  version: 9_000,
  tags: { name: 'Straße ❄', '': '' },
  geometry: { kind: 'point' },
  longitude: -1_800_000_000,
  latitude: 900_000_000,
  nodeIds: undefined,
};

test('features come back as they were written', () => {
  const coordinates = Int32Array.of(-1_800_000_000, -900_000_000, 1_800_000_000, 900_000_000);
  const rings = [Int32Array.of(0, 0, 900, 0, 0, 900, 0, 0), Int32Array.of(10, 10, 10, 20, 20, 10, 10, 10)];
  const file = written([
    NODE,
    {
      ...NODE,
      type: OSM_WAY,
      id: -7,
      geometry: { kind: 'line', coordinates },
      nodeIds: Float64Array.of(13_000_000_000, -5),
    },
    { ...NODE, type: OSM_RELATION, geometry: { kind: 'area', rings } },
  ]);
  const [node, way, relation] = [...file.read()];
  expect(node).toEqual({
    feature: {
      type: OSM_NODE,
      id: NODE.id,
      tags: NODE.tags,
      geometry: { kind: 'point' },
      longitude: -180,
      latitude: 90,
      nodeIds: undefined,
    },
    version: 9_000,
  });
  expect(way.feature.id).toBe(-7);
  expect(way.feature.geometry).toEqual({ kind: 'line', coordinates });
  expect(way.feature.nodeIds).toEqual(Float64Array.of(13_000_000_000, -5));
  expect(relation.feature.geometry).toEqual({ kind: 'area', rings });
  const shapes = [];
  for (const { feature } of file.read(true)) shapes.push([feature.id, feature.nodeIds?.length, feature.geometry]);
  expect(shapes).toEqual([
    [NODE.id, undefined, { kind: 'point' }],
    [-7, 2, { kind: 'line', coordinates }],
    [NODE.id, undefined, { kind: 'area', rings }],
  ]);
});

test('features of any size come back, also those larger than what is read at once', () => {
  const sizes = [1, 3_000_000, 100, 1_048_570, 1_048_576, 5];
  const file = written(sizes.map(size => ({ ...NODE, tags: { name: 'x'.repeat(size) } })));
  expect([...file.read()].map(({ feature }) => feature.tags.name.length)).toEqual(sizes);
});

test('the file has no name', () => {
  written([NODE]);
  expect(readdirSync(folder)).toEqual([]);
});

test('no features are no failure', () => {
  expect([...written([]).read()]).toEqual([]);
});

test('texts come back, also when there were more than have numbers at a time', () => {
  const texts = Array.from({ length: 90_000 }, (_, i) => `text ${i % 70_000}`);
  const features = Array.from({ length: texts.length / 3 }, (_, i) => ({
    ...NODE,
    tags: { name: texts[3 * i], 'addr:street': texts[3 * i + 1], [texts[3 * i + 2]]: texts[Math.floor(i / 7)] },
  }));
  const file = written(features);
  expect([...file.read()].map(({ feature }) => feature.tags)).toEqual(features.map(({ tags }) => tags));
});
