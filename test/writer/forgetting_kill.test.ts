// Kills a process that forgets, at any moment. The tables are then those before or those after, and forgetting again
// finishes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkFolder } from '../../src/check/check_folder.ts';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { uniform } from '../kits/random.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { dumpFolder, World } from './world.ts';

const ROUNDS = 8;
const CONTRIBUTOR = 5;

/** Forgets in a process of its own and kills it some turns of events after so many steps, unless it is done before. */
async function forgetUntil(folder: string, steps: number, turns: number): Promise<void> {
  const child = spawn(process.execPath, ['test/writer/forgetting_child.ts', folder, String(CONTRIBUTOR)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let read = 0;
  for await (const _ of createInterface(child.stdout)) {
    if (++read !== steps) continue;
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    child.kill('SIGKILL');
  }
  await ended;
}

test('a kill leaves the tables as before or as after, and forgetting again finishes', {
  timeout: 240_000,
}, async () => {
  const taught = temporaryFolder();
  const first = await World.open(taught);
  await first.teach(drawnLog(43, 900));
  const before = await first.close();
  const done = temporaryFolder();
  cpSync(taught, done, { recursive: true });
  const whole = await World.open(done);
  let steps = 0;
  await whole.forget({ what: 'contributor', id: CONTRIBUTOR }, () => void steps++);
  const after = await whole.close();
  expect(after).not.toEqual(before);
  const random = uniform(44);
  for (let round = 0; round < ROUNDS; round++) {
    const folder = temporaryFolder();
    cpSync(taught, folder, { recursive: true });
    // Every other kill comes at the end, when the tables are put in force.
    const step = round % 2 === 0 ? 1 + Math.floor(random() * steps) : steps;
    await forgetUntil(folder, step, Math.floor(random() * 3_000));
    const owner = await World.open(folder);
    await owner.owner.close();
    expect([JSON.stringify(before), JSON.stringify(after)]).toContain(JSON.stringify(await dumpFolder(folder)));
    const again = await World.open(folder);
    await again.forget({ what: 'contributor', id: CONTRIBUTOR });
    expect(JSON.stringify(await again.close())).toBe(JSON.stringify(after));
    // Access point 0 of the drawn town has the null address.
    const findings = (await checkFolder(folder, true, () => {})).findings.filter(
      ({ key }) => key !== 'wifi 00:00:00:00:00:00',
    );
    expect(findings).toEqual([]);
  }
});
