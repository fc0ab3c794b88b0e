// A process that builds the embedded gazetteer, and folds tables of words for searches: node build_world.ts SOURCES
// STAMP [SECOND]. The file STAMP says from what they were made. If it already says SOURCES, because another process was
// faster, the gazetteer is not built again. It says that it was built at SECOND (Unix time), or now.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ADDRESS_WORDS } from '../geocoding/search/words/address_table.ts';
import { keepFolded } from '../geocoding/search/words/folding.ts';
import { SUBDIVISIONS } from '../geocoding/search/words/subdivision_words.ts';
import { ABBREVIATIONS, KINDS } from '../geocoding/search/words/vocabulary.ts';
import { currentLayer, WORLD_FOLDER } from '../tables/places/generations.ts';
import { rebuildWorld } from './world_layer.ts';

const [sources, stamp, second] = process.argv.slice(2);

try {
  const isUpToDate = () =>
    existsSync(stamp) && readFileSync(stamp, 'utf8') === sources && currentLayer(WORLD_FOLDER) !== undefined;
  const builtAt = second === undefined ? undefined : new Date(Number(second) * 1000).toISOString();
  await rebuildWorld(isUpToDate, builtAt);
  keepFolded([SUBDIVISIONS, ABBREVIATIONS, KINDS, ADDRESS_WORDS]);
  writeFileSync(stamp, sources);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
