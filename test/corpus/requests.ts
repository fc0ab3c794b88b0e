// All requests of the corpus, in the order in which they are sent. Limits come before contributions, which change what
// is known.

import type { Step } from './exchange.ts';
import { bodyRequests } from './requests/bodies.ts';
import { clientRequests } from './requests/clients.ts';
import { countryRequests } from './requests/countries.ts';
import { fallbackRequests } from './requests/fallbacks.ts';
import { fieldRequests } from './requests/fields.ts';
import { indoorRequests } from './requests/indoor.ts';
import { limitRequests } from './requests/limits.ts';
import { placeRequests } from './requests/places.ts';
import { positionBatchRequests } from './requests/position_batches.ts';
import { positionRequests } from './requests/positions.ts';
import { protocolRequests } from './requests/protocol.ts';
import { submissionRequests } from './requests/submissions.ts';
import { trackingRequests } from './requests/tracking.ts';
import { trailRequests } from './requests/trails.ts';

/** Every step of the replay. */
export function* allSteps(): Generator<Step> {
  yield* positionRequests();
  yield* fieldRequests();
  yield* fallbackRequests();
  yield* clientRequests();
  yield* trackingRequests();
  yield* placeRequests();
  yield* countryRequests();
  yield* limitRequests();
  yield* protocolRequests();
  yield* bodyRequests();
  yield* submissionRequests();
  yield* positionBatchRequests();
  yield* trailRequests();
  yield* indoorRequests();
}
