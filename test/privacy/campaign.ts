// Runs attacks against a service in which a town has settled, and judges them: who was found within a hundred metres,
// and what it cost.

import { Agent } from 'node:http';
import { metresTo, moved } from '../kits/radio/ground.ts';
import { uniform } from '../kits/random.ts';
import type { ServiceProcess } from '../kits/service_process.ts';
import {
  Adversary,
  type Budget,
  BudgetSpent,
  type Knowledge,
  type Site,
  type Spent,
  type Target,
} from './adversary.ts';
import { reportAgain, type SettledTown, serveCopy } from './settle.ts';
import { BUILDING_METRES, HALF_METRES, MIDDLE, type Town, type Victim, type VictimKind } from './town.ts';

/** What attacks have in common, as the tables of docs/security.md name it. */
export type Family =
  | 'other addresses of the device'
  | 'lists of stations'
  | 'one address alone'
  | 'one place after another'
  | 'false fixes and cells'
  | 'claims'
  | 'a building with a map'
  | 'Bluetooth devices';

/** One way to search. */
export interface Attack {
  name: string;
  family: Family;
  /** Keys without which it cannot be tried. */
  keys?: number;
  /** It does nothing but guess, so it finds as many as docs/security.md says. */
  isGuess?: true;
  /** It guesses a building with a map, and finds who is in it. */
  isOfBuilding?: true;
  /**
   * It reports nothing and sends no address beside stations of a place, so that another attack may follow in the same
   * service.
   */
  isQuiet?: true;
  /**
   * It uses up no more than the guesses of its own keys for its own victims: others may follow in the same service, for
   * other victims.
   */
  isFrugal?: true;
  /** It searches for people in such a setting. */
  setting?: Victim['setting'];
  /** Flags of the service that it is tried upon. */
  flags?: readonly string[];
  run(adversary: Adversary): Promise<void>;
}

/** What came of an attack. */
export interface Outcome {
  attack: string;
  keys: number;
  /** Victims that were found, and of which kinds they are. */
  found: number[];
  kinds: { [kind in VictimKind]?: number };
  spent: Spent & { credits: number };
}

/** Keys that the adversary may get, and the credits of each at the beginning. */
export const KEYS_MAX = 5;
const CREDITS = 1_000_000;
const FOUND_METRES = 100;
/** No two homes that may be that of a victim are nearer to each other. */
const APART_METRES = 1_500;

/** What is known to everybody. @param isSearched for a victim's number */
function knowledgeOf(town: Town, isSearched: (victim: number) => boolean): Knowledge {
  const { victims, points, beacons, cells, building } = town;
  const targets = victims
    .map(
      ({ address, kind, person, sibling }, victim): Target => ({
        victim,
        address,
        isBluetooth: kind === 'bluetooth',
        ...(person === undefined ? {} : { person }),
        ...(sibling === undefined ? {} : { sibling: sibling.address }),
      }),
    )
    .filter(({ victim }) => isSearched(victim));
  return {
    targets,
    points,
    beacons,
    cells,
    middle: MIDDLE,
    halfMetres: HALF_METRES,
    building: [building.southWest, moved(building.southWest, ...BUILDING_METRES)],
    suspected: targets.filter(({ victim }) => isPlain(victims[victim])),
    homesFor: ({ victim }, count) => homesFor(town, victim, count),
  };
}

/** True for a router of a home as most are. */
export function isPlain({ kind, isInBuilding, setting }: Victim): boolean {
  return kind === 'known' && !isInBuilding && setting === undefined;
}

function homesFor({ victims }: Town, victim: number, count: number): Site[] {
  const chosen: Site[] = [siteOf(victims[victim])];
  for (let i = 1; chosen.length < count && i < victims.length; i++) {
    const other = victims[(victim + i) % victims.length];
    if (isPlain(other) && chosen.every(({ at }) => metresTo(at, other.home) > APART_METRES)) chosen.push(siteOf(other));
  }
  return chosen.reverse();
}

function siteOf({ home, neighbours }: Victim): Site {
  return { at: home, addresses: neighbours };
}

/** Runs one attack against a service of its own. @param folder for its data, new */
export async function runAttack(
  settled: SettledTown,
  attack: Attack,
  keys: number,
  budget: Budget,
  folder: string,
): Promise<Outcome> {
  const service = await serveCopy(settled, folder, attack.flags);
  try {
    return await attackService(service, settled, attack, keys, budget);
  } finally {
    await service.stop();
  }
}

/** Keys that nobody has used. */
export async function newAccounts(service: ServiceProcess, count: number): Promise<{ id: number; key: string }[]> {
  const accounts = [];
  for (let i = 0; i < count; i++)
    accounts.push(await service.key({ name: `adversary ${i}`, credits: CREDITS, contributor: true, tracking: true }));
  return accounts;
}

/**
 * Runs one attack against a service that has a copy of the town, with new keys.
 * @param isSearched for a victim's number; all are searched for without it
 */
export async function attackService(
  service: ServiceProcess,
  settled: SettledTown,
  attack: Attack,
  keys: number,
  budget: Budget,
  isSearched: (victim: number) => boolean = () => true,
): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const accounts = await newAccounts(service, keys);
  const creditsOf = async () => {
    const shown = await Promise.all(
      accounts.map(({ id }) => service.job<{ credits: number }>({ verb: 'keys', action: 'show', id })),
    );
    return shown.reduce((sum, { credits }) => sum + credits, 0);
  };
  try {
    const adversary = new Adversary(
      service.url,
      agent,
      accounts.map(({ key }) => key),
      budget,
      knowledgeOf(settled.town, isSearched),
      uniform(settled.town.seed + 3),
      () => service.job({ verb: 'aggregate', action: 'all' }),
      () => reportAgain(service, settled),
    );
    const before = await creditsOf();
    try {
      await attack.run(adversary);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
    }
    const found = judge(settled.town, adversary);
    const kinds: Outcome['kinds'] = {};
    for (const victim of found) {
      const { kind } = settled.town.victims[victim];
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    return {
      attack: attack.name,
      keys,
      found,
      kinds,
      spent: { ...adversary.spent, credits: before - (await creditsOf()) },
    };
  } finally {
    agent.destroy();
  }
}

/** The victims that he believes to be within a hundred metres of where they are. */
function judge({ victims }: Town, { beliefs }: Adversary): number[] {
  return [...beliefs]
    .filter(([victim, at]) => metresTo(at, victims[victim].home) <= FOUND_METRES)
    .map(([victim]) => victim);
}
