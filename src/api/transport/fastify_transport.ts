// A request that Fastify has read, and its reply.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { withoutKey } from '../../tables/requests/record.ts';
import {
  API_KEY_FIELD,
  AUTHORIZATION_FIELD,
  FORWARDING_FIELDS,
  keyInFields,
  loggedUrlOf,
  type Query,
  type Transport,
} from './transport.ts';

/** Requests and replies of Fastify in the form that routes use. */
export class FastifyTransport implements Transport {
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;
  private readonly isRouted: boolean;

  /** @param isRouted false where no route matched: the log then keeps all parameters */
  constructor(request: FastifyRequest, reply: FastifyReply, isRouted: boolean) {
    this.request = request;
    this.reply = reply;
    this.isRouted = isRouted;
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.request.raw.url ?? '';
  }

  get query(): Query {
    return this.request.query as Query;
  }

  get keyInPath(): string | undefined {
    return (this.request.params as { key?: string } | undefined)?.key;
  }

  get keyInFields(): string | undefined {
    const { [API_KEY_FIELD]: apiKey, [AUTHORIZATION_FIELD]: authorization } = this.request.headers;
    // Node joins a repeated field to one text, which is no key.
    return keyInFields(apiKey as string | undefined, authorization);
  }

  get languages(): string | undefined {
    return this.request.headers['accept-language'];
  }

  get address(): string | undefined {
    return this.request.ip;
  }

  get isForwarded(): boolean {
    return FORWARDING_FIELDS.some(name => this.request.headers[name] !== undefined);
  }

  get loggedUrl(): string {
    const isPlain = this.isRouted && this.keyInPath === undefined && this.request.query !== undefined;
    return isPlain ? loggedUrlOf(this.url, this.query) : withoutKey(this.url);
  }

  get isStopping(): boolean {
    return !this.reply.server.server.listening;
  }

  setHeader(name: string, value: string | number): void {
    this.reply.header(name, value);
  }

  send(status: number, contentType: string, body: string): void {
    this.reply.code(status).header('content-type', contentType).send(body);
  }

  sendFault(fault: Error): void {
    this.reply.send(fault);
  }
}
