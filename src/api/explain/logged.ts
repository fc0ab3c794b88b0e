// Explains the answer to a logged request, a position, a search or a point: for its key and its device, at its time,
// and by the tables as they are now, which may be others than when it was answered.

import { optionsOf, trackWants } from '../../accounts/options.ts';
import type { Answerer } from '../../answer/answerer.ts';
import { withSources } from '../../answer/explain/sources.ts';
import { readSecrets } from '../../folder/secret.ts';
import { wantsOf } from '../../protocol/answers/position.ts';
import { readCompact } from '../../protocol/requests/compact.ts';
import { timeOf } from '../../protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../../protocol/requests/schema.ts';
import type { Account } from '../../tables/accounts/account_record.ts';
import { AccountTable } from '../../tables/accounts/accounts.ts';
import type { LoggedRequest } from '../../tables/requests/record.ts';
import { explainPosition } from '../../tasks/explain_position.ts';
import { createSecretMemory, SecretsView, shareSecrets } from '../../tracking/secrets.ts';
import { type DeviceState, StateSealer } from '../../tracking/state_token.ts';
import { isTracked, openState, speedSince } from '../position.ts';
import { type Explained, line, Unexplainable } from './explained.ts';
import { answerOf, surrounded } from './position.ts';
import { explainReverse } from './reverse.ts';
import { explainSearch } from './search.ts';
import { positionsBefore } from './surroundings.ts';

/**
 * Explains a logged position, search or point. @param folder data folder @throws Unexplainable, whose message
 * is for the operator
 */
export async function explainLogged(answerer: Answerer, folder: string, logged: LoggedRequest): Promise<Explained> {
  const { logId, time, route, status, response, account: id, device } = logged;
  if (route === 'search' || route === 'reverse') return explainLoggedPlace(answerer, { ...logged, route });
  const body = bodyOf(logged);
  const arrivalMs = Date.parse(time);
  const account = id === undefined ? undefined : await readAccount(folder, id);
  const texts = wantsOf(body, { byDefault: account ?? {}, isCovered: true });
  const isFollowed = account !== undefined && isTracked(device, account);
  const state =
    isFollowed && body.state ? stateOf(folder, account, device, body.state, timeOf(body, arrivalMs)) : undefined;
  const wants = isFollowed ? texts | trackWants(account) : texts;
  const located = explainPosition(answerer, { body, arrivalMs, wants, asker: 0, state });
  const speed = speedSince(state, located);
  const limit = account === undefined ? Number.POSITIVE_INFINITY : optionsOf(located.outcome, account).speedLimit;
  const refused = speed !== undefined && speed > limit ? { speed, speedLimit: limit } : undefined;
  const explanation = await withSources(folder, located.explanation);
  const before = await positionsBefore(folder, logged, state);
  const { object, sections } = await surrounded(folder, explanation, located, before);
  return {
    object: { logged: { logId, time, status, response }, ...object, ...(refused && { refused }) },
    sections: [
      line(`Request ${logId} of ${time}, answered ${status}: ${JSON.stringify(withoutExplanation(response))}`),
      line('It is answered again, by the tables as they are now.'),
      ...(refused
        ? [line(`Refused: it needs ${Math.round(speed!)} m/s from the last location, and the limit is ${limit} m/s`)]
        : []),
      ...sections,
    ],
    ...answerOf(located),
  };
}

/** An explanation over HTTP says less than this one. */
function withoutExplanation(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || !('explain' in response)) return response;
  const { explain, ...rest } = response;
  return rest;
}

/** @throws Error when the request was none for a position, or is not kept as a whole */
function bodyOf({ logId, route, query = '', request, requestBytes }: LoggedRequest): PositionBody {
  if (route === 'compact') {
    const parameters = new URLSearchParams(query.slice(query.indexOf('?') + 1));
    return readCompact(parameters.getAll('wifi'), parameters.getAll(parameters.has('cells') ? 'cells' : 'cell'));
  }
  if (route !== 'position')
    throw new Unexplainable(`The request ${logId} asks for no position and no place, but by the route ${route}.`);
  if (requestBytes !== undefined)
    throw new Unexplainable(`Of the body of request ${logId} only the beginning was kept, of ${requestBytes} bytes.`);
  const body = request ?? {};
  checkStructure(body);
  return body;
}

async function readAccount(folder: string, id: number): Promise<Account | undefined> {
  const accounts = new AccountTable(folder, { readOnly: true });
  try {
    return accounts.get(id);
  } finally {
    await accounts.close();
  }
}

/** What the token of the request says of the device. @throws ApiError when it belongs to another one */
function stateOf(
  folder: string,
  account: Account,
  deviceId: string,
  token: string,
  timeMs: number,
): DeviceState | undefined {
  const secrets = readSecrets(folder);
  if (secrets === undefined) return undefined;
  const memory = createSecretMemory();
  shareSecrets(memory, secrets);
  const sealer = new StateSealer(new SecretsView(memory), () => timeMs);
  return openState(sealer, account, { deviceId }, { state: token, timestampMs: timeMs });
}

/**
 * @throws Error whose message is for the operator when the request asks for many points, ApiError when a parameter
 * cannot be used
 */
async function explainLoggedPlace(
  answerer: Answerer,
  logged: LoggedRequest & { route: 'search' | 'reverse' },
): Promise<Explained> {
  const { logId, time, route, status, query = '', request, response } = logged;
  if (request !== undefined)
    throw new Unexplainable(`The request ${logId} asks for many points; name one with --reverse.`);
  const explain = route === 'search' ? explainSearch : explainReverse;
  const { object, sections, response: now } = await explain(answerer, query.slice(query.indexOf('?') + 1));
  return {
    object: { logged: { logId, time, status, query, response }, ...object },
    sections: [
      line(`Request ${logId} of ${time}, ${query}, answered ${status}`),
      line(
        'It is answered again, by the places as they are now. Names may be in another language, as headers are ' +
          'not logged.',
      ),
      ...sections,
    ],
    response: now,
  };
}
