// The twin of wasm/tracking/weigh_by_places.ts in plain JavaScript, over typed arrays and without allocation.

import type { Core } from '../../src/core/core.ts';

/** The particles of a core, weighed apart from it. */
export class PlainTrackedParticles {
  /** A copy of the weights as they were. */
  readonly weight: Float32Array;
  private readonly core: Core;

  constructor(core: Core) {
    this.core = core;
    this.weight = core.particleWeight.slice();
  }

  /** As `TrackedParticles.weigh`. */
  weigh(count: number, places: number, reachMetres: number, background: number): void {
    const { particleEast, particleNorth, tracked } = this.core;
    const { placeEast, placeNorth, placeFloor, placeWeight } = tracked;
    const curve = 1 / (reachMetres * reachMetres);
    let total = 0;
    for (let i = 0; i < count; i++) {
      let likelihood = background;
      for (let p = 0; p < places; p++) {
        if (placeFloor[p] !== tracked.floor[i]) continue;
        const dx = particleEast[i] - placeEast[p];
        const dy = particleNorth[i] - placeNorth[p];
        const near = Math.max(0, 1 - (dx * dx + dy * dy) * curve);
        likelihood += near * near * placeWeight[p];
      }
      this.weight[i] *= likelihood;
      total += this.weight[i];
    }
    for (let i = 0; i < count; i++) this.weight[i] /= total;
  }
}
