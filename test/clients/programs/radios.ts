// Programs that scan the air: Firefox and GeoClue, as Debian packs them. On a system bus of their own they meet what
// radio_bus.py plays of a NetworkManager and of a wpa_supplicant, so they hear the access points of the demo town.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { installPython, isInstalled, Missing, type Program, run, type Served } from '../program.ts';
import { type Finding, type Findings, foundBy, QUESTIONS } from '../questions.ts';
import { unpackDebian, unpackedIn } from './debian.ts';

const SCRIPTS = import.meta.dirname;
const WAIT_MILLISECONDS = 90_000;
/** The bus and who is on it end after that by themselves. */
const RADIO_MILLISECONDS_MAX = 300_000;
const POLICY =
  '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/>';
const busOf = (folder: string): string => `unix:path=${join(folder, 'bus')}`;

async function install(folder: string, name: string): Promise<string> {
  if (!isInstalled('dbus-daemon')) throw new Missing('there is no dbus-daemon (apt-get install dbus-daemon)');
  await installPython(join(folder, 'python'), 'dbus-fast');
  writeFileSync(
    join(folder, 'bus.conf'),
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>${busOf(folder)}</listen><auth>EXTERNAL</auth>
<policy context="default">${POLICY}</policy></busconfig>`,
  );
  return unpackDebian(folder, name);
}

/** Has the access points heard while it asks. @param ask in an environment with the bus */
async function hearing<T>(folder: string, ask: (environment: Record<string, string>) => Promise<T>): Promise<T> {
  const environment = { ...unpackedIn(folder), DBUS_SYSTEM_BUS_ADDRESS: busOf(folder) };
  const words = ['--config-file', join(folder, 'bus.conf'), '--nofork', '--print-address'];
  const bus = await started('dbus-daemon', words, process.env);
  const radio = [join(SCRIPTS, 'radio_bus.py'), JSON.stringify(QUESTIONS.points)];
  const radios = await started(join(folder, 'python/bin/python'), radio, { ...process.env, ...environment });
  try {
    return await ask(environment);
  } finally {
    for (const child of [radios, bus]) child.kill('SIGTERM');
  }
}

/** Starts a program that says on its output that it is ready. */
async function started(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: RADIO_MILLISECONDS_MAX });
  const ended = once(child, 'close').then(() => {
    throw new Error(`${program} has ended.`);
  });
  ended.catch(() => {});
  await Promise.race([once(child.stdout!, 'data'), ended]);
  return child;
}

/** A page that follows the position, and says it. Firefox tells it first that it has none without access points. */
const PAGE = `<!doctype html><title>Where</title><script>
navigator.geolocation.watchPosition(({ coords: { latitude: lat, longitude: lon, accuracy } }) =>
  fetch('/', { method: 'POST', body: JSON.stringify({ lat, lon, accuracy }) }), () => {}, { enableHighAccuracy: true });
</script>`;

async function askFirefox({ host, key }: Served, folder: string): Promise<Findings> {
  const profile = join(folder, 'profile');
  mkdirSync(profile);
  const settings = {
    'geo.provider.network.url': `http://${host}/v1/geolocate?key=${key}`,
    'geo.provider.use_geoclue': false,
    'permissions.default.geo': 1,
    'app.update.enabled': false,
    'browser.aboutwelcome.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'http://127.0.0.1:9',
  };
  const lines = Object.entries(settings).map(
    pair => `user_pref(${pair.map(each => JSON.stringify(each)).join(', ')});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const server = createServer();
  const found = new Promise<Finding>(tell => {
    setTimeout(() => tell(null), WAIT_MILLISECONDS).unref();
    server.on('request', async (request, response) => {
      response.setHeader('content-type', 'text/html').end(request.method === 'POST' ? '' : PAGE);
      if (request.method === 'POST') tell(JSON.parse((await request.toArray()).join('')));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  return hearing(folder, async environment => {
    const words = ['--headless', '--no-remote', '--profile', profile, address];
    const browser = spawn(join(folder, 'usr/lib/firefox-esr/firefox-esr'), words, {
      env: { ...process.env, ...environment, HOME: folder },
      stdio: 'ignore',
    });
    const locate = await found;
    browser.kill('SIGKILL');
    server.close();
    return { locate };
  });
}

async function askGeoClue({ host, key }: Served, folder: string): Promise<Findings> {
  const settings = [
    ...['network-nmea', '3g', 'cdma', 'modem-gps'].map(source => `[${source}]\nenable=false`),
    `[wifi]\nenable=true\nurl=http://${host}/v1/geolocate?key=${key}\nsubmit-data=false`,
    // Who asks (geoclue_client.py).
    '[agent]\nwhitelist=asked',
    '[asked]\nallowed=true\nsystem=true\nusers=',
  ];
  writeFileSync(join(folder, 'etc/geoclue/geoclue.conf'), `${settings.join('\n')}\n`);
  // It reads /etc/geoclue and nothing else, so it gets an /etc with this folder's on top.
  const mounted = 'mount -t overlay overlay -o "lowerdir=$0/etc:/etc" /etc && exec "$0/usr/libexec/geoclue"';
  return hearing(folder, async environment => {
    const service = spawn('unshare', ['--mount', 'sh', '-c', mounted, folder], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    const client = [join(SCRIPTS, 'geoclue_client.py')];
    const locate = await foundBy(async () =>
      JSON.parse(await run(join(folder, 'python/bin/python'), client, environment)),
    );
    service.kill('SIGTERM');
    return { locate };
  });
}

export const RADIOS: readonly Program[] = [
  {
    name: 'Firefox',
    install: folder => install(folder, 'firefox-esr'),
    clients: { Firefox: askFirefox },
  },
  {
    name: 'GeoClue',
    install(folder) {
      if (process.getuid?.() !== 0) throw new Missing('it reads its settings from /etc, which only root can replace');
      return install(folder, 'geoclue-2.0');
    },
    clients: { GeoClue: askGeoClue },
  },
];
