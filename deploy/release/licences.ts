// The licences of all that a release has in it, as one text: of the dependencies for every architecture, Node among
// them, and of the packages that the console and the tools for language models are bundled from.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './checkout.ts';
import { ARCHITECTURES, type Locked, lockedPackages } from './dependencies.ts';

/** What is bundled into files of the release. */
const BUNDLED = ['console/src', 'clients/mcp/src', 'clients/typescript/src'];
const IMPORT = /\b(?:from|import) '((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g;

/** Writes it. @returns of how many packages */
export function writeLicences(file: string): number {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const paths = new Set(ARCHITECTURES.flatMap(each => lockedPackages(each).map(([path]) => path)));
  for (const folder of BUNDLED) addBundled(packages, folder, paths);
  const texts = [...paths].sort().map(path => {
    const { version, license = 'no licence named' } = described(path, packages[path]);
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return `${name} ${version} (${license})\n\n${textOf(join(ROOT, path))}`;
  });
  writeFileSync(file, `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
  return texts.length;
}

/** Adds the packages that the sources of a folder import, and what those depend on. */
function addBundled(packages: Record<string, { dependencies?: object }>, folder: string, paths: Set<string>): void {
  const sources = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const open = sources
    .filter(name => /\.tsx?$/.test(name))
    .flatMap(name => [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(IMPORT)])
    .map(([, name]) => foundFrom(packages, folder, name));
  while (open.length > 0) {
    const path = open.pop();
    if (path === undefined || paths.has(path)) continue;
    paths.add(path);
    open.push(...Object.keys(packages[path].dependencies ?? {}).map(name => foundFrom(packages, path, name)));
  }
}

/** Where Node would find a package; undefined for what is no package. */
function foundFrom(packages: object, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}

/** The lock file knows no licence of some packages for other systems; theirs is that of the package here. */
function described(path: string, locked: Locked): Locked {
  const file = join(ROOT, path, 'package.json');
  return { ...locked, ...(existsSync(file) && { license: JSON.parse(readFileSync(file, 'utf8')).license }) };
}

function textOf(folder: string): string {
  if (!existsSync(folder)) return 'The licence is that of the same package for this architecture.';
  const names = readdirSync(folder).filter(name => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name));
  if (names.length === 0) return 'The package comes without a text of its licence.';
  return names
    .sort()
    .map(name => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
}
