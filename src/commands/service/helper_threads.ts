// V8 compiles and collects garbage on helper threads that all threads of the process share.

import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const TASKS = '/proc/self/task';
/** As V8's platform calls its helpers; Linux cuts names after 15 letters. */
const HELPER = /^V8 ?Worker/;
/** A thread of this niceness has about a tenth of the weight of a usual one. */
const NICENESS = 10;

/**
 * Lets the helpers of V8 run behind the threads that answer. The garbage of a worker for heavy work is collected on
 * them for up to a third of a core, which light requests would otherwise wait for. A thread that needs a helper's
 * result does that work itself while the helper waits for a core. Does nothing where threads have no priorities of
 * their own.
 * @returns how many helpers there are
 */
export function lowerHelperThreads(): number {
  if (process.platform !== 'linux') return 0;
  const helpers = readdirSync(TASKS).filter(id => HELPER.test(readFileSync(`${TASKS}/${id}/comm`, 'utf8')));
  for (const id of helpers) setPriority(Number(id), NICENESS);
  return helpers.length;
}
