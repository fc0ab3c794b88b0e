// Attacks upon a drawn town (campaign.ts). With one or two keys nobody is found but by guessing, and a guess finds as
// many as chance has it.
//
// A guess is a place: its stations, and an address beside them. An address is left out after three. One guess covers at
// most what can be heard beside stations of one place as they are counted: 0.73 by 0.47 km here
// (src/tables/stations/strays.ts), 400 m more on each side, as stations nearer to each other are not told apart
// (src/positioning/transmitters/stray_places.ts), and 256 m more, from where nine of ten public points and a home are
// heard together. That makes GUESS_KM2. So an address is found in a town of 400 km² with a probability of 2.5 % at
// most, whatever the number of keys. An attack that guesses may find as many as chance would in all but one of ten
// thousand towns.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServiceProcess } from '../kits/service_process.ts';
import { ATTACKS } from './attacks/all.ts';
import { heard } from './attacks/probes.ts';
import { FIRST_GUESS } from './attacks/suspects.ts';
import { type Attack, attackService, isPlain, runAttack } from './campaign.ts';
import { type SettledTown, serveCopy, settle } from './settle.ts';
import { besiege } from './siege.ts';
import { drawTown, HALF_METRES } from './town.ts';

const SEED = 1;
const PROGRAM = resolve(import.meta.dirname, '../../src/sextant.js');
/** Of each key in each attack. */
const BUDGET = { requests: 1_500, reports: 900 };
/** An attack takes some seconds of an idle machine, and there are others at the same time. */
const ATTACK_MILLISECONDS = 900_000;
const GUESS_KM2 = 3.3;
const GUESSES = 3;
const TOWN_KM2 = ((2 * HALF_METRES) / 1_000) ** 2;
const CHANCE = 1e-4;
/** Share of the known routers that are placed by what a device beside them hears. */
const PLACED_MIN = 0.95;
/** Of each key in an attack on the town, and places that there are to be answered. */
const SIEGE_REQUESTS = 96;
const PLACES_MIN = 800;
/** Of eight homes, so many are confirmed at least by a first guess. */
const FIRST_GUESSES_MIN = 5;

let base: string;
let settled: SettledTown;
/** For the attacks that leave nothing behind. */
let service: ServiceProcess;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'privacy-'));
  settled = await settle(drawTown(SEED), PROGRAM, base);
  service = await serveCopy(settled, join(base, 'quiet'));
});

afterAll(async () => {
  await service?.stop();
  rmSync(base, { recursive: true, force: true });
});

/** Each attack with one key and with two, as a row of a table of tests. */
function rowsOf(attacks: readonly Attack[]): { name: string; keys: number; attack: Attack }[] {
  return attacks.flatMap(attack =>
    [1, 2].filter(keys => keys >= (attack.keys ?? 1)).map(keys => ({ name: attack.name, keys, attack })),
  );
}

describe('nobody is found by', { timeout: ATTACK_MILLISECONDS }, () => {
  test.each(rowsOf(ATTACKS.filter(({ isQuiet }) => isQuiet)))('$name, with $keys keys', async ({ attack, keys }) => {
    const { found, spent } = await attackService(service, settled, attack, keys, BUDGET);
    expect(spent.requests).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });

  // After all of these, in the same service: nothing that they did keeps an address from being found.
  test('them because nobody could be: who stands beside a router and hears its neighbours finds it', async () => {
    const { victims } = settled.town;
    const standsThere: Attack = {
      name: 'a true scan',
      family: 'one address alone',
      async run(adversary) {
        const scans = adversary.wifi.map(({ victim, address }) => [
          ...heard([address], -45),
          ...heard(victims[victim].neighbours, -70),
        ]);
        const answers = await adversary.askAll(scans.map(wifiAccessPoints => ({ wifiAccessPoints })));
        for (const [t, { at }] of answers.entries()) adversary.believe(adversary.wifi[t], at);
      },
    };
    const { kinds } = await attackService(service, settled, standsThere, 1, BUDGET);
    expect(kinds.known).toBeGreaterThan(PLACED_MIN * victims.filter(({ kind }) => kind === 'known').length);
  });
});

describe('in one service, each with victims of its own, nobody is found by', { timeout: ATTACK_MILLISECONDS }, () => {
  const frugal = ATTACKS.filter(({ isFrugal, flags }) => isFrugal && flags === undefined);
  const plain = frugal.filter(({ setting }) => setting === undefined);
  let shared: ServiceProcess;

  beforeAll(async () => {
    shared = await serveCopy(settled, join(base, 'frugal'));
  });
  afterAll(async () => void (await shared?.stop()));

  /** Whom an attack searches for: those of its setting, or its share of the others. */
  function searchedBy({ name, setting }: Attack): (victim: number) => boolean {
    const { victims } = settled.town;
    if (setting !== undefined) return victim => victims[victim].setting === setting;
    const homes = victims.flatMap((victim, v) => (isPlain(victim) ? [v] : []));
    const share = plain.findIndex(each => each.name === name);
    return victim => homes.indexOf(victim) % plain.length === share;
  }

  // A right guess is answered: so it is the wrong ones before it that keep the last from being so.
  test.each(rowsOf(FIRST_GUESS).filter(({ keys }) => keys === 1))(
    '$name, but for the first guess',
    async ({ attack, keys }) => {
      const { found } = await attackService(shared, settled, attack, keys, BUDGET);
      expect(found.length).toBeGreaterThan(FIRST_GUESSES_MIN);
    },
  );

  test.each(rowsOf(frugal))('$name, with $keys keys', async ({ attack, keys }) => {
    const { found, spent } = await attackService(shared, settled, attack, keys, BUDGET, searchedBy(attack));
    expect(spent.requests).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });
});

describe.concurrent('in a service of its own nobody is found by', { timeout: ATTACK_MILLISECONDS }, () => {
  test.each(rowsOf(ATTACKS.filter(({ isQuiet, isGuess, isFrugal }) => !isQuiet && !isGuess && !isFrugal)))(
    '$name, with $keys keys',
    async ({ attack, keys }) => {
      expect((await run(attack, keys)).found).toEqual([]);
    },
  );
});

describe.concurrent('no more than by chance are found by', { timeout: ATTACK_MILLISECONDS }, () => {
  const most = mostByChance(drawTown(SEED).victims.length, (GUESSES * GUESS_KM2) / TOWN_KM2);

  test.each(rowsOf(ATTACKS.filter(({ isGuess, isOfBuilding }) => isGuess && !isOfBuilding)))(
    '$name, with $keys keys',
    async row => {
      expect((await run(row.attack, row.keys)).found.length).toBeLessThanOrEqual(most);
    },
  );

  // The map of a building is one guess, and tells who is in it, of those whom the operator's survey has.
  test.each(rowsOf(ATTACKS.filter(({ isOfBuilding }) => isOfBuilding)))(
    '$name, with $keys keys: those in it',
    async ({ attack, keys }) => {
      const { victims } = settled.town;
      for (const victim of (await run(attack, keys)).found)
        expect(victims[victim]).toMatchObject({ isInBuilding: true });
    },
  );

  test('the bound itself, which is far from finding all', () => {
    expect(most).toBeLessThan(16);
  });
});

describe.concurrent('in a service with more threads', { timeout: ATTACK_MILLISECONDS }, () => {
  const threaded = ATTACKS.filter(({ isFrugal, flags }) => isFrugal && flags !== undefined);
  test.each(threaded)('nobody is found by $name', async attack => {
    expect((await run(attack, 1)).found).toEqual([]);
  });

  test('an attack on the town with five keys leaves all of its public places answered', async () => {
    const { places, answered } = await besiege(settled, 5, SIEGE_REQUESTS, mkdtempSync(join(base, 'siege-')));
    expect(places).toBeGreaterThan(PLACES_MIN);
    expect(answered).toBe(places);
  });
});

async function run(attack: Attack, keys: number) {
  return runAttack(settled, attack, keys, BUDGET, mkdtempSync(join(base, 'own-')));
}

/**
 * As many as chance does not exceed but once in 1 / CHANCE times, if each of so many is found with a probability: a
 * binomial quantile.
 */
function mostByChance(count: number, probability: number): number {
  let exactly = (1 - probability) ** count;
  let most = 0;
  for (let atMost = exactly; 1 - atMost > CHANCE; atMost += exactly) {
    most++;
    exactly *= ((count - most + 1) / most) * (probability / (1 - probability));
  }
  return most;
}
