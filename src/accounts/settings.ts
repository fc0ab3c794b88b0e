// Settings of a key: read from the command line, shown to the operator, and resolved against a request, which wins over its key's defaults.

import type { Account } from '../tables/account_record.ts';
import { type AccountChanges, CREDITS_MAX } from '../tables/accounts.ts';

const NAME_CHARACTERS = 100;
/** Faster than anything that carries a phone. */
const SPEED_LIMIT_MAX = 10_000;
const RATE_MIN = 0.01;
const RATE_MAX = 1_000_000;
const DEVICES_MAX = 1_000_000_000;
/** Metres a second of a key with a speed filter and no limit of its own: faster than a train, slower than a jump between cities. */
const SPEED_LIMIT_DEFAULT = 100;

/** Option name of the command line and member of the account. Options with a reader take a value, the others are switches. */
const SETTINGS: readonly {
  option: string;
  flag: string;
  member: keyof AccountChanges;
  read?: (text: string, flag: string) => string | number;
}[] = [
  { option: 'name', flag: '--name', member: 'name', read: readName },
  { option: 'credits', flag: '--credits', member: 'credits', read: (text, flag) => readWhole(text, flag, 0, CREDITS_MAX) },
  { option: 'expires', flag: '--expires', member: 'expires', read: readDay },
  { option: 'indoor', flag: '--indoor', member: 'indoor' },
  { option: 'address', flag: '--address', member: 'address' },
  { option: 'speedFilter', flag: '--speed-filter', member: 'speedFilter' },
  {
    option: 'speedLimit',
    flag: '--speed-limit',
    member: 'speedLimit',
    read: (text, flag) => readDecimal(text, flag, 0.1, SPEED_LIMIT_MAX),
  },
  { option: 'rate', flag: '--rate', member: 'ratePerSecond', read: (text, flag) => readDecimal(text, flag, RATE_MIN, RATE_MAX) },
  { option: 'devices', flag: '--devices', member: 'devices', read: (text, flag) => readWhole(text, flag, 1, DEVICES_MAX) },
  { option: 'contributor', flag: '--contributor', member: 'contributor' },
  { option: 'trusted', flag: '--trusted', member: 'trusted' },
];

/**
 * Reads the settings among command line options.
 * @param options by camel-case name: a string for options with a value, true for switches, false for `--no-…`; others are ignored
 * @returns what to change, null for what to clear
 * @throws Error naming the flag, when a value does not fit it
 */
export function readSettings(options: Readonly<Record<string, unknown>>): AccountChanges {
  const changes: Record<string, string | number | boolean | null> = {};
  for (const { option, flag, member, read } of SETTINGS) {
    const value = options[option];
    if (value === undefined) continue;
    if (value === false) changes[member] = null;
    else if (read === undefined) changes[member] = true;
    else if (typeof value === 'string') changes[member] = read(value, flag);
    else throw new Error(`${flag} needs a value.`);
  }
  return changes as AccountChanges;
}

/** Reads a number of credits to add. @throws Error when it is no whole number from 1 to 2,147,483,647 */
export function readCredits(text: string): number {
  return readWhole(text, 'The number of credits', 1, CREDITS_MAX);
}

/** An account for the operator's eyes, in the order of the flags; never the key or its hash. */
export function describeAccount(account: Account): Record<string, string | number | boolean> {
  const shown: Record<string, string | number | boolean> = {
    id: account.id,
    created: new Date(account.createdMs).toISOString(),
    revoked: account.revoked,
  };
  for (const { option, member } of SETTINGS) {
    const value = account[member];
    if (value !== undefined) shown[option] = value;
  }
  if (account.loopbackOnly) shown.loopbackOnly = true;
  return shown;
}

/** What a request says itself; undefined where it is silent. */
export interface RequestedOptions {
  address?: boolean | undefined;
  indoor?: boolean | undefined;
  /** Metres a second. */
  speedLimit?: number | undefined;
}

/** What holds for a request after its key's defaults. */
export interface RequestOptions {
  /** Look the position up as an address. */
  address: boolean;
  /** Look for building, floor and room. */
  indoor: boolean;
  /** Metres a second above which a position is refused; 0 = no filter. */
  speedLimit: number;
  /** A device that sends its id gets a state token. */
  state: boolean;
}

/**
 * Resolves a request's options: the request over the key. A speed limit in the request filters even where the key has no filter, because the request
 * names it; the key's own limit counts only with its filter switched on.
 */
export function optionsOf(requested: RequestedOptions, account: Account): RequestOptions {
  const ownLimit = account.speedFilter ? (account.speedLimit ?? SPEED_LIMIT_DEFAULT) : 0;
  return {
    address: requested.address ?? account.address ?? false,
    indoor: requested.indoor ?? account.indoor ?? false,
    speedLimit: requested.speedLimit ?? ownLimit,
    state: account.indoor === true || account.speedFilter === true,
  };
}

function readName(text: string, flag: string): string {
  const name = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters garble the operator's terminal
  if (name.length === 0 || name.length > NAME_CHARACTERS || /[\u0000-\u001f\u007f-\u009f]/.test(name)) {
    throw new Error(`${flag} must have 1 to ${NAME_CHARACTERS} characters and no control characters.`);
  }
  return name;
}

function readDay(text: string, flag: string): string {
  const date = /^[2-9]\d{3}-\d{2}-\d{2}$/.test(text) ? new Date(text) : undefined;
  // The 31st of a short month parses as a day of the next one.
  if (date === undefined || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) {
    throw new Error(`${flag} must be a day as YYYY-MM-DD from 2000-01-01 on, not "${text}".`);
  }
  return text;
}

function readWhole(text: string, flag: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new Error(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}

function readDecimal(text: string, flag: string, least: number, most: number): number {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new Error(`${flag} must be a number from ${least} to ${most}, not "${text}".`);
  return value;
}
