// `sextant secret`: another secret for state tokens.

import type { Command } from 'commander';
import { withFolderOptions } from '../config.ts';
import type { SecretRotation } from '../writer/live_parts.ts';
import { span } from './arguments.ts';
import { runSharedJob } from './run_job.ts';

/** Adds the verb and its action. */
export function addSecret(program: Command): void {
  const verb = program.command('secret').description('the secret that seals state tokens');
  withFolderOptions(verb.command('rotate'), true)
    .description('make a new secret, which seals from now on; the old one opens tokens for a while')
    .option(
      '--overlap <time>',
      'how long the old one opens tokens: 90m, 12h, 7d, or 0 to end it now',
      span,
      span('24h'),
    )
    .option('--force', 'also if the secret before the old one still opens tokens, which ends then')
    .addHelpText('after', '\nExample:\n  sextant secret rotate --overlap 24h')
    .action(({ overlap, force }: { overlap: number; force?: true }, command: Command) =>
      runSharedJob(
        command,
        { verb: 'secret', action: 'rotate', overlapSeconds: overlap, ...(force && { force }) },
        showRotation,
      ),
    );
}

function showRotation(result: unknown): string {
  const { oldUntil } = result as SecretRotation;
  return (
    `A new secret seals state tokens from now on. ` +
    `${oldUntil === undefined ? 'The old one opens none.' : `The old one opens tokens until ${oldUntil}.`}\n`
  );
}
