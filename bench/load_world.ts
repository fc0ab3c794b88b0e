// The data folder that the servers under measurement use. It is built once for a size and seed, kept under var/ and reused: stations by a sorted bulk
// load, and one prepaid key. A data folder has one owner, so each rival gets its own, in which the large, only read part is a link.

import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where a world's tables are, and the key its requests carry. */
export interface WorldData {
  folder: string;
  key: string;
}

/** A rival's own data folder beside the world's: own account, lock and request log, the stations shared. Made anew on every call. */
export function prepareFolder(data: WorldData, rival: string): string {
  const folder = `${data.folder}-${rival}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  cpSync(join(data.folder, 'FORMAT'), join(folder, 'FORMAT'));
  cpSync(join(data.folder, 'accounts'), join(folder, 'accounts'), { recursive: true });
  symlinkSync(join(data.folder, 'stations'), join(folder, 'stations'));
  return folder;
}
