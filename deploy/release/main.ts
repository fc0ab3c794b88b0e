// Makes a release: npm run release -- VERSION --out FOLDER. Everything is made in a clone of the commit of this
// checkout, so nothing that is not committed gets in, and the same commit makes the same bytes (make.ts).

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commitOfCheckout, printed, ROOT, secondOfCheckout } from './checkout.ts';
import { notesOf } from './notes.ts';

const HELP = `Makes everything that a release consists of, and checks it.

  npm run release -- VERSION --out FOLDER

  --out FOLDER     an empty folder, or one that is made
  --key FILE       secret key of minisign without a password, which signs the checksums
  --gpg-key FILE   secret key of GnuPG without a password, which signs the repository of apt
  --draft          although the changelog has unreleased lines`;
/** Files that say the version. */
const VERSIONED = ['package.json', 'clients/typescript/package.json', 'clients/mcp/package.json'];
/** Where npm puts packages, and what the release keeps from one time to the next. */
const SHARED = ['node_modules', 'clients/typescript/node_modules', 'clients/mcp/node_modules', 'build/packages'];

/** What the command line says. */
export interface Wanted {
  version: string;
  out: string;
  key: string | undefined;
  gpgKey: string | undefined;
  isDraft: boolean;
}

/** @throws Error for a command line that is not understood */
export function readWanted(words: readonly string[]): Wanted {
  const options = {
    out: { type: 'string' },
    key: { type: 'string' },
    'gpg-key': { type: 'string' },
    draft: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1 || values.out === undefined) throw new Error(HELP);
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(file));
  return {
    ...{ version, out: resolve(values.out), isDraft: values.draft },
    ...{ key: path(values.key), gpgKey: path(values['gpg-key']) },
  };
}

/**
 * Checks that this commit is the version that is to be released.
 * @throws Error when it is not, or the checkout has changes, or the folder has files
 */
export function requireReleasable({ version, out, isDraft, key, gpgKey }: Wanted): void {
  for (const file of VERSIONED) {
    const { version: said } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
    if (said !== version) throw new Error(`${file} is of version ${said}, not ${version}.`);
  }
  const python = 'clients/python/pyproject.toml';
  if (!readFileSync(join(ROOT, python), 'utf8').includes(`\nversion = "${version}"\n`))
    throw new Error(`${python} is not of version ${version}.`);
  notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, isDraft);
  for (const file of [key, gpgKey])
    if (file !== undefined && !existsSync(file)) throw new Error(`There is no key ${file}.`);
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} has files; name an empty folder.`);
  if (printed('git', '-C', ROOT, 'status', '--porcelain') !== '')
    throw new Error('The checkout has changes that are not committed.');
}

/** Makes it in a clone. @returns the exit code of the program that does */
function makeInClone(wanted: Wanted): number {
  const clone = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    printed('git', 'clone', '--quiet', '--no-checkout', ROOT, clone);
    printed('git', '-C', clone, 'checkout', '--quiet', '--detach', commitOfCheckout());
    mkdirSync(join(ROOT, 'build/packages'), { recursive: true });
    for (const path of SHARED) {
      if (!existsSync(join(ROOT, path))) continue;
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      symlinkSync(join(ROOT, path), join(clone, path));
    }
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(secondOfCheckout()) };
    const run = (...words: string[]) =>
      spawnSync(process.execPath, words, { cwd: clone, env, stdio: 'inherit' }).status;
    return run('src/prepare.js', 'build') || (run('deploy/release/make.ts', JSON.stringify(wanted)) ?? 1);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  try {
    const wanted = readWanted(process.argv.slice(2));
    requireReleasable(wanted);
    mkdirSync(wanted.out, { recursive: true });
    process.exitCode = makeInClone(wanted);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
