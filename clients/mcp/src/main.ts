#!/usr/bin/env node
// sextant-mcp: serves the tools on standard input and output, or by HTTP. The key is the operator's: whoever may use
// the tools asks under it, so HTTP is for this machine, or for those who know a token.

import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { Sextant } from '../../typescript/src/index.ts';
import { toolsOf } from './tools.ts';

interface Flags {
  url: string;
  keyFile?: string;
  http?: string;
  tokenFile?: string;
}

const BODY_BYTES_MAX = 1_048_576;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('sextant-mcp')
  .description('tools for language models: places and positions from a Sextant service')
  .version(version)
  .option('--url <url>', 'address of the service (SEXTANT_URL)', process.env.SEXTANT_URL ?? 'http://127.0.0.1:8080')
  .option('--key-file <file>', 'file with the API key; else the variable SEXTANT_KEY, if the service asks for one')
  .option('--http <address>', 'serve HTTP, as 127.0.0.1:8090, in place of standard input and output; the path is /mcp')
  .option('--token-file <file>', 'with --http: file with a token that clients send as `Authorization: Bearer TOKEN`')
  .addHelpText('after', '\nExamples:\n  SEXTANT_KEY=… sextant-mcp\n  sextant-mcp --key-file key --http 127.0.0.1:8090')
  .action(run);

function run({ url, keyFile, http, tokenFile }: Flags): void {
  const key = keyFile === undefined ? process.env.SEXTANT_KEY : secretIn(keyFile);
  const sextant = new Sextant({ url, ...(key !== undefined && key !== '' && { key }) });
  const onerror = (error: Error): void => void process.stderr.write(`${error.message}\n`);
  const tools = () => toolsOf(sextant, version);
  if (http === undefined) serveStdio(tools, { onerror });
  else
    serveHttp(http, tokenFile, toNodeHandler(createMcpHandler(tools, { onerror, maxRequestBodySize: BODY_BYTES_MAX })));
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** @throws Error for an address that all may reach without a token */
function serveHttp(address: string, tokenFile: string | undefined, handle: Handler): void {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(address) ?? [];
  if (host === undefined) throw new Error(`--http must be an address and a port, as 127.0.0.1:8090, not "${address}".`);
  const token = tokenFile === undefined ? undefined : secretIn(tokenFile);
  if (token === undefined && !LOOPBACK.has(host))
    throw new Error(`Whoever reaches ${host} would ask under your key: give a --token-file, or serve 127.0.0.1.`);
  // A page in a browser must not reach it by a name that leads here.
  const guards = token === undefined ? [localhostHostValidation(), localhostOriginValidation()] : [];
  const server = createServer((request, response) => {
    if (guards.some(isAllowed => !isAllowed(request, response))) return;
    const isTheirs = token === undefined || isSame(request.headers.authorization ?? '', `Bearer ${token}`);
    const isKnown = request.url?.split('?')[0] === '/mcp';
    // Of what is refused, no body is read.
    if (!isKnown || !isTheirs) response.setHeader('connection', 'close');
    if (!isKnown) response.writeHead(404).end('The path is /mcp.\n');
    else if (!isTheirs)
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Send the token as Authorization: Bearer.\n');
    else void handle(request, response);
  });
  server.on('error', fail);
  server.listen(Number(port), host, () => {
    const { port } = server.address() as AddressInfo;
    process.stderr.write(`Serves http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp\n`);
  });
}

function isSame(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @throws Error for an empty file */
function secretIn(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty.`);
  return secret;
}

function fail(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

program.parseAsync().catch(fail);
