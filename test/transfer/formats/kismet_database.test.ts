import { expect, test } from 'vitest';
import { databaseOf } from './database_of.ts';
import { readFile } from './read_file.ts';

const AP = '02:00:00:00:00:01';
const device = (devmac: string, type: string, phyname = 'IEEE802.11', json: unknown = {}) => ({
  last_time: 1714979289,
  devmac,
  phyname,
  type,
  avg_lat: 47.14,
  avg_lon: 9.52,
  strongest_signal: -50,
  device: JSON.stringify(json),
});
const DEVICES = [
  device(AP, 'Wi-Fi AP', 'IEEE802.11', {
    'dot11.device': { 'dot11.device.last_beaconed_ssid_record': { 'dot11.advertisedssid.ssid': 'Harbour' } },
  }),
  device('02:00:00:00:00:02', 'Wi-Fi Client'),
  device('02:00:00:00:00:03', 'BTLE', 'BTLE'),
];
const packet = (sourcemac: string, lat: number, lon: number, signal = -60) => ({
  ts_sec: 1714979289,
  phyname: 'IEEE802.11',
  sourcemac,
  frequency: 2437000,
  lat,
  lon,
  alt: 450.5,
  signal,
});

function logOf(version: number, packets: ReturnType<typeof packet>[], devices = DEVICES): Buffer {
  return databaseOf([
    {
      name: 'KISMET',
      columns: 'kismet_version TEXT, db_version INT',
      rows: [{ kismet_version: '2022.08', db_version: version }],
    },
    {
      name: 'devices',
      columns:
        'last_time INT, devmac TEXT, phyname TEXT, type TEXT, avg_lat REAL, avg_lon REAL, strongest_signal INT, device BLOB, UNIQUE(phyname, devmac)',
      rows: devices,
    },
    {
      name: 'packets',
      columns: 'ts_sec INT, phyname TEXT, sourcemac TEXT, frequency REAL, lat REAL, lon REAL, alt REAL, signal INT',
      rows: packets,
    },
    {
      name: 'data',
      columns: 'ts_sec INT, phyname TEXT, devmac TEXT, lat REAL, lon REAL, type TEXT',
      rows: packets.map(({ lat, lon }) => ({
        ts_sec: 1714979290,
        phyname: 'BTLE',
        devmac: '02:00:00:00:00:03',
        lat,
        lon,
        type: 'BTLE',
      })),
    },
  ]);
}

test('packets of access points and what was heard of Bluetooth are read with their positions', async () => {
  const packets = [packet(AP, 47.141, 9.521), packet('02:00:00:00:00:02', 47.141, 9.521), packet(AP, 47.142, 9.522, 0)];
  const { format, found, refused } = await readFile(logOf(7, [...packets, packet(AP, 0, 0)]), 'k.kismet');
  expect({ format, refused }).toEqual({ format: 'kismet', refused: [] });
  expect(found.filter(({ draft }) => draft.wifiAccessPoints).map(({ draft }) => draft)).toEqual([
    {
      timeMs: 1714979289000,
      latitude: 47.141,
      longitude: 9.521,
      altitude: 450.5,
      wifiAccessPoints: [{ macAddress: AP, ssid: 'Harbour', signalStrength: -60, frequency: 2437 }],
    },
    {
      timeMs: 1714979289000,
      latitude: 47.142,
      longitude: 9.522,
      altitude: 450.5,
      wifiAccessPoints: [{ macAddress: AP, ssid: 'Harbour', frequency: 2437 }],
    },
  ]);
  expect(found.filter(({ draft }) => draft.bluetoothBeacons).map(({ rows, draft }) => [rows, draft.latitude])).toEqual([
    [2, 47.141],
    [1, 47.142],
  ]);
});

test('coordinates before version 5 are whole numbers', async () => {
  const { found } = await readFile(logOf(4, [packet(AP, 4714100, 952100)]));
  expect(found.find(({ draft }) => draft.wifiAccessPoints)!.draft).toMatchObject({
    latitude: 47.141,
    longitude: 9.521,
  });
});

test('where no packet has a position, devices count where they were on average', async () => {
  const { found } = await readFile(logOf(7, []));
  expect(found.map(({ draft }) => draft)).toMatchObject([
    {
      latitude: 47.14,
      longitude: 9.52,
      wifiAccessPoints: [{ macAddress: AP, ssid: 'Harbour' }],
      bluetoothBeacons: [{ macAddress: '02:00:00:00:00:03' }],
    },
  ]);
});

test('a device whose description is no JSON, or endless, has no name', async () => {
  const broken = ['{"dot11', `{"a":"${'x'.repeat(1_100_000)}"}`].map((text, i) => ({
    ...device(`02:00:00:00:01:0${i}`, 'Wi-Fi AP'),
    device: text,
  }));
  const { found } = await readFile(
    logOf(
      7,
      broken.map(({ devmac }) => packet(devmac, 47.141, 9.521)),
      broken,
    ),
  );
  expect(found[0].draft.wifiAccessPoints).toMatchObject([{ ssid: undefined }, { ssid: undefined }]);
});
