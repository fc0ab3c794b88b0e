// Schemas of access points and beacons, with the member names of positions and of submissions.

import { AGE_MS, BLUETOOTH_RANGES, WIFI_RANGES } from '../../radio/ranges.ts';
import { integerIn, openObject, type Schema } from '../json_schema.ts';

/** Twelve hexadecimal digits in any case, with or without separators. */
const MAC = { type: 'string', pattern: '^[0-9A-Fa-f](?:[:.-]*[0-9A-Fa-f]){11}$' };
const UUID = { type: 'string', pattern: '^[0-9A-Fa-f](?:-*[0-9A-Fa-f]){31}$' };
const AGE = {
  description: 'Milliseconds since the measurement.',
  anyOf: [integerIn(AGE_MS), { type: 'string', pattern: '^\\d{1,10}$' }],
};
/** Type code of iBeacons in the format of AltBeacon's library. */
const TYPE_IBEACON = 533;

/** An access point. @param address @param signal names of the members */
export function accessPointSchema(address: string, signal: string): Schema {
  return openObject(
    {
      [address]: { ...MAC, description: 'BSSID.' },
      ssid: {
        type: 'string',
        description: 'Network name. One that ends in `_nomap` or contains `_optout` leaves the access point out.',
      },
      ssidHex: {
        type: 'string',
        pattern: '^(?:[0-9A-Fa-f]{2}){0,32}$',
        description: 'Network name, two hexadecimal digits for each byte; read when `ssid` is absent.',
      },
      [signal]: integerIn(WIFI_RANGES.signalStrength, 'dBm.'),
      frequency: integerIn(WIFI_RANGES.frequency, 'MHz.'),
      channel: integerIn(WIFI_RANGES.channel, 'Channel number.'),
      age: AGE,
    },
    [address],
  );
}

/** A beacon that is identified by its address alone. @param address @param signal names of the members */
export function addressedBeaconSchema(address: string, signal: string): Schema {
  return openObject({ [address]: MAC, [signal]: integerIn(BLUETOOTH_RANGES.signalStrength, 'dBm.'), age: AGE }, [
    address,
  ]);
}

/** A beacon: identified by its address, or as an iBeacon by uuid, major and minor. */
export function beaconSchema(): Schema {
  const number = { major: integerIn(BLUETOOTH_RANGES.major), minor: integerIn(BLUETOOTH_RANGES.minor) };
  return {
    ...openObject({
      macAddress: MAC,
      name: { type: 'string', description: 'Not used.' },
      signalStrength: integerIn(BLUETOOTH_RANGES.signalStrength, 'dBm.'),
      age: AGE,
      uuid: { ...UUID, description: 'iBeacon UUID. Uuid, major and minor go before the address.' },
      ...number,
      beaconType: { const: TYPE_IBEACON, description: 'With `id1`, `id2` and `id3`: the beacon is an iBeacon.' },
      id1: { ...UUID, description: 'Other name of `uuid`.' },
      id2: { ...number.major, description: 'Other name of `major`.' },
      id3: { ...number.minor, description: 'Other name of `minor`.' },
    }),
    anyOf: [
      { required: ['macAddress'] },
      { required: ['uuid', 'major', 'minor'] },
      { required: ['id1', 'id2', 'id3'] },
    ],
  };
}
