// The operations that balancers and supervisors ask.

import { closedObject } from '../json_schema.ts';
import { jsonContent, type Operation } from './operations.ts';

const SHARED = { tag: 'health', parameters: [], errors: ['internalError'], isOpen: true } as const;

/** GET /health. */
export const HEALTH: Operation = {
  ...SHARED,
  name: 'health',
  summary: 'Ask whether the service lives',
  description: 'Needs no key, costs nothing and is not logged.',
  success: {
    200: {
      description: 'It does.',
      content: jsonContent(closedObject({ status: { const: 'alive' } }), {
        alive: { value: { status: 'alive' } },
      }),
    },
  },
};

/** GET /ready. */
export const READY: Operation = {
  ...SHARED,
  name: 'ready',
  summary: 'Ask whether the service can do all of its work',
  description:
    'Needs no key, costs nothing and is not logged. The writer must answer, and the disk of the data folder ' +
    'must have room. An answer is at most a second old.',
  success: {
    200: {
      description: 'It can.',
      content: jsonContent(
        closedObject({
          status: { const: 'ready' },
          'note?': {
            type: 'string',
            description: 'Of a node of a cluster: what an operator should know all the same.',
          },
        }),
        { ready: { value: { status: 'ready' } } },
      ),
    },
    503: {
      description: 'It cannot.',
      content: jsonContent(
        closedObject({
          status: { const: 'notReady' },
          problems: { type: 'array', minItems: 1, items: { type: 'string' } },
        }),
        {
          fullDisk: {
            value: { status: 'notReady', problems: ['The disk of the data folder has 8 MB left, of 256 needed.'] },
          },
        },
      ),
    },
  },
};
