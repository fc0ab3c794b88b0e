// `sextant accuracy`: how far off the service was, measured on the reports that it was taught, and what it chose by
// that.

import type { Command } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { aligned, metres, percent } from '../evaluation/results.ts';
import { requireFolder } from '../folder/data_folder.ts';
import type { ChosenConstants, MeasuredAccuracy } from '../learning/calibration/measured_accuracy.ts';
import { asJson } from './run_job.ts';

const NOTHING = 'Nothing was measured yet: that takes reports from where stations are known already.\n';
/** The region of constants that hold where no region has its own. */
const EVERYWHERE = 'any';

/** Adds the verb. */
export function addAccuracy(program: Command): void {
  withFolderOptions(program.command('accuracy'))
    .description(
      'what the service measured of itself on the reports that it learned: errors, truths inside the radii, ' +
        'and the constants that it chose',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  sextant accuracy --json')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { readChosenConstants, readMeasuredAccuracy } = await import(
        '../learning/calibration/measured_accuracy.ts'
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

/** The figures as a table, with a line break at its end. */
export function describeMeasuredAccuracy(rows: readonly MeasuredAccuracy[]): string {
  const columns = ['radio', 'country', 'month', 'tested', 'median m', 'p95 m', 'inside', 'in 68', 'in 95'];
  return aligned({
    names: 3,
    columns,
    rows: rows.map(each => [
      each.radio,
      each.country === '' ? '-' : each.country,
      each.month,
      each.tested.toLocaleString('en'),
      metres(each.median),
      metres(each.p95),
      ...[each.insideShare, each.inside68Share, each.inside95Share].map(share => percent(share)),
    ]),
  });
}

/** The constants as a table, with a line break at its end. */
export function describeChosenConstants(rows: readonly ChosenConstants[]): string {
  return aligned({
    names: 2,
    columns: ['radio', 'region', 'tested', 'temperature', 'levels dB', 'missing'],
    rows: rows.map(({ radio, latitude, longitude, tested, temperature, levelSigmaDb, missingCost }) => [
      radio,
      latitude === null ? EVERYWHERE : `${latitude}, ${longitude}`,
      tested.toLocaleString('en'),
      ...[temperature, levelSigmaDb, missingCost].map(String),
    ]),
  });
}
