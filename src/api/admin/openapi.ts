// The OpenAPI 3.1 document of the admin interface, generated from the table of its routes. `npm run openapi` writes it
// to docs/openapi-admin.json.

import { type Operation, PATH_PARAMETERS, parametersIn } from './operation.ts';
import { ANSWERS, OPERATIONS } from './operations.ts';
import type { Schema } from './schema_parts.ts';

const ERRORS: Readonly<Record<string, string>> = {
  400: 'The request is not understood.',
  401: 'The token is missing or wrong.',
  403: 'The token only reads, or a page of another origin asks.',
  404: 'There is no such key, import, job, station or building.',
  409: 'The job was refused.',
  429: 'Too many imports, jobs or tiles are under way.',
};
const UPLOAD_ERRORS: Readonly<Record<string, string>> = {
  413: 'The file is too large.',
  415: 'The body is no file.',
  507: 'The disk has no room for the file.',
};
/** The document. @param version of the service */
export function adminDocument(version: string): Schema {
  const paths: Record<string, Schema> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sextant: administration',
      version,
      summary: 'Keys, usage, imports, sources, removals and settings of a running service',
      description:
        'On the address of `--admin`, with the token of the file `admin.token` in the data folder; what changes ' +
        'nothing also with that of `admin_read.token`. A browser may use a session of the console instead.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:8081', description: 'A service started with `--admin 127.0.0.1:8081`.' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'The token.' } },
      schemas: ANSWERS,
    },
  };
}

function describe({
  path,
  name,
  summary,
  query,
  body,
  isUpload,
  isOpen,
  mediaType,
  errors,
  success: [status, description, answer],
}: Operation): Schema {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  const parameters = Object.entries(properties).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query',
    required: required.includes(parameter),
    schema,
  }));
  const inPath = Object.entries(parametersIn(path, 'type')).map(([parameter, schema]) => ({
    name: parameter,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[parameter].description,
    schema,
  }));
  return {
    operationId: name,
    summary,
    ...(isOpen && { security: [] }),
    parameters: [...inPath, ...parameters],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    ...(isUpload && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    responses: {
      [status]: answerOf(description, answer, mediaType),
      ...Object.fromEntries(
        Object.entries<string>({ ...ERRORS, ...(isUpload && UPLOAD_ERRORS), ...errors }).map(([code, text]) => [
          code,
          answerOf(text, 'Error'),
        ]),
      ),
    },
  };
}

function answerOf(description: string, schema: string, mediaType = 'application/json'): Schema {
  return { description, content: { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } } };
}
