// The checks of the structure of bodies, as ajv compiles them. They are compiled when the document of the interface is
// written, since to load ajv and to compile takes 50 ms of every thread that reads bodies.

import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { BATCH_STRUCTURE, POSITION_STRUCTURE } from '../requests/schema.ts';

const HEAD = '// Written by `npm run openapi` with ajv, of the schemas in schema.ts.\n';

/** The text of structure_checks.mjs. */
export function structureChecks(): string {
  const ajv = new Ajv({ allowUnionTypes: true, messages: false, code: { source: true, esm: true } });
  ajv.addSchema(POSITION_STRUCTURE, 'position').addSchema(BATCH_STRUCTURE, 'batch');
  return `${HEAD}${standalone.default(ajv, { fitsPosition: 'position', fitsBatch: 'batch' })}\n`;
}
