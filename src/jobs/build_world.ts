// A process that builds the embedded gazetteer: node build_world.ts FINGERPRINT STAMP. The file STAMP says from what
// the live layer was built. If it already says FINGERPRINT, because another process was faster, nothing is done.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { currentLayer, WORLD_FOLDER } from '../tables/places/generations.ts';
import { rebuildWorld } from './world_layer.ts';

const [fingerprint, stamp] = process.argv.slice(2);

try {
  const isUpToDate = () =>
    existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint && currentLayer(WORLD_FOLDER) !== undefined;
  await rebuildWorld(isUpToDate);
  writeFileSync(stamp, fingerprint);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
