// How a device may have moved since its last request, by what its sensors say. With steps and a heading it is dead
// reckoning: the steps have a length and the compass an error, which differ between devices and are learned. Without
// them a person is taken to walk about: straight on for some seconds, then elsewhere.
//
// What no device can have measured counts as not sent: so a phone that sends all steps since it was switched on is
// followed by its scans.

import type { Motion } from '../../radio/query/answer.ts';
import { IN_VEHICLE, ON_BICYCLE, RUNNING, STILL } from '../../tracking/activities.ts';
import type { ParticleMove } from '../core/tracked_particles.ts';

/** Metres along the line between two points for one effective step, as the median of surveyed walks has it. */
const STEP_METRES = 0.65;
/** Nobody takes more, to the second. */
const STEPS_A_SECOND = 4;
/** Air pressure on Earth where there are buildings, hPa. */
const PRESSURE_MIN = 300;
const PRESSURE_MAX = 1100;
/** Speeds of a device without steps, m/s. */
const SPEED = 1.5;
const SPEED_STILL = 0.1;
const SPEED_RUNNING = 3;
const SPEED_CYCLING = 4;
/** How long somebody goes the same way. */
const STRAIGHT_SECONDS = 20;
/** Error of a move by steps: of their count, of the heading, and what neither explains. */
const LENGTH_SIGMA_METRES = 0.3;
const HEADING_SIGMA = 0.12;
const BIAS_SIGMA_A_REQUEST = 0.04;
const DRIFT_SIGMA_METRES = 0.8;
/** The longer the gap, the more of the way the steps leave out, m/s. */
const DRIFT_METRES_A_SECOND = 0.03;

/** The motion without what cannot be. @param seconds since the last request, above 0 */
export function plausibleMotion(motion: Motion, seconds: number): Motion {
  const { steps, pressureHpa } = motion;
  return {
    ...motion,
    steps: steps <= STEPS_A_SECOND * seconds ? steps : Number.NaN,
    pressureHpa: pressureHpa >= PRESSURE_MIN && pressureHpa <= PRESSURE_MAX ? pressureHpa : Number.NaN,
  };
}

/** True if the sensors say where the device went: steps in a direction, or that it stayed. */
export function isGuided({ steps, headingDegrees, activity }: Motion): boolean {
  return activity === STILL || steps === 0 || (steps > 0 && !Number.isNaN(headingDegrees));
}

/** True if the device is not in a building any more. */
export function leavesBuilding({ activity }: Motion): boolean {
  return activity === IN_VEHICLE;
}

/** The move since the last request. @param seconds since then, above 0 */
export function moveOf({ steps, headingDegrees, activity }: Motion, seconds: number): ParticleMove {
  const move = {
    lengthMetres: 0,
    heading: 0,
    lengthSigma: 0,
    headingSigma: 0,
    biasSigma: BIAS_SIGMA_A_REQUEST,
    driftSigma: 0,
  };
  if (steps >= 0) {
    const lengthMetres = steps * STEP_METRES;
    const driftSigma = DRIFT_SIGMA_METRES + DRIFT_METRES_A_SECOND * seconds;
    // The direction is not known: anywhere on a circle.
    if (Number.isNaN(headingDegrees)) return { ...move, driftSigma: Math.hypot(driftSigma, lengthMetres / Math.SQRT2) };
    const heading = (headingDegrees * Math.PI) / 180;
    return {
      ...move,
      lengthMetres,
      heading,
      lengthSigma: steps > 0 ? LENGTH_SIGMA_METRES : 0,
      headingSigma: HEADING_SIGMA,
      driftSigma,
    };
  }
  const straight = Math.min(seconds, STRAIGHT_SECONDS);
  return {
    ...move,
    driftSigma: Math.hypot(DRIFT_SIGMA_METRES / 2, speedOf(activity) * Math.sqrt((seconds * straight) / 2)),
  };
}

function speedOf(activity: number): number {
  if (activity === STILL) return SPEED_STILL;
  if (activity === RUNNING) return SPEED_RUNNING;
  return activity === ON_BICYCLE ? SPEED_CYCLING : SPEED;
}
