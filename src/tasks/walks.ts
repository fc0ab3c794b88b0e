// Walks of a device, to be played back: its logged positions that follow each other. A walk ends where nothing was
// asked for some minutes.

import type { LoggedRequest } from '../tables/requests/record.ts';
import { type RequestFilter, RequestSearch } from '../tables/requests/search.ts';

const HOUR_MS = 3_600_000;
/** A longer pause ends a walk. */
const PAUSE_MS = 300_000;
/** The latest positions that are shown. */
const PAGE = { requests: 2_000, bytes: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY };
const FOUND: readonly [number, number] = [200, 200];

/** A position that was answered. */
export interface Step {
  logId: number;
  /** ISO 8601, UTC. */
  time: string;
  latitude: number;
  longitude: number;
  accuracy: number;
  /** Building, floor and room, as in the answer. */
  indoor?: object;
}

/** Positions that follow each other. */
interface Walk {
  from: string;
  to: string;
  steps: Step[];
}

/** Whose positions are looked for. */
interface WalkQuery {
  device: string;
  /** Number of the key; any where it is absent. */
  account: number | undefined;
  /** How far back. */
  hours: number;
}

/** The walks of a device, the latest first. @throws Error when the log cannot be used */
export async function readWalks(folder: string, { device, account, hours }: WalkQuery): Promise<Walk[]> {
  const log = RequestSearch.open(folder);
  if (log === undefined) return [];
  const steps: Step[] = [];
  try {
    const nowMs = Date.now();
    const filter: RequestFilter = {
      device,
      account,
      status: FOUND,
      route: 'position',
      fromMs: nowMs - hours * HOUR_MS,
    };
    const { requests } = await log.page(filter, () => true, PAGE, nowMs, undefined);
    steps.push(...requests.flatMap(stepOf));
  } finally {
    await log.close();
  }
  steps.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.logId - b.logId));
  return walksOf(steps).reverse();
}

/** The position that a request was answered with; none where the answer was cut, or is not kept. */
export function stepOf({ logId, time, response }: LoggedRequest): Step[] {
  const { location, accuracy, indoor } = (typeof response === 'object' ? response : {}) as {
    location?: { lat: number; lng: number };
    accuracy?: number;
    indoor?: object;
  };
  if (location === undefined || accuracy === undefined) return [];
  const { lat: latitude, lng: longitude } = location;
  return [{ logId, time, latitude, longitude, accuracy, ...(indoor !== undefined && { indoor }) }];
}

function walksOf(steps: readonly Step[]): Walk[] {
  const walks: Walk[] = [];
  for (const step of steps) {
    const walk = walks.at(-1);
    if (walk === undefined || Date.parse(step.time) - Date.parse(walk.to) > PAUSE_MS)
      walks.push({ from: step.time, to: step.time, steps: [step] });
    else {
      walk.steps.push(step);
      walk.to = step.time;
    }
  }
  return walks;
}
