// A server of files on the loopback interface, which keeps the rules of HTTP for ranges, and breaks them where a test
// says so.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A file on offer. */
export interface ServedFile {
  bytes: Buffer;
  /** By which versions are told apart; without, the server has nothing of the kind. */
  etag?: string;
  lastModified?: string;
}

/** Answers a request in its own way. @returns false where the server is to answer as usual */
type Misbehave = (request: IncomingMessage, response: ServerResponse, file: ServedFile | undefined) => boolean;

/** A running server. */
export class FileServer {
  /** By path. */
  readonly files = new Map<string, ServedFile>();
  /** Requests so far: path, and the range that was asked for. */
  readonly asked: string[] = [];
  misbehave: Misbehave = () => false;
  /** An answer that breaks off once the client has so many bytes. */
  private breaking: { response: ServerResponse; end: number } | undefined;
  private readonly server = createServer((request, response) => this.answer(request, response));

  /** Starts a server that ends with the test. */
  static async start(): Promise<FileServer> {
    const server = new FileServer();
    await new Promise<void>(resolve => server.server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.server.closeAllConnections();
      server.server.close();
    });
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  offer(path: string, bytes: Buffer | string, etag?: string): string {
    this.files.set(path, { bytes: Buffer.from(bytes), ...(etag !== undefined && { etag }) });
    return this.origin + path;
  }

  /** Sends a file from one byte to another, says that all comes, and breaks the connection off. */
  breakOff(response: ServerResponse, { bytes, etag }: ServedFile, from: number, end: number): true {
    const isRest = from > 0;
    response.writeHead(isRest ? 206 : 200, {
      'content-length': bytes.length - from,
      ...(etag !== undefined && { etag }),
      ...(isRest && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    response.flushHeaders();
    response.write(bytes.subarray(from, end));
    this.breaking = { response, end };
    return true;
  }

  /** The client has so many bytes. */
  received(bytes: number): void {
    if (this.breaking !== undefined && bytes >= this.breaking.end) this.breaking.response.destroy();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url!;
    const { range } = request.headers;
    this.asked.push(range === undefined ? path : `${path} ${range}`);
    const file = this.files.get(path);
    if (this.misbehave(request, response, file)) return;
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { bytes, etag, lastModified } = file;
    if (etag !== undefined) response.setHeader('etag', etag);
    if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
    const isSame = [etag, lastModified].includes(request.headers['if-range'] as string);
    if (range === undefined || !isSame) {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range)![1]);
    if (from >= bytes.length) {
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    const rest = bytes.subarray(from);
    response.writeHead(206, {
      'content-length': rest.length,
      'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
    });
    response.end(rest);
  }
}
