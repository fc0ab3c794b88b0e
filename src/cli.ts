// The command line: the list of verbs, and the exit codes. 0 = done, 1 = failed with an error message on standard
// error, 2 = not understood.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { escapeMessage } from './commands/terminal/escape.ts';
import { ConfigError } from './config/setting.ts';
import { FEATURES } from './features.ts';
import { messageOf } from './jobs/job.ts';

const DONE = 0;
const FAILED = 1;
const NOT_UNDERSTOOD = 2;

/**
 * Runs one command line of `sextant` and resolves with its exit code. @param argv words after the name of the program
 */
export async function main(argv: readonly string[]): Promise<number> {
  return runCommandLine(await commandLine(argv), argv);
}

/** Does the same for a program with an `exitOverride`. */
export async function runCommandLine(program: Command, argv: readonly string[]): Promise<number> {
  // Our files contain keys and what devices hear, so no other user may read them, whatever the umask of the shell.
  process.umask(0o077);
  try {
    await program.parseAsync(withoutHelpOfUnknown(program, argv), { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : NOT_UNDERSTOOD;
    process.stderr.write(`${escapeMessage(error instanceof ConfigError ? error.message : messageOf(error))}\n`);
    return error instanceof ConfigError ? NOT_UNDERSTOOD : FAILED;
  }
}

/**
 * The words without a call for help if a verb is unknown: commander would show the help of the verbs above it and
 * report success.
 */
function withoutHelpOfUnknown(program: Command, argv: readonly string[]): string[] {
  let command = program;
  for (const word of argv) {
    if (word.startsWith('-') || word === 'help' || command.commands.length === 0) break;
    const next = command.commands.find(verb => verb.name() === word);
    if (next === undefined) return argv.filter(other => other !== '--help' && other !== '-h');
    command = next;
  }
  return [...argv];
}

/** The verbs in the order of the help, with what adds them: of a verb that is called, only its own file is loaded. */
const COMMANDS: readonly (readonly [verbs: string, load: () => Promise<(program: Command) => void>])[] = [
  ['serve', async () => (await import('./commands/service/serve.ts')).addServe],
  ['import', async () => (await import('./commands/import.ts')).addImport],
  ['update', async () => (await import('./commands/update.ts')).addUpdate],
  ['sources', async () => (await import('./commands/sources.ts')).addSources],
  ['forget', async () => (await import('./commands/forget.ts')).addForget],
  ...FEATURES.flatMap(({ commands }) => commands),
  ['export', async () => (await import('./commands/export.ts')).addExport],
  ['aggregate', async () => (await import('./commands/aggregate.ts')).addAggregate],
  ['accuracy', async () => (await import('./commands/accuracy.ts')).addAccuracy],
  ['keys', async () => (await import('./commands/keys.ts')).addKeys],
  ['tenants', async () => (await import('./commands/keys.ts')).addTenants],
  ['usage', async () => (await import('./commands/usage.ts')).addUsage],
  ['secret', async () => (await import('./commands/secret.ts')).addSecret],
  ['log', async () => (await import('./commands/log.ts')).addLog],
  ['station', async () => (await import('./commands/station.ts')).addStation],
  ['explain', async () => (await import('./commands/explain.ts')).addExplain],
  ['locate geocode reverse', async () => (await import('./commands/tables.ts')).addTables],
  ['status', async () => (await import('./commands/status.ts')).addStatus],
  ['check', async () => (await import('./commands/check.ts')).addCheck],
  ['backup restore', async () => (await import('./commands/backup.ts')).addBackup],
  ['cluster', async () => (await import('./commands/cluster.ts')).addCluster],
  ['mcp', async () => (await import('./commands/mcp.ts')).addMcp],
  ['demo', async () => (await import('./commands/demo.ts')).addDemo],
];

/** The command line with the verb that is called first, or with all. */
async function commandLine([called]: readonly string[]): Promise<Command> {
  const { version, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const isAsked = called === '--version' || called === '-V';
  const told = isAsked ? (await import('./config/commit.ts')).versionText() : version;
  const program = new Command('sextant').description(description).version(told).exitOverride();
  const own = COMMANDS.filter(([verbs]) => verbs.split(' ').includes(called));
  for (const [, load] of own.length > 0 ? own : COMMANDS) (await load())(program);
  return program;
}
