// A drawn world: access points of a list, hidden points among them, and levels by log-distance path loss with noise. A
// share of the stations has moved since the list was made, so what is received comes from elsewhere. The locator knows
// neither the constants nor who has moved.

import { normal, shuffled, uniform } from '../random.ts';
import { METRES_A_DEGREE, metresTo, moved, type Position } from './ground.ts';
import { deviceMac } from './stations.ts';
import type { World } from './world.ts';

export interface ListedStation {
  mac: number;
  position: Position;
}

/** How a world is drawn. Defaults are those of `TOWN`. */
export interface Draw {
  seed: number;
  points: number;
  /** Level at one metre in dBm, path-loss exponent, and the noise of a level in dB. */
  referenceDbm: number;
  exponent: number;
  noiseDb: number;
  /** Noise of the whole scan in dB: receivers differ. */
  receiverDb: number;
  /** Weaker levels are not received. */
  cutDbm: number;
  /** Stations heard at a point: at least, at most. */
  heardMin: number;
  heardMax: number;
  /** Which of too many are in the scan: the strongest, or any. */
  keep: 'strongest' | 'any';
  movedShare: number;
  movedMetres: number;
}

export const TOWN: Draw = {
  seed: 1,
  points: 2000,
  referenceDbm: -38,
  exponent: 3,
  noiseDb: 6,
  receiverDb: 0,
  cutDbm: -90,
  heardMin: 3,
  heardMax: 30,
  keep: 'strongest',
  movedShare: 0.1,
  movedMetres: 300,
};

export interface Heard {
  station: ListedStation;
  signalDbm: number;
}

export interface Scan {
  truth: Position;
  heard: Heard[];
}

/**
 * A synthetic town: streets 60 m apart, houses beside them, and now and then a tower block with many stations at one
 * spot.
 */
export function syntheticTown(seed: number, count: number): ListedStation[] {
  const random = uniform(seed);
  const side = Math.sqrt(count / 3000) * 1000;
  const centre: Position = [49.87, 8.65];
  const stations: ListedStation[] = [];
  while (stations.length < count) {
    const along = (random() - 0.5) * side;
    const street = Math.round(((random() - 0.5) * side) / 60) * 60 + (random() < 0.5 ? -12 : 12) + random() * 6;
    const [east, north] = random() < 0.5 ? [along, street] : [street, along];
    const flats = random() < 0.03 ? 15 : 1;
    for (let flat = 0; flat < flats; flat++)
      stations.push({ mac: deviceMac(stations.length), position: moved(centre, east, north) });
  }
  return stations;
}

/** Draws the scans of a world. */
export function drawScans(listed: readonly ListedStation[], draw: Draw): Scan[] {
  const random = uniform(draw.seed);
  const noise = normal(random);
  const positions = new TruePositions(listed);
  for (let i = 0; i < listed.length; i++) {
    if (random() >= draw.movedShare) continue;
    const angle = random() * 2 * Math.PI;
    positions.east[i] += draw.movedMetres * Math.sin(angle);
    positions.north[i] += draw.movedMetres * Math.cos(angle);
  }
  positions.index();
  const reach = 10 ** ((draw.referenceDbm - draw.cutDbm + 2 * draw.noiseDb) / (10 * draw.exponent));
  const scans: Scan[] = [];
  while (scans.length < draw.points) {
    // Beside a random station, so that points lie where people are.
    const beside = Math.floor(random() * listed.length);
    const east = positions.east[beside] + noise() * 40;
    const north = positions.north[beside] + noise() * 40;
    const receiver = noise() * draw.receiverDb;
    const heard: Heard[] = [];
    for (const i of positions.within(east, north, reach)) {
      const metres = Math.max(1, Math.hypot(positions.east[i] - east, positions.north[i] - north));
      const level = draw.referenceDbm - 10 * draw.exponent * Math.log10(metres) + noise() * draw.noiseDb + receiver;
      if (level >= draw.cutDbm) heard.push({ station: listed[i], signalDbm: Math.min(-20, Math.round(level)) });
    }
    if (heard.length < draw.heardMin) continue;
    const wanted = draw.heardMin + Math.floor(random() * (draw.heardMax - draw.heardMin + 1));
    const kept = draw.keep === 'strongest' ? heard.sort((a, b) => b.signalDbm - a.signalDbm) : shuffled(heard, random);
    scans.push({ truth: positions.positionOf(east, north), heard: kept.slice(0, wanted) });
  }
  return scans;
}

/** Errors in metres and the radius given, one a scan; infinite where nothing was found. */
export interface Outcome {
  errors: number[];
  radii: number[];
}

/** Lets the locator of a world answer the scans. */
export function locateScans(world: World, scans: readonly Scan[]): Outcome {
  const answers = scans.map(scan => {
    const question = world.ask();
    for (const { station, signalDbm } of scan.heard) question.wifiByMac(station.mac, signalDbm);
    return question.answer();
  });
  return {
    errors: answers.map((answer, i) => metresTo(answer, scans[i].truth)),
    radii: answers.map(answer => answer?.accuracyMetres ?? 0),
  };
}

/** Weighted centroid of what was heard: the plain one, and the one that weighs by 1 / s^2. */
export function locateByCentroid(scans: readonly Scan[], weightOf: (signalDbm: number) => number): number[] {
  return scans.map(({ heard, truth }) => {
    let weights = 0;
    let latitude = 0;
    let longitude = 0;
    for (const { station, signalDbm } of heard) {
      const weight = weightOf(signalDbm);
      weights += weight;
      latitude += weight * station.position[0];
      longitude += weight * station.position[1];
    }
    return metresTo([latitude / weights, longitude / weights], truth);
  });
}

/** Share of the truths inside the radius given. */
export function insideShare({ errors, radii }: Outcome): number {
  return errors.filter((error, i) => error <= radii[i]).length / errors.length;
}

/** True positions of stations in metres, found by a grid. */
class TruePositions {
  readonly east: Float64Array;
  readonly north: Float64Array;
  private readonly origin: Position;
  private readonly cells = new Map<number, number[]>();
  private static readonly cellMetres = 50;

  constructor(listed: readonly ListedStation[]) {
    this.origin = listed[0].position;
    const metresEast = METRES_A_DEGREE * Math.cos((this.origin[0] * Math.PI) / 180);
    this.east = Float64Array.from(listed, ({ position }) => (position[1] - this.origin[1]) * metresEast);
    this.north = Float64Array.from(listed, ({ position }) => (position[0] - this.origin[0]) * METRES_A_DEGREE);
  }

  index(): void {
    for (let i = 0; i < this.east.length; i++) {
      const cell = this.cellAt(this.east[i], this.north[i]);
      const others = this.cells.get(cell);
      if (others === undefined) this.cells.set(cell, [i]);
      else others.push(i);
    }
  }

  positionOf(east: number, north: number): Position {
    return moved(this.origin, east, north);
  }

  within(east: number, north: number, metres: number): number[] {
    const found: number[] = [];
    for (let x = east - metres; x < east + metres + TruePositions.cellMetres; x += TruePositions.cellMetres) {
      for (let y = north - metres; y < north + metres + TruePositions.cellMetres; y += TruePositions.cellMetres) {
        for (const i of this.cells.get(this.cellAt(x, y)) ?? []) {
          if (Math.hypot(this.east[i] - east, this.north[i] - north) <= metres) found.push(i);
        }
      }
    }
    return found;
  }

  private cellAt(east: number, north: number): number {
    return Math.floor(east / TruePositions.cellMetres) * 100_000 + Math.floor(north / TruePositions.cellMetres);
  }
}
