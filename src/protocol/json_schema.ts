// Builds JSON Schema from the range tables that the readers use. Every range in the OpenAPI document that the service
// checks comes through here.

import type { Range } from '../radio/ranges.ts';

/** A schema in JSON Schema 2020-12. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** A whole number in a range. */
export function integerIn(range: Range, description?: string): Schema {
  return numeric('integer', range, description);
}

/** A number in a range. */
export function numberIn(range: Range, description?: string): Schema {
  return numeric('number', range, description);
}

/** True if the range is not empty. */
export function isPossible({ min, max }: Range): boolean {
  return min <= max;
}

/** A reference to a schema in `#/components/schemas`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with these members and no others. One whose name ends in a question mark may be absent. */
export function closedObject(members: Readonly<Record<string, unknown>>, description?: string): Schema {
  const { properties, required } = membersOf(members);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    required,
    additionalProperties: false,
    properties,
  };
}

/** Members by name, and the names of those that are always there: all without a question mark at their end. */
export function membersOf(members: Readonly<Record<string, unknown>>): { properties: Schema; required: string[] } {
  const properties = Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema]);
  const required = Object.keys(members).filter(name => !name.endsWith('?'));
  return { properties: Object.fromEntries(properties), required };
}

/** An object in a request. Unknown members are ignored. */
export function openObject(
  properties: Record<string, Schema>,
  required: readonly string[] = [],
  description?: string,
): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    ...(required.length > 0 && { required }),
    properties,
  };
}

function numeric(type: string, { min, max, also }: Range, description?: string): Schema {
  const described = description === undefined ? {} : { description };
  if (also === max) return { type, minimum: min, maximum: max, ...described };
  return { type, ...described, anyOf: [{ minimum: min, maximum: max }, { const: also }] };
}
