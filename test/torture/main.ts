// The front of the torture. HELP below says what it does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOnSignals, readArguments, readNumber } from '../../bench/command_line.ts';
import { RunProgress } from '../../bench/run_progress.ts';
import { uniform } from '../kits/random.ts';
import { CAN_MOUNT } from '../kits/small_disk.ts';
import { compileFaults, FAULTS, type FaultName, faultOf } from './faults.ts';
import { runSession, type SessionTotals } from './session.ts';

const NAMES = Object.keys(FAULTS) as FaultName[];
const HELP = `npm run torture -- [options]

Loads a service with contributions, submissions, positions, imports and changes of keys at once, and does harm to it, round after round. After each round the
service starts again: balances, keys and imports must be what was acknowledged. After each session of rounds every acknowledged report must be in the log
once, the tables must follow from the log, and check must find them sound. Exits with 1 when something is not so. Needs Linux and a C compiler.

  --rounds N      rounds of the whole run, 1..100000 (20)
  --session N     rounds of one session, 1..1000 (12)
  --seed N        seed of the first session; the next has the next one, 0..1000000 (1)
  --faults A,B    faults to draw from, of the list below (all)

${NAMES.map(name => `  ${name.padEnd(8)} ${faultOf(name).does}`).join('\n')}

Another torture, of three nodes: npm run torture -- cluster --help

Example:
  npm run torture -- --rounds 100 --seed 7 --faults kill,disk`;

// A cluster is tortured in another way.
if (process.argv[2] === 'cluster') {
  const { tortureCluster } = await import('./cluster.ts');
  await tortureCluster(process.argv.slice(3));
  process.exit();
}

const { values } = readArguments(HELP, {
  options: {
    rounds: { type: 'string', default: '20' },
    session: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: NAMES.join(',') },
  },
});
const rounds = readNumber('rounds', values.rounds, 1, 100_000);
const roundsOfSession = readNumber('session', values.session, 1, 1_000);
const firstSeed = readNumber('seed', values.seed, 0, 1_000_000);
const faults = values.faults.split(',').map(name => {
  if (!NAMES.includes(name as FaultName)) {
    console.error(
      `--faults names ${JSON.stringify(name)}, which is none of ${NAMES.join(', ')}. --help lists the options.`,
    );
    process.exit(2);
  }
  return name as FaultName;
});
const possible = faults.filter(name => CAN_MOUNT || !faultOf(name).needsDisk);

exitOnSignals();
const progress = new RunProgress(process.stderr, rounds);
const all: SessionTotals = {
  rounds: new Map(),
  acknowledged: { requests: 0, reports: 0, positions: 0, imports: 0, keys: 0 },
  findings: [],
};
const base = mkdtempSync(join(tmpdir(), 'torture-'));
process.once('exit', () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
let sessions = 0;
try {
  const library = compileFaults(base);
  for (let done = 0; done < rounds; done += roundsOfSession) {
    const seed = firstSeed + sessions++;
    progress.begin(`session ${sessions}`);
    const random = uniform(seed);
    const drawn = Array.from(
      { length: Math.min(roundsOfSession, rounds - done) },
      () => possible[Math.floor(random() * possible.length)],
    );
    add(await runSession({ seed, faults: drawn, library, onRound: () => progress.step() }));
  }
} finally {
  progress.end();
}
const sum = [...all.rounds.values()].reduce((total, count) => total + count, 0);
console.log(`${sum} rounds in ${sessions} sessions from seed ${firstSeed}, ${all.findings.length} findings.`);
for (const [name, count] of all.rounds) console.log(`  ${name}: ${count}`);
const { requests, reports, positions, imports, keys } = all.acknowledged;
console.log(
  `Acknowledged: ${requests} contributions with ${reports} reports, ${positions} positions, ${imports} ` +
    `imports, ${keys} changes of keys.`,
);
for (const finding of all.findings) console.log(finding);
if (all.findings.length > 0) process.exitCode = 1;

function add({ rounds: counts, acknowledged, findings }: SessionTotals): void {
  for (const [name, count] of counts) all.rounds.set(name, (all.rounds.get(name) ?? 0) + count);
  for (const kind of Object.keys(acknowledged) as (keyof typeof acknowledged)[])
    all.acknowledged[kind] += acknowledged[kind];
  all.findings.push(...findings);
}
