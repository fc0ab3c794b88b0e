// The address of a client behind proxies, by the rule and the library of Fastify: the rightmost address in
// `X-Forwarded-For`, or else of the connection, that is not a trusted proxy. The fast lane needs it only for keys that
// are limited to networks.

import type { IncomingMessage } from 'node:http';
import { all, compile } from '@fastify/proxy-addr';

/** @param remote address of the connection @param forwarded value of `X-Forwarded-For` */
export type ClientAddress = (remote: string | undefined, forwarded: string | undefined) => string | undefined;

/** @param trustProxy as in the configuration; undefined where no proxy is trusted */
export function clientAddressBehind(trustProxy: true | string[] | undefined): ClientAddress {
  if (trustProxy === undefined) return remote => remote;
  const trusts = trustProxy === true ? () => true : compile(trustProxy);
  return (remote, forwarded) => {
    const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: remote } };
    return all(request as unknown as IncomingMessage, trusts).at(-1);
  };
}
