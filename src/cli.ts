// The command line: the list of verbs, and the exit codes. 0 = done, 1 = failed with an error message on standard
// error, 2 = not understood.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addAccuracy } from './commands/accuracy.ts';
import { addAggregate } from './commands/aggregate.ts';
import { addBackup } from './commands/backup.ts';
import { addBuildings } from './commands/buildings.ts';
import { addCheck } from './commands/check.ts';
import { addCluster } from './commands/cluster.ts';
import { addDemo } from './commands/demo.ts';
import { addEvaluate } from './commands/evaluate.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addForget } from './commands/forget.ts';
import { addImport } from './commands/import.ts';
import { addKeys, addTenants } from './commands/keys.ts';
import { addLog } from './commands/log.ts';
import { addSecret } from './commands/secret.ts';
import { addServe } from './commands/serve.ts';
import { addSources } from './commands/sources.ts';
import { addStation } from './commands/station.ts';
import { addStatus } from './commands/status.ts';
import { addTables } from './commands/tables.ts';
import { escapeMessage } from './commands/terminal/escape.ts';
import { addUsage } from './commands/usage.ts';
import { ConfigError } from './config/setting.ts';
import { messageOf } from './jobs/job.ts';

const DONE = 0;
const FAILED = 1;
const NOT_UNDERSTOOD = 2;

/**
 * Runs one command line of `sextant` and resolves with its exit code. @param argv words after the name of the program
 */
export function main(argv: readonly string[]): Promise<number> {
  return runCommandLine(commandLine(), argv);
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
 * The words without a call for help if a verb is unknown: commander would show the help of the verbs above it and be
 * content.
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

function commandLine(): Command {
  const { version, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const program = new Command('sextant').description(description).version(version).exitOverride();
  addServe(program);
  addImport(program);
  addSources(program);
  addForget(program);
  addBuildings(program);
  addExport(program);
  addAggregate(program);
  addAccuracy(program);
  addKeys(program);
  addTenants(program);
  addUsage(program);
  addSecret(program);
  addLog(program);
  addStation(program);
  addExplain(program);
  addTables(program);
  addStatus(program);
  addCheck(program);
  addBackup(program);
  addCluster(program);
  addDemo(program);
  addEvaluate(program);
  return program;
}
