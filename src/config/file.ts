// The configuration file: one JSON object whose members have the names of flags without the dashes, and the values that
// a flag would have. Numbers, true and false may stand without quotes, and what a flag separates by commas may be a
// list. The table of settings (config.ts) decides which members there are and what they may hold; this file only turns
// them into the texts of flags.

import { Command } from 'commander';
import { readRegularFile } from './regular_file.ts';

/** No configuration is larger; whoever names another file by mistake shall not wait for it. */
const FILE_BYTES_MAX = 1_048_576;
/** What V8 quotes of the text. It could be part of a key. */
const QUOTATION = /, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s;

/**
 * Reads a configuration file.
 * @param file absolute path
 * @returns the text of each member, as its flag would have it
 * @throws Error whose message follows a colon
 */
export function readMembers(file: string): ReadonlyMap<string, string> {
  const value = parse(read(file));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it must hold one JSON object.');
  return new Map(Object.entries(value).map(([member, content]) => [member, textOf(member, content)]));
}

function read(file: string): string {
  try {
    return readRegularFile(file, FILE_BYTES_MAX).toString();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(code === 'ENOENT' ? 'there is none.' : code === 'EACCES' ? 'permission denied.' : `${message}.`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message.replace(QUOTATION, '')}.`);
  }
}

function textOf(member: string, content: unknown): string {
  if (Array.isArray(content) && content.every(entry => typeof entry === 'string')) return content.join(',');
  if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean')
    return String(content);
  throw new Error(`its member "${member}" must be a text, a number, true, false, or a list of texts.`);
}

/**
 * The name that somebody probably meant, by the rule with which commander suggests options.
 * @returns undefined if none is near
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const flagOf = (text: string) => `--${text.toLowerCase().replaceAll('_', '-')}`;
  const probe = new Command()
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: () => {} });
  for (const each of known) probe.option(flagOf(each));
  try {
    probe.parse([flagOf(name)], { from: 'user' });
  } catch (error) {
    const suggested = /\(Did you mean (?:one of )?(--[a-z-]+)/.exec((error as Error).message)?.[1];
    return known.find(each => flagOf(each) === suggested);
  }
  return undefined;
}
