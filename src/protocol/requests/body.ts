// Turns the bytes of a body into a parsed value. Any content type is read as JSON, and an empty body is `{}`. Compressed bodies are inflated up to a cap, so
// that a few kilobytes cannot fill the memory. Submissions, which may be large, are read by gather_body.ts.

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflateRaw, inflate as inflateZlib } from 'node:zlib';
import { ApiError, ERRORS } from '../errors.ts';
import { refuseDeepNesting } from './nesting.ts';

/** The compression behind a content encoding. */
export type Coding = 'gzip' | 'zlib' | 'raw' | 'br';

const inflaters = {
  gzip: promisify(gunzip),
  zlib: promisify(inflateZlib),
  raw: promisify(inflateRaw),
  br: promisify(brotliDecompress),
} satisfies Record<Coding, unknown>;

/**
 * Undoes a content encoding.
 * @param encoding value of the Content-Encoding header; undefined, empty and `identity` leave the bytes as they are
 * @param capBytes most bytes that may come out
 * @throws ApiError bodyTooLarge over the cap, encodingUnsupported for anything but gzip, x-gzip, deflate and br, parseError for damaged bytes
 */
export async function inflate(bytes: Buffer, encoding: string | undefined, capBytes: number): Promise<Buffer> {
  const coding = codingOf(encoding, bytes);
  if (coding === undefined) return bytes;
  try {
    return await inflaters[coding](bytes, { maxOutputLength: capBytes });
  } catch (error) {
    throw inflateFailure(error as NodeJS.ErrnoException, encoding, capBytes);
  }
}

/**
 * How bytes are compressed.
 * @param encoding value of the Content-Encoding header
 * @returns undefined if they are not compressed
 * @throws ApiError encodingUnsupported
 */
export function codingOf(encoding: string | undefined, bytes: Buffer): Coding | undefined {
  const name = nameOf(encoding);
  if (name === '' || name === 'identity') return undefined;
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'br') return 'br';
  if (name !== 'deflate') throw new ApiError(ERRORS.encodingUnsupported);
  // `deflate` means the zlib wrapping (RFC 9110), but many clients send the bare stream. A zlib header's two bytes are a multiple of 31.
  const isZlib = bytes.length >= 2 && (bytes[0] & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return isZlib ? 'zlib' : 'raw';
}

/** Turns an error of zlib into one for the client. A lack of memory is a fault of ours. */
export function inflateFailure(error: NodeJS.ErrnoException, encoding: string | undefined, capBytes: number): Error {
  const code = error.code ?? '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLargeInflated(capBytes);
  if (code === 'Z_MEM_ERROR' || code.startsWith('ERR__ERROR_ALLOC')) return error;
  return new ApiError(ERRORS.parseError, `The body does not inflate as ${nameOf(encoding)}.`);
}

/** The error of a body that is larger than the cap. */
export function tooLargeInflated(capBytes: number): ApiError {
  return new ApiError(ERRORS.bodyTooLarge, `The body is larger than ${capBytes} bytes when inflated.`);
}

function nameOf(encoding: string | undefined): string {
  return (encoding ?? '').trim().toLowerCase();
}

/**
 * Parses a JSON body. White space alone, and null, mean `{}`.
 * @throws ApiError parseError when it is not JSON, or has a key `__proto__` or `constructor.prototype`
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const text = bytes.toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    if (text.trim() === '') return {};
    throw new ApiError(ERRORS.parseError, `The body is not JSON: ${(error as SyntaxError).message}.`);
  }
  if (mayReachPrototype(text)) refusePrototypeKeys(body);
  return body ?? {};
}

/** A cheap test for suspicious text: the two names as they are, or any escaped letter, which could spell them. None begins with a frequent character. */
function mayReachPrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u00') || text.includes('prototype');
}

/** Walks the whole body, without recursion because it may be nested deeply. */
function refusePrototypeKeys(body: unknown): void {
  const open: unknown[] = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) open.push(item);
      continue;
    }
    // Parsed values inherit nothing enumerable, so the loop sees their own keys, without an array of them for each.
    for (const key in value) {
      if (key === '__proto__') throw new ApiError(ERRORS.parseError, 'The key __proto__ is not allowed.');
      const member: unknown = (value as Record<string, unknown>)[key];
      if (typeof member !== 'object' || member === null) continue;
      if (key === 'constructor' && Object.hasOwn(member, 'prototype'))
        throw new ApiError(ERRORS.parseError, 'The key constructor is not allowed.');
      open.push(member);
    }
  }
}

/** Like `parseBody`, but first refuses bodies that are nested too deeply. @throws ApiError parseError */
export function parseChecked(bytes: Buffer): unknown {
  refuseDeepNesting(bytes);
  return parseBody(bytes);
}
