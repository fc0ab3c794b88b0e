// The committed OpenAPI document, as tests read it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the document. */
export const DOCUMENT_FILE = join(import.meta.dirname, '../../../docs/openapi.json');

/** Any JSON: what is in a document is for the linter to say. */
// biome-ignore lint/suspicious/noExplicitAny: its members are read without a type
export type Json = any;

/** One operation of a document. */
export interface DocumentedOperation {
  /** Upper case. */
  method: string;
  path: string;
  operation: Json;
}

/** Reads the document. */
export function committedDocument(): Json {
  return JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8'));
}

/** All operations, in the order of the document. */
export function operationsOf(document: Json): DocumentedOperation[] {
  return Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/**
 * The path of an address as the document names it: without query, slashes too many and a key.
 */
export function documentedPath(address: string): string {
  return address
    .replace(/^http:\/\/[^/]+/, '')
    .split(/[?#]/, 1)[0]
    .replace(/^\/+k\/+[^/]+\/*/, '/')
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
}
