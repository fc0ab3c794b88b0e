// GET /status: version, uptime, and what is wrong. What keeps the service from its work is asked of it each time; what
// the tables show is read at most every few seconds, however many ask.

import { readCommit } from '../../config/commit.ts';
import { VERSION } from '../../config/version.ts';
import { AgeReader, type AgingFiles, readFileAges } from '../../metrics/ages.ts';
import { readFolderProblems } from '../../metrics/folder_status.ts';
import { DISK_REMEDY, type Problem } from '../../metrics/problems.ts';
import type { Readiness } from '../health.ts';

/** What the tables show is at most so old. */
const TABLES_MILLISECONDS = 5_000;

type Hindrance = Awaited<ReturnType<Readiness['hindrances']>>[number];

const REMEDIES: Readonly<Record<Hindrance['id'], string>> = {
  diskFull: DISK_REMEDY,
  folderUnreadable: 'Look whether its disk is mounted, and whether the user of the service may read it.',
  writerStuck: 'Look at the disk. If it lasts, restart the service: what was acknowledged is stored.',
  starting: 'Wait; a start that cannot listen ends and says why.',
  notJoined: 'See docs/cluster.md; "sextant cluster status" shows all nodes.',
  writerFailed: 'The log of the service says why. Restart the service: what was acknowledged is stored.',
};

/** Something that is wrong, as the interface shows it. */
interface Warning {
  id: string;
  text: string;
  remedy: string;
  command?: string;
}

/** The status of a running service. */
export class Status {
  private readonly folder: string;
  private readonly ages: AgeReader;
  private readonly files: AgingFiles;
  private readonly readiness: Readiness;
  private tables: { atMs: number; problems: Promise<Problem[]> } | undefined;

  /** @param folder data folder */
  constructor(folder: string, readiness: Readiness, files: AgingFiles) {
    this.folder = folder;
    this.ages = new AgeReader(folder);
    this.files = files;
    this.readiness = readiness;
  }

  /** As it is now. */
  async read(): Promise<object> {
    const hindrances = await this.readiness.hindrances();
    const found = await this.problemsOfTables();
    const others = hindrances.filter(({ id }) => !found.some(problem => problem.id === id));
    const warnings = [...others.map(({ id, what }) => ({ id, what, remedy: REMEDIES[id] })), ...found].map(warningOf);
    return {
      version: VERSION,
      commit: readCommit(),
      uptimeSeconds: Math.floor(process.uptime()),
      problems: hindrances.map(({ what }) => what),
      warnings,
    };
  }

  private problemsOfTables(): Promise<Problem[]> {
    if (this.tables === undefined || performance.now() - this.tables.atMs > TABLES_MILLISECONDS) {
      // A table that cannot be read must not hide the rest of the status.
      const problems = this.ages
        .read()
        .then(ages => readFolderProblems(this.folder, ages, readFileAges(this.files)))
        .catch((error: Error) => [
          { id: 'tableUnreadable', what: error.message, remedy: 'Find out what is damaged.', command: 'sextant check' },
        ]);
      this.tables = { atMs: performance.now(), problems };
    }
    return this.tables.problems;
  }
}

function warningOf({ id, what: text, remedy, command }: Problem): Warning {
  return { id, text, remedy, ...(command !== undefined && { command }) };
}
