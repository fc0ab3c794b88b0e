// `sextant demo`: removes the demo town and key of a new data folder.

import type { Command } from 'commander';
import { withJobOptions } from '../config.ts';
import { runCommandJob } from './run_job.ts';

/** Adds the verb. */
export function addDemo(program: Command): void {
  const verb = program.command('demo').description('the demo town and its key');
  withJobOptions(verb.command('remove'))
    .description('take the demo town and its key out')
    .addHelpText('after', '\nExample:\n  sextant demo remove')
    .action((_flags, command: Command) => runCommandJob(command, { verb: 'demo-remove' }));
}
