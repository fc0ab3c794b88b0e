// Walks through drawn buildings, from what their radios would be heard like, through the fingerprint map, to the track.

import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { posteriorOf, summarise } from '../../../src/indoor/fingerprints/posterior.ts';
import { StairMap } from '../../../src/indoor/tracking/stairs.ts';
import { IndoorTracker } from '../../../src/indoor/tracking/tracker.ts';
import type { Motion } from '../../../src/radio/query/answer.ts';
import { type DrawnRadio, heardAt, scanOf, survey } from '../../kits/fingerprints/drawn_building.ts';
import { uniform } from '../../kits/random.ts';
import { motion } from '../../kits/tracked_building.ts';

const tracker = new IndoorTracker(new TrackedParticles(instantiateCore()));
const CEILING_DB = 18;
const GLASS_DB = 3;
const NOISE_DB = 4;
const HPA_A_FLOOR = 0.48;

type At = readonly [floor: number, east: number, north: number];

interface Answer {
  floor: number;
  metres: number;
}

/** A part of a floor, 20 m deep, with radios and surveyed points. */
function part(
  floor: number,
  from: number,
  to: number,
  radios: number,
  random: () => number,
): { radios: DrawnRadio[]; points: At[] } {
  const columns = Math.floor((to - from) / 2);
  return {
    radios: Array.from({ length: radios }, (_, i) => ({
      radio: 100_000 * (floor + 2) + 1000 * Math.round(from / 20) + i,
      floor,
      east: from + (to - from) * random(),
      north: 20 * random(),
    })),
    points: Array.from(
      { length: columns * 10 },
      (_, i) => [floor, from + 1 + 2 * (i % columns), 1 + 2 * Math.floor(i / columns)] as const,
    ),
  };
}

/** A device in drawn buildings, that asks every five seconds. */
class Walker {
  /** Radios as they are now. */
  radios: readonly DrawnRadio[];
  private readonly maps: readonly FingerprintMap[];
  private readonly ceilingDb: number;
  private readonly random: () => number;
  private state: Uint8Array | undefined;
  /** Where floors are changed, as far as that is known. */
  stairs: StairMap | undefined;
  private timeMs = 1_700_000_000_000;

  constructor(parts: readonly ReturnType<typeof part>[][], ceilingDb: number, random: () => number) {
    this.radios = parts.flat().flatMap(({ radios }) => radios);
    this.ceilingDb = ceilingDb;
    this.random = random;
    this.maps = parts.map(building => {
      const points = building.flatMap(each => each.points);
      return new FingerprintMap(
        buildFingerprintMap(survey(this.radios, points, ceilingDb, NOISE_DB, random), {
          latitude: 47.1,
          longitude: 9.5,
        }),
      );
    });
  }

  /** Forgets the track. */
  beginAnew(): void {
    this.state = undefined;
  }

  /** One request. @returns by the scan alone, and by the track */
  ask(at: At, sent: Partial<Motion> = {}): { building: number; isFollowed: boolean; single: Answer; tracked: Answer } {
    this.timeMs += 5_000;
    const scan = scanOf(heardAt(this.radios, at, this.ceilingDb, NOISE_DB, this.random));
    // Of two buildings the one whose map explains the scan best, as in the service.
    const explained = this.maps.map(map => map.match(scan, true)?.explained ?? Number.NEGATIVE_INFINITY);
    const building = explained.indexOf(Math.max(...explained));
    const match = this.maps[building].match(scan)!;
    const { timeMs, state, stairs } = this;
    const followed = tracker.follow({ building, timeMs, motion: motion(sent), match, state, stairs })!;
    this.state = followed.state;
    const answer = ({
      floor,
      eastMetres,
      northMetres,
    }: {
      floor: number;
      eastMetres: number;
      northMetres: number;
    }) => ({ floor, metres: Math.hypot(eastMetres - at[1], northMetres - at[2]) });
    return {
      building,
      isFollowed: followed.isFollowed,
      single: answer(summarise(posteriorOf(match))),
      tracked: answer(followed.position),
    };
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const storeys = (floors: readonly number[], random: () => number) =>
  floors.map(floor => part(floor, 0, 40, 10, random));

/** Walks there and back along a floor, 20 times. */
function strolls(walker: Walker): { single: Answer[]; tracked: Answer[]; floors: number[] } {
  const [single, tracked, floors]: [Answer[], Answer[], number[]] = [[], [], []];
  for (let walk = 0; walk < 20; walk++) {
    walker.beginAnew();
    for (let k = 0; k < 12; k++) {
      const there = k < 6;
      const answers = walker.ask(
        [walk % 3, 3 + 6.5 * (there ? k : 11 - k), 10],
        k === 0 ? {} : { steps: k === 6 ? 0 : 10, headingDegrees: there ? 90 : 270 },
      );
      single.push(answers.single);
      tracked.push(answers.tracked);
      floors.push(walk % 3);
    }
  }
  return { single, tracked, floors };
}

const rightFloors = (answers: readonly Answer[], floors: readonly number[]) =>
  mean(answers.map(({ floor }, i) => (floor === floors[i] ? 1 : 0)));

test('in a glass atrium, where all floors are heard, the pressure tells the floor within two requests of a lift ride', () => {
  const random = uniform(21);
  const walker = new Walker([storeys([0, 1, 2, 3], random)], GLASS_DB, random);
  for (let ride = 0; ride < 20; ride++) {
    const [from, to] = [0, 1 + (ride % 3)];
    const east = 5 + 1.5 * ride;
    walker.beginAnew();
    // Who comes in at the ground floor has been heard there for some time.
    for (let k = 0; k < 6; k++) walker.ask([from, east, 10], { steps: 0, headingDegrees: 0, pressureHpa: 1000 });
    walker.ask([to, east, 10], { steps: 0, headingDegrees: 0, pressureHpa: 1000 - HPA_A_FLOOR * to });
    const { tracked } = walker.ask([to, east, 10], {
      steps: 0,
      headingDegrees: 0,
      pressureHpa: 1000 - HPA_A_FLOOR * to,
    });
    expect(tracked.floor, `ride ${ride}`).toBe(to);
  }
});

test('on stairs the floor follows a pressure that falls by half a floor from request to request', () => {
  const random = uniform(22);
  const walker = new Walker([storeys([0, 1, 2], random)], CEILING_DB, random);
  for (let climb = 0; climb < 20; climb++) {
    walker.beginAnew();
    const east = 10 + climb;
    const pressureHpa = (floors: number) => 1000 - HPA_A_FLOOR * floors + 0.03 * (random() - 0.5);
    for (let k = 0; k < 3; k++) walker.ask([0, east, 5], { steps: 0, headingDegrees: 0, pressureHpa: pressureHpa(0) });
    for (const height of [0.5, 1, 1.5, 2]) {
      walker.ask([Math.round(height), east, 5], {
        steps: 2,
        headingDegrees: height % 1 === 0 ? 0 : 180,
        pressureHpa: pressureHpa(height),
      });
    }
    const { tracked } = walker.ask([2, east, 5], { steps: 0, headingDegrees: 0, pressureHpa: pressureHpa(2) });
    expect(tracked.floor, `climb ${climb}`).toBe(2);
    expect(tracked.metres).toBeLessThan(8);
  }
});

test('where the plan shows the lift, a draught that is felt like a floor is none, and a ride is one', () => {
  const ride = (isKnown: boolean) => {
    const random = uniform(28);
    const walker = new Walker([storeys([0, 1, 2], random)], GLASS_DB, random);
    if (isKnown) walker.stairs = new StairMap([0, 1, 2].map(floor => ({ floor, stairs: [38, 10, 38, 10] })));
    let mistaken = 0;
    let arrived = 0;
    for (let walk = 0; walk < 30; walk++) {
      walker.beginAnew();
      for (let k = 0; k < 16; k++) {
        // A door is opened in the middle of the hall, and closed when the device has passed.
        const pressureHpa = k >= 4 && k < 8 ? 1000.1 - HPA_A_FLOOR : 1000.1;
        const sent = { steps: k === 0 ? 0 : 3, headingDegrees: 90, pressureHpa };
        if (walker.ask([1, 4 + 2 * k, 10], sent).tracked.floor !== 1) mistaken++;
      }
      const floor = 2 * (walk % 2);
      const sent = { steps: 0, headingDegrees: 0, pressureHpa: 1000.1 - HPA_A_FLOOR * (floor - 1) };
      walker.ask([floor, 38, 10], sent);
      if (walker.ask([floor, 38, 10], sent).tracked.floor === floor) arrived++;
    }
    return { mistaken, arrived };
  };
  const [known, unknown] = [ride(true), ride(false)];
  expect(known.mistaken).toBeLessThan(unknown.mistaken);
  expect(known.arrived).toBe(30);
});

test('a track on a wrong floor is on the right one within three scans', () => {
  const random = uniform(23);
  const walker = new Walker([storeys([0, 1, 2], random)], CEILING_DB, random);
  for (let track = 0; track < 50; track++) {
    walker.beginAnew();
    for (let k = 0; k < 4; k++) walker.ask([2, 5 + 3 * k, 10], { steps: 5, headingDegrees: 90 });
    // No pressure is sent, so nothing but scans says that the device is two floors below.
    const answers = [0, 1, 2].map(k => walker.ask([0, 17 + 3 * k, 10], { steps: 5, headingDegrees: 90 }));
    expect(answers[2].tracked.floor, `track ${track}`).toBe(0);
    expect(answers[2].tracked.metres).toBeLessThan(12);
  }
});

test('a quarter of the access points was moved across the floor: tracks stay on their floors, and nearer than scans', () => {
  const random = uniform(24);
  const walker = new Walker([storeys([0, 1, 2], random)], CEILING_DB, random);
  walker.radios = walker.radios.map((radio, i) =>
    i % 4 === 0 ? { ...radio, east: 40 - radio.east, north: 20 - radio.north } : radio,
  );
  const { single, tracked, floors } = strolls(walker);
  expect(rightFloors(tracked, floors)).toBeGreaterThanOrEqual(0.99);
  expect(mean(tracked.map(({ metres }) => metres))).toBeLessThan(mean(single.map(({ metres }) => metres)));
});

test('half of the stations are new: tracks stay on their floors, and nearer than scans', () => {
  const random = uniform(25);
  const walker = new Walker([storeys([0, 1, 2], random)], CEILING_DB, random);
  walker.radios = walker.radios.map((radio, i) =>
    i % 2 === 0 ? radio : { ...radio, radio: radio.radio + 50_000_000 },
  );
  const { single, tracked, floors } = strolls(walker);
  expect(rightFloors(tracked, floors)).toBeGreaterThanOrEqual(0.99);
  expect(mean(tracked.map(({ metres }) => metres))).toBeLessThan(mean(single.map(({ metres }) => metres)));
});

test('in a building of two towers a track goes from one to the other by the floor that joins them', () => {
  const random = uniform(26);
  const towers = [1, 2].flatMap(floor => [part(floor, 0, 40, 10, random), part(floor, 100, 140, 10, random)]);
  const walker = new Walker([[...towers, part(0, 0, 140, 24, random)]], CEILING_DB, random);
  const far: number[] = [];
  for (let walk = 0; walk < 10; walk++) {
    walker.beginAnew();
    const pressureHpa = (floor: number) => 1000 - HPA_A_FLOOR * floor;
    for (let k = 0; k < 3; k++) walker.ask([2, 20, 10], { steps: 0, headingDegrees: 90, pressureHpa: pressureHpa(2) });
    for (let k = 0; k < 16; k++) {
      const { tracked } = walker.ask([0, 20 + 6.5 * k, 10], {
        steps: k === 0 ? 0 : 10,
        headingDegrees: 90,
        pressureHpa: pressureHpa(0),
      });
      if (k >= 2) expect(tracked.floor, `walk ${walk}, request ${k}`).toBe(0);
      far.push(tracked.metres);
    }
    walker.ask([1, 120, 10], { steps: 0, headingDegrees: 90, pressureHpa: pressureHpa(1) });
    const { tracked } = walker.ask([1, 120, 10], { steps: 0, headingDegrees: 90, pressureHpa: pressureHpa(1) });
    expect(tracked.floor).toBe(1);
    expect(tracked.metres).toBeLessThan(15);
  }
  expect(mean(far)).toBeLessThan(5);
});

test('through a tunnel between two buildings a device is followed in the one, and then in the other', () => {
  const random = uniform(27);
  const walker = new Walker([[part(-1, 0, 70, 14, random)], [part(-1, 70, 140, 14, random)]], CEILING_DB, random);
  for (let walk = 0; walk < 10; walk++) {
    walker.beginAnew();
    const answers = Array.from({ length: 20 }, (_, k) =>
      walker.ask([-1, 8 + 6.5 * k, 10], k === 0 ? {} : { steps: 10, headingDegrees: 90 }),
    );
    expect(answers[0].building).toBe(0);
    expect(answers[19].building).toBe(1);
    // A track begins with the first request in a building, and goes on from there.
    for (const [k, { building, isFollowed }] of answers.entries()) {
      expect(isFollowed, `walk ${walk}, request ${k}`).toBe(k > 0 && answers[k - 1].building === building);
    }
    expect(mean(answers.map(({ tracked }) => tracked.metres))).toBeLessThan(6);
  }
});
