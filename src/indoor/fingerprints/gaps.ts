// Places that nobody has surveyed, in the gaps between those that somebody has. A scan from such a gap is otherwise
// matched with the nearest corridor: in walks through a mall every sixth scan was made more than four metres from all
// surveyed places, and these scans made a third of the error of all.
//
// What would be heard there is estimated from the nearest places: each radio has the level of its source (sources.ts),
// and the mean of what these places hear beyond theirs. Only what has surveyed places around it is a gap: beyond the
// last of them there may be a wall.

import { NearPoints } from './near.ts';
import type { Place } from './places.ts';
import { type HeardPlace, levelFrom, type Source, sourcesOf } from './sources.ts';
import { levelOfStrength, strengthOf, strengthOfLevel } from './strength.ts';

/** How far the places of gaps are apart, and from surveyed ones at least and at most. */
const GRID_METRES = 4;
const NEAREST_METRES = 4;
const FARTHEST_METRES = 20;
/** How much coarser the grid becomes where there are too many. */
const COARSER = 1.25;
/**
 * Places around are those within twice the distance of the nearest one, and within this. They are around if the mean of
 * their directions is this short.
 */
const AROUND_METRES = 10;
const AROUND_MAX = 0.6;
/** Rows of a column of the grid, more than there are. */
const GRID_ROWS = 2 ** 20;
/**
 * Places that estimate what is heard, the nearest. They count less, the farther they are beyond the nearest one, in
 * parts of its distance.
 */
const NEIGHBOURS = 12;
const DECAY = 0.5;
const DECAY_METRES_MIN = 2;
/** What would be heard at less is not heard. */
const HEARD_MIN = strengthOf(-95);

/** What is known of all surveyed places. */
interface Survey {
  /** The number of each radio. */
  readonly names: readonly number[];
  readonly places: readonly HeardPlace[];
  /** By the number of the radio, by floor. */
  readonly sources: readonly ReadonlyMap<number, Source>[];
  /** By place: the level of each of its radios beyond that of the source; 0 without one. */
  readonly beyond: readonly Float32Array[];
}

/** A point in a gap of a floor. */
interface Gap {
  floor: number;
  eastMetres: number;
  northMetres: number;
  /** The surveyed places that estimate it, by their index, with their distances: the nearest first. */
  near: { place: number; metres: number }[];
}

/**
 * Fills the gaps of a survey.
 * @param surveyed all of its places
 * @param share how likely a device is in any of the gaps before any scan, against all surveyed places together
 * @param most so many places are wanted at most: where there are more, they are farther apart
 * @param onStep called often; an error that it throws ends the work
 */
export function placesOfGaps(surveyed: readonly Place[], share: number, most: number, onStep: () => void): Place[] {
  if (share <= 0) return [];
  const survey = readSurvey(surveyed, onStep);
  const floors = [...new Set(survey.places.map(({ floor }) => floor))];
  for (let gridMetres = GRID_METRES; ; gridMetres *= COARSER) {
    const gaps = floors.flatMap(floor => gapsOn(floor, survey.places, gridMetres, onStep));
    if (gaps.length > most) continue;
    const estimate = new Estimate(survey);
    const cells = surveyed.reduce((sum, { prior }) => sum + prior, 0);
    const prior = Math.min(1, (share * cells) / gaps.length);
    return gaps.map(gap => {
      onStep();
      const { floor, eastMetres, northMetres } = gap;
      return { floor, eastMetres, northMetres, prior, strengths: estimate.at(gap) };
    });
  }
}

function readSurvey(surveyed: readonly Place[], onStep: () => void): Survey {
  const numbers = new Map<number, number>();
  const places = surveyed.map(place => {
    onStep();
    return heardAt(place, numbers);
  });
  const sources = sourcesOf(places, numbers.size, onStep);
  const beyond = places.map(({ floor, eastMetres, northMetres, radio, level }) =>
    level.map((value, i) => {
      const source = sources[radio[i]].get(floor);
      return source === undefined ? 0 : value - levelFrom(source, eastMetres, northMetres);
    }),
  );
  return { names: [...numbers.keys()], places, sources, beyond };
}

/** What was heard at a place. @param numbers of the radios; those that have none get the next ones */
function heardAt({ floor, eastMetres, northMetres, strengths }: Place, numbers: Map<number, number>): HeardPlace {
  const radio = Uint32Array.from(strengths.keys(), name => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  return { floor, eastMetres, northMetres, radio, level: Float32Array.from(strengths.values(), levelOfStrength) };
}

/** The gaps of a floor, in a grid. */
function gapsOn(floor: number, all: readonly HeardPlace[], gridMetres: number, onStep: () => void): Gap[] {
  const indices = all.flatMap(({ floor: own }, i) => (own === floor ? [i] : []));
  const places = indices.map(i => all[i]);
  const points = new NearPoints(places, AROUND_METRES);
  const gaps: Gap[] = [];
  for (const [east, north] of pointsNear(places, gridMetres, onStep)) {
    onStep();
    const near = points.within(east, north, FARTHEST_METRES).map(i => {
      const { eastMetres, northMetres } = places[i];
      return { place: indices[i], metres: Math.hypot(eastMetres - east, northMetres - north) };
    });
    near.sort((a, b) => a.metres - b.metres || a.place - b.place);
    if (near.length === 0 || near[0].metres < NEAREST_METRES) continue;
    const around = points.within(east, north, Math.max(AROUND_METRES, 2 * near[0].metres)).map(i => places[i]);
    if (offCentre(around, east, north) > AROUND_MAX) continue;
    gaps.push({ floor, eastMetres: east, northMetres: north, near: near.slice(0, NEIGHBOURS) });
  }
  return gaps;
}

/** The points of a grid that have a place within reach, in the order of the places. */
function pointsNear(places: readonly HeardPlace[], gridMetres: number, onStep: () => void): Iterable<[number, number]> {
  const points = new Map<number, [number, number]>();
  const first = (metres: number): number => Math.ceil((metres - FARTHEST_METRES) / gridMetres - 0.5);
  for (const { eastMetres: east, northMetres: north } of places) {
    onStep();
    for (let column = first(east); (column + 0.5) * gridMetres <= east + FARTHEST_METRES; column++) {
      for (let row = first(north); (row + 0.5) * gridMetres <= north + FARTHEST_METRES; row++) {
        points.set(column * GRID_ROWS + row, [(column + 0.5) * gridMetres, (row + 0.5) * gridMetres]);
      }
    }
  }
  return points.values();
}

/**
 * Length of the mean of the directions in which places lie: 0 where they are all around, 1 where they are in one
 * direction.
 */
function offCentre(places: readonly HeardPlace[], east: number, north: number): number {
  let [x, y] = [0, 0];
  for (const { eastMetres, northMetres } of places) {
    const metres = Math.hypot(eastMetres - east, northMetres - north);
    x += (eastMetres - east) / metres;
    y += (northMetres - north) / metres;
  }
  return Math.hypot(x, y) / places.length;
}

/** Estimates what is heard in gaps. */
class Estimate {
  private readonly survey: Survey;
  /**
   * By radio, summed over the neighbours that hear it, with their weights: the weights, the levels, what is beyond the
   * source.
   */
  private readonly weights: Float64Array;
  private readonly levels: Float64Array;
  private readonly beyond: Float64Array;

  constructor(survey: Survey) {
    this.survey = survey;
    const radios = survey.names.length;
    this.weights = new Float64Array(radios);
    this.levels = new Float64Array(radios);
    this.beyond = new Float64Array(radios);
  }

  /** The strength of each radio in a gap. */
  at({ floor, eastMetres, northMetres, near }: Gap): Map<number, number> {
    const { names, sources } = this.survey;
    const { weights, levels, beyond } = this;
    const [total, heard] = this.sumUp(near);
    const strengths = new Map<number, number>();
    for (const radio of heard) {
      const source = sources[radio].get(floor);
      const weight = weights[radio];
      const mean = (source === undefined ? levels[radio] : beyond[radio]) / weight;
      const level = source === undefined ? mean : levelFrom(source, eastMetres, northMetres) + mean;
      const strength = (strengthOfLevel(level) * weight) / total;
      if (strength >= HEARD_MIN) strengths.set(names[radio], strength);
      weights[radio] = 0;
    }
    return strengths;
  }

  /** @returns the weight of all neighbours, and the radios that any of them hears */
  private sumUp(neighbours: readonly { place: number; metres: number }[]): [total: number, heard: number[]] {
    const { survey, weights, levels, beyond } = this;
    const nearest = neighbours[0].metres;
    const heard: number[] = [];
    let total = 0;
    for (const { place, metres } of neighbours) {
      const { radio, level } = survey.places[place];
      const beyondSource = survey.beyond[place];
      const weight = Math.exp((nearest - metres) / Math.max(DECAY_METRES_MIN, DECAY * nearest));
      total += weight;
      for (let i = 0; i < radio.length; i++) {
        const r = radio[i];
        if (weights[r] === 0) {
          heard.push(r);
          levels[r] = 0;
          beyond[r] = 0;
        }
        weights[r] += weight;
        levels[r] += weight * level[i];
        beyond[r] += weight * beyondSource[i];
      }
    }
    return [total, heard];
  }
}
