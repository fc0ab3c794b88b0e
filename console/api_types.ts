// Writes the types of all requests and answers as TypeScript, from the OpenAPI documents. The console asks the
// service through one function (console/src/api/call.ts), whose types these are; so a route that changes breaks the
// console when it is compiled, and not when somebody opens it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A part of a document. */
type Part = Readonly<Record<string, unknown>>;

/** What stands before the names of types: they are those of the admin interface, which the console asks. */
const NAME = 'Admin';
/** The schema of the request that is tried. */
const REQUEST = 'PositionRequest';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @param documents the folder of the documents @param target the file to write */
export function writeApiTypes(documents: string, target: string): void {
  const document = JSON.parse(readFileSync(join(documents, 'openapi-admin.json'), 'utf8'));
  writeFileSync(target, `// Written by console/api_types.ts.\n\n${typesOf(document)}`);
}

/**
 * Writes the schemas of which the console makes forms: of the settings of a key, of the parameters of an import, and of
 * the routes by which the log is searched. @param documents as above
 */
export function writeKeySettings(documents: string, target: string): void {
  const { paths } = JSON.parse(readFileSync(join(documents, 'openapi-admin.json'), 'utf8'));
  const { properties } = paths['/keys'].post.requestBody.content['application/json'].schema;
  const schemasOf = ({ parameters }: { parameters: { name: string; schema: Part }[] }): Record<string, Part> =>
    Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const { route } = schemasOf(paths['/log'].get);
  const titles = (route.enum as string[]).map((name, i) => [name, (route['x-titles'] as string[])[i]]);
  const written = [
    ['What a key may be given.', 'keySettings', properties],
    ['What may be said of an import.', 'importParameters', schemasOf(paths['/imports'].post)],
    ['What routes are called.', 'routeTitles', Object.fromEntries(titles)],
  ].map(([about, name, value]) => `/** ${about} */\nexport const ${name} = ${JSON.stringify(value)} as const;\n`);
  writeFileSync(target, `// Written by console/api_types.ts.\n\n${written.join('\n')}`);
}

/**
 * Writes the schema of the request for a position, with all that it refers to: what an editor completes. @param target
 * the file to write
 */
export function writeRequestSchema(documents: string, target: string): void {
  const { components } = JSON.parse(readFileSync(join(documents, 'openapi.json'), 'utf8'));
  const schemas: Record<string, Part> = {};
  const add = (name: string): void => {
    if (name in schemas) return;
    schemas[name] = components.schemas[name];
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(other);
  };
  add(REQUEST);
  writeFileSync(target, JSON.stringify({ request: REQUEST, schemas }));
}

function typesOf(document: Part): string {
  const { schemas } = document.components as { schemas: Record<string, Part> };
  const lines = Object.entries(schemas).map(([schema, part]) => `  ${schema}: ${typeOf(part)};`);
  const routes = Object.entries(document.paths as Record<string, Part>).flatMap(([path, operations]) =>
    METHODS.filter(method => method in operations).map(method => {
      const operation = operations[method] as Part;
      return `  '${method.toUpperCase()} ${path}': ${routeOf(document, operation)};`;
    }),
  );
  return (
    `/** Schemas of the document. */\nexport interface ${NAME}Schemas {\n${lines.join('\n')}\n}\n\n` +
    `/** Routes: what they take and answer. */\nexport interface ${NAME}Routes {\n${routes.join('\n')}\n}\n`
  );
}

function routeOf(document: Part, operation: Part): string {
  const parameters = ((operation.parameters ?? []) as Part[]).map(part => resolved(document, part));
  const of = (place: string): string => {
    const members = parameters
      .filter(parameter => parameter.in === place)
      .map(part => `${quoted(part.name as string)}${part.required ? '' : '?'}: ${typeOf(part.schema as Part)}`);
    return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
  };
  const success = Object.entries(operation.responses as Record<string, Part>).find(([status]) => status < '300')?.[1];
  const body =
    operation.requestBody === undefined ? 'undefined' : contentOf(resolved(document, operation.requestBody as Part));
  const answer = success === undefined ? 'never' : contentOf(resolved(document, success));
  return `{ path: ${of('path')}; query: ${of('query')}; body: ${body}; answer: ${answer} }`;
}

/** The type of JSON content; a file for bytes, and text for anything else. */
function contentOf({ content = {} }: { content?: Record<string, { schema?: Part }> } & Part): string {
  const json = Object.entries(content).find(([type]) => type.includes('json'))?.[1];
  if (json !== undefined) return typeOf(json.schema ?? {});
  return 'application/octet-stream' in content ? 'Blob' : 'string';
}

/** What a reference of a document names. */
function resolved(document: Part, part: Part): Part {
  if (typeof part.$ref !== 'string') return part;
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key] as Part, document);
}

function typeOf(schema: Part): string {
  if (typeof schema.$ref === 'string') return `${NAME}Schemas['${schema.$ref.split('/').at(-1)}']`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  const shapes = [...partsOf(schema.allOf, ' & '), ...partsOf(schema.anyOf ?? alternatives(schema), ' | ')];
  const types = ([] as unknown[]).concat(schema.type ?? []);
  const own =
    types.length === 0 && !('properties' in schema)
      ? []
      : [types.map(type => plain(type, schema)).join(' | ') || objectOf(schema)];
  return [...own, ...shapes].map(shape => (shape.includes(' | ') ? `(${shape})` : shape)).join(' & ') || 'unknown';
}

/** Of `oneOf`, those with a type: the others only say which members go together. */
function alternatives({ oneOf }: Part): unknown {
  return Array.isArray(oneOf) && oneOf.every(each => !('type' in each || '$ref' in each)) ? undefined : oneOf;
}

function partsOf(list: unknown, between: string): string[] {
  if (!Array.isArray(list)) return [];
  return [`(${list.map(each => typeOf(each)).join(between)})`];
}

function plain(type: unknown, schema: Part): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf((schema.items ?? {}) as Part)})[]`;
    case 'object':
      return objectOf(schema);
    default:
      return String(type);
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Part): string {
  const members = Object.entries(properties as Record<string, Part>).map(
    ([member, part]) => `${quoted(member)}${(required as string[]).includes(member) ? '' : '?'}: ${typeOf(part)}`,
  );
  if (members.length > 0) return `{ ${members.join('; ')} }`;
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties as Part) : 'unknown';
  return `Record<string, ${values}>`;
}

/** A member as it stands in a type. */
function quoted(member: string): string {
  return /^\w+$/.test(member) ? member : JSON.stringify(member);
}
