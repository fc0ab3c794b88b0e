// Makes the package of Debian and Ubuntu of the same tree as the other one (package.ts): npm run package:deb -- FOLDER.
// It holds the program with the dependencies of the lock file and the Node that comes with them, so nothing is fetched
// where it is installed; the unit; the configuration in /etc/sextant.env, which an update leaves as it is; and the file
// for logrotate. Installing it makes the user and the data folder, and starts nothing. A purge takes data, logs and user
// away again.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { requireFolder, runAsProgram, stage } from './package.ts';

const MEGABYTE = 1_048_576;
const ROOT = resolve(import.meta.dirname, '..');
/** Where the program is installed. */
const PROGRAM = 'usr/lib/sextant';

/**
 * Starts the program with the Node that comes with it. Commands find the data of the service, where its configuration
 * says or else the unit.
 */
const LAUNCHER = `#!/bin/sh
root=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
program=\${root%/}/usr/lib/sextant
data=\${root%/}/var/lib/sextant
if [ -z "$SEXTANT_DATA" ] && [ -d "$data" ]; then
    named=$(sed -n 's/^SEXTANT_DATA="\\{0,1\\}\\([^"]*\\)"\\{0,1\\}$/\\1/p' "\${root%/}/etc/sextant.env" 2>/dev/null | tail -n 1)
    export SEXTANT_DATA="\${named:-$data}"
fi
exec "$program/node_modules/.bin/node" "$program/src/sextant.js" "$@"
`;

const CONFIGURATION = `# Settings of the service, one variable a line: docs/operating.md has them all.
# Keys and passwords in it are read by root and the service only.
#SEXTANT_PORT=8080
#SEXTANT_CACHE_MB=512
#SEXTANT_LOG_FILE=/var/log/sextant/service.log
#SEXTANT_ACCESS_LOG=text
#SEXTANT_ACCESS_LOG_FILE=/var/log/sextant/access.log
`;

/** Makes the user, and gives it the folder of the data. */
const AFTER_INSTALL = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if ! grep -q '^sextant:' "$DPKG_ROOT/etc/passwd"; then
        useradd \${DPKG_ROOT:+--prefix "$DPKG_ROOT"} --system --user-group --no-create-home \\
            --home-dir /var/lib/sextant --shell /usr/sbin/nologin sextant
    fi
    owner=$(sed -n 's/^sextant:[^:]*:\\([0-9]*\\):\\([0-9]*\\):.*/\\1:\\2/p' "$DPKG_ROOT/etc/passwd")
    mkdir -p -m 0700 "$DPKG_ROOT/var/lib/sextant"
    chown "$owner" "$DPKG_ROOT/var/lib/sextant"
    if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        systemctl try-restart sextant.service
    fi
fi
`;

const BEFORE_REMOVAL = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
    systemctl disable --now sextant.service
fi
`;

/** What the program keeps beside its sources goes with it. The data stays until the package is purged. */
const AFTER_REMOVAL = `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
    rm -rf "$DPKG_ROOT/usr/lib/sextant"
fi
if [ "$1" = purge ]; then
    rm -rf "$DPKG_ROOT/var/lib/sextant" "$DPKG_ROOT/var/log/sextant"
    if grep -q '^sextant:' "$DPKG_ROOT/etc/passwd"; then
        userdel \${DPKG_ROOT:+--prefix "$DPKG_ROOT"} sextant
    fi
    if grep -q '^sextant:' "$DPKG_ROOT/etc/group"; then
        groupdel \${DPKG_ROOT:+--prefix "$DPKG_ROOT"} sextant
    fi
fi
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload
fi
`;

/**
 * Makes the package for the architecture of this machine.
 * @param folder where it is put
 * @param compression as dpkg-deb calls it
 * @param say told what is done
 * @returns the file
 * @throws Error when there is no such folder, or dpkg-deb fails
 */
export function makeDebianPackage(folder: string, compression = 'xz', say = (_step: string): void => {}): string {
  requireFolder(folder);
  const staging = mkdtempSync(join(tmpdir(), 'deb-'));
  try {
    const { name, version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    say('The program is put together.');
    stage(join(staging, PROGRAM));
    say(`${copyDependencies(join(staging, PROGRAM))} packages of the lock file are copied.`);
    const write = (path: string, text: string, mode = 0o644): void => {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), text);
      chmodSync(join(staging, path), mode);
    };
    const copy = (from: string, to: string): void => write(to, readFileSync(join(ROOT, from), 'utf8'));
    write('usr/bin/sextant', LAUNCHER, 0o755);
    copy('deploy/sextant.service', 'usr/lib/systemd/system/sextant.service');
    copy('deploy/logrotate', 'etc/logrotate.d/sextant');
    copy('LICENSE', 'usr/share/doc/sextant/copyright');
    write('etc/sextant.env', CONFIGURATION, 0o600);
    const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
    write(
      'DEBIAN/control',
      `Package: sextant\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: ${name}\nSection: net\n` +
        `Priority: optional\nDepends: passwd\nSuggests: logrotate\nDescription: ${description}\n`,
    );
    write('DEBIAN/conffiles', '/etc/sextant.env\n/etc/logrotate.d/sextant\n');
    write('DEBIAN/postinst', AFTER_INSTALL, 0o755);
    write('DEBIAN/prerm', BEFORE_REMOVAL, 0o755);
    write('DEBIAN/postrm', AFTER_REMOVAL, 0o755);
    chmodSync(staging, 0o755);
    const file = join(resolve(folder), `sextant_${version}_${architecture}.deb`);
    say(`All is packed by ${compression}${compression === 'xz' ? ', which takes a minute or two' : ''}.`);
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', staging, file]);
    say(`The package has ${Math.ceil(statSync(file).size / MEGABYTE)} MB.`);
    return file;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const NODE_PACKAGE = 'node_modules/node-';
/** Of Node's own package: npm, headers and manuals. */
const NOT_NODE = /^\/(?:include|lib|share)(?:\/|$)|^\/bin\/(?:npm|npx|corepack)$/;

/** A package of the lock file. The laboratory and the benchmarks are links, and not for those who run the program. */
type Locked = Partial<Record<'dev' | 'devOptional' | 'link', true>>;

/** Copies what the lock file has for those who run the program, as far as this system has it. @returns how many */
export function copyDependencies(program: string): number {
  let copied = 0;
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  for (const [path, { dev, devOptional, link }] of Object.entries<Locked>(packages)) {
    if (!path.startsWith('node_modules/') || link || dev || devOptional || !existsSync(join(ROOT, path))) continue;
    const isOwn = (from: string): boolean => {
      const within = from.slice(join(ROOT, path).length);
      return !within.includes('/node_modules') && !(path.startsWith(NODE_PACKAGE) && NOT_NODE.test(within));
    };
    cpSync(join(ROOT, path), join(program, path), { recursive: true, filter: isOwn });
    copied++;
  }
  mkdirSync(join(program, 'node_modules/.bin'));
  cpSync(join(ROOT, 'node_modules/.bin/node'), join(program, 'node_modules/.bin/node'), { verbatimSymlinks: true });
  return copied;
}

const tell = (step: string): void => console.error(step);
if (import.meta.main)
  runAsProgram('package:deb', 'dpkg -i /tmp/sextant_*.deb', folder => makeDebianPackage(folder, 'xz', tell));
