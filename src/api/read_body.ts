// From the bytes of a body to a parsed value. Any content type is read as JSON, an empty body is `{}`, and compressed bodies are inflated under a
// cap, so that a few kilobytes cannot fill the memory.

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflateRaw, inflate as inflateZlib } from 'node:zlib';
import { ApiError, ERRORS } from './errors.ts';
import { refuseDeepNesting } from './nesting.ts';

const inflaters = {
  gzip: promisify(gunzip),
  zlib: promisify(inflateZlib),
  raw: promisify(inflateRaw),
  br: promisify(brotliDecompress),
};

/**
 * Undoes a content encoding.
 * @param encoding value of the Content-Encoding header; undefined, empty and `identity` leave the bytes as they are
 * @param capBytes most bytes that may come out
 * @throws ApiError bodyTooLarge over the cap, encodingUnsupported for anything but gzip, x-gzip, deflate and br, parseError for damaged bytes
 */
export async function inflate(bytes: Buffer, encoding: string | undefined, capBytes: number): Promise<Buffer> {
  const coding = (encoding ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return bytes;
  const inflater = inflaterOf(coding, bytes);
  if (inflater === undefined) throw new ApiError(ERRORS.encodingUnsupported);
  try {
    return await inflater(bytes, { maxOutputLength: capBytes });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError(ERRORS.bodyTooLarge, `The body is larger than ${capBytes} bytes when inflated.`);
    if (code === 'Z_MEM_ERROR' || code.startsWith('ERR__ERROR_ALLOC')) throw error;
    throw new ApiError(ERRORS.parseError, `The body does not inflate as ${coding}.`);
  }
}

function inflaterOf(coding: string, bytes: Buffer): (typeof inflaters)['gzip'] | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return inflaters.gzip;
  if (coding === 'br') return inflaters.br;
  if (coding !== 'deflate') return undefined;
  // `deflate` means the zlib wrapping (RFC 9110), but many clients send the bare stream. A zlib header's two bytes are a multiple of 31.
  const isZlib = bytes.length >= 2 && (bytes[0] & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return isZlib ? inflaters.zlib : inflaters.raw;
}

/**
 * Parses a JSON body. Nothing but white space, and null, are `{}`.
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

/** Cheap doubt about the text: the two names as they are, or any escaped letter, which could spell them. None begins with a frequent character. */
function mayReachPrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u00') || text.includes('prototype');
}

/** Walks the whole body, without recursion since it may be nested as deep as it is long. */
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

/** `parseBody`, with absurdly deep bodies refused first. @throws ApiError parseError */
export function parseChecked(bytes: Buffer): unknown {
  refuseDeepNesting(bytes);
  return parseBody(bytes);
}
