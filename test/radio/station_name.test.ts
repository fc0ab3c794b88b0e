import { describe, expect, test } from 'vitest';
import { KIND_BEACON, KIND_BLUETOOTH, KIND_CDMA, KIND_GSM, KIND_LTE, KIND_WIFI } from '../../src/radio/kind.ts';
import { formatStation, parseStation } from '../../src/radio/station_name.ts';
import { AREA_NONE } from '../../src/radio/unknown_cell.ts';
import { beaconKey, cellKey, macKey } from '../kits/radio/stations.ts';

const UUID = 'e2c56db5-dffb-48d2-b060-d0f5a71096e0';
const MAC = 0x02005e0000d3;

describe('the name of a station', () => {
  test.each([
    ['02:00:5e:00:00:d3', [macKey(MAC, KIND_WIFI), macKey(MAC, KIND_BLUETOOTH)]],
    [`${UUID}/1/65535`, [beaconKey(Buffer.from(UUID.replaceAll('-', ''), 'hex'), 1, 65_535)]],
    ['gsm-206-1-251-517', [cellKey(KIND_GSM, 206, 1, 251, 517)]],
    ['lte-206-1-251-51764', [cellKey(KIND_LTE, 206, 1, 251, 51_764), cellKey(KIND_LTE, 206, 1, AREA_NONE, 51_764)]],
    ['lte-206-1--51764', [cellKey(KIND_LTE, 206, 1, AREA_NONE, 51_764)]],
    ['cdma-4139-12-27', [cellKey(KIND_CDMA, 0, 4_139, 12, 27), cellKey(KIND_CDMA, 0, 4_139, AREA_NONE, 27)]],
  ])('%s stands for its keys, and they for it', (name, keys) => {
    expect(parseStation(name)).toEqual(keys);
    expect(formatStation(keys[0])).toBe(name);
  });

  test('may be written as elsewhere', () => {
    expect(parseStation('0200.5E00.00D3')).toEqual(parseStation('02:00:5e:00:00:d3'));
    expect(parseStation('lte-206-1-65535-51764')).toEqual(parseStation('lte-206-1--51764'));
    expect(parseStation(`${UUID.toUpperCase()}/1/7`)[0][0]).toBe(KIND_BEACON);
  });

  test.each([
    [
      'home',
      '"home" names no station: write a MAC address, UUID/MAJOR/MINOR, or a cell such as lte-206-1-2124-102764173.',
    ],
    ['ff:ff:ff:ff:ff:ff', 'No station sends from the address ff:ff:ff:ff:ff:ff.'],
    [`${UUID}/1`, `"${UUID}/1" names no beacon: write UUID/MAJOR/MINOR, the numbers from 0 to 65535.`],
    [`${UUID}/1/65536`, 'names no beacon'],
    ['lte-206-1-251', '"lte-206-1-251" names no cell: write lte-COUNTRY-NETWORK-AREA-CELL.'],
    ['cdma-1-2', 'write cdma-SYSTEM-NETWORK-STATION.'],
    ['gsm-206-1--517', '"gsm-206-1--517" names no cell: its area is not from 0 to 65535.'],
    ['lte-2060-1-251-51764', 'its country is not from 0 to 999.'],
    ['lte-206-1-251-x', 'its cell id is not from 0 to 268435455.'],
  ])('%s is refused', (name, sentence) => {
    expect(() => parseStation(name)).toThrow(sentence);
  });
});
