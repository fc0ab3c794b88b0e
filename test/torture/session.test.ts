import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ServiceProcess } from '../kits/service_process.ts';
import { CAN_MOUNT } from '../kits/small_disk.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { makeContributors } from '../service/contributor.ts';
import { holdAgainstSent } from '../service/stored_reports.ts';
import { CAN_HARM, compileFaults, FAULTS, type FaultName, faultOf } from './faults.ts';
import { bootAnew, cutPower, deviceEnvironment } from './power_cut.ts';
import { runSession } from './session.ts';

describe.skipIf(!CAN_HARM)('a service under torture', () => {
  test('loses nothing that it acknowledged, and counts nothing twice, whatever the fault', async () => {
    const faults = (Object.keys(FAULTS) as FaultName[]).filter(name => CAN_MOUNT || !faultOf(name).needsDisk);
    const { rounds, acknowledged, findings } = await runSession({
      seed: 5,
      faults,
      library: compileFaults(temporaryFolder()),
    });
    expect(findings.join('\n')).toBe('');
    expect([...rounds]).toEqual(faults.map(name => [name, 1]));
    for (const count of Object.values(acknowledged)) expect(count).toBeGreaterThan(0);
  });

  test('leaves nothing behind when a signal ends it', async () => {
    const temporary = temporaryFolder();
    const env = { ...process.env, TMPDIR: temporary };
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--rounds', '50'], {
      env,
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    const serviceRuns = (): boolean =>
      readdirSync(temporary).some(name => existsSync(join(temporary, name, 'data', 'owner.lock')));
    for (let looks = 0; looks < 3_000 && !serviceRuns(); looks++) await delay(10);
    expect(serviceRuns()).toBe(true);
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(temporary);
  });

  test('has of each file what was flushed, once the power is cut, and another boot', () => {
    const base = temporaryFolder();
    const device = { folder: join(base, 'data'), flushed: join(base, 'device'), boot: join(base, 'boot') };
    for (const folder of [device.folder, device.flushed]) mkdirSync(folder);
    bootAnew(device, () => 0.5);
    const path = join(device.folder, 'file');
    const never = join(device.folder, 'never');
    const program = `const fs = require('node:fs'); const file = fs.openSync(${JSON.stringify(path)}, 'w');
      fs.writeSync(file, 'kept'); fs.fdatasyncSync(file); fs.writeSync(file, ' gone');
      fs.writeFileSync(${JSON.stringify(never)}, 'gone');`;
    const env = { ...process.env, LD_PRELOAD: compileFaults(base), ...deviceEnvironment(device) };
    execFileSync(process.execPath, ['-e', program], { env });
    const boot = execFileSync('cat', ['/proc/sys/kernel/random/boot_id'], { env, encoding: 'utf8' });
    expect(boot).toBe('88888888-8888-8888-8888-888888888888\n');
    expect(readFileSync(path, 'utf8')).toBe('kept gone');
    expect(cutPower(device, () => 0.9)).toBe(13);
    expect([readFileSync(path, 'utf8'), readFileSync(never, 'utf8')]).toEqual(['kept', '']);
    expect(readFileSync(device.boot, 'utf8')).not.toBe(boot);
  });

  test('has flushes that fail and a clock that is wrong when the control file says so', () => {
    const folder = temporaryFolder();
    const control = join(folder, 'control');
    const words = Buffer.alloc(8);
    words.writeInt32LE(1, 0);
    words.writeInt32LE(7_200, 4);
    writeFileSync(control, words);
    const program = `const fs = require('node:fs'); let said = 'flushed';
      try { fs.fsyncSync(fs.openSync(${JSON.stringify(control)}, 'r+')); } catch (error) { said = error.code; }
      console.log(said, Date.now());`;
    const env = { ...process.env, LD_PRELOAD: compileFaults(folder), TORTURE_CONTROL: control };
    const before = Date.now();
    const [said, now] = execFileSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }).trim().split(' ');
    expect(said).toBe('EIO');
    expect(Number(now) - 7_200_000).toBeGreaterThanOrEqual(before);
    expect(Number(now) - 7_200_000).toBeLessThanOrEqual(Date.now());
  });
});

test('what is lost, changed, or there and never sent is found', async () => {
  const folder = join(temporaryFolder(), 'data');
  const service = await ServiceProcess.start(folder, '--http-threads', '1');
  const { contributors } = await makeContributors(service, 1000, 7);
  const [contributor] = contributors;
  let left = 5;
  await contributor.contribute(service.url, () => --left > 0);
  expect(await service.stop()).toMatchObject({ code: 0 });
  expect(await holdAgainstSent(folder, contributors)).toEqual([]);

  const [[place, report], [other]] = contributor.sent;
  contributor.sent.set('1 2', report);
  expect(await holdAgainstSent(folder, contributors)).toEqual([
    '1 acknowledged reports are lost, such as that of 1 2.',
  ]);
  contributor.sent.delete('1 2');
  contributor.sent.set(place, { ...report, heard: [] });
  expect(await holdAgainstSent(folder, contributors)).toEqual([
    `1 reports are others than were sent, such as that of ${place}.`,
  ]);
  contributor.sent.set(place, report);
  contributor.sent.delete(other);
  expect(await holdAgainstSent(folder, contributors)).toEqual(['1 reports were never sent.']);
});
