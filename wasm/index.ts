// Exports of the numeric core: the kernels, and the constants it was compiled with, which start-up compares with
// memory.ts (src/core/instantiate.ts).

export { scanBody } from './body/body';
export { beginMatch, explainMatch, matchRadio, weighMatch } from './fingerprints/match';
export { fuse } from './fuse';
export { eastOf, latitudeOf, longitudeOf, northOf, setFrame } from './geodesy';
export {
  CORE_END,
  LAYOUT_VERSION,
  MAX_BODY,
  MAX_COMPONENTS,
  MAX_ESTIMATES,
  MAX_MAP_PLACES,
  MAX_NEAR_WALLS,
  MAX_OBSERVATIONS,
  MAX_PARTICLES,
  MAX_PLACES,
  MAX_POINTS,
  MAX_SOLVE,
} from './memory';
export { distanceAt } from './path_loss';
export { radius } from './radius';
export { drawMoving } from './tracking/draw_moving';
export { drawParticles } from './tracking/draw_particles';
export { moveParticles } from './tracking/move_particles';
export { boxOfParticles, stopAtWalls } from './tracking/stop_at_walls';
export { weighByPlaces } from './tracking/weigh_by_places';
export { weighByPoints } from './tracking/weigh_by_points';
export { locateByTransmitters } from './transmitters/fix';
export { placeSelected } from './transmitters/gather';
export { trilaterate } from './trilaterate';

/** First byte after the static data; must not exceed CORE_BASE. */
export function staticEnd(): i32 {
  return <i32>__heap_base;
}
