// A process of its own that contributes a drawn log and learns from it until it is killed: node aggregate_child.ts
// FOLDER FIRST. Prints how many reports are acknowledged, a line each time.

import { writeSync } from 'node:fs';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { LearningFolder } from './learning_folder.ts';

const [path, first] = process.argv.slice(2);
const folder = await LearningFolder.open(path);
const log = drawnLog(77, 6_000);
for (let n = Number(first); ; n += 20) {
  await folder.contribute(log.slice(n, n + 20));
  if (folder.errors.length > 0) throw folder.errors[0];
  writeSync(1, `${n + 20}\n`);
}
