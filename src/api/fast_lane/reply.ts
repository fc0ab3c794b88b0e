// The text of a reply, byte for byte as `node:http` writes it under Fastify: the route's headers in their order and in
// lower case, then Node's own.

import { STATUS_CODES } from 'node:http';

/** Headers of a route that are not in every reply. */
interface ExtraHeaders {
  /** Lines in their order, each with its end. */
  readonly lines: string;
  /** One of them ends the connection, so Node's own are left out. */
  readonly isLast: boolean;
}

/** Writes replies. */
export class ReplyWriter {
  private readonly keepAlive: string;
  private second = 0;
  private dateLine = '';

  /** @param keepAliveMilliseconds how long an idle connection stays open */
  constructor(keepAliveMilliseconds: number) {
    this.keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMilliseconds / 1000)}\r\n`;
  }

  /** The head of a reply. @param length of the body, bytes */
  headOf(status: number, { lines, isLast }: ExtraHeaders, contentType: string, length: number): string {
    const connection = isLast ? '' : this.keepAlive;
    return (
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}content-type: ${contentType}\r\ncontent-length: ` +
      `${length}\r\n${this.dateNow()}${connection}\r\n`
    );
  }

  /** The Date header, made once a second. */
  private dateNow(): string {
    const now = Date.now();
    const second = Math.floor(now / 1000);
    if (second !== this.second) {
      this.second = second;
      this.dateLine = `Date: ${new Date(now).toUTCString()}\r\n`;
    }
    return this.dateLine;
  }
}
