// A process of its own that forgets a contributor until it is killed: node forgetting_child.ts FOLDER CONTRIBUTOR.
// Prints a line with each step.

import { writeSync } from 'node:fs';
import { World } from './world.ts';

const [folder, contributor] = process.argv.slice(2);
const world = await World.open(folder);
await world.forget({ what: 'contributor', id: Number(contributor) }, () => void writeSync(1, 'step\n'));
writeSync(1, 'done\n');
await world.owner.close();
