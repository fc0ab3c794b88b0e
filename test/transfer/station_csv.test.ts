import { describe, expect, test } from 'vitest';
import { formatMac } from '../../src/radio/mac.ts';
import { macOfKey } from '../../src/radio/station_key.ts';
import { RecordSort } from '../../src/tables/environment/record_sort.ts';
import { decodeStation } from '../../src/tables/stations/station.ts';
import { addStation, recogniseStationList } from '../../src/transfer/station_csv.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

function read(header: string, line: string) {
  const columns = recogniseStationList('f', [header.split(',')]);
  const records = new RecordSort(temporaryFolder(), 8, 24, 4);
  const refusal = addStation(line.split(','), columns, records);
  if (refusal !== undefined) return { refusal };
  return {
    kind: records.bytes[0],
    mac: formatMac(macOfKey(records.bytes, 0)),
    station: decodeStation(records.view, 8),
  };
}

const HEADER = 'ssid,bssid,latitude,longitude';

describe('a row', () => {
  test('with no more than address and position has the usual radii', () => {
    const { kind, mac, station } = read(HEADER, 'Home,88:F7:C7:52:54:C6,49.8710322,8.6546448');
    expect({ kind, mac }).toEqual({ kind: 1, mac: '88:f7:c7:52:54:c6' });
    expect(station).toMatchObject({
      latitude: 49.8710322,
      longitude: 8.6546448,
      r50Metres: 35,
      r95Metres: 230,
      samples: 1,
      lastSeenDay: 0,
      code: 65_535,
      isLearned: false,
    });
  });

  test('gives radius, samples and times where the list has them', () => {
    const { station } = read(
      'mac,lat,lng,radius,samples,first_seen,lastSeen',
      '88-f7-c7-52-54-c6,49.5,8.5,20,7,2024-02-29,1709208000000',
    );
    expect(station).toMatchObject({
      r50Metres: 20,
      r95Metres: 52,
      samples: 7,
      firstSeenDay: 19_782,
      lastSeenDay: 19_782,
    });
  });

  test('without a usable radius has the usual one', () => {
    for (const radius of ['', '0', '-4', 'wide'])
      expect(read('mac,lat,lon,accuracy', `88f7c75254c6,49.5,8.5,${radius}`).station?.r50Metres).toBe(35);
  });

  test.each([
    ['MAC Address,Lat,Long', '88f7c75254c6,49.5,8.5'],
    ['macAddress,latitude,lon', '88f7.c752.54c6,49.5,8.5'],
    ['vendor,longitude,netid,lat', 'AVM,8.5,88f7c75254c6,49.5'],
  ])('is read under the header %s', (header, line) => {
    const { mac, station } = read(header, line);
    expect(mac).toBe('88:f7:c7:52:54:c6');
    expect(station).toMatchObject({ latitude: 49.5, longitude: 8.5 });
  });

  test.each([
    ['Home,88:f7:c7:52:54,49.5,8.5', 'address'],
    ['Home,,49.5,8.5', 'address'],
    ['Home,01:00:5e:00:00:fb,49.5,8.5', 'group address'],
    ['Home,ff:ff:ff:ff:ff:ff,49.5,8.5', 'group address'],
    ['Home,00:00:00:00:00:00,49.5,8.5', 'group address'],
    ['Home_nomap,88:f7:c7:52:54:c6,49.5,8.5', 'opted out'],
    ['Home_NoMap,88:f7:c7:52:54:c6,49.5,8.5', 'opted out'],
    ['HOME_NOMAP ,88:f7:c7:52:54:c6,49.5,8.5', 'opted out'],
    ['WIFIonICE,88:f7:c7:52:54:c6,49.5,8.5', 'moving hotspot'],
    ['AndroidAP_7,88:f7:c7:52:54:c6,49.5,8.5', 'moving hotspot'],
    ['My_optout_net,88:f7:c7:52:54:c6,49.5,8.5', 'opted out'],
    ['Home,88:f7:c7:52:54:c6,91,8.5', 'position'],
    ['Home,88:f7:c7:52:54:c6,,8.5', 'position'],
    ['Home,88:f7:c7:52:54:c6,0,0', 'null island'],
    ['Home,88:f7:c7:52:54:c6,49.5', 'columns'],
    ['a_nomap_b,8a:f7:c7:52:54:c6,49.5,8.5', undefined],
  ])('%s is refused by rule %s', (line, rule) => {
    expect(read(HEADER, line).refusal?.rule).toBe(rule);
  });
});

test.each([
  ['ssid,latitude,longitude', 'address (bssid, mac, macaddress, netid)'],
  ['bssid,longitude', 'latitude (latitude, lat)'],
  ['bssid,lat', 'longitude (longitude, lon, lng, long)'],
  ['LTE,206,1,251,51764,88,4.3517,50.8466,1500,42,1,0,0,0', 'address'],
])('a list headed %s lacks the column %s', (header, missing) => {
  expect(() => recogniseStationList('f.csv', [header.split(',')])).toThrow(
    `f.csv is not a list of access points: its first line names no column for the ${missing}`,
  );
});
