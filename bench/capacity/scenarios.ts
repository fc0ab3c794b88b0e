// What clients ask: the scenarios of a capacity report, each as rendered requests for the load generator. All are drawn
// from the seeded world (../world.ts) and the land on top of it (drawn_land.ts), or read from an operator's own file
// (own_requests.ts).

import { hash32 } from '../../test/kits/random.ts';
import { reportAt } from '../reports.ts';
import { renderBody, renderRequest, type Scan, scanAt } from '../requests.ts';
import type { World } from '../world.ts';
import { questionAt } from './drawn_land.ts';

/** Distinct devices: with ten million stations, enough to overflow the caches of a processor. */
const DEVICES = 20_000;
/** One request in so many contributes a report. */
const CONTRIBUTION_EVERY = 10;

/** One kind of client. */
export interface Scenario {
  /** As in targets.json and in reports. */
  name: string;
  /** One line for people. */
  about: string;
  /** Requests differ from slice to slice and leave work behind, which the next slice must wait for. */
  isLearned: boolean;
  /** At least one request; if `isLearned`, as many as given, of which no later call repeats a report. */
  requests(arrivals: number): Buffer[];
}

/** The drawn scenarios, in the order of reports. @param key account of all requests; it may contribute */
export function drawScenarios(world: World, key: string): Scenario[] {
  const devices = Array.from({ length: Math.min(DEVICES, world.accessPoints) }, (_, number) => scanAt(world, number));
  const locate = (body: string) => renderRequest(`/?key=${key}`, body);
  const each = (name: string, about: string, render: (device: Scan, number: number) => Buffer): Scenario => {
    let drawn: Buffer[] | undefined;
    const requests = () => {
      drawn ??= devices.map(render);
      return drawn;
    };
    return { name, about, isLearned: false, requests };
  };
  const phones = each('phones', 'positions from cells and access points', device => locate(renderBody(device)));
  return [
    each('trackers', 'positions from access points', device => locate(renderBody(device, 'access points'))),
    phones,
    each('cells', 'positions from cells', device => locate(renderBody(device, 'cells'))),
    each('addresses', 'positions from cells and access points, each with its address', device =>
      locate(renderBody(device, 'access points and cells', { address: 1 })),
    ),
    each('reverse', 'GET /reverse, the address of a point', ({ latitude, longitude }) =>
      renderRequest(`/reverse?key=${key}&lat=${latitude.toFixed(7)}&lon=${longitude.toFixed(7)}`, undefined),
    ),
    each('search', 'GET /search: addresses, mistyped addresses and towns', (_, number) =>
      renderRequest(`/search?key=${key}&limit=1&q=${encodeURIComponent(questionAt(world, number))}`, undefined),
    ),
    contributions(world, key, phones),
  ];
}

/** Phones of which every tenth request contributes a report that nobody has sent before. */
function contributions(world: World, key: string, phones: Scenario): Scenario {
  let report = 0;
  const submit = () =>
    renderRequest(`/v2/geosubmit?key=${key}`, JSON.stringify({ items: [reportAt(world, report++)] }));
  const requests = (arrivals: number) => {
    const lookups = phones.requests(arrivals);
    const at = hash32(world.seed, report, 0);
    return Array.from({ length: arrivals }, (_, i) =>
      i % CONTRIBUTION_EVERY === 0 ? submit() : lookups[(at + i) % lookups.length],
    );
  };
  return { name: 'contributions', about: 'phones, one request in ten contributes a report', isLearned: true, requests };
}

/** Scenarios in equal parts as one scenario, on the same connections. @param parts that are not learned */
export function mixScenarios(parts: readonly Scenario[]): Scenario {
  const requests = (arrivals: number) => {
    const drawn = parts.map(part => part.requests(arrivals));
    const longest = Math.max(...drawn.map(({ length }) => length));
    return Array.from({ length: longest * parts.length }, (_, i) => {
      const part = drawn[i % parts.length];
      return part[Math.floor(i / parts.length) % part.length];
    });
  };
  return {
    name: 'mix',
    about: `${parts.map(({ name }) => name).join(', ')} in equal parts`,
    isLearned: false,
    requests,
  };
}
