// The service answers every request of the corpus as recorded, wherever positions are computed (in the thread that
// reads the request, or in workers) and whichever code reads the request (the fast lane or Fastify). `npm run corpus`
// shows all changes, and `npm run corpus -- --accept` records those that were meant.
//
// The service runs as a process and is used over HTTP and through its commands, so this test does not depend on how the
// program is laid out.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { README_FILE, readAnswers, withTable } from './answers.ts';
import { compare, describe } from './changes.ts';
import { type Exchange, replayCopy } from './replay.ts';
import { ROUTES } from './requests/protocol.ts';
import { buildWorld, serveCopy, type World } from './world.ts';

const base = folderOfFile();
/** Kinds of changes that a failure shows. */
const SHOWN = 5;
/** Half a minute for all replays where nothing else runs. */
const PATIENCE_MS = 600_000;
/** Where positions are computed, and further flags. */
const REPLAYS = [
  ['auto', []],
  ['inline', ['--no-fast-lane']],
  ['pool', []],
] as const;
const SOURCE = join(import.meta.dirname, '../../src');
/** A text in the source that may be a path, or a method and a path. Two strokes begin a comment of a file. */
const PATH_IN_SOURCE = /['"`](?:[A-Z]+ )?(\/(?!\/)[a-z0-9_/]*)['"`]/g;

let world: World;
let replays: readonly Exchange[][];

// At the same time: each waits for one answer after the other, so one alone leaves half of a processor idle.
beforeAll(async () => {
  world = await buildWorld(base);
  replays = await Promise.all(
    REPLAYS.map(([mode, flags]) => replayCopy(world, join(base, [mode, ...flags].join(' ')), mode, ...flags)),
  );
}, PATIENCE_MS);

test.each(REPLAYS.map(([mode, flags], replay) => ({ mode, flags, replay })))(
  'every request is answered as recorded with --compute $mode $flags',
  ({ replay }) => {
    expect(describe(compare(readAnswers(), replays[replay]), SHOWN)).toBe('');
  },
);

test('the table of the README counts what is recorded', () => {
  const readme = readFileSync(README_FILE, 'utf8');
  expect(readme).toBe(withTable(readme, replays[0]));
});

test('every path that stands in the source and that the service knows, but for dialects, is one of the corpus', async () => {
  const texts = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .flatMap(name => [...readFileSync(join(SOURCE, name), 'utf8').matchAll(PATH_IN_SOURCE)].map(([, path]) => path));
  const service = await serveCopy(world, join(base, 'paths'), 'auto', '--dialects', 'none');
  const known: string[] = [];
  for (const path of new Set(texts)) {
    // Nothing is answered by this method: 405 tells a known path from an unknown one.
    const { status } = await service.request({ method: 'PROPFIND', path });
    if (status === 405) known.push(path);
  }
  await service.stop();
  expect(known.sort()).toEqual(
    Object.keys(ROUTES)
      .filter(path => !path.startsWith('/k/'))
      .sort(),
  );
});
