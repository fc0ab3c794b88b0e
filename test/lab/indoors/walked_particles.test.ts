import { expect, test } from 'vitest';
import type { IndoorScan } from '../../../lab/indoors/indoor_scan.ts';
import type { SimpleMethod } from '../../../lab/indoors/nearest_scans.ts';
import { WalkedParticles } from '../../../lab/indoors/walked_particles.ts';
import { normal, uniform } from '../../kits/random.ts';

const METRES_PER_DEGREE = 111_195;

/** A scan that says where it is by its time, which the method below answers. */
const scanAt = (n: number) => ({ timeMs: n }) as IndoorScan;

/** Answers metres east of the null island. */
function answering(eastOf: (n: number) => number | undefined): SimpleMethod {
  return {
    name: 'drawn',
    train() {},
    answer({ timeMs }) {
      const east = eastOf(timeMs!);
      if (east === undefined) return undefined;
      return {
        latitude: 0,
        longitude: east / METRES_PER_DEGREE,
        accuracyMetres: 5,
        building: 'b',
        floor: 2,
        room: undefined,
      };
    },
  };
}

test('a walk is nearer by its steps than by scans alone, and the floor is that of the scan', () => {
  const noise = normal(uniform(3));
  let alone = 0;
  let followed = 0;
  for (let walk = 0; walk < 20; walk++) {
    const fixes = Array.from({ length: 25 }, (_, n) => 6.2 * n + 8 * noise());
    const particles = new WalkedParticles(
      answering(n => fixes[n]),
      walk,
    );
    for (let n = 0; n < 25; n++) {
      const located = particles.locate(scanAt(n), n === 0 ? undefined : { steps: 10, heading: 90 }, n === 0 ? 0 : 5)!;
      alone += Math.abs(fixes[n] - 6.2 * n);
      followed += Math.hypot(located.longitude * METRES_PER_DEGREE - 6.2 * n, located.latitude * METRES_PER_DEGREE);
      expect(located).toMatchObject({ building: 'b', floor: 2 });
      expect(located.accuracyMetres).toBeGreaterThanOrEqual(1);
    }
  }
  expect(followed).toBeLessThan(0.8 * alone);
});

test('the same walk has the same answers, and what the method does not locate is not located', () => {
  const walk = () => {
    const particles = new WalkedParticles(
      answering(n => (n === 2 ? undefined : n)),
      7,
    );
    return [0, 1, 2, 3].map(n => particles.locate(scanAt(n), { steps: 0 }, 5));
  };
  expect(walk()).toEqual(walk());
  expect(walk().map(answer => answer === undefined)).toEqual([false, false, true, false]);
});
