// Makes the package of Debian and Ubuntu of the same tree as the other one (package.ts): npm run package:deb -- FOLDER.
// It holds the program with the dependencies of the lock file and the Node that comes with them, so nothing is fetched
// where it is installed; the unit; the configuration in /etc/sextant.env, which an update leaves as it is; and the file
// for logrotate. Installing it makes the user and the data folder, and starts nothing. A purge takes data, logs and user
// away again.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { requireFolder, runAsProgram, stage } from './package.ts';
import { ROOT, secondOfCheckout } from './release/checkout.ts';
import { type Architecture, copyDependencies, ownArchitecture } from './release/dependencies.ts';

const MEGABYTE = 1_048_576;
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
 * Makes the package.
 * @param folder where it is put
 * @param architecture for which; by itself that of this machine
 * @param compression as dpkg-deb calls it
 * @param say told what is done
 * @returns the file
 * @throws Error when there is no such folder, or dpkg-deb fails
 */
export function makeDebianPackage(
  folder: string,
  compression = 'xz',
  say = (_step: string): void => {},
  architecture: Architecture = ownArchitecture(),
): string {
  requireFolder(folder);
  const staging = mkdtempSync(join(tmpdir(), 'deb-'));
  try {
    const { name, version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    say('The program is put together.');
    stage(join(staging, PROGRAM), true);
    say(`${copyDependencies(join(staging, PROGRAM), architecture)} packages of the lock file are copied.`);
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
    dateAll(staging, secondOfCheckout());
    const file = join(resolve(folder), `sextant_${version}_${architecture}.deb`);
    say(`All is packed by ${compression}${compression === 'xz' ? ', which takes a minute or two' : ''}.`);
    // The same number of threads makes the same bytes.
    const how = ['--root-owner-group', `-Z${compression}`, '--threads-max=2'];
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(secondOfCheckout()) };
    execFileSync('dpkg-deb', [...how, '--build', staging, file], { env });
    say(`The package has ${Math.ceil(statSync(file).size / MEGABYTE)} MB.`);
    return file;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Gives all files one time: npm leaves empty ones with that of their installation. */
function dateAll(folder: string, second: number): void {
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lutimesSync(join(parentPath, name), second, second);
}

const tell = (step: string): void => console.error(step);
if (import.meta.main)
  runAsProgram('package:deb', 'dpkg -i /tmp/sextant_*.deb', folder => makeDebianPackage(folder, 'xz', tell));
