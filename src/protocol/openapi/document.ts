// Generates the OpenAPI 3.1 document of the interface. Ranges, structure, parameters and errors are those that the
// service itself reads, so they cannot differ from it. `npm run openapi` writes the document to docs/openapi.json.

import { EXPLANATIONS } from '../answers/explanation_schema.ts';
import { PLACE_EXPLANATIONS } from '../answers/place_explanation_schemas.ts';
import { PLACE_ANSWERS } from '../answers/place_schemas.ts';
import { POSITION_ANSWERS } from '../answers/position_schema.ts';
import { TRAIL_ANSWERS } from '../answers/trail.ts';
import type { Schema } from '../json_schema.ts';
import { COMPACT_ANSWERS, compactResponses } from './compact.ts';
import { dialectPaths, dialectSchemas } from './dialects.ts';
import { errorResponses, errorSchemas, responsesOf } from './errors.ts';
import { type Operation, preflightResponses } from './operations.ts';
import { SHARED_PARAMETERS } from './parameters.ts';
import { requestSchemas } from './request_schemas.ts';

/** A route, as the document knows it. */
interface DescribedRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** `none` where pages of others may not ask. */
  readonly body: string;
  readonly operation: Operation;
}
/** The routes of the geocoder, which answer browsers. */
const GEOCODER_TAG = 'places';

const DESCRIPTION = `Self-hosted positioning and geocoding.

**Bodies** are JSON in UTF-8 whatever their content type says, plain or compressed (\`content-encoding\` gzip, deflate
or br). An empty body is \`{}\`.

**Values** are read leniently: numbers also as text, flags also as booleans, fractions of whole numbers rounded where
they measure something. A value outside its range is as if it had not been sent, and an entry of a list that nothing
identifies is skipped. Refused is only what this document says of the structure, and a body that is not JSON, is
nested more than 64 levels deep, or has a key \`__proto__\`.

**Keys** are sent as the parameter \`key\` (or \`apiKey\`, \`token\`), in the field \`X-API-Key\` (or
\`Ocp-Apim-Subscription-Key\`), in \`Authorization\` as a bearer token, a \`token\` or alone, or before the path of any
route: \`/k/KEY/search\`. A service may be set up to let requests without one act under a key of its own. Credits, a
rate, a number of devices a month and a last day may limit a key.

**Pages** of any origin may ask. Answers of the geocoder and to submissions always let them read; those to positions
do where the request has an \`origin\`.

**Errors** have one shape on all routes but \`GET /\`. \`logId\` identifies the request in the request log, which
keeps it for at most seven days; an answer whose text does not have it has the header \`x-log-id\`.`;

const TAGS = [
  { name: 'positions', description: 'Where is the device?' },
  { name: 'places', description: 'Addresses of points, places by name, countries. Any web page may ask.' },
  { name: 'submissions', description: 'Measurements with a known position, in the forms of Mozilla’s interface.' },
  { name: 'dialects', description: 'Interfaces of other services, for the programs that speak them.' },
  { name: 'health', description: 'Does the service live, and can it work? For balancers and supervisors.' },
];

const SERVERS = [
  { url: 'http://127.0.0.1:8080', description: 'A service started with its defaults.' },
  {
    url: 'https://{host}',
    description: 'A service of your own.',
    variables: { host: { default: 'localhost', description: 'Name and port.' } },
  },
  {
    url: 'https://{host}/k/{key}',
    description: 'The same with the API key in the path, for clients that send no parameter of their own.',
    variables: {
      host: { default: 'localhost', description: 'Name and port.' },
      key: { default: 'KEY', description: 'The API key. It goes before any other in the request.' },
    },
  },
];

const SECURITY_SCHEMES = {
  key: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: 'The API key. It goes before one in a field of the head.',
  },
  keyInField: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key. It goes before a bearer token.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key, with `Bearer`, `Token` or nothing before it. What does not begin with `sx_` is ignored.',
  },
};

/**
 * The document.
 * @param version of the service
 * @param routes in their order, those of a path one after the other
 */
export function openApiDocument(version: string, routes: readonly DescribedRoute[]): Schema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sextant',
      version,
      summary: 'Positioning and geocoding',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: SERVERS,
    security: [{ key: [] }, { keyInField: [] }, { bearer: [] }],
    tags: TAGS,
    paths: paths(routes),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: SHARED_PARAMETERS,
      headers: {
        AllowOrigin: { required: true, schema: { const: '*' } },
        ExposeHeaders: { required: true, schema: { const: 'retry-after, x-log-id' } },
        LogId: {
          required: true,
          description: 'Number of the request in the request log.',
          schema: { type: 'integer', minimum: 1 },
        },
        RetryAfter: { required: true, description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
      },
      responses: errorResponses(routes.flatMap(({ operation: { isCompact, errors } }) => (isCompact ? [] : [errors]))),
      schemas: {
        ...requestSchemas(),
        ...POSITION_ANSWERS,
        ...EXPLANATIONS,
        ...COMPACT_ANSWERS,
        ...PLACE_ANSWERS,
        ...PLACE_EXPLANATIONS,
        ...TRAIL_ANSWERS,
        ...errorSchemas(),
        ...dialectSchemas(),
      },
    },
  };
}

function paths(routes: readonly DescribedRoute[]): Record<string, Schema> {
  const own = [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [path, pathItem(path, group)]);
  return { ...Object.fromEntries(own), ...dialectPaths() };
}

function pathItem(path: string, routes: readonly DescribedRoute[]): Schema {
  const operationsOf = routes.map(({ method, operation: each }) => {
    return [method.toLowerCase(), { ...operation(each), ...(each.isOpen && { security: [] }) }];
  });
  return {
    ...Object.fromEntries(operationsOf),
    ...(routes[0].body !== 'none' && { options: preflight(path, routes) }),
  };
}

function operation({
  name,
  tag,
  summary,
  description,
  parameters,
  requestBody,
  success,
  errors,
  isCompact,
}: Operation): Schema {
  // Questions about health are not logged, so they have no device and no number.
  const logged = tag === 'health' ? [] : ['DeviceId', 'RequestNumber'];
  const shared = logged.map(parameter => ({ $ref: `#/components/parameters/${parameter}` }));
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    parameters: [...shared, ...parameters],
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...success, ...(isCompact ? compactResponses(errors) : responsesOf(errors)) },
  };
}

function preflight(path: string, routes: readonly DescribedRoute[]): Schema {
  const allowed = [...routes.map(({ method }) => method), 'OPTIONS'].sort();
  const { tag, name } = routes.at(-1)!.operation;
  return {
    operationId: `${tag === GEOCODER_TAG ? path.slice(path.lastIndexOf('/') + 1) : name}Preflight`,
    tags: [tag],
    summary: 'Ask as a browser does before a request from another page',
    security: [],
    responses: preflightResponses(allowed.join(', ')),
  };
}
