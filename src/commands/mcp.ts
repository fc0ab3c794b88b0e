// `sextant mcp`: the tools for language models, which ask a service. They are a program of their own (clients/mcp), of
// one file in a package; nothing of it is loaded but by this verb.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

const PROGRAM = fileURLToPath(new URL('../../clients/mcp/src/main.ts', import.meta.url));

/** Adds the verb, whose flags are those of the program. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('tools for language models (MCP) that ask a service, on standard input and output or by HTTP')
    .allowUnknownOption()
    .argument('[flags...]', 'see "sextant mcp -- --help"')
    .addHelpText('after', '\nExample:\n  SEXTANT_KEY=KEY sextant mcp --url http://127.0.0.1:8080')
    .action(serve);
}

async function serve(flags: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...flags], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  process.exit(code ?? 128 + constants.signals[signal!]);
}
