import { expect, test } from 'vitest';
import { readFile } from './read_file.ts';

const NETWORK = {
  trilat: 47.141,
  trilong: 9.521,
  ssid: 'Harbour',
  qos: 3,
  transid: '20240506-00001',
  firsttime: '2023-01-02T10:00:00.000Z',
  lasttime: '2024-05-06T07:08:09.000Z',
  lastupdt: '2024-05-07T00:00:00.000Z',
  netid: '0A:00:00:00:00:01',
  type: 'infra',
  channel: 6,
};
const answerOf = (results: unknown[]) => ({ success: true, totalResults: 2, search_after: 17, results });

test('of a search the places of access points, beacons and cells are read', async () => {
  const beacon = { ...NETWORK, netid: '0A:00:00:00:00:02', type: 'BLE' };
  const { netid, type, ...cell } = NETWORK;
  const { format, found, refused } = await readFile(
    JSON.stringify(answerOf([NETWORK, beacon, { ...cell, id: '2064_2124_102764173', gentype: 'LTE' }])),
  );
  expect({ format, refused }).toEqual({ format: 'wigle', refused: [] });
  expect(found[0].draft).toEqual({
    latitude: 47.141,
    longitude: 9.521,
    timeMs: Date.UTC(2024, 4, 6, 7, 8, 9),
    wifiAccessPoints: [{ macAddress: '0A:00:00:00:00:01', ssid: 'Harbour', channel: 6 }],
  });
  expect(found[1].draft.bluetoothBeacons).toEqual([{ macAddress: '0A:00:00:00:00:02' }]);
  expect(found[2].draft.cellTowers).toEqual([
    {
      radioType: 'lte',
      mobileCountryCode: '206',
      mobileNetworkCode: '4',
      locationAreaCode: '2124',
      cellId: '102764173',
    },
  ]);
});

test('of a detail the measurements count instead of the place', async () => {
  const locationData = [
    { latitude: 47.14, longitude: 9.52, alt: 450, accuracy: 5, signal: -60, time: '2024-05-06T07:00:00.000Z' },
    { latitude: 47.142, longitude: 9.522, alt: 451, accuracy: 0, signal: -70, lastupdt: '2024-05-06T08:00:00.000Z' },
    { latitude: 47.142, longitude: 9.522 },
  ];
  const { found, refused } = await readFile(JSON.stringify(answerOf([{ ...NETWORK, locationData }]), null, 2));
  expect(found.map(({ draft }) => [draft.latitude, draft.accuracyMetres, draft.wifiAccessPoints])).toMatchObject([
    [47.14, 5, [{ macAddress: '0A:00:00:00:00:01', signalStrength: -60 }]],
    [47.142, undefined, [{ signalStrength: -70 }]],
  ]);
  expect(refused).toEqual(['6: its time cannot be read']);
});

test('a result without a time is refused', async () => {
  const { lasttime, lastupdt, ...timeless } = NETWORK;
  const { found, refused } = await readFile(`${JSON.stringify(timeless)}\n${JSON.stringify(NETWORK)}\n`);
  expect(found.map(({ line }) => line)).toEqual([2]);
  expect(refused).toEqual(['1: its time cannot be read']);
});
