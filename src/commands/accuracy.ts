// `sextant accuracy`: how far off the service was, measured on the reports that it was taught.

import type { Command } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import type { MeasuredAccuracy } from '../learning/calibration/measured_accuracy.ts';
import { asJson } from './run_job.ts';
import { aligned, metres, percent } from './terminal/table.ts';

const NOTHING = 'Nothing was measured yet: that takes reports from where stations are known already.\n';

/** Adds the verb. */
export function addAccuracy(program: Command): void {
  withFolderOptions(program.command('accuracy'))
    .description(
      'what the service measured of itself on the reports that it learned: errors, and truths inside the radii',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  sextant accuracy --json')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { readMeasuredAccuracy } = await import('../learning/calibration/measured_accuracy.ts');
      const measured = await readMeasuredAccuracy(dataFolder);
      if (json) {
        process.stdout.write(asJson({ measured }));
        return;
      }
      process.stdout.write(measured.length === 0 ? NOTHING : describeMeasuredAccuracy(measured));
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
