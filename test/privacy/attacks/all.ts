// All attacks, in the order of the tables in docs/security.md.

import type { Attack } from '../campaign.ts';
import * as alone from './alone.ts';
import * as anchors from './anchors.ts';
import * as batteries from './batteries.ts';
import * as blocks from './blocks.ts';
import * as building from './building.ts';
import * as claims from './claims.ts';
import * as compass from './compass.ts';
import * as devices from './devices.ts';
import * as families from './families.ts';
import * as places from './places.ts';
import * as siblings from './siblings.ts';
import * as spread from './spread.ts';
import { LAST_OF_MANY } from './suspects.ts';

/** Each attack once. */
export const ATTACKS: readonly Attack[] = [
  alone,
  siblings,
  blocks,
  batteries,
  spread,
  families,
  anchors,
  compass,
  places,
  claims,
  building,
  devices,
]
  .flatMap(module => Object.values(module).filter(isAttack))
  .concat(LAST_OF_MANY);

function isAttack(value: unknown): value is Attack {
  return typeof value === 'object' && value !== null && 'run' in value;
}
