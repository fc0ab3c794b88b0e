// The front of the tests with real programs. HELP below says what it does.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOnSignals, readArguments } from '../../bench/command_line.ts';
import { writeDrawnExtract } from '../kits/places/extracts.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { Missing, type Program, type Served } from './program.ts';
import { PROGRAMS } from './programs/all.ts';
import { judge } from './questions.ts';

const HELP = `npm run clients -- [options]

Asks a service by programs that were made for other services, with the settings of docs/clients.md: each is fetched from its own registry (npm, PyPI,
Debian, Maven, crates.io) into a folder that is removed afterwards, and nothing is installed on the machine. They are asked for an address, a point,
nonsense, the open sea, or by access points, and with a wrong key. Prints a table, and a sentence for each answer that a program understood wrongly;
ends with 1 if there was any. What cannot be had is skipped with the reason.

  --only LIST  only programs whose name has one of these texts

Example:
  npm run clients -- --only geopy,leaflet`;

exitOnSignals();
const { only } = readArguments(HELP, { options: { only: { type: 'string', default: '' } } }).values;
const base = mkdtempSync(join(tmpdir(), 'clients-'));
process.once('exit', () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));

const folder = join(base, 'var');
const service = await ServiceProcess.start(folder, '--http-threads', '1');
const extract = writeDrawnExtract(join(base, 'drawn.osm.pbf'));
await service.job({ verb: 'import', kind: 'osm', files: [extract] });
const { key } = await service.key();
const served: Served = { host: new URL(service.url).host, key };

const wrong: string[] = [];
console.log('| program | version | requests | |\n| --- | --- | --- | --- |');
const chosen = PROGRAMS.filter(({ name }) => only.split(',').some(text => name.includes(text)));
for (const [p, program] of chosen.entries()) await tryProgram(program, join(base, String(p)));
await service.stop();
for (const sentence of wrong) console.log(`\n${sentence}`);
if (wrong.length > 0) process.exitCode = 1;

async function tryProgram({ name, install, clients }: Program, own: string): Promise<void> {
  mkdirSync(own);
  try {
    const version = await install(own);
    for (const [client, ask] of Object.entries(clients)) {
      const before = await requests();
      const sentences = await ask(served, own).then(judge, error => [`It failed: ${error}`]);
      const asked = (await requests()) - before - 1;
      if (asked === 0) sentences.push('It has asked nothing.');
      console.log(`| ${client} | ${version} | ${asked} | ${sentences.length === 0 ? 'right' : 'wrong'} |`);
      wrong.push(...sentences.map(sentence => `${client}: ${sentence}`));
    }
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    console.log(`| ${name} | | | skipped: ${error.message} |`);
  }
  rmSync(own, { recursive: true, force: true, maxRetries: 5 });
}

/** The number of a request that nobody else has made; numbers count requests. */
async function requests(): Promise<number> {
  return (await service.request({ method: 'GET', path: `/reverse?key=${key}&lat=x` })).json.logId;
}
