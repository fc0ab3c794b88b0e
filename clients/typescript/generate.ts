// Writes src/schema.ts, the types of the service's OpenAPI document: of our own routes, without those that speak as
// other services. A choice of members that are required together says nothing that a type could, and goes.

import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

type Json = { [name: string]: unknown };

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'), (_, value) => {
  const onlyRequires = ({ anyOf }: Json) => (anyOf as Json[]).every(each => Object.keys(each).join() === 'required');
  if (!Array.isArray(value?.anyOf) || !onlyRequires(value)) return value;
  const { anyOf: _choice, ...rest } = value;
  return rest;
});
for (const [path, item] of Object.entries<Json>(document.paths)) {
  for (const [method, operation] of Object.entries(item as { [method: string]: { tags?: string[] } })) {
    if (operation.tags?.includes('dialects')) delete item[method];
  }
  if (Object.keys(item).length === 0) delete document.paths[path];
}
const used = new Set(JSON.stringify(document.paths).match(/(?<=#\/components\/schemas\/)\w+/g));
for (const name of used) {
  const inner = JSON.stringify(document.components.schemas[name]).match(/(?<=#\/components\/schemas\/)\w+/g) ?? [];
  for (const each of inner) used.add(each);
}
for (const name of Object.keys(document.components.schemas)) {
  if (!used.has(name) && name !== 'Error') delete document.components.schemas[name];
}

const nodes = await openapiTS(document, { defaultNonNullable: false });
writeFileSync(new URL('src/schema.ts', import.meta.url), astToString(nodes));
