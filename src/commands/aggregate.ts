// `sextant aggregate`: from the observation log to the station tables.

import type { Command } from 'commander';
import { withJobOptions } from '../config.ts';
import { runCommandJob } from './run_job.ts';

/** Adds the verb. */
export function addAggregate(program: Command): void {
  withJobOptions(program.command('aggregate'))
    .description('wait until all contributed observations have taken effect in the station tables')
    .option(
      '--rebuild',
      'learn again from the observation log into fresh tables, and swap them in; imported stations stay',
    )
    .option('--checkpoint', 'put what is learned aside, so that a rebuild is possible after observations were dropped')
    .addHelpText('after', '\nExample:\n  sextant aggregate --rebuild')
    .action(async (flags: { rebuild?: boolean; checkpoint?: boolean }, command: Command) => {
      if (flags.rebuild && flags.checkpoint)
        command.error('error: --rebuild and --checkpoint are two jobs; run one after the other');
      await runCommandJob(command, {
        verb: 'aggregate',
        action: flags.rebuild ? 'rebuild' : flags.checkpoint ? 'checkpoint' : 'all',
      });
    });
}
