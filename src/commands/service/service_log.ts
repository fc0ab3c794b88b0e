// Where a service writes what happens: its own log, as JSON or text, to standard error or a file; and the access log,
// to standard output or a file. Files are opened anew on demand, after something has moved them away.

import { closeSync, openSync } from 'node:fs';
import { type DestinationStream, type Level, pino } from 'pino';
import type { Config } from '../../config.ts';
import { escapeLines, escapeMessage } from '../terminal/escape.ts';

/** What a service writes to. */
interface ServiceLog {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  /** Says less or more from here on. */
  useLevel(level: Config['logLevel']): void;
  /** Writes whole lines of the access log. */
  access(lines: string): void;
  /** Opens the files anew under their names. */
  reopen(): void;
  /** Writes what has not been written yet. */
  flush(): void;
}

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
/** Only the operator may read who asked for what. */
const FILE_MODE = 0o600;
/** More lines than this that a slow disk has not taken are dropped. */
const WAITING_BYTES_MAX = 64 * 1_048_576;

type File = ReturnType<typeof pino.destination>;

/** Opens the logs. @throws Error when a file cannot be written */
export function openServiceLog(
  config: Pick<Config, 'logLevel' | 'logFormat' | 'logFile' | 'accessLog' | 'accessLogFile'>,
): ServiceLog {
  const file = open('log-file', config.logFile, STANDARD_ERROR, true);
  const access =
    config.accessLog === 'off' ? undefined : open('access-log-file', config.accessLogFile, STANDARD_OUTPUT, false);
  const logger = pino({ level: config.logLevel, base: null }, config.logFormat === 'json' ? file : asText(file));
  return {
    error: message => logger.error(escapeLines(message)),
    warn: message => logger.warn(escapeLines(message)),
    info: message => logger.info(escapeLines(message)),
    debug: message => logger.debug(escapeLines(message)),
    useLevel(level) {
      logger.level = level;
    },
    access: lines => void access?.write(lines),
    reopen() {
      if (config.logFile !== undefined) file.reopen();
      if (config.accessLogFile !== undefined) access?.reopen();
    },
    flush: () => access?.flushSync(),
  };
}

/** @param isSync each line is written before the next thing happens */
function open(flag: string, path: string | undefined, standard: number, isSync: boolean): File {
  try {
    // The library would say only later that a file cannot be opened.
    if (path !== undefined) closeSync(openSync(path, 'a', FILE_MODE));
  } catch (error) {
    throw new Error(`The file ${path} of --${flag} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
  const file = pino.destination({
    dest: path ?? standard,
    sync: isSync,
    mode: FILE_MODE,
    maxLength: isSync ? 0 : WAITING_BYTES_MAX,
  });
  file.on('error', (error: Error) => process.stderr.write(`A log cannot be written: ${error.message}.\n`));
  return file;
}

/** Lines of JSON as text: when, how grave, and what. */
function asText(file: File): DestinationStream {
  return {
    write(line) {
      const { level, time, msg }: { level: number; time: number; msg: string } = JSON.parse(line);
      file.write(
        `${new Date(time).toISOString()} ${(pino.levels.labels[level] as Level).toUpperCase().padEnd(5)} ` +
          `${escapeMessage(msg)}\n`,
      );
    },
  };
}
