// Explains the answer to a logged search or point, by the places as they are now, which may be others than when it was
// answered.

import type { Answerer } from '../../answer/answerer.ts';
import type { LoggedRequest } from '../../tables/requests/record.ts';
import type { Explained } from './explained.ts';
import { explainReverse } from './reverse.ts';
import { explainSearch } from './search.ts';

/**
 * @throws Error whose message is for the operator when the request asks for many points, ApiError when a parameter
 * cannot be used
 */
export async function explainLoggedPlace(
  answerer: Answerer,
  logged: LoggedRequest & { route: 'search' | 'reverse' },
): Promise<Explained> {
  const { logId, time, route, status, query = '', request, response } = logged;
  if (request !== undefined) throw new Error(`The request ${logId} asks for many points; name one with --reverse.`);
  const explain = route === 'search' ? explainSearch : explainReverse;
  const { object, text } = await explain(answerer, `/${route}?${query.slice(query.indexOf('?') + 1)}`);
  return {
    object: { logged: { logId, time, status, query, response }, ...object },
    text: [
      `Request ${logId} of ${time}, ${query}, answered ${status}`,
      'It is answered again, by the places as they are now. Names may be in another language, as headers are ' +
        'not logged.',
      text,
    ].join('\n'),
  };
}
