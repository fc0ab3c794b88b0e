// Writes docs/openapi.json, and the checks that follow its schemas: `npm run openapi`.

import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './document.ts';
import { structureChecks } from './structure_checks.ts';

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
writeFileSync(new URL('docs/openapi.json', root), `${JSON.stringify(openApiDocument(version), null, 2)}\n`);
writeFileSync(new URL('src/protocol/requests/structure_checks.mjs', root), structureChecks());
