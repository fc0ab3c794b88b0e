// What the sensors of a walker say of the time between two requests: the steps along a straight line, and its heading,
// in the words of the interface.

import { RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import type { Walk } from './indoor_scan.ts';

/** An entry of `sensors`. */
export interface Walked {
  steps: number;
  heading?: number;
}

/** The steps after one time, up to another, milliseconds since 1970. */
export function stepsBetween({ steps }: Walk, fromMs: number, toMs: number): Walked {
  let east = 0;
  let north = 0;
  for (const [timeMs, headingRadians] of steps) {
    if (timeMs <= fromMs || timeMs > toMs) continue;
    east += Math.sin(headingRadians);
    north += Math.cos(headingRadians);
  }
  const straight = Math.round(Math.hypot(east, north));
  if (straight === 0) return { steps: 0 };
  return { steps: straight, heading: (Math.round(Math.atan2(east, north) / RADIANS_PER_DEGREE) + 360) % 360 };
}
