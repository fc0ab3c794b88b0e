// The front of the privacy suite. HELP below says what it does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { exitOnSignals, readArguments, readNumber } from '../../bench/command_line.ts';
import { RunProgress } from '../../bench/run_progress.ts';
import { ATTACKS } from './attacks/all.ts';
import { type Attack, KEYS_MAX, type Outcome, runAttack } from './campaign.ts';
import { settle } from './settle.ts';
import { besiege, SIEGE } from './siege.ts';
import { drawTown } from './town.ts';
import { checkWorlds, WORLDS_A_FOLDER } from './worlds/check_worlds.ts';

const HELP = `npm run privacy -- [options]

Searches a drawn town for 200 people by an address of each: routers of homes and Bluetooth devices. Each attack has a service of its own on loopback, in which the
town has settled, and keys of its own. It prints how many an attack found within a hundred metres, and what that cost. Nobody but who guesses may find any;
docs/security.md says how many a guess finds. Last, each number of keys attacks the town itself, so that honest people are not answered.

  --checkout FOLDER  tries the program of another checkout of Sextant
  --keys LIST        numbers of keys, each 1..5 (1,2,5)
  --attack TEXT      only attacks whose name or family has the text
  --requests N       requests of each key in each attack, 100..1000000 (2000)
  --reports N        reports of each key in each attack, 100..1000000 (2000)
  --seed N           seed of the town, of the attacks and of the worlds, 0..1000000 (1)
  --worlds N         checks so many small worlds instead, 1..1000000, in which any station is moved anywhere: no answer
                     may tell where it is unless it was guessed there

Example:
  npm run privacy -- --keys 2 --attack claims`;

const BROKEN_SHOWN = 20;

exitOnSignals();
const { values } = readArguments(HELP, {
  options: {
    checkout: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    keys: { type: 'string', default: '1,2,5' },
    attack: { type: 'string', default: '' },
    requests: { type: 'string', default: '2000' },
    reports: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string' },
  },
});
const budget = {
  requests: readNumber('requests', values.requests, 100, 1_000_000),
  reports: readNumber('reports', values.reports, 100, 1_000_000),
};
const seed = readNumber('seed', values.seed, 0, 1_000_000);
if (values.worlds !== undefined) await checkSmallWorlds(readNumber('worlds', values.worlds, 1, 1_000_000));
const numbers = values.keys.split(',').map(text => readNumber('keys', text, 1, KEYS_MAX));
const chosen = ATTACKS.filter(({ name, family }) => name.includes(values.attack) || family.includes(values.attack));

const base = mkdtempSync(join(tmpdir(), 'privacy-'));
process.once('exit', () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
const runs = numbers.flatMap(keys =>
  chosen.filter(attack => (attack.keys ?? 1) <= keys).map(attack => ({ attack, keys })),
);
const progress = new RunProgress(process.stderr, runs.length);
const settled = await settle(drawTown(seed), join(resolve(values.checkout), 'src/sextant.js'), base);
const victims = settled.town.victims.length;
console.log(`Town ${seed}, ${victims} people; each key has ${budget.requests} requests and ${budget.reports} reports.`);
console.log('| attack | keys | found | requests | reports | credits |\n| --- | --- | --- | --- | --- | --- |');
const outcomes: [Attack, Outcome][] = [];
for (const [r, { attack, keys }] of runs.entries()) {
  progress.begin(`${attack.name}, keys: ${keys}`);
  const outcome = await runAttack(settled, attack, keys, budget, join(base, String(r)));
  outcomes.push([attack, outcome]);
  progress.step(1);
  progress.end();
  console.log(rowOf(`${attack.family}: ${attack.name}${attack.isGuess ? ' (guesses)' : ''}`, outcome));
}
if (SIEGE.includes(values.attack)) {
  for (const keys of numbers) {
    const { places, answered, asked } = await besiege(settled, keys, budget.requests, join(base, `siege-${keys}`));
    console.log(
      `${SIEGE}, keys: ${keys}: after ${asked} requests ${answered} of ${places} public places are answered.`,
    );
  }
}
console.log('\nBy family:');
const rows = Map.groupBy(outcomes, ([{ family }, { keys }]) => `${family} | ${keys}`);
for (const [name, group] of rows) {
  const found = new Set(group.flatMap(([, outcome]) => outcome.found)).size;
  const sum = (what: keyof Outcome['spent']) => group.reduce((total, [, { spent }]) => total + spent[what], 0);
  console.log(`| ${name} | ${found} | ${sum('requests')} | ${sum('reports')} | ${sum('credits')} |`);
}

function rowOf(name: string, { keys, found, spent }: Outcome): string {
  return `| ${name} | ${keys} | ${found.length} | ${spent.requests} | ${spent.reports} | ${spent.credits} |`;
}

/** Checks small worlds, prints what was tried and in which the property does not hold, and ends. */
async function checkSmallWorlds(count: number): Promise<never> {
  const line = new RunProgress(process.stderr, Math.ceil(count / WORLDS_A_FOLDER));
  line.begin(`${count} small worlds from seed ${seed}`);
  const { broken, tried } = await checkWorlds(seed, count, () => line.step(1));
  line.end();
  console.log(`${count} worlds from seed ${seed}: ${broken.length} answers tell what was not guessed.`);
  for (const [what, times] of Object.entries(tried)) console.log(`${what}: ${times}`);
  for (const sentence of broken.slice(0, BROKEN_SHOWN)) console.log(sentence);
  process.exit(broken.length === 0 ? 0 : 1);
}
