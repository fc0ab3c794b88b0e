import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServiceClient } from '../../../lab/evaluation/client.ts';
import type { Scan } from '../../../lab/evaluation/scan.ts';
import { TeachableService } from './teachable_service.ts';

const CELL = {
  radioType: 'lte',
  mobileCountryCode: 206,
  mobileNetworkCode: 1,
  locationAreaCode: 5,
  cellId: 9,
  serving: 1 as const,
};
const SCAN: Scan = {
  id: 'line 1',
  track: 'a',
  device: 'a',
  timeMs: undefined,
  latitude: 50,
  longitude: 4,
  accuracyMetres: 7,
  cellTowers: [CELL],
  wifiAccessPoints: [],
  bluetoothBeacons: [],
};

let service: TeachableService;
let client: ServiceClient;

beforeEach(async () => {
  service = await TeachableService.start();
  client = new ServiceClient(service.url, service.key);
});

afterEach(async () => {
  client.close();
  await service.stop();
});

test('a scan is unknown until it is contributed', async () => {
  expect(await client.locate(SCAN)).toBeUndefined();
  await client.contribute([SCAN]);
  expect(await client.locate(SCAN)).toEqual({ latitude: 50, longitude: 4, accuracyMetres: 100 });
  expect(service.batches).toEqual([[{ position: { latitude: 50, longitude: 4, accuracy: 7 }, cellTowers: [CELL] }]]);
});

test('the truth never goes out with a question', async () => {
  await client.locate({ ...SCAN, timeMs: 5000 });
  expect(service.questions).toEqual([{ timestamp: 5000, cellTowers: [CELL] }]);
});

test('the radii for all shares are requested one by one, and none if nothing was found', async () => {
  expect(await client.locateWithRadii(SCAN)).toBeUndefined();
  expect(service.questions).toEqual([{ cellTowers: [CELL] }]);
  await client.contribute([SCAN]);
  const radii = { accuracyMetres: 100, accuracy68Metres: 136, accuracy95Metres: 190 };
  expect(await client.locateWithRadii(SCAN)).toEqual({ latitude: 50, longitude: 4, ...radii });
});

test('a request that the service has no capacity for is sent again', async () => {
  service.turnedAway.push(503, 429);
  await client.contribute([SCAN]);
  expect(service.batches).toHaveLength(1);
});

test('any other answer ends with an error message', async () => {
  service.turnedAway.push(500);
  await expect(client.contribute([SCAN])).rejects.toThrow(
    'The service did not contribute training scans: it answered 500 {"error":{"code":500}}',
  );
  service.turnedAway.push(404);
  await expect(client.locate(SCAN)).rejects.toThrow(
    'The service did not locate a scan: it answered 404 {"error":{"code":404}}',
  );
  const stranger = new ServiceClient(service.url, 'wrong');
  await expect(stranger.locate(SCAN)).rejects.toThrow(/it answered 400 .*keyInvalid/);
  stranger.close();
  expect(() => new ServiceClient('localhost:80', 'k')).toThrow(
    'must begin with http:// or https://, not "localhost:80"',
  );
});

test('a service that is not there ends with an error message', async () => {
  const lost = await TeachableService.start();
  const { url } = lost;
  await lost.stop();
  await expect(new ServiceClient(url, 'k').locate(SCAN)).rejects.toThrow(
    /^The service at http:\/\/127\.0\.0\.1:\d+ cannot be asked: .*ECONNREFUSED/,
  );
});
