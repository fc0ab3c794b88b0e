// `sextant demo`: removes the demo town and key of a new data folder, and says so.

import type { Command } from 'commander';
import { withJobOptions } from '../config.ts';
import type { DemoRemoval } from '../writer/demo_jobs.ts';
import { asJson, runCommandJob } from './run_job.ts';

/** Adds the verb. */
export function addDemo(program: Command): void {
  const verb = program.command('demo').description('the demo town and its key');
  withJobOptions(verb.command('remove'))
    .description('take the demo town and its key out')
    .addHelpText('after', '\nExample:\n  sextant demo remove')
    .action((_flags, command: Command) => runCommandJob(command, { verb: 'demo-remove' }, show));
}

/** What was taken out as JSON, and for people on standard error. */
function show(result: unknown): string {
  const { stations, keys, noKeyLeft } = result as DemoRemoval;
  const town = `Took out the demo town of ${stations.toLocaleString('en')} stations`;
  process.stderr.write(keys > 0 ? `${town}, and the demo key.\n` : `${town}. There was no demo key.\n`);
  if (noKeyLeft)
    process.stderr.write(
      'No key is valid now, so every request is refused. Make one: sextant keys create --name NAME\n',
    );
  return asJson(result);
}
