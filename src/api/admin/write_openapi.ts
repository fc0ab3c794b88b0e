// Writes docs/openapi-admin.json: `npm run openapi`.

import { readFileSync, writeFileSync } from 'node:fs';
import { adminDocument } from './openapi.ts';

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
writeFileSync(new URL('docs/openapi-admin.json', root), `${JSON.stringify(adminDocument(version), null, 2)}\n`);
