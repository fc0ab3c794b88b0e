// The command lines of the benchmarks: each explains itself. A program without a text of its own prints the comment at
// the top of its file.

import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Reads a command line. `--help` prints `help` and ends the process with 0; an option that is not known prints one line
 * and ends it with 2.
 * @param config as for `parseArgs` of Node; without `args`, those of the process
 */
export function readArguments<T extends ParseArgsConfig>(help: string, config: T): ReturnType<typeof parseArgs<T>> {
  const { args = process.argv.slice(2) } = config;
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    // What follows the first sentence is advice that fits no benchmark.
    console.error(`${message.split(/\.\s/)[0].replace(/\.$/, '')}. --help lists the options.`);
    process.exit(2);
  }
}

/** Reads the number of an option; one that is out of range prints a line and ends the process with 2. */
export function readNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  console.error(
    `--${option} is a number from ${min} to ${max}; it is ${JSON.stringify(text)}. --help lists the options.`,
  );
  process.exit(2);
}

/**
 * Lets a signal end the process by an exit, behind which nothing is left of what the run has made; a signal alone would
 * leave all of it.
 */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/**
 * The comment at the top of a file, which says what the program does and how it is run. @param url of the file,
 * `import.meta.url`
 */
export function headerOf(url: string): string {
  const lines = readFileSync(new URL(url), 'utf8').split('\n');
  const end = lines.findIndex(line => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map(line => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}
