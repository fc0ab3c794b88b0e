// What must hold of every answer, whatever was asked: it fits the interface that docs/openapi.json describes, it is no
// fault of the service, an error's code is its status, what stands on the Earth stands on it, and no two answers have
// the same logId.

import { DIALECT_TABLE } from '../../src/protocol/dialects/table.ts';
import { committedDocument, documentedPath, type Json, operationsOf } from '../protocol/openapi/committed_document.ts';
import { Conformity } from '../protocol/openapi/conformity.ts';
import type { DrawnRequest } from './draw_request.ts';
import type { WireAnswer } from './wire.ts';

const LATITUDES = ['lat', 'latitude'];
const LONGITUDES = ['lng', 'lon', 'longitude'];
const BUSY = 503;

/** Checks answers, and remembers which logIds were given. */
export class Invariants {
  private readonly document = committedDocument();
  private readonly operations = new Map(
    operationsOf(this.document).map(({ method, path, operation }) => [`${method} ${path}`, operation]),
  );
  private readonly conformity = new Conformity(this.document);
  private readonly logIds = new Set<number>();

  /** The route of a request as the document names it; undefined where it knows none. */
  routeOf({ method, path }: Pick<DrawnRequest, 'method' | 'path'>): string | undefined {
    const instead = method === 'GET' ? insteadOf(documentedPath(path), path) : undefined;
    const route = `${method} ${instead ?? documentedPath(path)}`;
    return this.operations.has(route) ? route : undefined;
  }

  /** @returns a sentence for each thing that must not be */
  check(request: Pick<DrawnRequest, 'method' | 'path'>, answer: WireAnswer): string[] {
    const { status, headers, body } = answer;
    const broken: string[] = [];
    if (status >= 500 && status !== BUSY) broken.push(`The status is ${status}.`);
    if (status === BUSY && !(Number(headers['retry-after']) > 0))
      broken.push('The service is busy and does not say when to come again.');
    const operation = this.operations.get(this.routeOf(request) ?? '');
    try {
      const misfits =
        operation === undefined
          ? this.conformity.checkError(answer, request.method === 'HEAD')
          : this.conformity.checkAnswer(operation, answer);
      broken.push(...misfits.map(misfit => `The answer does not fit its description: ${misfit}.`));
      if (headers['content-type']?.startsWith('application/json') && body !== '')
        this.checkJson(JSON.parse(body), status, broken);
    } catch (error) {
      broken.push(`The answer cannot be read: ${(error as Error).message}`);
    }
    return broken;
  }

  private checkJson(value: Json, status: number, broken: string[]): void {
    const answers = Array.isArray(value) ? value : [value];
    for (const { error, logId } of answers) {
      if (error?.code !== undefined && answers.length === 1 && !Array.isArray(value) && error.code !== status)
        broken.push(`The status is ${status} and the code of the error ${error.code}.`);
      if (error?.code >= 500 && error.code !== BUSY) broken.push(`One of the answers is an error ${error.code}.`);
      if (logId === undefined) continue;
      if (this.logIds.has(logId)) broken.push(`The logId ${logId} was given before.`);
      this.logIds.add(logId);
    }
    checkPlaces(value, broken);
  }
}

/** The path of a dialect whose request this is although it has one of our own paths. */
function insteadOf(documented: string, sent: string): string | undefined {
  return Object.values(DIALECT_TABLE)
    .flatMap(({ routes }) => routes)
    .find(({ instead }) => instead?.path === documented && instead.isMeant(sent))?.paths[0];
}

/** Looks for members that name a latitude or a longitude, at any depth. Some forms give them as text. */
function checkPlaces(value: Json, broken: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries<Json>(value)) {
    const limit = LATITUDES.includes(name) ? 90 : LONGITUDES.includes(name) ? 180 : undefined;
    if (limit === undefined) checkPlaces(member, broken);
    else if (!(Math.abs(Number(member)) <= limit) || member === '' || member === null)
      broken.push(`${name} is ${JSON.stringify(member)}.`);
  }
}
