// The local metric frame of the core (wasm/geodesy.ts): a plane around an origin.

import { STATUS_OK } from '../../wasm/memory.ts';
import type { CoreExports } from './instantiate.ts';

/** The frame of one core: all that locates by the same core has the same. */
export class Frame {
  private readonly kernels: CoreExports;

  constructor(kernels: CoreExports) {
    this.kernels = kernels;
  }

  /**
   * Sets the origin, degrees. Accurate to 0.2 % within 10 km at 50 degrees; directions within 11 km of a pole are
   * wrong.
   * @returns false for what is no position
   */
  set(latitude: number, longitude: number): boolean {
    return this.kernels.setFrame(latitude, longitude) === STATUS_OK;
  }

  /** Metres east of the origin, the shorter way around the Earth; NaN for what is no longitude in degrees. */
  eastOf(longitude: number): number {
    return this.kernels.eastOf(longitude);
  }

  /** Metres north of the origin; NaN for what is no latitude in degrees. */
  northOf(latitude: number): number {
    return this.kernels.northOf(latitude);
  }

  /** Latitude in degrees, -90..90, of metres north of the origin. */
  latitudeOf(north: number): number {
    return this.kernels.latitudeOf(north);
  }

  /** Longitude in degrees, -180..180, of metres east of the origin. */
  longitudeOf(east: number): number {
    return this.kernels.longitudeOf(east);
  }
}
