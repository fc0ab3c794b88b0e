// How the rules of what a request may hold may break: the ranges of the specification's field tables, and what becomes
// of a value outside.

import type { Mutations } from './mutations.ts';

const CELLS = ['test/radio/query/read_cells.test.ts'];
const QUERY = ['test/protocol/requests/position_query.test.ts'];

export const REQUESTS: readonly Mutations[] = [
  {
    file: 'wasm/range_constants.ts',
    tests: [...CELLS, 'test/radio/query/read_stations.test.ts', 'test/radio/ranges.test.ts'],
    rows: [
      ['16 bits', 'BITS_16_MAX = 65535', 'BITS_16_MAX = 65536'],
      ['28 bits', 'BITS_28_MAX = 268435455', 'BITS_28_MAX = 268435456'],
      ['36 bits', 'BITS_36_MAX = 68719476735', 'BITS_36_MAX = 68719476736'],
      ['an id that is not available', 'BITS_32_UNAVAILABLE = 2147483647', 'BITS_32_UNAVAILABLE = 2147483646'],
      ['country codes', 'COUNTRY_CODE_MAX = 999', 'COUNTRY_CODE_MAX = 1000'],
      ['network codes', 'NETWORK_CODE_MAX = 999', 'NETWORK_CODE_MAX = 1000'],
      ['systems of cdma', 'SYSTEM_ID_MAX = 32767', 'SYSTEM_ID_MAX = 32768'],
      ['least area of nr', 'NR_AREA_MIN = 1', 'NR_AREA_MIN = 0'],
      ['greatest area of nr', 'NR_AREA_MAX = 16777213', 'NR_AREA_MAX = 16777214'],
      ['and one more', 'NR_AREA_ALSO = 16777215', 'NR_AREA_ALSO = 16777213'],
      ['scrambling codes', ' CODE_MAX = 511', ' CODE_MAX = 512'],
      ['codes of nr', 'NR_CODE_MAX = 1023', 'NR_CODE_MAX = 1024'],
      ['timing advance of gsm', 'GSM_TIMING_MAX = 63', 'GSM_TIMING_MAX = 64'],
      ['of lte', 'LTE_TIMING_MAX = 1282', 'LTE_TIMING_MAX = 1283'],
      ['of nr', 'NR_TIMING_MAX = 3938304', 'NR_TIMING_MAX = 3938305'],
      ['least signal of gsm', 'GSM_SIGNAL_MIN = -120', 'GSM_SIGNAL_MIN = -121'],
      ['of wcdma', 'WCDMA_SIGNAL_MIN = -130', 'WCDMA_SIGNAL_MIN = -131'],
      ['of lte', 'LTE_SIGNAL_MIN = -140', 'LTE_SIGNAL_MIN = -141'],
      ['greatest signal of cells', 'CELL_SIGNAL_MAX = -25', 'CELL_SIGNAL_MAX = -24'],
      ['least signal of access points and beacons', 'STATION_SIGNAL_MIN = -100', 'STATION_SIGNAL_MIN = -101'],
      ['greatest', 'STATION_SIGNAL_MAX = -20', 'STATION_SIGNAL_MAX = -19'],
    ],
  },
  {
    file: 'src/radio/ranges.ts',
    tests: [...QUERY, ...['gps', 'sensors', 'schema'].map(name => `test/protocol/requests/${name}.test.ts`)],
    rows: [
      ['latitude', 'LATITUDE = range(-90, 90)', 'LATITUDE = range(-90, 90.1)'],
      ['longitude', 'LONGITUDE = range(-180, 180)', 'LONGITUDE = range(-180, 180.1)'],
      ['satellites', 'sat: range(0, 20)', 'sat: range(0, 21)'],
      ['age of the fix', 'age: range(0, 600)', 'age: range(0, 601)'],
      ['altitude', 'altitude: range(-1000, 10_000)', 'altitude: range(-1001, 10_000)'],
      ['accuracy of the altitude', 'altitudeAccuracy: range(0, 100)', 'altitudeAccuracy: range(0, 101)'],
      ['heading', 'heading: range(0, 360)', 'heading: range(0, 361)'],
      ['speed', ' speed: range(0, 100)', ' speed: range(0, 101)'],
      ['a coarse fix stays coarse', 'RADIUS_METRES = range(0, 20_037_508)', 'RADIUS_METRES = range(0, 255)'],
      ['speed limit', 'SPEED_LIMIT = range(0, 8000)', 'SPEED_LIMIT = range(0, 8001)'],
      ['confidence', 'CONFIDENCE = range(50, 99)', 'CONFIDENCE = range(50, 99.1)'],
      ['pressure', 'pressure: range(1, 1200)', 'pressure: range(1, 1201)'],
      ['steps', 'steps: range(0, 65_535)', 'steps: range(0, 65_536)'],
      ['heading of the sensors', 'heading: range(0, 359)', 'heading: range(0, 360)'],
    ],
  },
  {
    file: 'src/protocol/requests/schema.ts',
    // The checks are compiled beforehand, and the second test compares them with the schemas.
    tests: ['test/protocol/requests/schema.test.ts', 'test/protocol/openapi/document.test.ts'],
    rows: [
      ['lists', "list = { type: ['array', 'null'] }", "list = { type: ['array', 'object', 'null'] }"],
      [
        'fixes and fallbacks',
        "object = { type: ['object', 'null'] }",
        "object = { type: ['object', 'array', 'null'] }",
      ],
      ['state', "state: { type: ['string', 'null'] }", 'state: {}'],
    ],
  },
  {
    file: 'src/protocol/requests/parameters.ts',
    tests: ['test/protocol/requests/parameters.test.ts'],
    rows: [
      ['id', 'ID_CHARACTERS_MAX = 20', 'ID_CHARACTERS_MAX = 21'],
      ['counts characters, not code units', '[...id].length > ID_CHARACTERS_MAX', 'true'],
      ['nr', ' && number >= 0 ?', ' ?'],
    ],
  },
];
