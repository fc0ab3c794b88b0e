// The names of all members of a positioning body that mean something, by the object in which they stand. The readers
// take their types from this table, the OpenAPI document must describe each of its names, and the core compares bodies
// with the words that `src/core/member_words.ts` makes of them. The frequent names stand first.

/** Names of members by object. */
export const MEMBERS = {
  /** Those of a body that the core reads itself. */
  body: ['radioType', 'cellTowers', 'wifiAccessPoints', 'bluetoothBeacons'],
  /** The others of a body, which the core hands to its caller. The last two stand in the positions of a batch only. */
  rest: [
    'gps',
    'fallbacks',
    'timestamp',
    'lastLocation',
    'speedLimit',
    'confidence',
    'sensors',
    'geoname',
    'address',
    'credits',
    'expires',
    'explain',
    'indoor',
    'state',
    'id',
    'nr',
  ],
  accessPoint: ['macAddress', 'signalStrength', 'channel', 'frequency', 'age', 'ssid', 'ssidHex'],
  /** Some clients name uuid, major and minor `id1`, `id2` and `id3`. */
  beacon: ['macAddress', 'signalStrength', 'beaconType', 'age', 'uuid', 'major', 'minor', 'id1', 'id2', 'id3'],
  cell: [
    'mobileCountryCode',
    'mobileNetworkCode',
    'locationAreaCode',
    'cellId',
    'signalStrength',
    'radioType',
    'primaryScramblingCode',
    'timingAdvance',
    'serving',
    'newRadioCellId',
    'psc',
    'age',
  ],
} as const;

/** The name of a member of an object. */
export type MemberOf<O extends keyof typeof MEMBERS> = (typeof MEMBERS)[O][number];

/** An object as a client sent it: any value in any member. */
export type Sent<O extends keyof typeof MEMBERS> = { [name in MemberOf<O>]?: unknown };
