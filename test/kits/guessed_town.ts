// A town of four places with three access points each, and a device whose place is the first of them: what an account
// needs to be wrong about it at the other three, and then no more.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../../src/jobs/job.ts';
import type { ServiceProcess } from './service_process.ts';

const VENDORS = ['00:14:22', '00:1b:63', '00:25:9c', '3c:5a:b4'];
/** Which one is at a place, and its address. */
const addressAt = (place: number, n: number): string => `${VENDORS[place]}:${n + 1}7:${3 * n + 2}c:${place + 3 * n}5`;
const DEVICE = '00:90:4c:a1:b2:c3';

/** Imports the town into a running service. @param folder for the file */
export async function importTown(service: ServiceProcess, folder: string): Promise<void> {
  const rows = [0, 1, 2, 3].flatMap(place =>
    [0, 1, 2].map(n => `${addressAt(place, n)},${47.2 + place / 50},${9.5 + n / 1e4},30,9,2026-11-20`),
  );
  const path = join(folder, 'town.csv');
  const head = 'bssid,latitude,longitude,radius,samples,lastseen';
  writeFileSync(path, [head, ...rows, `${DEVICE},47.2001,9.5001,30,9,2026-11-20`].join('\n'));
  await service.job({ verb: 'import', kind: 'wifi', files: [path] } as unknown as Job);
}

/** Sends the device with all access points of a place. @param place 1..3, where it is not @returns the status */
export async function guess(service: ServiceProcess, key: string, place: number): Promise<number> {
  return send(service, key, [DEVICE, ...[0, 1, 2].map(n => addressAt(place, n))]);
}

/** Whether the device still takes part in what an account sends: one access point beside it is too few. */
export async function takesPart(service: ServiceProcess, key: string): Promise<boolean> {
  const status = await send(service, key, [DEVICE, addressAt(0, 0)]);
  if (status !== 200 && status !== 404) throw new Error(`The answer has the status ${status}.`);
  return status === 200;
}

async function send(service: ServiceProcess, key: string, addresses: string[]): Promise<number> {
  const wifiAccessPoints = addresses.map(macAddress => ({ macAddress, signalStrength: -60 }));
  return (await service.post(key, { wifiAccessPoints, considerIp: false })).status;
}
