// The answers of GET /: lines of text with a number in place of the error bodies of other routes.

import { ERRORS } from '../errors.ts';
import type { Schema } from '../json_schema.ts';

import { formatCompactError } from '../requests/compact.ts';
import { type ErrorName, responsesOf } from './errors.ts';

/** Schemas by name. */
export const COMPACT_ANSWERS: { readonly [name: string]: Schema } = {
  CompactPosition: {
    type: 'string',
    pattern: '^status=0;lat=-?\\d{1,2}\\.\\d{7};lon=-?\\d{1,3}\\.\\d{7};acc=[1-9]\\d*$',
  },
};

/** The `responses` of an operation that answers with these rows. */
export function compactResponses(names: readonly ErrorName[]): Record<string, Schema> {
  const responses = responsesOf(names);
  for (const [status, group] of Map.groupBy(names, name => ERRORS[name].status)) {
    const lines = [...new Set(group.map(name => formatCompactError(ERRORS[name])))];
    responses[status] = {
      description: group.map(name => `\`${formatCompactError(ERRORS[name])}\`: ${ERRORS[name].message}`).join(' '),
      content: { 'text/plain': { schema: { enum: lines }, example: lines[0] } },
    };
  }
  return responses;
}
