// A data folder that is written by an owner, as a service or a command does, and what stands in its tables as text that
// can be compared with another's.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeFolder } from '../../src/folder/data_folder.ts';
import type { ForgetJob, ForgetSummary, Job, JobContext } from '../../src/jobs/job.ts';
import { runTableJob } from '../../src/jobs/table_jobs.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports, type Report } from '../../src/tables/observations/report.ts';
import { readSources } from '../../src/tables/sources/sources.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { Owner } from '../../src/writer/owner.ts';
import type { OwnerOptions } from '../../src/writer/owner_options.ts';

const TABLES = ['stations', 'areas', 'learned', 'codes', 'tracks', 'stale', 'calibration'] as const;
/** Of all reports. */
const BATCH = 170;

export class World {
  readonly folder: string;
  owner!: Owner;
  private readonly context;

  static async open(folder: string, changes: Partial<OwnerOptions> = {}): Promise<World> {
    takeFolder(folder, true)!.release();
    const world = new World(folder);
    world.owner = await Owner.open({ ...world.options(), ...changes });
    return world;
  }

  private constructor(folder: string) {
    this.folder = folder;
    this.context = { folder, sync: 'commit' as const, onProgress: () => {} };
  }

  private options(): OwnerOptions {
    return {
      folder: this.folder,
      sync: 'commit',
      logMegabytes: 16,
      keepObservations: 'forever',
      calibrates: true,
      rewards: { credits: 1, mostADay: 1_000 },
      onError: error => {
        throw error;
      },
      runTableJob,
    };
  }

  /** Stores reports, each under its own contributor, and learns them. */
  async teach(reports: readonly Report[]): Promise<void> {
    for (let n = 0; n < reports.length; n += BATCH)
      await this.owner.contribute(0, packReports(reports.slice(n, n + BATCH)));
    await this.owner.run(
      { verb: 'aggregate', action: 'all' },
      { folder: this.folder, sync: 'commit', onProgress: () => {} },
    );
  }

  /** Imports access points at one place under a name. */
  async import(source: string, macs: readonly string[]): Promise<{ refusedByRule: Record<string, number> }> {
    const file = join(this.folder, `${source}.csv`);
    writeFileSync(file, ['bssid,latitude,longitude', ...macs.map(mac => `${mac},50.85,4.35`)].join('\n'));
    const job: Job = { verb: 'import', kind: 'wifi', files: [file], source };
    return (await this.owner.run(job, this.context)) as { refusedByRule: Record<string, number> };
  }

  async forget(
    job: DistributiveOmit<ForgetJob, 'verb'>,
    onProgress: JobContext['onProgress'] = () => {},
  ): Promise<ForgetSummary> {
    return (await this.owner.run({ verb: 'forget', ...job } as ForgetJob, {
      ...this.context,
      onProgress,
    })) as ForgetSummary;
  }

  /** Closes the tables. @returns all that stands in them, but times of arrival and of imports */
  async close(): Promise<string[]> {
    await this.owner.close();
    return dumpFolder(this.folder);
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/**
 * All that stands in the station tables and the log of a folder that nobody owns, but times of arrival and of imports.
 */
export async function dumpFolder(folder: string): Promise<string[]> {
  const lines: string[] = [];
  const generation = openGeneration(generationPath(folder, currentGeneration(folder)!));
  for (const table of TABLES) {
    for (const { key, value } of generation[table].getRange())
      lines.push(`${table} ${key.toString('hex')} ${value.toString('hex')}`);
  }
  lines.push(`progress ${generation.meta.get('progress')}`);
  for (const { name, kind, stations } of readSources(generation)) lines.push(`source ${name} ${kind} ${stations}`);
  await generation.root.close();
  const log = new ObservationLog(folder, 'commit');
  for (const { sequence, report } of log.read(1, Number.MAX_SAFE_INTEGER)) {
    const { observations, ...rest } = report;
    lines.push(`report ${sequence} ${JSON.stringify(rest)} ${Buffer.from(observations).toString('hex')}`);
  }
  lines.push(`log ${log.firstSequence} ${log.lastSequence} ${log.droppedThrough} ${log.count}`);
  await log.close();
  return lines;
}
