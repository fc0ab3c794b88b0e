// The list of Darmstadt's access points, where it is at hand.

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isGroupOrNullMac, parseMac } from '../../../src/radio/mac.ts';
import type { ListedStation } from './drawn_town.ts';

const PATH = new URL('../../../../shared/data/positioning/darmstadt_aps.csv.gz', import.meta.url);

/** Why the list cannot be used; undefined when it can. */
export function whyNoDarmstadt(): string | undefined {
  return existsSync(PATH) ? undefined : 'skipped: the list of Darmstadt access points is not beside the checkout';
}

/** Reads the list: address, longitude and latitude stand in fixed columns, counted from both ends of a line. */
export function readDarmstadt(): ListedStation[] {
  const stations: ListedStation[] = [];
  for (const line of gunzipSync(readFileSync(PATH)).toString().split('\n').slice(1)) {
    const address = /(?:^|,)"?((?:[0-9a-f]{2}:){5}[0-9a-f]{2})"?,/i.exec(line)?.[1];
    const columns = line.trim().split(',');
    const latitude = Number(columns.at(-1));
    const longitude = Number(columns.at(-2));
    if (address === undefined || !(Math.abs(latitude) > 1) || !(Math.abs(longitude) > 1)) continue;
    const mac = parseMac(address);
    if (mac >= 0 && !isGroupOrNullMac(mac)) stations.push({ mac, position: [latitude, longitude] });
  }
  return stations;
}
