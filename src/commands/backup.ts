// `sextant backup` and `sextant restore`: a copy of the data folder, also while the service runs, and a data folder
// from it.

import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import type { BackupSummary } from '../writer/backup_run.ts';
import { describeCheck } from './check.ts';
import { count, ProgressBar } from './progress.ts';
import { runCommandJob } from './run_job.ts';

const MEGABYTE = 1_048_576;

/** Adds both verbs. */
export function addBackup(program: Command): void {
  withFolderOptions(program.command('backup'))
    .description(
      'copy the whole data folder, also while the service runs; the copy holds all that was acknowledged before',
    )
    .addArgument(
      new Argument(
        '<folder>',
        'a new folder, or that of an earlier backup, which is replaced once this one is complete',
      ),
    )
    .addHelpText('after', '\nExample:\n  sextant backup /mnt/backup/sextant')
    .action((path: string, _flags, command: Command) =>
      runCommandJob(command, { verb: 'backup', path: resolve(path) }, showBackup),
    );
  withFolderOptions(program.command('restore'))
    .description('make a data folder from a backup, and check it')
    .addArgument(new Argument('<backup>', 'the folder of a backup'))
    .addHelpText(
      'after',
      '\n--data names the folder to make, which must be new or empty.\n\nExample:\n  sextant restore ' +
        '/mnt/backup/sextant --data /var/lib/sextant',
    )
    .action((path: string, _flags, command: Command) => restore(resolve(path), readFolderConfig(command).dataFolder));
}

function showBackup(result: unknown): string {
  const { path, bytes, unchangedBytes, writer } = result as BackupSummary;
  const unchanged =
    unchangedBytes === 0 ? '' : `, of which ${megabytes(unchangedBytes)} were taken over from the backup before`;
  return `The backup ${path} is complete: ${megabytes(bytes)}${unchanged}, written by ${writer}.\n`;
}

/** The folder is owned until it is checked, so that no service starts in it before. */
async function restore(backup: string, dataFolder: string): Promise<void> {
  const bar = new ProgressBar(process.stderr);
  const { restoreBackup } = await import('../folder/backup_folder.ts');
  const { checkFolder } = await import('../check/check_folder.ts');
  const show = (bytesDone: number, bytesTotal: number) =>
    bar.show({ phase: 'copying', rows: Math.round(bytesDone / MEGABYTE), bytesDone, bytesTotal });
  try {
    const { bytes, createdAt, release } = await restoreBackup(backup, dataFolder, show);
    const result = await checkFolder(dataFolder, false, progress => bar.show(progress)).finally(release);
    bar.end();
    process.stdout.write(
      `Restored ${megabytes(bytes)} into ${dataFolder}, as of ${createdAt}.\n${describeCheck(result)}`,
    );
    if (result.findings.length > 0)
      throw new Error(`The restored data folder is damaged: ${count(result.findings.length, 'finding')}.`);
  } finally {
    bar.end();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
