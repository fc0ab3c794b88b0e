import { describe, expect, test } from 'vitest';
import { BLUETOOTH } from '../../../src/positioning/transmitters/bluetooth.ts';
import { locateByTransmitters, type RadioModel } from '../../../src/positioning/transmitters/fix.ts';
import { Selection } from '../../../src/positioning/transmitters/selection.ts';
import { WIFI } from '../../../src/positioning/transmitters/wifi.ts';
import { encodeRadius, STATE_ACTIVE } from '../../../src/tables/stations/station.ts';
import { MAX_SOLVE, ROLE_ABSENT, ROLE_GUEST, ROLE_VOTER } from '../../../wasm/memory.ts';
import { LEARNED_BIT, UNTRUSTED_BIT } from '../../../wasm/packed_station_constants.ts';
import { METRES_A_DEGREE } from '../../kits/radio/ground.ts';
import { normal, uniform } from '../../kits/random.ts';
import { createSolverCore, type SolverCore } from '../../kits/solver_core.ts';
import { PlainFix } from './plain_fix.ts';

const SCENES = 3_000;

/**
 * Stations around a device, some of them moved, learned, without a level, with a fit of their own, in the 5 GHz band;
 * readings of many ages.
 */
interface Scene {
  count: number;
  leastDriftMetres: number;
  model: RadioModel;
}

/** Another low word of an address: it differs in one octet, in any two, or by some hundreds. */
function siblingOf(word: number, whole: (below: number) => number): number {
  const octet = () => (1 + whole(255)) << (8 * whole(4));
  return [word ^ octet(), word ^ octet() ^ octet(), word + whole(600)][whole(3)] >>> 0;
}

/** Draws a scene into the core's buffers. */
function draw(core: SolverCore, number: number): Scene {
  const random = uniform(number);
  const noise = normal(random);
  const whole = (below: number) => Math.floor(random() * below);
  const model = number % 3 === 0 ? BLUETOOTH : WIFI;
  const [latitude, longitude] = [
    [48.1, 11.5],
    [-33.9, 179.9998],
    [0, 0],
    [84, -179.99995],
  ][whole(4)];
  const count = [1 + whole(4), 2 + whole(20), 20 + whole(60), number % 50 === 0 ? MAX_SOLVE : 8][whole(4)];
  const youngestMs = random() < 0.5 ? 0 : whole(20_000);
  const levels = Array.from({ length: count }, () => -25 - whole(75)).sort((a, b) => b - a);
  for (let s = 0; s < count; s++) {
    const isMoved = random() < 0.15;
    const spread = isMoved ? 4_000 : 10 * 10 ** (random() * 1.4);
    const north = noise() * spread;
    const east = noise() * spread;
    const isFitted = random() < 0.3;
    const ageMs = youngestMs + (random() < 0.6 ? 0 : whole(30_000));
    core.selected.payload.set(
      [
        Math.round((latitude + north / METRES_A_DEGREE) * 1e7),
        Math.round((longitude + east / (METRES_A_DEGREE * Math.cos((latitude * Math.PI) / 180))) * 1e7),
        encodeRadius(random() < 0.1 ? 4_000 * random() : 90 * random()) | (encodeRadius(300 * random()) << 16),
        STATE_ACTIVE |
          (random() < 0.4 ? LEARNED_BIT : 0) |
          (random() < 0.4 ? UNTRUSTED_BIT : 0) |
          (whole(16) << 4) |
          (isFitted ? ((-20 - whole(40)) & 0xff) << 16 : 0) |
          (isFitted ? (15 + whole(30)) << 24 : 0),
      ],
      s * 4,
    );
    // Some are another address of the station before.
    const isSibling = s > 0 && random() < 0.1;
    core.selected.radio[2 * s] = isSibling ? siblingOf(core.selected.radio[2 * s - 2], whole) : whole(2 ** 32);
    core.selected.radio[2 * s + 1] = isSibling ? core.selected.radio[2 * s - 1] : whole(2 ** 8);
    core.selected.alone[s] = model === BLUETOOTH && random() < 0.8 ? 1 : 0;
    const isVoter = core.selected.alone[s] === 1 || random() < 0.85;
    core.selected.role[s] = isVoter ? ROLE_VOTER : random() < 0.5 ? ROLE_GUEST : ROLE_ABSENT;
    const isSent = random() < 0.9;
    core.selected.levelSent[s] = isSent ? 1 : 0;
    core.selected.levelDbm[s] = levels[s];
    core.selected.frequencyMhz[s] = [0, 2_437, 5_180][whole(3)];
    core.selected.driftMetres[s] = ageMs * 1.4e-3;
    core.selected.freshness[s] = 1 / (1 + ((ageMs - youngestMs) / 3_000) ** 2);
  }
  return { count, leastDriftMetres: youngestMs * 1.4e-3, model };
}

/** Locates by the scene in the core's buffers. */
function locate({ selected }: SolverCore, { count, leastDriftMetres }: Scene, model: RadioModel) {
  const selection = Object.assign(new Selection(selected), { count, leastDriftMetres });
  return locateByTransmitters({ selection }, model, Math.min(count, 300));
}

describe('one call of the core', () => {
  const core = createSolverCore();
  const plain = new PlainFix();

  test('finds what the steps one by one find in JavaScript, to the last bit', () => {
    let found = 0;
    let parted = 0;
    let alone = 0;
    for (let number = 0; number < SCENES; number++) {
      const scene = draw(core, number);
      const stepwise = plain.locate(core, scene.model, scene.count, scene.leastDriftMetres);
      expect(locate(core, scene, scene.model), `scene ${number}`).toEqual(stepwise);
      if (stepwise !== undefined) found++;
      if (stepwise !== undefined && core.selected.takesPart.subarray(0, scene.count).includes(0)) parted++;
      if (stepwise?.used === 1) alone++;
    }
    expect(found).toBeGreaterThan(SCENES * 0.8);
    expect(found).toBeLessThan(SCENES);
    expect(parted).toBeGreaterThan(SCENES * 0.2);
    expect(alone).toBeGreaterThan(0);
  });

  test('finds the same again, and in a fresh core', () => {
    const fresh = createSolverCore();
    for (let number = 0; number < 200; number++) {
      const scene = draw(core, number);
      const first = locate(core, scene, scene.model);
      expect(locate(core, scene, scene.model)).toEqual(first);
      draw(fresh, number);
      expect(locate(fresh, scene, scene.model)).toEqual(first);
    }
  });

  test('refuses a station that is not on the globe, and a selection below the minimum', () => {
    const scene = draw(core, 5);
    core.selected.payload[0] = 900_000_001;
    expect(locate(core, scene, WIFI)).toBeUndefined();
    draw(core, 5);
    expect(locate(core, { ...scene, count: 1 }, WIFI)).toBeUndefined();
    expect(locate(core, { ...scene, count: 0 }, WIFI)).toBeUndefined();
  });
});
