// The process that checks a data folder: node check_process.ts FOLDER full|quick PART…, started by check_folder.ts. It
// sends what it reads and finds as messages. LMDB kills a process that follows a damaged page; then this process dies,
// and not the service or the command.

import { constants, setPriority } from 'node:os';
import type { ProcessNews } from './check_folder.ts';
import { checkPart } from './check_part.ts';

function send(news: ProcessNews): Promise<void> {
  return new Promise(resolve => process.send!(news, undefined, undefined, () => resolve()));
}

const [folder, extent, ...parts] = process.argv.slice(2);
// Requests go first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.on('disconnect', () => process.exit());
for (const part of parts) {
  let isDamaged = false;
  await checkPart(folder, part, extent === 'quick', news => {
    isDamaged ||= 'finding' in news;
    void send(news);
  });
  await send({ done: part });
  // After a damaged page LMDB may kill this process at any later time, so other parts are checked in a new one.
  if (isDamaged) break;
}
process.disconnect();
