// The routes of the state of a service: what is wrong with it, and how it is set.

import { groupOf, route } from './operation.ts';
import { COUNT, listOf, open, TEXT } from './schema_parts.ts';

const VALUE = { type: ['string', 'number', 'boolean', 'null'], description: '`null` where there is none.' };

const ANSWERS = {
  Status: open({
    version: TEXT,
    'commit?': { ...TEXT, description: 'Of the program, its first ten digits.' },
    uptimeSeconds: COUNT,
    problems: { ...listOf(TEXT), description: 'What keeps the service from doing its work, as in `/ready`.' },
    warnings: {
      ...listOf(open({ id: { ...TEXT, description: 'Never changes.' }, text: TEXT, remedy: TEXT, 'command?': TEXT })),
      description: 'All that is wrong, as far as it shows, and what to do.',
    },
  }),
  Settings: open({
    settings: { ...listOf(TEXT), description: 'A line for each setting that has a value.' },
    values: listOf(
      open({
        name: { ...TEXT, description: 'As its flag, without dashes.' },
        value: VALUE,
        default: VALUE,
        from: { enum: ['flag', 'environment', 'file', 'default'] },
      }),
    ),
  }),
} as const;

/** The group. */
export const SERVICE = groupOf(ANSWERS, [
  route('GET /status', {
    name: 'status',
    summary: 'Version, uptime and what is wrong',
    success: [200, 'The status.', 'Status'],
    answer: ({ status }) => status.read(),
  }),
  route('GET /settings', {
    name: 'settings',
    summary: 'The effective configuration',
    success: [200, 'Settings without secrets.', 'Settings'],
    answer: ({ settings }) => settings(),
  }),
]);
