// All routes of the admin interface. The server makes its routes of them (server.ts) and checks requests by their
// schemas, and the OpenAPI document is generated from them (openapi.ts).

import { FEATURES } from '../../features.ts';
import { CARE } from './care_operations.ts';
import { COVERAGE } from './coverage_operations.ts';
import { DATA } from './data_operations.ts';
import { EXPLAIN } from './explain_operations.ts';
import { KEYS } from './key_operations.ts';
import { MAP } from './map_operations.ts';
import type { Operation, OperationGroup } from './operation.ts';
import { type Schema, SHARED_ANSWERS } from './schema_parts.ts';
import { SERVICE } from './service_operations.ts';
import { SESSION } from './session_operations.ts';

const OF_FEATURES = (await Promise.all(FEATURES.map(({ loadRoutes }) => loadRoutes()))) as OperationGroup[];
const GROUPS = [SERVICE, KEYS, DATA, EXPLAIN, CARE, MAP, COVERAGE, ...OF_FEATURES, SESSION];

/** In the order of the document. */
export const OPERATIONS: readonly Operation[] = GROUPS.flatMap(({ operations }) => operations);

/** Schemas of all answers, by name. */
export const ANSWERS: Readonly<Record<string, Schema>> = Object.assign(
  {},
  SHARED_ANSWERS,
  ...GROUPS.map(({ answers }) => answers),
);
