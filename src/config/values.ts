// Reads the text of a setting, as a flag, a variable or a member of the configuration file has it. Each reader returns
// the value, or throws an Error whose message follows the name of the setting: "must be …".

import { isIP, isIPv4, isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

/** How long raw observations are kept: forever, this many days, or until they are aggregated. */
export type Retention = 'forever' | 'aggregated' | number;

const SUBNET_NAMES = ['loopback', 'linklocal', 'uniquelocal']; // known to Fastify's trustProxy

/** A guess at where more threads on one port stop to help; more can be requested. */
const HTTP_THREADS_DEFAULT_MAX = 8;

/** How many HTTP threads there are by default: one core is left for the writer and the workers. */
export function coresBeside(): string {
  return String(Math.max(1, Math.min(HTTP_THREADS_DEFAULT_MAX, availableParallelism() - 1)));
}

/** As many query workers as HTTP threads. */
export function sameAsThreads(earlier: Readonly<Record<string, string | undefined>>): string | undefined {
  return earlier.httpThreads;
}

/** A whole number in a range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < least || value > most)
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return value;
  };
}

/** How long raw observations are kept. */
export function retention(text: string): Retention {
  const days = Number(text);
  if (/^\d{1,5}$/.test(text) && days >= 1 && days <= 36_500) return days;
  if (text === 'forever' || text === 'aggregated') return text;
  throw new Error('must be forever, aggregated, or a number of days from 1 to 36500');
}

/** One of some words. */
export function oneOf<const T extends string>(...values: T[]): (text: string) => T {
  return text => {
    const found = values.find(value => value === text);
    if (found === undefined) throw new Error(`must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
    return found;
  };
}

/** A path, made absolute. */
export function path(text: string): string {
  if (text === '' || text.includes('\0')) throw new Error('must be a path');
  return resolve(text);
}

/** An address or the name of a host. */
export function hostName(text: string): string {
  if (isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text))
    throw new Error('must be an address or a host name');
  return text;
}

/** An address and a port to listen on; an address of IPv6 stands in brackets. */
export function listenAddress(text: string): { host: string; port: number } {
  const address = addressAndPort(text);
  if (address === undefined) throw new Error('must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464');
  hostName(address.host);
  return address;
}

/** The same, of an address that only this machine reaches; `auto` for one that is found, undefined for none. */
export function adminAddress(text: string): { host: string; port: number } | 'auto' | undefined {
  if (text === 'auto') return text;
  if (text === 'off') return undefined;
  const address = addressAndPort(text);
  if (address === undefined || !isLoopback(address.host))
    throw new Error('must be auto, off, or an address of this machine with a port, such as 127.0.0.1:8081');
  return address;
}

function addressAndPort(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535 || (bracketed !== undefined && !isIPv6(bracketed))) return undefined;
  return { host: bracketed ?? plain, port: Number(port) };
}

/** A key, of any form but with spaces. */
export function key(text: string): string {
  if (!/^\S{1,200}$/.test(text)) throw new Error('must be a key, without spaces');
  return text;
}

/** On or off. */
export function switched(text: string): boolean {
  if (!/^(true|false|0|1)$/.test(text)) throw new Error('must be true or false');
  return text === 'true' || text === '1';
}

/** The address of another service: HTTPS, or HTTP on this machine. */
export function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback(host)))
    throw new Error('must be an address with https, or with http on this machine');
  return text;
}

/** The address of a collector. Most are on this machine or in a private network, without encryption. */
export function collectorUrl(text: string): string {
  const url = URL.parse(text);
  if (!['http:', 'https:'].includes(url?.protocol ?? '') || url?.username !== '')
    throw new Error('must be an address with http or https, such as http://127.0.0.1:4318');
  return text;
}

/** A number from 0 to 100, maybe with a part. */
export function percent(text: string): number {
  const value = Number(text);
  if (!/^\d{1,3}(\.\d{1,6})?$/.test(text) || value > 100) throw new Error('must be a number from 0 to 100');
  return value;
}

/** @param text whether the lane is closed */
export function fastLane(text: string): boolean {
  return !switched(text);
}

/** Proxies: `true` for any, addresses, subnets and names of subnets; undefined for none. */
export function proxies(text: string): true | string[] | undefined {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return undefined;
  const entries = text.split(',').map(entry => entry.trim());
  if (!entries.every(isSubnet))
    throw new Error('must be true, false, or addresses and subnets with commas between (10.0.0.0/8,192.168.1.5)');
  return entries;
}

/** True for an address, a subnet in CIDR notation, or the name of some. */
export function isSubnet(entry: string): boolean {
  const [address, bits, more] = entry.split('/');
  if (SUBNET_NAMES.includes(entry)) return true;
  if (more !== undefined || isIP(address) === 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
}

/** True for an address or name of this machine alone. */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.');
  return host.toLowerCase() === 'localhost' || (isIPv6(host) && /^(0{0,4}:){1,7}0{0,3}1$/.test(host));
}

/** The schema of a text on one line. @param most characters */
export function line(most: number) {
  const must = `1 to ${most} characters on one line`;
  return { type: 'string', minLength: 1, maxLength: most, pattern: '^\\P{Cc}*$', 'x-must': must } as const;
}
