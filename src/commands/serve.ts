// `sextant serve`: the service.

import type { Command } from 'commander';
import { prepareService } from './preparation.ts';
import { withConfigFlags } from './run_job.ts';

/** Adds the verb. */
export function addServe(program: Command): void {
  withConfigFlags(program.command('serve'), 'serve')
    .description('answer requests; every flag can also be set by the variable named beside it')
    .addHelpText('after', '\nExample:\n  sextant serve --port 9000 --data /var/lib/sextant')
    .action(async flags => {
      const preparation = await prepareService(flags);
      const { startService } = await import('./service.ts');
      await startService(preparation);
    });
}
