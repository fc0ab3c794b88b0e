// The dialects in the OpenAPI document: each route with its own errors, by the statuses that the dialect gives them.

import type { Dialect, DialectOperation } from '../dialects/dialect.ts';
import { DIALECT_TABLE } from '../dialects/table.ts';
import { ERRORS, type ErrorRow } from '../errors.ts';
import { ref, type Schema } from '../json_schema.ts';
import { preflightResponses } from './operations.ts';

/** The tag of all of them. */
const DIALECT_TAG = 'dialects';

/** Errors that no route of a dialect answers: those of paths and methods have our own form. */
const ELSEWHERE: ReadonlySet<ErrorRow> = new Set([ERRORS.pathNotFound, ERRORS.methodNotAllowed]);

/** Path items of all routes, by path. */
export function dialectPaths(): Record<string, Schema> {
  const items: Record<string, Record<string, Schema>> = {};
  for (const dialect of Object.values(DIALECT_TABLE)) {
    for (const { method, paths, operation } of dialect.routes) {
      for (const [i, path] of paths.entries()) {
        const name = `${operation.name}${i === 0 ? '' : `Alias${i}`}`;
        const others = Object.keys(items[path] ?? {}).map(other => other.toUpperCase());
        const methods = [...new Set([...others, method, 'OPTIONS'])].sort().join(', ');
        items[path] = {
          ...items[path],
          [method.toLowerCase()]: operationOf(dialect, operation, name),
          options: {
            operationId: `${name}Preflight`,
            tags: [DIALECT_TAG],
            summary: 'Ask as a browser does before a request from another page',
            security: [],
            responses: preflightResponses(methods),
          },
        };
      }
    }
  }
  return items;
}

/** Schemas of answers and errors, by name. */
export function dialectSchemas(): Record<string, Schema> {
  return Object.assign(
    {},
    ...Object.values(DIALECT_TABLE).map(dialect => ({ ...dialect.schemas, [errorName(dialect)]: dialect.error })),
  );
}

function errorName({ title }: Dialect): string {
  return `${title.replace(/\W/g, '')}Error`;
}

function operationOf(dialect: Dialect, operation: DialectOperation, operationId: string): Schema {
  const { summary, description, parameters = [], body, isOpen } = operation;
  const contents = (types: Readonly<Record<string, Schema>>): Schema =>
    Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));
  return {
    operationId,
    tags: [DIALECT_TAG],
    summary,
    description,
    parameters,
    ...(body !== undefined && { requestBody: { required: true, content: contents(body) } }),
    ...(isOpen && { security: [] }),
    responses: responsesOf(dialect, operation),
  };
}

function responsesOf(dialect: Dialect, { success }: DialectOperation): Record<string, Schema> {
  const { wording } = dialect;
  const rows = Object.values(ERRORS).filter(row => !ELSEWHERE.has(row));
  const statuses = Map.groupBy(rows, row => wording.status?.(row) ?? row.status);
  const errorTypes = dialect.errorTypes ?? [wording.contentType.split(';', 1)[0]];
  const errors = Object.fromEntries(errorTypes.map(type => [type, ref(errorName(dialect))]));
  const responses: Record<string, Schema> = {};
  for (const [status, group] of statuses) {
    responses[status] = {
      description: group.map(({ message }) => message).join(' '),
      content: Object.fromEntries(errorTypes.map(type => [type, { schema: errors[type] }])),
    };
  }
  const withErrors: Record<string, Schema> = statuses.has(200) ? errors : {};
  const types = new Set([...Object.keys(success), ...Object.keys(withErrors)]);
  responses[200] = {
    description: statuses.has(200) ? 'The answer, or why there is none.' : 'The answer.',
    content: Object.fromEntries(
      [...types].map(type => {
        const schemas = [success[type], withErrors[type]].filter(schema => schema !== undefined);
        return [type, { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } }];
      }),
    ),
  };
  return {
    ...responses,
    431: { $ref: '#/components/responses/HeadersTooLarge' },
    default: { $ref: '#/components/responses/AnyError' },
  };
}
