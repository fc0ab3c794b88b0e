import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/protocol/errors.ts';
import { parseBody } from '../../../src/protocol/requests/body.ts';
import { queryBytesOf } from '../../../src/protocol/requests/position_query.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';
import { TEXT_BYTES, WANTS_ADDRESS, WANTS_GEONAME } from '../../../src/radio/query/layout.ts';
import { ARRIVAL_MS, queryOf } from '../../kits/radio/query_in_memory.ts';

const W4F = 1;
const NBCIDF = 2;
const CIDF = 4;
const MNCF = 8;
const RATF = 16;
const RNCIDF = 32;
const LACF = 64;
const CIDXF = 128;
const ALL = W4F | NBCIDF | CIDF | MNCF | RATF | RNCIDF | LACF;

test('an empty body is a query with nothing in it', () => {
  const query = queryOf({});
  expect([query.length, query.end, query.fallbacks, query.radios, query.gps, query.last]).toEqual([
    192,
    192,
    0,
    0,
    undefined,
    undefined,
  ]);
  expect(query.outcome).toMatchObject({ observations: 0, contributes: false, state: undefined, speedLimit: undefined });
});

test('observations stand in the order access points, beacons, cells, whatever the order in the body', () => {
  const query = queryOf({
    cellTowers: [
      { radioType: 'nr', mobileCountryCode: 244, mobileNetworkCode: 5, locationAreaCode: 42, cellId: 68_719_476_735 },
    ],
    bluetoothBeacons: [{ macAddress: 'ff:23:45:67:89:ab' }],
    wifiAccessPoints: [
      { macAddress: '01:23' },
      { macAddress: '00:23:45:67:89:ab' },
      { macAddress: '00:23:45:67:89:ac' },
    ],
  });
  expect([query.wifi.length, query.beacons.length, query.cells.length]).toEqual([2, 1, 1]);
  expect(query.outcome.observations).toBe(4);
  expect([query.length, query.end]).toEqual([192 + 160, 192 + 160]);
});

test('the bytes asked for hold every entry', () => {
  expect([
    queryBytesOf({}),
    queryBytesOf({ cellTowers: [{}, {}], wifiAccessPoints: null, bluetoothBeacons: [{}] }),
  ]).toEqual([192, 192 + 120]);
});

test('a long list of entries that cannot be stations asks for no bytes', () => {
  const empty = Array<unknown>(1000)
    .fill({})
    .concat(Array(1000).fill(0), Array(1000).fill(null), Array(1000).fill('x'));
  const mac = { macAddress: '00:14:bf:aa:bb:01' };
  const beacons = [
    mac,
    { uuid: 'f7826da64fa24e988024bc5b71e0893e', major: 1, minor: 2 },
    { id1: 'f7826da64fa24e988024bc5b71e0893e', id2: 1, id3: 2 },
  ];
  const cell = { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, cellId: 1 };
  const body = {
    wifiAccessPoints: [...empty, mac],
    bluetoothBeacons: [...empty, ...beacons],
    cellTowers: [...empty, cell],
  };
  expect(queryBytesOf(body)).toBe(192 + 5 * 40);
  expect(queryOf(body).end).toBe(192 + 5 * 40);
});

describe.each(['credits', 'expires'] as const)('%s', flag => {
  test('is on, off, or left to the key', () => {
    expect([1, '1', true, 0, '0', false].map(value => queryOf({ [flag]: value }).outcome[flag])).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([2, -1, 'x', null, undefined, {}].map(value => queryOf({ [flag]: value }).outcome[flag])).toEqual(
      Array(6).fill(undefined),
    );
  });
});

describe('speedLimit', () => {
  test('is a decimal in m/s, 0 for none', () => {
    for (const value of [0, 12.5, '12.5', 8000]) {
      const query = queryOf({ speedLimit: value });
      expect(query.outcome.speedLimit).toBe(Number(value));
    }
  });

  test('out of range or mistyped is left to the key', () => {
    for (const value of [-1, 8001, 'x', null, true]) {
      const query = queryOf({ speedLimit: value });
      expect(query.outcome.speedLimit).toBeUndefined();
    }
  });
});

test('confidence is a percentage from 50 to 99; anything else is 50', () => {
  const read = (confidence: unknown) => queryOf({ confidence }).outcome.confidence;
  expect([50, 50.5, '80', 98.5, 99].map(read)).toEqual([50, 50.5, 80, 98.5, 99]);
  for (const confidence of [49.9, 99.05, 0, -1, 100, true, 'x', null, undefined, {}]) expect(read(confidence)).toBe(50);
});

test('state is passed on as it came, and empty is none', () => {
  expect(['abc', '', null, undefined].map(state => queryOf({ state }).outcome.state)).toEqual([
    'abc',
    undefined,
    undefined,
    undefined,
  ]);
});

describe('timestamp', () => {
  test('is the time base of the request', () => {
    for (const timestamp of [1_136_214_245, '1136214245', '2006-01-02T15:04:05Z', '2006-01-02 15:04:05']) {
      const query = queryOf({ timestamp });
      expect(query.outcome.timestampMs).toBe(1_136_214_245_000);
    }
  });

  test('that is missing or unreadable is the arrival', () => {
    for (const timestamp of [undefined, null, 'x', -1, {}]) {
      const query = queryOf({ timestamp });
      expect(query.outcome.timestampMs).toBe(ARRIVAL_MS);
    }
  });
});

describe('lastLocation', () => {
  const last = { lat: 48.1, lng: 11.5, accuracy: 20, timestamp: 1_136_214_245 };

  test('is read with every form of time', () => {
    for (const timestamp of [
      1_136_214_245,
      '1136214245',
      '2006-01-02T15:04:05Z',
      '2006-01-02T16:04:05+01:00',
      '2006-01-02 15:04:05',
    ]) {
      expect(queryOf({ lastLocation: { ...last, timestamp } }).last).toEqual({
        latitude: 48.1,
        longitude: 11.5,
        accuracy: 20,
        timestampMs: 1_136_214_245_000,
      });
    }
  });

  test('keeps lat and lng at the ends of their ranges', () => {
    expect(queryOf({ lastLocation: { ...last, lat: '-90', lng: 180 } }).last).toMatchObject({
      latitude: -90,
      longitude: 180,
    });
    expect(queryOf({ lastLocation: { ...last, lat: 90, lng: -180 } }).last).toMatchObject({
      latitude: 90,
      longitude: -180,
    });
  });

  test('has its accuracy in range, wider where sent, and none otherwise', () => {
    expect(
      [0, 255, 256, '7', -1, 'x', null, undefined].map(
        accuracy => queryOf({ lastLocation: { ...last, accuracy } }).last?.accuracy,
      ),
    ).toEqual([0, 255, 256, 7, 0, 0, 0, 0]);
  });

  test('that is no place is left out', () => {
    for (const place of [
      { lat: 0, lng: 0, accuracy: 0 },
      { lat: -90, lng: 180, accuracy: undefined },
    ])
      expect(queryOf({ lastLocation: { ...last, ...place } }).last).toBeUndefined();
  });

  test('without a usable time is left out', () => {
    for (const timestamp of [undefined, null, 'yesterday', -5])
      expect(queryOf({ lastLocation: { ...last, timestamp } }).last).toBeUndefined();
  });
});

describe('fallbacks', () => {
  test.each([
    ['w4f', W4F],
    ['nbcidf', NBCIDF],
    ['cidf', CIDF],
    ['mncf', MNCF],
    ['ratf', RATF],
    ['rncidf', RNCIDF],
    ['lacf', LACF],
    ['cidxf', CIDXF],
    ['all', ALL],
  ])('%s is switched on by 1 and off by 0', (flag, bits) => {
    expect([1, '1', true].map(value => queryOf({ fallbacks: { [flag]: value } }).fallbacks)).toEqual([
      bits,
      bits,
      bits,
    ]);
    expect([0, false, 2, -1, null, 'x'].map(value => queryOf({ fallbacks: { [flag]: value } }).fallbacks)).toEqual(
      Array(6).fill(0),
    );
  });

  test('named themselves win over all', () => {
    expect(queryOf({ fallbacks: { all: 1, lacf: 0 } }).fallbacks).toBe(ALL & ~LACF);
    expect(queryOf({ fallbacks: { all: 0, lacf: 1 } }).fallbacks).toBe(LACF);
    expect(queryOf({ fallbacks: { all: 1, lacf: 'x' } }).fallbacks).toBe(ALL);
  });

  test('all does not include cidxf', () => {
    expect(queryOf({ fallbacks: { all: 1, cidxf: 1 } }).fallbacks).toBe(ALL | CIDXF);
  });

  test('that nobody knows are ignored', () => {
    expect(queryOf({ fallbacks: { ipf: true, other: 1, constructor: 1 } }).fallbacks).toBe(0);
    expect([queryOf({ fallbacks: null }).fallbacks, queryOf({}).fallbacks]).toEqual([0, 0]);
  });
});

// What known programs send, byte for byte as far as it matters.
describe('requests of known clients', () => {
  const read = (text: string) => queryOf(parseBody(Buffer.from(text)));

  test('Firefox: an empty body, then dashes in lower case', () => {
    expect(read('').outcome.observations).toBe(0);
    expect(read('{"wifiAccessPoints":[{"macAddress":"00-14-bf-aa-bb-01","signalStrength":-60}]}').wifi).toMatchObject([
      { mac: '00:14:bf:aa:bb:01', signal: -60 },
    ]);
  });

  test('Chromium: integer age', () => {
    expect(
      read(
        '{"wifiAccessPoints":[{"age":250,"channel":6,"macAddress":"00-14-bf-aa-bb-01","signalStrength":-60,"signalToNoiseRatio":0}]}',
      ).wifi,
    ).toMatchObject([{ age: 250, channel: 6 }]);
  });

  test('GeoClue 2.6: gsm at the root, lte at the cell', () => {
    const body =
      '{"radioType":"gsm","cellTowers":[{"radioType":"lte","mobileCountryCode":244,"mobileNetworkCode":5,"locationAreaCode":42,"cellId":51764000}]}';
    expect(read(body).cells).toMatchObject([{ kind: 11, inferred: false, cell: 51_764_000 }]);
  });

  test('Traccar: gsm at the root, a 28-bit id', () => {
    const body =
      '{"homeMobileCountryCode":244,"homeMobileNetworkCode":5,"radioType":"gsm","carrier":"x","considerIp":false,"cellTowers":[{"cellId":51764000,"locationAreaCode":42,"mobileCountryCode":244,"mobileNetworkCode":5}]}';
    expect(read(body).cells).toMatchObject([{ kind: 10, inferred: true, cell: 51_764_000 }]);
  });

  test('microG: boolean fallbacks, psc, age on cells', () => {
    const body =
      '{"considerIp":false,"fallbacks":{"lacf":true,"ipf":false},"homeMobileCountryCode":244,"cellTowers":[{"radioType":"wcdma","mobileCountryCode":244,"mobileNetworkCode":5,"locationAreaCode":42,"cellId":65600,"age":1200,"psc":17,"signalStrength":-90}]}';
    const query = read(body);
    expect(query.fallbacks).toBe(LACF);
    expect(query.cells).toMatchObject([{ kind: 10, code: 17, age: 1200, signal: -90, serving: true }]);
  });

  test('NeoStumbler: numbers beside text, iBeacon by ids, a neighbour without network', () => {
    const body =
      '{"cellTowers":[{"radioType":"nr","mobileCountryCode":244,"mobileNetworkCode":5,"mobileNetworkCodeStr":"05","locationAreaCode":42,"cellId":68719476735,"age":700,"asu":41,"primaryScramblingCode":321,"serving":1,"signalStrength":-99,"timingAdvance":3,"arfcn":640000},{"radioType":"nr","primaryScramblingCode":5,"arfcn":640000}],"bluetoothBeacons":[{"macAddress":"ff:23:45:67:89:ab","beaconType":533,"id1":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","id2":"1","id3":"2","age":100,"signalStrength":-70}],"wifiAccessPoints":[{"macAddress":"00:23:45:67:89:ab","radioType":"802.11ax","age":900,"channel":36,"frequency":5180,"signalStrength":-67,"ssid":"x"}]}';
    const query = read(body);
    expect(query.cells).toMatchObject([
      { kind: 13, cell: 68_719_476_735, code: 321, timing: 3, signal: -99, age: 700, serving: true },
    ]);
    expect(query.beacons).toMatchObject([
      { kind: 3, id: 'f7826da64fa24e988024bc5b71e0893e00010002', signal: -70, age: 100 },
    ]);
    expect(query.wifi).toMatchObject([{ frequency: 5180, channel: 36, age: 900, signal: -67 }]);
  });

  test('a signal that is out of range, a fraction or 0 costs the value, not the station', () => {
    const signals = [5, 0, -150, -60.5];
    const wifiAccessPoints = signals.map((signalStrength, i) => ({
      macAddress: `00:23:45:67:89:0${i}`,
      signalStrength,
    }));
    expect(queryOf({ wifiAccessPoints }).wifi.map(point => point.signal)).toEqual([
      undefined,
      undefined,
      undefined,
      -60,
    ]);
  });
});

// Values that reach every branch more often than random JSON does.
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.integer({ min: -200, max: 70_000 }),
  fc.constantFrom<unknown>(
    'gsm',
    'lte',
    'nr',
    '00:14:bf:aa:bb:01',
    'f7826da64fa24e988024bc5b71e0893e',
    2 ** 28,
    2 ** 36,
    2 ** 53,
    1e308,
    -0,
    '1',
    '2006-01-02',
    533,
  ),
);
const entry = (...fields: string[]) =>
  fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.record(Object.fromEntries(fields.map(field => [field, value])), { requiredKeys: [] }),
  );
const list = (...fields: string[]) => fc.oneof(fc.array(entry(...fields), { maxLength: 40 }), fc.constant(null));
const placed = (latitude: string, longitude: string, ...fields: string[]) =>
  fc.record({
    [latitude]: fc.integer({ min: -90, max: 90 }),
    [longitude]: fc.double({ min: -180, max: 180, noNaN: true }),
    ...Object.fromEntries(fields.map(field => [field, value])),
  });
/** Bodies of the right structure with anything in them. */
const anyBody = fc.record(
  {
    radioType: value,
    cellTowers: list(
      'radioType',
      'mobileCountryCode',
      'mobileNetworkCode',
      'locationAreaCode',
      'cellId',
      'newRadioCellId',
      'signalStrength',
      'primaryScramblingCode',
      'psc',
      'timingAdvance',
      'serving',
      'age',
    ),
    wifiAccessPoints: list('macAddress', 'ssid', 'ssidHex', 'signalStrength', 'frequency', 'channel', 'age'),
    bluetoothBeacons: list('macAddress', 'uuid', 'major', 'minor', 'id1', 'id2', 'id3', 'beaconType', 'age'),
    sensors: list('pressure', 'steps', 'heading', 'activity'),
    gps: placed('latitude', 'longitude', 'accuracy', 'age', 'heading'),
    lastLocation: placed('lat', 'lng', 'accuracy', 'timestamp'),
    fallbacks: fc.record({ all: value, lacf: value, cidxf: value }, { requiredKeys: [] }),
    timestamp: value,
    speedLimit: value,
    state: fc.option(fc.string()),
  },
  { requiredKeys: [] },
);

describe('any JSON', () => {
  test('that passes the schema becomes a query within the bytes asked for', () => {
    fc.assert(
      fc.property(anyBody, drawn => {
        const body: unknown = drawn;
        checkStructure(body);
        const query = queryOf(body);
        expect(query.end).toBeLessThanOrEqual(queryBytesOf(body));
        expect(query.end).toBe(192 + 40 * (query.wifi.length + query.beacons.length + query.cells.length));
        expect(query.radios).toBeLessThanOrEqual(query.wifi.length);
        for (const cell of query.cells) expect(cell.cell !== undefined || cell.code !== undefined).toBe(true);
        expect(Number.isFinite(query.outcome.timestampMs)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('at all is a query or the typed error', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        try {
          queryOf(parseBody(Buffer.from(text)));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('ten thousand entries of each kind are read whole', () => {
  const many = <T>(draw: (i: number) => T) => Array.from({ length: 10_000 }, (_, i) => draw(i));
  const mac = (i: number) => `00${(i * 7919).toString(16).padStart(10, '0')}`;
  const query = queryOf({
    wifiAccessPoints: many(i => ({ macAddress: mac(i + 1) })),
    bluetoothBeacons: many(i => ({ macAddress: mac(i + 1) })),
    cellTowers: many(i => ({
      radioType: 'lte',
      mobileCountryCode: 1,
      mobileNetworkCode: 1,
      locationAreaCode: 1,
      cellId: i,
    })),
  });
  expect([query.radios, query.outcome.observations]).toEqual([10_000, 30_000]);
  expect([query.wifi[9999].mac, query.cells[9999].cell]).toEqual([
    `00:${mac(10_000).slice(2).match(/../g)!.join(':')}`,
    9999,
  ]);
});

test('room for text stands behind the entries, where it is wanted', () => {
  const body = { wifiAccessPoints: [{ macAddress: '00:14:bf:aa:bb:01' }, {}, { macAddress: '00:14:bf:aa:bb:02' }] };
  const plain = queryOf(body);
  expect([plain.text, plain.length]).toEqual([0, 192 + 2 * 40]);
  for (const wants of [WANTS_GEONAME, WANTS_ADDRESS, WANTS_GEONAME | WANTS_ADDRESS]) {
    const query = queryOf(body, wants);
    expect([query.text, query.length, query.flags & (WANTS_GEONAME | WANTS_ADDRESS)]).toEqual([
      192 + 2 * 40,
      192 + 2 * 40 + TEXT_BYTES,
      wants,
    ]);
    expect([query.end, query.outcome.observations]).toEqual([query.length, 2]);
    expect(query.length).toBeLessThanOrEqual(queryBytesOf(body, wants));
  }
});
