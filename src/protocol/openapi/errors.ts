// Turns the error table into schemas and responses. Each row becomes a schema. Each status of a route becomes a
// response with the rows of that status.

import { ERRORS, type ErrorRow, errorBody } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';

/** Name of a row in the error table. */
export type ErrorName = keyof typeof ERRORS;

/** Errors of one point in a batch. The answer has begun, so the error takes the place of the point. */
const POINT_ERRORS = [
  'parseError',
  'notFound',
  'creditsExceeded',
  'internalError',
  'backendError',
] as const satisfies ErrorName[];
/** Header with the seconds to wait, for the rows that have it. */
const WITH_RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);
/** The server refuses large headers before any route sees them, with the row of a parse error and its own status. */
const HEADERS_TOO_LARGE: ErrorRow = { ...ERRORS.parseError, status: 431, message: 'The headers are too large.' };

/** `logId` of the examples. */
const EXAMPLE_LOG_ID = 1_048_576;

/** Schemas by name: one for each row, `HeadersTooLarge`, `Error` for all of them, and `PointError`. */
export function errorSchemas(): Record<string, Schema> {
  const rows = Object.entries(ERRORS) as [ErrorName, ErrorRow][];
  return {
    Error: {
      description: 'Any error. Only `message` varies within a row: it may name the field at fault.',
      anyOf: [...rows.map(([name]) => ref(schemaName(name))), ref('HeadersTooLarge')],
    },
    ...Object.fromEntries(
      rows.map(([name, row]) => [schemaName(name), { ...errorSchema(row), description: describe(row) }]),
    ),
    HeadersTooLarge: { ...errorSchema(HEADERS_TOO_LARGE), description: describe(HEADERS_TOO_LARGE) },
    PointError: {
      description: 'Why a point of a batch has no answer.',
      anyOf: POINT_ERRORS.map(name => closedObject({ error: errorObject(ERRORS[name]) })),
    },
  };
}

/** Responses by name for all of these lists of rows, under the names that `responsesOf` refers to. */
export function errorResponses(lists: Iterable<readonly ErrorName[]>): Record<string, Schema> {
  const responses: Record<string, Schema> = {};
  for (const names of lists)
    for (const [, group] of byStatus(names)) responses[responseName(group)] ??= response(group);
  return {
    ...responses,
    HeadersTooLarge: jsonResponse(describe(HEADERS_TOO_LARGE), ref('HeadersTooLarge'), {}),
    AnyError: jsonResponse(
      'Any error, also those that no route sees: no such path, a method that the path does not answer.',
      ref('Error'),
      {},
    ),
  };
}

/** The `responses` of an operation that answers with these rows. */
export function responsesOf(names: readonly ErrorName[]): Record<string, Schema> {
  const responses = [...byStatus(names)].map(([status, group]) => [
    `${status}`,
    { $ref: `#/components/responses/${responseName(group)}` },
  ]);
  return {
    ...Object.fromEntries(responses),
    431: { $ref: '#/components/responses/HeadersTooLarge' },
    default: { $ref: '#/components/responses/AnyError' },
  };
}

function byStatus(names: readonly ErrorName[]): Map<number, ErrorName[]> {
  return Map.groupBy(names, name => ERRORS[name].status);
}

function response(names: readonly ErrorName[]): Schema {
  const rows = names.map(name => ERRORS[name] as ErrorRow);
  const examples = Object.fromEntries(
    names.map(name => [name, { value: JSON.parse(errorBody(ERRORS[name], EXAMPLE_LOG_ID)) }]),
  );
  const schema = names.length === 1 ? ref(schemaName(names[0])) : { anyOf: names.map(name => ref(schemaName(name))) };
  const headers = WITH_RETRY_AFTER.has(rows[0].status)
    ? { headers: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } }
    : {};
  return { ...jsonResponse(rows.map(describe).join(' '), schema, examples), ...headers };
}

function jsonResponse(description: string, schema: Schema, examples: Schema): Schema {
  const content = Object.keys(examples).length === 0 ? { schema } : { schema, examples };
  return { description, content: { 'application/json': content } };
}

function describe({ reason, message }: ErrorRow): string {
  return `\`${reason}\`: ${message}${message.endsWith('.') ? '' : '.'}`;
}

function errorSchema(row: ErrorRow): Schema {
  return closedObject({ error: errorObject(row), logId: ref('LogId') });
}

function errorObject({ status, domain, reason }: ErrorRow): Schema {
  const message = { type: 'string', minLength: 1 };
  const entry = closedObject({ domain: { const: domain }, reason: { const: reason }, message });
  return closedObject({
    errors: { type: 'array', minItems: 1, maxItems: 1, items: entry },
    code: { const: status },
    message,
  });
}

/** `parseError` becomes `ParseError`. */
function schemaName(name: ErrorName): string {
  return name[0].toUpperCase() + name.slice(1);
}

function responseName(names: readonly ErrorName[]): string {
  return names.map(schemaName).join('Or');
}
