// Where a building's radios seem to be from each floor on which they are heard: levels fall with the logarithm of the
// distance from a point. For a radio of another floor that is the point below or above it. Walls, and what else bends
// that, are not in it: neighbouring places share their differences from it.

/** What was heard at a place: columns of radios, by their number, and of their levels (strength.ts). */
export interface HeardPlace {
  readonly floor: number;
  readonly eastMetres: number;
  readonly northMetres: number;
  readonly radio: Uint32Array;
  /** 0..1 */
  readonly level: Float32Array;
}

/** A radio as a point of a floor. */
export interface Source {
  eastMetres: number;
  northMetres: number;
  /** Level at a metre, and what is added to it for each unit of the natural logarithm of the metres. */
  level: number;
  slope: number;
}

/** A radio at a place, with its level. */
interface Heard {
  place: HeardPlace;
  level: number;
}

/** Where a radio was heard on a floor. */
interface Hearing {
  count: number;
  readonly east: Float64Array;
  readonly north: Float64Array;
  readonly level: Float64Array;
}

/** Radios hang from ceilings, and maps are no finer: a radio is so far above. */
const ABOVE_METRES = 4;
/** What fewer places of a floor heard has no source there. */
const PLACES_MIN = 6;
/** A source is fitted to at most so many places: of more, to every second, third or so on. */
const PLACES_MAX = 256;
/** The search begins at the centroid of the places that heard the radio best, by a power of their levels. */
const LOUDEST = 8;
const LOUDEST_POWER = 6;
/** Old readings have nearly no level. */
const LEVEL_MIN = 1e-6;
/** It goes on by steps of these lengths, for each at most so many times. */
const STEPS_METRES = [8, 4, 2];
const ROUNDS = 3;
const DIRECTIONS = [[1, 0], [-1, 0], [0, 1], [0, -1]]; // biome-ignore format: one line
/** Slopes that there are, and the one for places that are all as far: nearly that of free space, -0.083. */
const SLOPE_MIN = -0.2;
const SLOPE_MAX = -0.03;
const SLOPE_USUAL = -0.08;
const SPREAD_MIN = 1e-6;

/**
 * Finds the sources of all radios.
 * @param places of all floors
 * @param radios their number: radios are numbered from 0
 * @param onStep called for each radio
 * @returns by the number of the radio, by floor; without those that too few places heard
 */
export function sourcesOf(
  places: readonly HeardPlace[],
  radios: number,
  onStep: () => void,
): ReadonlyMap<number, Source>[] {
  const heardBy = Array.from({ length: radios }, () => new Map<number, Heard[]>());
  for (const place of places) {
    for (const [i, number] of place.radio.entries()) {
      const heard = heardBy[number].get(place.floor) ?? [];
      heardBy[number].set(place.floor, heard);
      heard.push({ place, level: place.level[i] });
    }
  }
  return heardBy.map(byFloor => {
    onStep();
    const sources = new Map<number, Source>();
    for (const [floor, heard] of byFloor) if (heard.length >= PLACES_MIN) sources.set(floor, sourceOf(heard));
    return sources;
  });
}

/** The level of a radio at a point of the floor, as its source alone has it. */
export function levelFrom({ eastMetres, northMetres, level, slope }: Source, east: number, north: number): number {
  return level + slope * logarithmOf(east - eastMetres, north - northMetres);
}

function sourceOf(heard: Heard[]): Source {
  heard.sort((a, b) => b.level - a.level);
  let [east, north, total] = [0, 0, 0];
  for (const { place, level } of heard.slice(0, LOUDEST)) {
    const weight = Math.max(LEVEL_MIN, level) ** LOUDEST_POWER;
    east += weight * place.eastMetres;
    north += weight * place.northMetres;
    total += weight;
  }
  const stride = Math.ceil(heard.length / PLACES_MAX);
  const fitted = heard.filter((_, i) => i % stride === 0);
  const hearing = {
    count: fitted.length,
    east: Float64Array.from(fitted, ({ place }) => place.eastMetres),
    north: Float64Array.from(fitted, ({ place }) => place.northMetres),
    level: Float64Array.from(fitted, ({ level }) => level),
  };
  let best = fitAt(hearing, east / total, north / total);
  for (const step of STEPS_METRES) {
    for (let round = 0; round < ROUNDS; round++) {
      const before = best;
      for (const [x, y] of DIRECTIONS) {
        const moved = fitAt(hearing, best.eastMetres + step * x, best.northMetres + step * y);
        if (moved.error < best.error) best = moved;
      }
      if (best === before) break;
    }
  }
  const { eastMetres, northMetres, level, slope } = best;
  return { eastMetres, northMetres, level, slope };
}

/** Level and slope for a source at a point, by least squares, and the sum of the squares that are left. */
function fitAt(
  { count, east, north, level }: Hearing,
  eastMetres: number,
  northMetres: number,
): Source & { error: number } {
  let [x, y, xx, xy, yy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const logarithm = logarithmOf(east[i] - eastMetres, north[i] - northMetres);
    x += logarithm;
    y += level[i];
    xx += logarithm * logarithm;
    xy += logarithm * level[i];
    yy += level[i] * level[i];
  }
  const spread = count * xx - x * x;
  const measured = spread > SPREAD_MIN ? (count * xy - x * y) / spread : SLOPE_USUAL;
  const slope = Math.min(SLOPE_MAX, Math.max(SLOPE_MIN, measured));
  const atOne = (y - slope * x) / count;
  // The sum of (y - atOne - slope * x) squared.
  const error =
    yy + count * atOne * atOne + slope * slope * xx - 2 * atOne * y - 2 * slope * xy + 2 * atOne * slope * x;
  return { eastMetres, northMetres, level: atOne, slope, error };
}

function logarithmOf(east: number, north: number): number {
  return 0.5 * Math.log(ABOVE_METRES * ABOVE_METRES + east * east + north * north);
}
