// `sextant accuracy`: how far off the service was, measured on the reports that it was taught, and what it chose by that.

import type { Command } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import { asJson } from './run_job.ts';

const NOTHING = 'Nothing was measured yet: that takes reports from where stations are known already.\n';

/** Adds the verb. */
export function addAccuracy(program: Command): void {
  withFolderOptions(program.command('accuracy'))
    .description(
      'what the service measured of itself on the reports that it learned: errors, truths inside the radii, and the constants that it chose',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  sextant accuracy --json')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { describeChosenConstants, describeMeasuredAccuracy, readChosenConstants, readMeasuredAccuracy } = await import(
        '../evaluation/measured_accuracy.ts'
      );
      const measured = await readMeasuredAccuracy(dataFolder);
      const constants = await readChosenConstants(dataFolder);
      if (json) {
        process.stdout.write(asJson({ measured, constants }));
        return;
      }
      process.stdout.write(measured.length === 0 ? NOTHING : describeMeasuredAccuracy(measured));
      if (constants.length > 0)
        process.stdout.write(`\nConstants of radio maps by what was measured:\n${describeChosenConstants(constants)}`);
    });
}
