// The committed document is the generated one, a linter finds nothing in it, and it holds all routes of the server and
// all rows of the error table.

import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { RouteContext } from '../../../src/api/exchange.ts';
import { ROUTES } from '../../../src/api/public_routes.ts';
import { createServer } from '../../../src/api/server.ts';
import { readConfig } from '../../../src/config.ts';
import { ERRORS } from '../../../src/protocol/errors.ts';
import { openApiDocument } from '../../../src/protocol/openapi/document.ts';
import { structureChecks } from '../../../src/protocol/openapi/structure_checks.ts';
import { committedDocument, DOCUMENT_FILE, type Json, operationsOf } from './committed_document.ts';

/** All that the linter recommends, and that examples fit their schemas. */
const LINTER_RULES = {
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-ambiguous-paths': 'error',
  // The default address of a service is one of the loopback network.
  'no-server-example.com': 'off',
  // The rule does not look for a member of one alternative in the schema that holds all alternatives.
  'no-required-schema-properties-undefined': 'off',
} as const;

const document = committedDocument();

test('the committed document is the generated one; `npm run openapi` writes it', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument(version, ROUTES))));
});

test('the committed checks of bodies are those of the schemas; `npm run openapi` writes them', () => {
  const checks = readFileSync('src/protocol/requests/structure_checks.mjs', 'utf8');
  expect(checks).toBe(structureChecks());
});

test('the linter finds nothing', async () => {
  const config = await createConfig({ extends: ['recommended-strict'], rules: LINTER_RULES });
  const lint = (source: string) => lintFromString({ source, absoluteRef: DOCUMENT_FILE, config });
  const problems = await lint(readFileSync(DOCUMENT_FILE, 'utf8'));
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0].pointer])).toEqual([]);
  const damaged = structuredClone(document);
  damaged.paths['/search'].get.responses[200].content['application/json'].examples.specified.value[0].lat = 47.14151;
  const found = (await lint(JSON.stringify(damaged))).map(({ ruleId }) => ruleId);
  expect(new Set(found)).toEqual(new Set(['no-invalid-media-type-examples']));
});

/**
 * Method and path of each route in a printed tree. A line is indented by four characters a level, and continues the
 * path of the level above.
 */
function routesIn(printed: string): string[] {
  const above: string[] = [];
  return printed
    .trimEnd()
    .split('\n')
    .flatMap(line => {
      const [, indent, part, methods] = /^((?:[│ ] {3})*)[└├]── (\S+) \((.+)\)$/.exec(line)!;
      const level = indent.length / 4;
      const path = `${above[level - 1] ?? ''}${part}`;
      above[level] = path;
      return methods.split(', ').map(method => `${method} ${path}`);
    });
}

test('every route of the server is an operation, and every operation a route', async () => {
  // Routes are added before any service is asked for anything.
  const server = createServer({ compute: { hasWorkers: false } } as RouteContext, readConfig(new Command()), undefined);
  await server.ready();
  const routes = routesIn(server.printRoutes({ commonPrefix: false }));
  await server.close();
  expect(
    operationsOf(document)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  ).toEqual(routes.sort());
});

test('every row of the error table is a schema, and its status and reason stand there alone', () => {
  const { schemas } = document.components;
  const rows = schemas.Error.anyOf.map(({ $ref }: { $ref: string }) => {
    const { error } = schemas[$ref.split('/').at(-1)!].properties;
    const { domain, reason } = error.properties.errors.items.properties;
    return { status: error.properties.code.const, domain: domain.const, reason: reason.const };
  });
  const headersTooLarge = { status: 431, domain: 'global', reason: 'parseError' };
  expect(rows).toEqual([
    ...Object.values(ERRORS).map(({ status, domain, reason }) => ({ status, domain, reason })),
    headersTooLarge,
  ]);
});

test('every row that an operation answers is an example with its message', () => {
  const examples = Object.values<Json>(document.components.responses).flatMap(({ content }) =>
    Object.entries<Json>(content['application/json'].examples ?? {}),
  );
  // What no operation answers stands in the schema of all errors only.
  const { pathNotFound, methodNotAllowed, ...answered } = ERRORS;
  for (const [name, { message }] of Object.entries(answered)) {
    expect(examples.filter(([example]) => example === name).map(([, { value }]) => value.error.message)).toContain(
      message,
    );
  }
});

test('objects of answers have no members besides those that are named', () => {
  const open = Object.entries<Record<string, unknown>>(document.components.schemas)
    .filter(([, schema]) => schema.type === 'object' && schema.additionalProperties !== false)
    .map(([name]) => name);
  // Bodies of requests, where unknown members are passed over, and the rows of an address, which are called after their
  // tags.
  expect(open).toEqual([
    'PositionRequest',
    'AccessPoint',
    'Beacon',
    'Sensor',
    'Batch',
    'Measurement',
    'FlatMeasurement',
    'OldMeasurement',
    'AddressRows',
  ]);
});
