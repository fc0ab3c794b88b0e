// Opens a kept folder with this version, asks what it was asked before, and writes into it.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceProcess } from '../kits/service_process.ts';
import { compileFaults } from '../torture/faults.ts';
import { ask, type KeptAnswers, printAll } from './questions.ts';

const DAY_SECONDS = 86_400;
const CLOCK = ['LD_PRELOAD', 'TORTURE_CONTROL'] as const;

/**
 * Asks the questions again.
 * @param folder nobody serves it
 * @param daysLater by how much the clock of the service is ahead
 * @throws Error when it does not start, or stops with an error
 */
export async function askAgain(folder: string, kept: KeptAnswers, daysLater = 0): Promise<KeptAnswers> {
  const printed = await printAll(folder, Object.keys(kept.printed));
  const before = CLOCK.map(name => [name, process.env[name]] as const);
  const scratch = `${folder}.clock`;
  if (daysLater > 0) {
    writeFileSync(scratch, Buffer.from(Int32Array.of(0, daysLater * DAY_SECONDS).buffer));
    Object.assign(process.env, { LD_PRELOAD: compileFaults(join(folder, '..')), TORTURE_CONTROL: scratch });
  }
  try {
    const service = await ServiceProcess.start(folder, '--http-threads', '1', '--calibrate', 'off');
    const questions = [];
    for (const question of kept.questions) questions.push((await ask(service, question)).question);
    const { code, stderr } = await service.stop();
    if (code !== 0 || stderr.includes('"level":50')) throw new Error(`The service ended with ${code}: ${stderr}`);
    return { ...kept, questions, printed };
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(scratch, { force: true });
  }
}
