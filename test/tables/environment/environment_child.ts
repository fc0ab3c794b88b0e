// A process of its own that uses an environment: node environment_child.ts FOLDER use TIMES opens, reads and closes it
// many times and prints "done" or what was wrong; FOLDER close slowly prints "closing", takes a while
// and writes the file "done" before it has closed.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEnvironment } from '../../../src/tables/environment/open_environment.ts';

const [folder, what, times] = process.argv.slice(2);
if (what === 'use') await use(Number(times));
else await closeSlowly();

async function use(times: number): Promise<void> {
  const wrong = new Map<string, number>();
  for (let time = 0; time < times; time++) {
    try {
      const root = openEnvironment(folder, { readOnly: true });
      root.get(Buffer.from('key'));
      await root.close();
    } catch (error) {
      const { message } = error as Error;
      wrong.set(message, (wrong.get(message) ?? 0) + 1);
    }
  }
  console.log(wrong.size === 0 ? 'done' : JSON.stringify([...wrong]));
}

/** A transaction that is still running holds the close back. */
async function closeSlowly(): Promise<void> {
  const root = openEnvironment(folder);
  void root.transaction(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    writeFileSync(join(folder, 'done'), '');
  });
  const closed = root.close();
  console.log('closing');
  await closed;
}
