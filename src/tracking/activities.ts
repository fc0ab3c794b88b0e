// Activities of a device by their index in the list of the interface, which is in the order of the alphabet; -1 where
// none was sent.

export const IN_VEHICLE = 0;
export const ON_BICYCLE = 1;
const ON_FOOT = 2;
export const RUNNING = 3;
export const STILL = 4;
const WALKING = 7;

/** True if the device is carried by somebody who walks or runs. */
export function isOnFoot(activity: number): boolean {
  return activity === ON_FOOT || activity === RUNNING || activity === WALKING;
}
