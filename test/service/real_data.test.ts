// Real tables through the running service: three countries of cells and a city of access points, imported while it
// serves, then asked over HTTP.

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as geokdbush from 'geokdbush';
import KDBush from 'kdbush';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distanceMetres } from '../../src/geo/distance.ts';
import { formatMac, radioOfMac } from '../../src/radio/mac.ts';
import { readDarmstadt } from '../kits/radio/darmstadt.ts';
import { shuffled, uniform } from '../kits/random.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const DATA = new URL('../../../shared/data/positioning/', import.meta.url).pathname;
const COUNTRIES = ['204', '206', '234'].map(mcc => `${DATA}opencellid_${mcc}.csv.gz`);
const CITY = `${DATA}darmstadt_aps.csv.gz`;
const RADIO_TYPES: Record<string, string> = {
  GSM: 'gsm',
  CDMA: 'cdma',
  UMTS: 'wcdma',
  LTE: 'lte',
  NBIOT: 'nbiot',
  NR: 'nr',
};
const ROWS = 249_168;
const CELLS = 1_000;
const GROUPS = 500;
const GROUP_METRES = 80;

const present = [...COUNTRIES, CITY].every(file => existsSync(file));
if (!present) console.log('skipped: the real tables are not beside the checkout');

describe.skipIf(!present)('real tables', () => {
  const base = folderOfFile();
  const random = uniform(20);
  let service: ServiceProcess;
  let key: string;

  beforeAll(async () => {
    service = await ServiceProcess.start(`${base}/data`, ...FEW_THREADS);
    key = (await service.key({ credits: 1_000_000 })).key;
  });
  afterAll(async () => {
    const ended = await service.stop();
    expect(ended.code).toBe(0);
  });

  test('the cells of three countries are imported while the service runs', async () => {
    const summary = await service.job({ verb: 'import', kind: 'cells', files: COUNTRIES });
    // One NR row has the one tracking area code that the specification excludes, and 36 rows the id of an unknown cell.
    expect(summary).toMatchObject({ rows: ROWS, accepted: ROWS - 37, refused: 37 });
  });

  test('the access points of a city are imported while the service runs', async () => {
    const summary = await service.job({ verb: 'import', kind: 'wifi', files: [CITY] });
    expect(summary).toMatchObject({ rows: 34_699, refusedByRule: { 'opted out': 8 } });
  });

  test('a thousand random cells are answered within their own range, without a fallback', async () => {
    const rows = COUNTRIES.flatMap(file => gunzipSync(readFileSync(file)).toString().trim().split('\n'));
    let within = 0;
    for (let i = 0; i < CELLS; i++) {
      const [radio, mcc, net, area, cell, , lon, lat, range] = rows[Math.floor(random() * rows.length)].split(',');
      const answer = await service.post(key, {
        cellTowers: [
          {
            radioType: RADIO_TYPES[radio],
            mobileCountryCode: Number(mcc),
            mobileNetworkCode: Number(net),
            locationAreaCode: Number(area),
            cellId: Number(cell),
          },
        ],
      });
      if (answer.status !== 200) continue;
      expect(answer.json).not.toHaveProperty('fallback');
      const { location } = answer.json;
      if (distanceMetres(location.lat, location.lng, Number(lat), Number(lon)) <= Math.max(Number(range), 1)) within++;
    }
    expect(within).toBeGreaterThanOrEqual(0.99 * CELLS);
  });

  test('groups of access points near each other are all answered, and near the group', async () => {
    // The list names some access points twice; the later row is the one in the tables.
    const stations = [...new Map(readDarmstadt().map(station => [station.mac, station])).values()];
    const index = new KDBush(stations.length);
    for (const { position } of stations) index.add(position[1], position[0]);
    index.finish();
    let asked = 0;
    while (asked < GROUPS) {
      const [latitude, longitude] = stations[Math.floor(random() * stations.length)].position;
      const near = geokdbush
        .around(index, longitude, latitude, 40, GROUP_METRES / 2000)
        .map(i => stations[i as number]);
      const group = shuffled(near, random).slice(0, 3 + Math.floor(random() * 6));
      if (group.length < 3 || new Set(group.map(({ mac }) => radioOfMac(mac))).size < 3) continue;
      asked++;
      const answer = await service.post(key, {
        wifiAccessPoints: group.map(({ mac }) => ({ macAddress: formatMac(mac), signalStrength: -70 })),
      });
      expect(answer.status, JSON.stringify(group)).toBe(200);
      const { location } = answer.json;
      expect(distanceMetres(location.lat, location.lng, latitude, longitude)).toBeLessThan(2 * GROUP_METRES);
    }
  });

  test('one known access point with an unknown one is never answered', async () => {
    for (const { mac } of shuffled(readDarmstadt(), random).slice(0, 200)) {
      const wifiAccessPoints = [
        { macAddress: formatMac(mac), signalStrength: -50 },
        { macAddress: '02:ff:ff:00:00:01', signalStrength: -60 },
      ];
      expect((await service.post(key, { wifiAccessPoints })).status).toBe(404);
    }
  });
});
