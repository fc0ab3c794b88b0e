// npx node test/upgrades/keep.ts VERSION: keeps a small data folder of this checkout, as that of a version, with what
// it answers. Everything in it is invented: the demo town and docs/examples. Run it when a version is released, and commit
// what it writes; upgrades.test.ts opens it with all later versions.
//
//   test/upgrades/samples/VERSION.tar.gz   the folder; names, owners and times in the archive are always the same
//   test/upgrades/samples/VERSION.json     questions and answers
//
// It keeps nothing that answers otherwise two years later.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { differences } from './compare.ts';
import { askQuestions, COMMANDS, KEYS, type KeptAnswers, printAll } from './questions.ts';
import { askAgain } from './reopen.ts';

const BYTES_MAX = 300_000;
const EXAMPLES = resolve(import.meta.dirname, '../../docs/examples');
const IMPORTS = [
  ['cells', 'cells.csv'],
  ['wifi', 'access_points.csv'],
  ['observations', 'scans.jsonl'],
  ['observations', 'wigle.csv'],
  ['osm', 'village.osm.pbf'],
  ['osm-changes', 'village.osc'],
  ['addresses', 'addresses.csv'],
  ['importance', 'importance.tsv'],
  ['buildings', 'office.geojson'],
  ['fingerprints', 'office_survey.csv'],
] as const;
/** Files of this machine and moment alone. */
const NOT_KEPT = ['owner.lock', 'admin.token', 'figures'];
const DAYS_LATER = 730;

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '')) {
  process.stderr.write('Name the version: npx node test/upgrades/keep.ts 1.0.0\n');
  process.exitCode = 2;
} else await keep(version);

async function keep(version: string): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'keep-'));
  try {
    const folder = join(base, version);
    const answers = await makeFolder(folder);
    for (const name of NOT_KEPT) rmSync(join(folder, name), { force: true });
    const again = join(base, 'again');
    cpSync(folder, again, { recursive: true });
    const lasting = await askAgain(again, answers, DAYS_LATER);
    const others = differences(answers, lasting);
    if (others.length > 0) throw new Error(`Answers change with time:\n${others.join('\n')}`);
    const file = join(import.meta.dirname, 'samples', version);
    const bytes = gzipSync(archive(base, version), { level: 9 });
    if (bytes.length > BYTES_MAX) throw new Error(`The folder has ${bytes.length} bytes, more than ${BYTES_MAX}.`);
    writeFileSync(`${file}.tar.gz`, bytes);
    writeFileSync(`${file}.json`, `${JSON.stringify(answers, null, 1)}\n`);
    process.stdout.write(`Kept ${answers.questions.length} answers and ${bytes.length} bytes as ${file}.tar.gz.\n`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Fills a folder as an operator would, and asks it. */
async function makeFolder(folder: string): Promise<KeptAnswers> {
  const service = await ServiceProcess.start(folder, '--http-threads', '1', '--calibrate', 'off');
  const keys: Record<string, string> = {};
  for (const [name, settings] of Object.entries(KEYS)) keys[name] = (await service.key(settings)).key;
  for (const [kind, file] of IMPORTS) {
    const { code, stderr } = await runSextant('import', kind, join(EXAMPLES, file), '--data', folder);
    if (code !== 0) throw new Error(`The import of ${file} ended with ${code}: ${stderr}`);
  }
  await service.job({ verb: 'aggregate', action: 'all' });
  const questions = await askQuestions(service, keys);
  await service.stop();
  return { architecture: process.arch, questions, printed: await printAll(folder, COMMANDS) };
}

function archive(base: string, name: string): Buffer {
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
  return execFileSync('tar', ['--create', ...fixed, '--directory', base, name], { maxBuffer: 2 ** 30 });
}
