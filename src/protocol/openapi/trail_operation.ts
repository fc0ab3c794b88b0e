// The operation that asks where an access point was.

import { ref } from '../json_schema.ts';
import * as examples from './examples.ts';
import { ALWAYS, jsonContent, type Operation } from './operations.ts';
import { TRAIL_GET } from './parameters.ts';

/** GET /trail. */
export const TRAIL: Operation = {
  name: 'trail',
  tag: 'positions',
  summary: 'Ask where an access point was heard',
  description:
    'For keys that the operator has made with `--trail`; others are refused with `settingsKeyInvalid`. Answers with the places where an access point was heard, and ' +
    'the day on which it was heard there last. Places where one account alone has heard it are left out, unless that account is trusted. An access point that nobody has reported, or that was forgotten, has no trail. A success costs one credit.',
  parameters: TRAIL_GET,
  success: { 200: { description: 'The trail.', content: jsonContent(ref('Trail'), { moved: { value: examples.TRAIL } }) } },
  errors: [...ALWAYS, 'settingsKeyInvalid', 'creditsExceeded', 'notFound'],
};
