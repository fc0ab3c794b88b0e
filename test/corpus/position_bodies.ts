// The bodies of the corpus by which devices are located, one by one, for tests that answer them in their own process.

import type { PositionBody } from '../../src/protocol/requests/schema.ts';
import { parsePosition } from '../../src/tasks/locate.ts';
import { allSteps } from './requests.ts';

const PATH = /^\/(v1\/geolocate|geolocation\/v1\/geolocate)?(\?|$)/;

/** Those that have the right structure. */
export function* positionBodies(): Generator<PositionBody> {
  for (const step of allSteps()) {
    if (step === 'aggregate' || step.method !== 'POST' || !PATH.test(step.path) || step.raw !== undefined) continue;
    if (step.body === undefined || step.cutBytes !== undefined) continue;
    let body: PositionBody;
    try {
      body = parsePosition(Buffer.from(step.body));
    } catch {
      continue; // It is refused.
    }
    yield body;
  }
}
