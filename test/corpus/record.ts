// Records the corpus again, or shows what would change:
//
//   npx node test/corpus/record.ts --diff replays, prints every answer that differs from the recording, and writes
//   nothing
//   npx node test/corpus/record.ts                records; refuses where a recording stands
//   npx node test/corpus/record.ts --overwrite    records in its place
//
// It replays twice, in two copies of the world, and writes nothing where the two differ.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWERS_FILE, compare, describe, readAnswers, writeAnswers } from './answers.ts';
import { replayCopy } from './replay.ts';
import { buildWorld } from './world.ts';

const flags = process.argv.slice(2);
const isDiff = flags.includes('--diff');
const unknown = flags.find(flag => flag !== '--diff' && flag !== '--overwrite');

if (unknown !== undefined) fail(`The flag ${unknown} is not known.`);
else if (!isDiff && existsSync(ANSWERS_FILE) && !flags.includes('--overwrite'))
  fail(`${ANSWERS_FILE} stands already; --overwrite replaces it, --diff shows the changes.`);
else await record();

async function record(): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'corpus-'));
  try {
    const world = await buildWorld(base);
    const first = await replayCopy(world, join(base, 'first'), 'auto');
    const changes = compare(readAnswers(), first);
    if (isDiff) {
      process.stdout.write(`${describe(changes, changes.length) || 'Nothing differs.'}\n`);
      return;
    }
    const differences = compare(
      first.map(({ answer }) => answer),
      await replayCopy(world, join(base, 'second'), 'pool'),
    );
    if (differences.length > 0) fail(`Two replays differ:\n${describe(differences, 10)}`);
    else {
      writeAnswers(first);
      process.stdout.write(`Recorded ${first.length} answers, ${changes.length} of them new or changed.\n`);
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
