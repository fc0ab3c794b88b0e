// Whether a request wants its answer explained: the member `explain` of the body, or the parameter of the same name.
// Only keys with the setting `explain` are heard.

import { flagOf } from '../../radio/read_value.ts';
import type { PositionBody } from './schema.ts';

/** @param parameter of the query, the first where it is repeated; the member wins over it */
export function asksForExplanation({ explain }: PositionBody, parameter: unknown): boolean {
  return flagOf(explain) ?? flagOf(Array.isArray(parameter) ? parameter[0] : parameter) ?? false;
}
