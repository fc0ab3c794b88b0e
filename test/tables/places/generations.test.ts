import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  buildLayer,
  currentLayer,
  forgetDamagedLayer,
  placesFolder,
  removeReplacedLayers,
} from '../../../src/tables/places/generations.ts';
import { LayerReader } from '../../../src/tables/places/layer.ts';
import { writeDrawnLayer } from '../../kits/places/numbered_houses.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

test('a layer is live when it is built, and the one before can be removed', async () => {
  const folder = placesFolder(temporaryFolder());
  expect(currentLayer(folder)).toBeUndefined();
  const { count } = await buildLayer(folder, async path => {
    await writeDrawnLayer(path, 2);
    expect(currentLayer(folder)).toBeUndefined();
    return { count: 5 };
  });
  expect([count, currentLayer(folder)]).toEqual([5, join(folder, '1')]);
  await buildLayer(folder, path => writeDrawnLayer(path, 3));
  expect(readdirSync(folder).sort()).toEqual(['1', '2', 'CURRENT']);
  removeReplacedLayers(folder);
  expect(readdirSync(folder).sort()).toEqual(['2', 'CURRENT']);
  const layer = new LayerReader(currentLayer(folder)!);
  expect(layer.meta.count).toBe(6);
  await layer.close();
});

test('a build that fails changes nothing and leaves nothing', async () => {
  const folder = placesFolder(temporaryFolder());
  await buildLayer(folder, path => writeDrawnLayer(path, 2));
  const failing = buildLayer(folder, path => {
    writeFileSync(join(path, 'data.mdb'), 'half');
    return Promise.reject(new Error('The file has lost its end.'));
  });
  await expect(failing).rejects.toThrow('The file has lost its end.');
  // What was not written whole is not published either.
  await expect(buildLayer(folder, async path => writeFileSync(join(path, 'data.mdb'), ''))).rejects.toThrow('ENOENT');
  expect(readdirSync(folder).sort()).toEqual(['1', 'CURRENT']);
  expect(currentLayer(folder)).toBe(join(folder, '1'));
});

test('what a kill has left is removed, and nothing where the live layer is not known', async () => {
  const folder = placesFolder(temporaryFolder());
  removeReplacedLayers(folder);
  expect(existsSync(folder)).toBe(false);
  await buildLayer(folder, path => writeDrawnLayer(path, 2));
  for (const name of ['0', '2', '3.partial']) mkdirSync(join(folder, name));
  removeReplacedLayers(folder);
  expect(readdirSync(folder).sort()).toEqual(['1', 'CURRENT']);
  writeFileSync(join(folder, 'CURRENT'), 'x');
  expect(() => removeReplacedLayers(folder)).toThrow('CURRENT is damaged: it should hold the number of a generation.');
  writeFileSync(join(folder, 'CURRENT'), '7\n');
  expect(() => currentLayer(folder)).toThrow('names generation 7, which is missing');
  expect(readFileSync(join(folder, 'CURRENT'), 'utf8')).toBe('7\n');
});

test('what is live on a damaged disk is forgotten, and built again beside what is left', async () => {
  const folder = placesFolder(temporaryFolder());
  forgetDamagedLayer(folder);
  await buildLayer(folder, path => writeDrawnLayer(path, 2));
  forgetDamagedLayer(folder);
  expect(currentLayer(folder)).toBe(join(folder, '1'));
  for (const damaged of ['x', '', '7\n']) {
    writeFileSync(join(folder, 'CURRENT'), damaged);
    forgetDamagedLayer(folder);
    expect([damaged, currentLayer(folder), readdirSync(folder)]).toEqual([damaged, undefined, ['1']]);
  }
  await buildLayer(folder, path => writeDrawnLayer(path, 3));
  expect(currentLayer(folder)).toBe(join(folder, '2'));
});
