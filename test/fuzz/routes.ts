// Sends drawn requests (draw_request.ts) for every route to a real service: a process of its own with a data folder of
// its own, that serves the world of the corpus on loopback. Several connections ask at once, so that requests meet in
// the service as they do in use. Every answer is held against the invariants, and in the end the service must have had
// no fault of its own and must stop cleanly.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWorld, serveCopy } from '../corpus/world.ts';
import { addressDatabase } from '../kits/address_database.ts';
import type { ServiceProcess } from '../kits/service_process.ts';
import { RequestSource } from './draw_request.ts';
import { Invariants } from './invariants.ts';
import { Wire } from './wire.ts';

/** What a run found. */
export interface RouteTotals {
  requests: number;
  /** How often each status was answered, by route; requests that no route takes are under `no route`. */
  statuses: Map<string, Map<number, number>>;
  /** The first broken invariants, each with the number of its request. */
  findings: string[];
}

/** Which requests are sent. */
export interface RouteRun {
  seed: number;
  /** Number of the first request. */
  first: number;
  /** Only requests of dialects. */
  isOfDialects?: boolean;
  /** Asked before each request, with how many were drawn. */
  goesOn(requests: number): boolean;
}

const CONNECTIONS = 12;
const FINDINGS_MAX = 20;
const FAULT = /"level":[56]0/;
/** Of a request or an answer in a finding. */
const SHOWN_BYTES = 1_500;
/** A position of this device is answered with a state. */
const TRACKED = {
  path: '&id=fuzz',
  body: { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] },
};

/** Sends requests as long as the run goes on, or until there are too many findings. */
export async function fuzzRoutes(run: RouteRun): Promise<RouteTotals> {
  const base = mkdtempSync(join(tmpdir(), 'fuzz-'));
  let service: ServiceProcess | undefined;
  try {
    const world = await buildWorld(base);
    const addresses = join(base, 'addresses.mmdb');
    writeFileSync(addresses, addressDatabase([['127.0.0.0/8', { country: { iso_code: 'LI' } }]]));
    service = await serveCopy(world, join(base, 'data'), 'auto', '--geoip', addresses);
    const keys = new Map(world.keys).set('listing', (await service.key({ cells: true })).key);
    const state = (await service.post(world.keys.get('filtered')!, TRACKED.body, TRACKED.path)).json?.state ?? '';
    const fill = (text: string) =>
      text.replace(/\{\{(key|state):(\w+)\}\}/g, (_, kind: string, name: string) =>
        kind === 'key' ? (keys.get(name) ?? name) : state,
      );
    const totals: RouteTotals = { requests: 0, statuses: new Map(), findings: [] };
    await ask(service, new RequestSource(run.seed, fill, run.isOfDialects), run, totals);
    await checkService(service, totals);
    return totals;
  } finally {
    await service?.stop('SIGKILL');
    rmSync(base, { recursive: true, force: true });
  }
}

async function ask(service: ServiceProcess, source: RequestSource, run: RouteRun, totals: RouteTotals): Promise<void> {
  const invariants = new Invariants();
  const askOn = async (): Promise<void> => {
    const wire = new Wire(service.port);
    while (totals.findings.length < FINDINGS_MAX && run.goesOn(totals.requests)) {
      const number = run.first + totals.requests++;
      const request = source.draw(number);
      try {
        const answer = await wire.ask(request.bytes, request.method === 'HEAD');
        const broken = invariants.check(request, answer);
        count(totals.statuses, invariants.routeOf(request) ?? 'no route', answer.status);
        if (broken.length > 0) totals.findings.push(describe(number, broken.join(' '), request.bytes, answer.body));
      } catch (error) {
        wire.close();
        totals.findings.push(describe(number, (error as Error).message, request.bytes, ''));
      }
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
}

/** The service lives, has had no fault of its own, and stops cleanly. */
async function checkService(service: ServiceProcess, { findings }: RouteTotals): Promise<void> {
  try {
    const { status } = await service.request({ method: 'GET', path: '/ready' });
    if (status !== 200) findings.push(`The service is not ready afterwards: ${status}.`);
  } catch (error) {
    findings.push(`The service does not answer afterwards: ${(error as Error).message}.`);
  }
  const { code, signal, stderr } = await service.stop();
  if (code !== 0) findings.push(`The service ended with ${code ?? signal}.`);
  findings.push(
    ...stderr
      .split('\n')
      .filter(line => FAULT.test(line))
      .slice(0, FINDINGS_MAX)
      .map(line => `The service had a fault: ${line}`),
  );
}

function count(statuses: RouteTotals['statuses'], route: string, status: number): void {
  const ofRoute = statuses.get(route) ?? new Map<number, number>();
  statuses.set(route, ofRoute);
  ofRoute.set(status, (ofRoute.get(status) ?? 0) + 1);
}

function describe(number: number, broken: string, sent: Buffer, answered: string): string {
  const shown =
    sent.length > SHOWN_BYTES
      ? `${sent.toString('latin1', 0, SHOWN_BYTES)}… (${sent.length} bytes)`
      : sent.toString('latin1');
  return (
    `Request ${number}: ${broken}\n  sent: ${JSON.stringify(shown)}\n  answered: ` + `${answered.slice(0, SHOWN_BYTES)}`
  );
}
