// A process that builds the embedded gazetteer, and folds tables of words for searches: node build_world.ts SOURCES
// STAMP. The file STAMP says from what they were made. If it already says SOURCES, because another process was faster,
// the gazetteer is not built again.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ADDRESS_WORDS } from '../geocoding/search/words/address_table.ts';
import { keepFolded } from '../geocoding/search/words/folding.ts';
import { SUBDIVISIONS } from '../geocoding/search/words/subdivision_words.ts';
import { ABBREVIATIONS, KINDS } from '../geocoding/search/words/vocabulary.ts';
import { currentLayer, WORLD_FOLDER } from '../tables/places/generations.ts';
import { rebuildWorld } from './world_layer.ts';

const [sources, stamp] = process.argv.slice(2);

try {
  const isUpToDate = () =>
    existsSync(stamp) && readFileSync(stamp, 'utf8') === sources && currentLayer(WORLD_FOLDER) !== undefined;
  await rebuildWorld(isUpToDate);
  keepFolded([SUBDIVISIONS, ABBREVIATIONS, KINDS, ADDRESS_WORDS]);
  writeFileSync(stamp, sources);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
