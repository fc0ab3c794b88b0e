// Reads the JSON bodies of dialects as leniently as our own: what has not the expected type counts as not sent.

import { ApiError, ERRORS } from '../errors.ts';
import { parseChecked } from '../requests/body.ts';

/** An object whose members may hold anything. */
export type Members = { readonly [member: string]: unknown };

/** @throws ApiError parseError if a body is not a JSON object */
export function readObjectBody(bytes: Buffer): Members {
  const body = parseChecked(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError(ERRORS.parseError, 'The body must be an object.');
  return body as Members;
}

/** The objects in a list; none if it is no list. */
export function objectsIn(list: unknown): Members[] {
  if (!Array.isArray(list)) return [];
  return list.filter(entry => typeof entry === 'object' && entry !== null && !Array.isArray(entry));
}

/** The members of a value; none if it is no object. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

/** A text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
