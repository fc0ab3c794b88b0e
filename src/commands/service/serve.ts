// `sextant serve`: runs the service.

import type { Command } from 'commander';
import { withServiceOptions } from '../../config.ts';
import { prepareService } from './prepare_service.ts';

/** Adds the verb. */
export function addServe(program: Command): void {
  withServiceOptions(program.command('serve'))
    .description('answer requests; every flag can also be set by the variable named beside it')
    .addHelpText('after', '\nExample:\n  sextant serve --port 9000 --data /var/lib/sextant')
    .action(async (_flags, command: Command) => {
      const preparation = await prepareService(command);
      const { runService } = await import('./run_service.ts');
      await runService(preparation);
    });
}
