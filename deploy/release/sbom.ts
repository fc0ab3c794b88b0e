// What a release is made of, in the form of CycloneDX, by npm itself: all packages of the lock file for those who run
// the program. npm is shown these only: of a project with workspaces it leaves out what those need as well. What it
// makes up anew each time follows from the commit.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './checkout.ts';
import type { Locked } from './dependencies.ts';

/** Writes it. @param second of the release, Unix time @throws Error when npm fails */
export function writeSbom(file: string, commit: string, second: number): void {
  const sbom = JSON.parse(printedByNpm());
  const { metadata } = sbom;
  metadata.timestamp = new Date(second * 1000).toISOString();
  // npm takes the name of the folder.
  metadata.component.name = metadata.component['bom-ref'].replace(/(.)@.*$/, '$1');
  metadata.component.type = 'application';
  const hex = createHash('sha256').update(commit).digest('hex');
  const [a, b, c, d, e] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20), hex.slice(20, 32)];
  sbom.serialNumber = `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`;
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
}

function printedByNpm(): string {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
  const { devDependencies: _, workspaces: __, scripts: ___, ...project } = read('package.json');
  const lock = read('package-lock.json');
  const runs = Object.entries<Locked>(lock.packages).filter(
    ([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !(dev || devOptional || link),
  );
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
    write('package.json', project);
    write('package-lock.json', { ...lock, packages: Object.fromEntries([['', project], ...runs]) });
    const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
    return execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
