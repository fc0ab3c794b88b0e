import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildLayer, currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { createLayerShare } from '../../src/tables/places/layer_share.ts';
import { LivePlaces } from '../../src/writer/live_parts.ts';
import { writeDrawnLayer } from '../kits/places/numbered_houses.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test('a service refuses a folder that does not say which places are live, and an import without one replaces them', async () => {
  const dataFolder = temporaryFolder();
  const folder = placesFolder(dataFolder);
  await buildLayer(folder, path => writeDrawnLayer(path, 2));
  writeFileSync(join(folder, 'CURRENT'), 'x');
  expect(() => new LivePlaces(dataFolder, createLayerShare())).toThrow(
    'CURRENT is damaged: it should hold the number of a generation.',
  );
  const places = new LivePlaces(dataFolder, undefined);
  expect(readFileSync(join(folder, 'CURRENT'), 'utf8')).toBe('x');
  await buildLayer(folder, path => writeDrawnLayer(path, 3));
  places.adopt('osm');
  expect(currentLayer(folder)).toBe(join(folder, '2'));
});
