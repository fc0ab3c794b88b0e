// Writes docs/openapi.json, the checks that follow its schemas, and docs/openapi-admin.json: `npm run openapi`.

import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../../protocol/openapi/document.ts';
import { structureChecks } from '../../protocol/openapi/structure_checks.ts';
import { ROUTES } from '../public_routes.ts';
import { adminDocument } from './openapi.ts';

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const write = (name: string, document: object) =>
  writeFileSync(new URL(`docs/${name}`, root), `${JSON.stringify(document, null, 2)}\n`);
write('openapi.json', openApiDocument(version, ROUTES));
write('openapi-admin.json', adminDocument(version));
writeFileSync(new URL('src/protocol/requests/structure_checks.mjs', root), structureChecks());
