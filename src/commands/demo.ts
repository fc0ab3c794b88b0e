// `sextant demo`: what a new data folder begins with.

import type { Command } from 'commander';
import { runCommandJob, withConfigFlags } from './run_job.ts';

/** Adds the verb. */
export function addDemo(program: Command): void {
  const verb = program.command('demo').description('the demo town and its key');
  withConfigFlags(verb.command('remove'), 'other')
    .description('take the demo town and its key out')
    .addHelpText('after', '\nExample:\n  sextant demo remove')
    .action(flags => runCommandJob(flags, { verb: 'demo-remove' }));
}
