// Somebody knows some homes that may be that of whom he searches for, and what is heard in front of each. So he needs
// no more than some guesses; and as bad luck has it, the last is the right one. Each key has more wrong homes before than
// it may guess: so nobody is found, in whatever way it is asked for.

import { formatMac, parseMac } from '../../../src/radio/mac.ts';
import { moved, type Position } from '../../kits/radio/ground.ts';
import { shuffled } from '../../kits/random.ts';
import { type Adversary, type Answered, partsOf, readAnswer, type Site, type Target } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { octet, withOctet } from '../town.ts';
import { fixAt, lte } from './anchors.ts';
import { differs, fillersFor, ghost, heard, placeGhosts } from './probes.ts';

/** Wrong homes for each key before the right one. */
const WRONG_EACH = 4;
/** Targets of one attack: so few that it is not the strays of a day that end it. */
const TARGETS = 8;
const TWO = 2;
const OWN_DBM = -25;
const OTHERS_DBM = -95;
const NOWHERE = { at: undefined, accuracy: 0, reason: undefined, indoor: undefined };

/** An answer, and the key that has it. */
type Told = Answered & { key: number };

/** One way to ask whether somebody lives in a home, or in one of some. */
interface Way {
  name: string;
  /** Homes in a question. */
  homes?: number;
  keys?: number;
  flags?: readonly string[];
  /** Question number `turn`. @param own addresses of the target; none to see what is answered without them */
  ask: (adversary: Adversary, own: readonly string[], homes: readonly Site[], turn: number) => object;
  /** Without the target nothing is answered. */
  isNothingWithout?: true;
  /** What is named of the target in a question. */
  nameOf?: (target: Target, turn: number) => string[];
  /** Whom it can be tried with. */
  fits?: (target: Target) => boolean;
  /** The homes, as he has prepared them. */
  prepare?: (adversary: Adversary, homes: readonly Site[], target: Target) => Promise<Site[]>;
  send?: (adversary: Adversary, bodies: readonly object[]) => Promise<Told[]>;
}

function scan(own: readonly string[], others: readonly string[]): { wifiAccessPoints: object[] } {
  return { wifiAccessPoints: [...heard(own, OWN_DBM), ...heard(others, OTHERS_DBM)] };
}

function twoOf(homes: readonly Site[]): string[] {
  return homes.flatMap(({ addresses }) => addresses.slice(0, TWO));
}

/** One question after the other, by the keys in turns; the last by each of them. */
async function inTurn(adversary: Adversary, bodies: readonly object[]): Promise<Told[]> {
  const answers: Told[] = [];
  for (const [b, body] of bodies.entries()) answers.push(await askBy(adversary, b % adversary.keyCount, body));
  for (let key = 0; key < adversary.keyCount; key++) {
    const again = await askBy(adversary, key, bodies.at(-1)!);
    if (again.at !== undefined) answers[answers.length - 1] = again;
  }
  return answers;
}

async function askBy(adversary: Adversary, key: number, body: object): Promise<Told> {
  return { ...readAnswer((await adversary.request('/v1/geolocate', body, key)).json), key };
}

/** Each key sends its share and the last question in one batch. */
async function inBatches(adversary: Adversary, bodies: readonly object[]): Promise<Told[]> {
  const answers: Told[] = bodies.map(() => ({ ...NOWHERE, key: 0 }));
  for (let key = 0; key < adversary.keyCount; key++) {
    const numbers = [...bodies.keys()].filter(b => b % adversary.keyCount === key || b === bodies.length - 1);
    const { json } = await adversary.request(
      '/v1/geolocate/batch',
      numbers.map(b => bodies[b]),
      key,
    );
    for (const [i, found] of (json as object[]).map(readAnswer).entries())
      if (found.at !== undefined) answers[numbers[i]] = { ...found, key };
  }
  return answers;
}

/**
 * All at once, each in a request of its own and of another device; the last, by each key, once these are answered.
 * Among them it would be one of the first guesses in some runs, and may then be answered.
 */
async function atOnce(adversary: Adversary, bodies: readonly object[]): Promise<Told[]> {
  const ask = async (body: object, b: number, key: number): Promise<Told> => ({
    ...readAnswer((await adversary.request(`/v1/geolocate?id=d${b}`, body, key)).json),
    key,
  });
  const { keyCount } = adversary;
  const answers = await Promise.all(bodies.slice(0, -1).map((body, b) => ask(body, b, b % keyCount)));
  const last = await Promise.all(
    Array.from({ length: keyCount }, (_, key) => ask(bodies.at(-1)!, bodies.length - 1, key)),
  );
  return [...answers, last.find(({ at }) => at !== undefined) ?? last[0]];
}

/** Each over another route. */
async function overRoutes(adversary: Adversary, bodies: readonly object[]): Promise<Told[]> {
  const answers: Told[] = [];
  for (const [b, body] of bodies.entries()) {
    const key = b % adversary.keyCount;
    const { wifiAccessPoints } = body as { wifiAccessPoints: { macAddress: string; signalStrength: number }[] };
    if (b % 3 === 0) answers.push(await askBy(adversary, key, body));
    else if (b % 3 === 1) {
      const { json } = await adversary.request('/v1/geolocate/batch', [body], key);
      answers.push({ ...readAnswer((json as object[])[0]), key });
    } else {
      const list = wifiAccessPoints.map(
        ({ macAddress, signalStrength }) => `${macAddress.replaceAll(':', '')},a,${signalStrength}`,
      );
      const { text } = await adversary.request(`/?wifi=${list.join(';')}`, undefined, key, 'GET');
      const [, latitude, longitude] = /lat=([-\d.]+);lon=([-\d.]+)/.exec(text) ?? [];
      const at: Position | undefined = latitude === undefined ? undefined : [Number(latitude), Number(longitude)];
      answers.push({ ...NOWHERE, at, key });
    }
  }
  return answers;
}

/** Two stations that stand far from a home and from each other. */
function farFrom({ knowledge, random }: Adversary, { at }: Site): string[] {
  return fillersFor({ points: shuffled(knowledge.points, random) }, at, 2);
}

function anchorAt({ knowledge: { cells } }: Adversary, { at }: Site, turn: number): object {
  return [
    { gps: fixAt(at) },
    { gps: fixAt(at, 650, 0) },
    { cellTowers: cells.slice(turn % cells.length, (turn % cells.length) + 1).map(({ cellId }) => lte(cellId)) },
    { lastLocation: { lat: at[0], lng: at[1], accuracy: 100, timestamp: Math.floor(Date.now() / 1_000) } },
  ][turn % 4];
}

/** Addresses of one device by their numbers, for ghosts at several places. */
function familyGhost(seed: string, family: number, member: number): string {
  const first = parseMac(ghost((parseMac(seed) % 100_003) * 8 + family));
  return formatMac(withOctet(first, 0, octet(first, 0) + member));
}

/** Metres of a step that is no other place for who compares it with the last one. */
const STEP_METRES = 190;
const STEPS = 18;

const WAYS: readonly Way[] = [
  { name: 'one after the other', ask: (_, own, homes) => scan(own, twoOf(homes)) },
  { name: 'in one batch', ask: (_, own, homes) => scan(own, twoOf(homes)), send: inBatches },
  {
    name: 'all at once, from many devices, by two threads and their workers',
    flags: ['--http-threads', '2', '--compute', 'pool'],
    ask: (_, own, homes) => scan(own, twoOf(homes)),
    send: atOnce,
  },
  { name: 'over each route in turn', ask: (_, own, homes) => scan(own, twoOf(homes)), send: overRoutes },
  { name: 'beside one station of each', ask: (_, own, homes) => scan(own, twoOf(homes).slice(0, 1)) },
  {
    name: 'with a fix there, as a contribution, with a cell, with a last location',
    ask: (adversary, own, homes, turn) => ({
      ...scan(own, twoOf(homes)),
      ...anchorAt(adversary, homes[0], turn),
    }),
  },
  {
    name: 'with two far stations, so that most of the scan belongs nowhere',
    isNothingWithout: true,
    ask: (adversary, own, homes) => scan(own, [...twoOf(homes), ...farFrom(adversary, homes[0])]),
  },
  {
    name: 'two homes in one scan, between which it decides',
    homes: 2,
    isNothingWithout: true,
    ask: (_, own, homes) => scan(own, twoOf(homes)),
  },
  {
    name: 'both addresses of the router, of which one alone has too few votes',
    isNothingWithout: true,
    fits: ({ sibling }) => sibling !== undefined,
    nameOf: ({ address, sibling }) => [address, sibling!],
    ask: (adversary, own, homes) => scan(own, [...twoOf(homes), ...farFrom(adversary, homes[0])]),
  },
  {
    name: 'half of them by the one address of the router, half by the other',
    fits: ({ sibling }) => sibling !== undefined,
    nameOf: ({ address, sibling }, turn) => [turn * 2 < WRONG_EACH ? address : sibling!],
    ask: (_, own, homes) => scan(own, twoOf(homes)),
  },
  {
    name: 'the last and faintest of 300, older than the others, in several spellings',
    ask: (_, own, homes) => ({
      wifiAccessPoints: [
        ...heard(twoOf(homes), -40),
        ...heard(
          Array.from({ length: 300 - 2 * own.length - TWO }, (__, i) => ghost(-1_000 - i)),
          -60,
        ),
        ...heard([...own, ...own.map(address => address.toUpperCase().replaceAll(':', '-'))], -99).map(each => ({
          ...each,
          age: 50_000,
        })),
      ],
    }),
  },
  {
    name: 'three at a time, own ghosts of two families there',
    homes: 3,
    keys: 2,
    isNothingWithout: true,
    ask: (_, own, homes) => scan(own, twoOf(homes)),
    prepare: (adversary, homes, { address }) =>
      placeGhosts(
        adversary,
        homes.map(({ at }) => at),
        TWO,
        n => familyGhost(address, n % TWO, Math.floor(n / TWO)),
      ),
  },
  {
    name: 'in steps towards the right one, each so short that it is the place of the step before, with own ghosts',
    keys: 2,
    ask: (_, own, homes) => scan(own, twoOf(homes)),
    prepare: (adversary, homes, { address }) =>
      placeGhosts(
        adversary,
        Array.from({ length: STEPS }, (_, i) => moved(homes.at(-1)!.at, STEP_METRES * (i + 1 - STEPS), 0)),
        TWO,
        n => ghost((parseMac(address) % 100_003) * 100 + n),
      ),
  },
];

/** Tries a way. @param wrongEach wrong homes for each key before the right one */
function attackOf(way: Way, wrongEach: number): Attack {
  const { name, homes: homesEach = 1, keys, flags, fits = () => true } = way;
  return {
    name: `homes that may be it, ${name}`,
    family: 'one place after another',
    isFrugal: true,
    ...(keys === undefined ? {} : { keys }),
    ...(flags === undefined ? {} : { flags }),
    async run(adversary) {
      const count = (wrongEach * adversary.keyCount + 1) * homesEach;
      for (const target of spread(adversary.knowledge.suspected.filter(fits))) {
        const homes = adversary.knowledge.homesFor(target, count);
        await tryHomes(adversary, way, target, (await way.prepare?.(adversary, homes, target)) ?? homes);
      }
    },
  };
}

/** Some, so that few of the homes that are tried for one are tried for another. */
function spread(targets: readonly Target[]): Target[] {
  const step = Math.max(1, Math.floor(targets.length / TARGETS));
  return targets.filter((_, i) => i % step === 0).slice(0, TARGETS);
}

async function tryHomes(adversary: Adversary, way: Way, target: Target, homes: readonly Site[]): Promise<void> {
  const { homes: each = 1, nameOf = ({ address }) => [address], send = inTurn } = way;
  const groups = partsOf(homes, each);
  const turnOf = (i: number) => Math.floor(i / adversary.keyCount);
  const bodiesOf = (own: (turn: number) => string[]) =>
    groups.map((group, i) => way.ask(adversary, own(turnOf(i)), group, i));
  const without = bodiesOf(() => []);
  const controls = way.isNothingWithout ? undefined : await send(adversary, without);
  const bodies = bodiesOf(turn => nameOf(target, turn));
  for (const [i, answer] of (await send(adversary, bodies)).entries()) {
    if (answer.at === undefined || (controls !== undefined && !differs(answer, controls[i]))) continue;
    // What this key is told now, as stations beside it may have been left out meanwhile.
    const control = await askBy(adversary, answer.key, controls === undefined ? withoutOwn(bodies[i]) : without[i]);
    if (differs(answer, control)) adversary.believe(target, answer.at);
  }
}

function withoutOwn(body: object): object {
  const { wifiAccessPoints } = body as { wifiAccessPoints: { signalStrength: number }[] };
  return { ...body, wifiAccessPoints: wifiAccessPoints.filter(({ signalStrength }) => signalStrength !== OWN_DBM) };
}

/** Each way with more wrong homes before the right one than a key may guess. */
export const LAST_OF_MANY: readonly Attack[] = WAYS.map(way => attackOf(way, WRONG_EACH));

/** The same ways where the first guess is right, which shows that they do ask for a home. */
export const FIRST_GUESS: readonly Attack[] = WAYS.filter(({ prepare }) => prepare === undefined).map(way =>
  attackOf(way, 0),
);
