// `sextant log`: prints one logged request.

import type { Command } from 'commander';
import { withFolderOptions } from '../config.ts';
import { wholeNumber } from './arguments.ts';
import { asJson, runCommandJob } from './run_job.ts';

/** Adds the verb. */
export function addLog(program: Command): void {
  withFolderOptions(program.command('log'))
    .description('print a logged request: what was asked, answered, and how long it took')
    .argument('<id>', 'the logId of an answer, at most 7 days old', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .addHelpText('after', '\nExample:\n  sextant log 1234567890')
    .action((id, _flags, command: Command) =>
      runCommandJob(command, { verb: 'log', id }, request => {
        if (request === null) throw new Error(`There is no logged request ${id}; requests are kept at most 7 days.`);
        return asJson(request);
      }),
    );
}
