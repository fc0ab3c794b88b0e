// npm run corpus               replays the corpus and shows the answers that changed, by kind; writes nothing
// npm run corpus -- --accept   shows the same, then replays once more, with another --compute, and records the answers
//
// It records nothing where the two replays differ.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAnswers, writeAnswers } from './answers.ts';
import { compare, describe } from './changes.ts';
import { replayCopy } from './replay.ts';
import { buildWorld } from './world.ts';

const flags = process.argv.slice(2);
const unknown = flags.find(flag => flag !== '--accept');

if (unknown === undefined) await record(flags.length > 0);
else fail(`The flag ${unknown} is not known; --accept records the changed answers.`);

async function record(isAccepted: boolean): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'corpus-'));
  try {
    const world = await buildWorld(base);
    const exchanges = await replayCopy(world, join(base, 'first'), 'auto');
    const changes = compare(readAnswers(), exchanges);
    process.stdout.write(`${describe(changes) || 'No answer differs.'}\n`);
    if (!isAccepted || changes.length === 0) return;
    const answers = exchanges.map(({ answer }) => answer);
    const differences = compare(answers, await replayCopy(world, join(base, 'second'), 'pool'));
    if (differences.length > 0) {
      fail(`Nothing is recorded, as two replays differ:\n${describe(differences)}`);
      return;
    }
    writeAnswers(exchanges);
    process.stdout.write(`Recorded ${answers.length} answers.\n`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
