// A running service with the admin interface, for tests. Each answer is held against the document.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect } from 'vitest';
import { ANSWERS, OPERATIONS } from '../../../src/api/admin/operations.ts';
import { FEW_THREADS, serve } from '../../kits/served_service.ts';
import { type Answer, ServiceProcess, send } from '../../kits/service_process.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const LISTENS = /^The admin interface listens on (\S+)$/m;
/** A table of one cell. */
export const CELLS =
  'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n' +
  'LTE,262,2,801,86355,0,13.28,52.52,1000,7,1,1459692342,1488347104,0\n';
/** How often a job is asked for, and for how long. */
const POLL_MS = 20;
const ENDED_MS = 120_000;
/** What a file is sent as. */
export const BYTES = { 'content-type': 'application/octet-stream' };

/** A service with the interface. */
export interface Administered {
  service: ServiceProcess;
  /** Address of the interface. */
  url: string;
  /** Asks it with its token. */
  ask: Ask;
}

/** A service for the running test. */
export async function administered(...flags: string[]): Promise<Administered> {
  return administeredBy(await serve('--admin', '127.0.0.1:0', ...flags));
}

/** A service for tests of a file that leave each other alone; it starts with the first one that asks for it. */
export function sharedAdministered(...flags: string[]): () => Promise<Administered> {
  const folder = join(folderOfFile(), 'var');
  let served: Promise<Administered> | undefined;
  afterAll(async () => void (await (await served)?.service.stop()));
  return () => {
    served ??= ServiceProcess.start(folder, ...FEW_THREADS, '--admin', '127.0.0.1:0', ...flags).then(administeredBy);
    return served;
  };
}

/** The interface of a service that runs. */
export function administeredBy(service: ServiceProcess): Administered {
  const url = LISTENS.exec(service.printed)![1];
  const token = readFileSync(join(service.folder, 'admin.token'), 'utf8').trim();
  const ask: Ask = async (method, path, body, headers = {}) => {
    const sent = { authorization: `Bearer ${token}`, ...(body !== undefined && JSON_TYPE), ...headers };
    const answer = await send(url, { method, path, body, headers: sent });
    expectAsDocumented(method, path, answer);
    return answer;
  };
  return { service, url, ask };
}

/** Expects an answer to have the status and the form that the document says. */
function expectAsDocumented(method: string, path: string, { status, json }: Answer): void {
  const route = path.split('?')[0];
  const ofMethod = OPERATIONS.filter(each => each.method === method);
  const operation =
    ofMethod.find(each => each.path === route) ??
    ofMethod.find(each => new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(route));
  if (operation === undefined || status >= 400) expect(isDocumented('Error', json), ajv.errorsText()).toBe(true);
  else {
    expect(status).toBe(operation.success[0]);
    if (operation.mediaType === undefined)
      expect(isDocumented(operation.success[2], json), `${method} ${path}: ${ajv.errorsText()}`).toBe(true);
  }
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'admin', components: { schemas: ANSWERS } });

function isDocumented(schema: string, json: unknown): boolean {
  return ajv.validate({ $ref: `admin#/components/schemas/${schema}` }, json);
}

type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Asks for an import or a job until it has ended. */
export async function ended(ask: Ask, list: string, id: number): Promise<Answer['json']> {
  const found = async () => (await ask('GET', `${list}/${id}`)).json;
  await expect
    .poll(async () => (await found()).state, { interval: POLL_MS, timeout: ENDED_MS })
    .not.toMatch(/^(importing|running)$/);
  return found();
}
