// Wherever positions are computed, in the thread that reads the request or in workers, and whoever reads the request, the fast lane or Fastify, every request of
// the corpus is answered as it was recorded.

import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { compare, describe, readAnswers } from './answers.ts';
import { replayCopy } from './replay.ts';
import { buildWorld, type World } from './world.ts';

const base = folderOfFile();
const SHOWN = 5;
/** A quarter of a minute for each where nothing else runs. */
const PATIENCE_MS = 600_000;
let world: World;

beforeAll(async () => {
  world = await buildWorld(base);
}, PATIENCE_MS);

test.each(['inline', 'pool'] as const)(
  '--compute %s',
  async mode => {
    expect(describe(compare(readAnswers(), await replayCopy(world, join(base, mode), mode)), SHOWN)).toBe('');
  },
  PATIENCE_MS,
);

test(
  '--no-fast-lane',
  async () => {
    expect(describe(compare(readAnswers(), await replayCopy(world, join(base, 'no lane'), 'auto', '--no-fast-lane')), SHOWN)).toBe('');
  },
  PATIENCE_MS,
);
