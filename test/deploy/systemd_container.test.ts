// The unit under systemd itself, which runs as the first process of a container: the files of this machine below a layer
// that is thrown away, and no network but its own. It needs root and systemd-nspawn (apt-get install systemd-container),
// and starts the service four times, so it runs on request: TEST_UNIT=1 npx vitest run test/deploy/systemd_container.test.ts

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeCertificate } from '../kits/certificate.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const IS_ASKED = process.env.TEST_UNIT === '1';
const CAN_RUN = process.getuid?.() === 0 && spawnSync('systemd-nspawn', ['--version']).status === 0;
if (!IS_ASKED) console.log('Skipped: the unit is tried under systemd with TEST_UNIT=1 only.');
else if (!CAN_RUN) console.log('Skipped: systemd-nspawn is not installed, or the test does not run as root.');

const CONTAINER_MILLISECONDS_MAX = 600_000;

/** Mounts the machine below an empty layer at $0/root, puts the files of $0/added upon it, and starts its systemd. */
const BOOT = `
mount -t tmpfs tmpfs "$0/layers" && mkdir "$0/layers/upper" "$0/layers/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$0/layers/upper,workdir=$0/layers/work" "$0/root"
cp -r "$0/added/." "$0/root/" && : > "$0/root/etc/machine-id"
systemd-nspawn --register=no --keep-unit --private-network -D "$0/root" --boot systemd.unit=try.service
cp "$0/root/said" "$0/said"
`;

/** What is typed in the container, as docs/deploying.md has it; each line of what it says is compared. */
const TYPED = `#!/bin/sh
exec > /said 2> /errors
show() { systemctl show sextant --property "$1" --value; }
useradd --system --home-dir /var/lib/sextant --shell /usr/sbin/nologin sextant
install -m 0644 ${resolve('deploy/sextant.service')} /etc/systemd/system/
systemctl daemon-reload
systemctl start sextant && show StatusText
curl -s http://127.0.0.1:8080/ready && echo
stat -c '%U %a' /var/lib/sextant
runuser -u sextant -- sextant keys create --data /var/lib/sextant --name fleet | grep -c '"key"'
systemctl reload sextant
until journalctl -u sextant -o cat | grep -o 'read again: nothing has changed'; do sleep 0.2; done
kill -KILL $(show MainPID)
until [ "$(show NRestarts)" = 1 ] && systemctl is-active --quiet sextant; do sleep 0.2; done
curl -s http://127.0.0.1:8080/ready && echo
systemctl stop sextant
show Result
cp /settings.env /etc/sextant.env && chown sextant /key.pem
systemctl start sextant && show StatusText
curl -sk https://127.0.0.1:9443/ready && echo
systemctl stop sextant
show Result
systemctl exit 0
`;

test.skipIf(!IS_ASKED || !CAN_RUN)(
  'systemd starts the service as the unit says, reloads it, starts it again after a kill, and stops it',
  { timeout: CONTAINER_MILLISECONDS_MAX },
  () => {
    const base = temporaryFolder();
    const added = join(base, 'added');
    for (const path of ['root', 'layers', 'added/etc/systemd/system', 'added/usr/local/bin'])
      mkdirSync(join(base, path), { recursive: true });
    const write = (path: string, text: string) => {
      writeFileSync(join(added, path), text);
      chmodSync(join(added, path), 0o755);
    };
    write('try', TYPED);
    write('etc/systemd/system/try.service', '[Unit]\nAfter=basic.target\n[Service]\nType=oneshot\nExecStart=/try\n');
    write('usr/local/bin/sextant', `#!/bin/sh\nexec "${process.execPath}" "${resolve('src/sextant.js')}" "$@"\n`);
    const { cert, key } = makeCertificate(base);
    write('cert.pem', cert);
    writeFileSync(join(added, 'key.pem'), key, { mode: 0o600 });
    write('settings.env', 'SEXTANT_PORT=9443\nSEXTANT_TLS_CERT=/cert.pem\nSEXTANT_TLS_KEY=/key.pem\n');
    execFileSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-ec', BOOT, base], {
      stdio: 'ignore',
      timeout: CONTAINER_MILLISECONDS_MAX,
    });
    expect(readFileSync(join(base, 'said'), 'utf8').trim().split('\n')).toEqual([
      'Listens on http://127.0.0.1:8080',
      '{"status":"ready"}',
      'sextant 700',
      '1',
      'read again: nothing has changed',
      '{"status":"ready"}',
      'success',
      'Listens on https://127.0.0.1:9443',
      '{"status":"ready"}',
      'success',
    ]);
  },
);
