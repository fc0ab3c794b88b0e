// A service with the demo town and the drawn extract, for the tests of dialects. Each answer is held against the
// OpenAPI document, so what a dialect says of itself is true.

import { expect } from 'vitest';
import { hashKey } from '../../../src/accounts/key.ts';
import { importDrawnExtract } from '../../kits/places/extracts.ts';
import { type ServedParts, serveParts } from '../../kits/served_parts.ts';
import { type Answer, type RequestOptions, send } from '../../kits/service_process.ts';
import { committedDocument, documentedPath, operationsOf } from '../../protocol/openapi/committed_document.ts';
import { Conformity } from '../../protocol/openapi/conformity.ts';

/** A key that may ask. */
export const KEY = 'sx_0123456789abcdefghjkmnpqrs';
/** A key with some credits that may list cells. */
export const LISTING = 'sx_cells0000000000000000000';
/** A key without credits. */
export const SPENT = 'sx_spent0000000000000000000';
/** A key that has to wait after its first request. */
export const SLOW = 'sx_slow00000000000000000000';

const document = committedDocument();
const operations = operationsOf(document);

/** A service that tests of dialects ask. */
export interface ServedDialects {
  readonly parts: ServedParts;
  /** What the tests have shown of the document. */
  readonly conformity: Conformity;
  /** Asks, and expects the answer to fit its operation. @param key in the path; none where it is empty */
  ask(path: string, options?: RequestOptions & { key?: string }): Promise<Answer>;
}

/** Serves with all dialects. */
export async function serveDialects(): Promise<ServedDialects> {
  const parts = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 }, importDrawnExtract);
  await parts.accountWriter.create({ keyHash: hashKey(KEY), createdMs: 0 });
  await parts.accountWriter.create({ keyHash: hashKey(LISTING), createdMs: 0, credits: 100, cells: true });
  await parts.accountWriter.create({ keyHash: hashKey(SPENT), createdMs: 0, credits: 0 });
  await parts.accountWriter.create({ keyHash: hashKey(SLOW), createdMs: 0, ratePerSecond: 1 });
  const conformity = new Conformity(document);
  return {
    parts,
    conformity,
    async ask(path, { key = KEY, ...options } = {}) {
      const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
      const sent = key === '' ? path : `/k/${key}${path}`;
      const answer = await send(`http://127.0.0.1:${parts.port}`, { ...options, method, path: sent });
      const documented = documentedPath(path);
      const operation = operations.find(each => each.method === method && each.path === documented)?.operation;
      if (operation?.tags[0] === 'dialects') {
        const { status, headers, text: body } = answer;
        const given = { status, headers: headers as Record<string, string>, body };
        expect(conformity.checkAnswer(operation, given), `${path}: ${body}`).toEqual([]);
      }
      return answer;
    },
  };
}
