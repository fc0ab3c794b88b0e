// Backups over the admin interface. The configuration names the folder, and the day names the backup in it, so no
// request names a path, and a script that asks too often does not fill the disk: a backup replaces the one of its day,
// of which it takes over what has not changed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listBackups } from '../../folder/backup_folder.ts';
import { Refused } from '../transport/refused.ts';
import type { Jobs } from './jobs.ts';

/** The backups of a service. */
export class Backups {
  private readonly folder: string | undefined;
  private readonly jobs: Jobs;

  /** @param folder absolute; undefined if nobody has named one */
  constructor(folder: string | undefined, jobs: Jobs) {
    this.folder = folder;
    this.jobs = jobs;
  }

  /** The folder and what is in it; neither where nobody has named one. @throws Refused when it is not there */
  list(): object {
    if (this.folder === undefined) return { backups: [] };
    return { folder: this.folder, backups: listBackups(this.required()) };
  }

  /** Begins the backup of this day, UTC. @throws Refused when there is no folder for it, or one is being made */
  begin(): ReturnType<Jobs['begin']> {
    const path = join(this.required(), new Date().toISOString().slice(0, 10));
    return this.jobs.beginAlone({ verb: 'backup', path });
  }

  private required(): string {
    if (this.folder === undefined)
      throw new Refused(409, 'No folder for backups is configured; serve with --backup-folder FOLDER.');
    if (!existsSync(this.folder))
      throw new Refused(409, `There is no folder ${this.folder} for backups; make it, or mount its disk.`);
    return this.folder;
  }
}
