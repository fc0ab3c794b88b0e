// GET /: a position asked in the old compact form (compact.ts), by the way of every other.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorRow } from '../protocol/errors.ts';
import { formatCompact, formatCompactError, readCompact } from '../protocol/requests/compact.ts';
import type { Query } from './exchange.ts';
import { PositionExchange } from './position.ts';
import type { Services } from './services.ts';

/** A position asked in the old compact form: parameters in, a line of `name=value` out, whose `status` says how it went beside the HTTP status. */
export class CompactExchange extends PositionExchange {
  override contentType = 'text/plain; charset=utf-8';

  constructor(services: Services, request: FastifyRequest, reply: FastifyReply) {
    super(services, request, reply, 'compact');
  }

  /** Answers the query parameters. */
  startCompact(): void {
    this.start(readCompact((this.request.query as Query).wifi));
  }

  /** The line has no place for one. */
  protected override get addressTerms(): undefined {
    return undefined;
  }

  protected override success(): string {
    const { latitude, longitude, accuracyMetres } = this.position;
    return formatCompact(latitude, longitude, Math.max(1, accuracyMetres));
  }

  protected override errorText(row: ErrorRow): string {
    return formatCompactError(row);
  }
}
