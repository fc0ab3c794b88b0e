import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  PositionParser,
  queryBytesOf,
  readQuery,
  readScanned,
  ScannedBody,
} from '../../../src/protocol/requests/position_query.ts';
import type { PositionBody } from '../../../src/protocol/requests/schema.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter } from '../../../src/radio/query/writer.ts';
import { MAX_BODY, MAX_OBSERVATIONS } from '../../../wasm/memory.ts';
import { compareReadings, fuzzBodies, readShapes } from '../../fuzz/body.ts';
import { uniform } from '../../kits/random.ts';

const ARRIVAL_MS = 1_700_000_000_000;
const CASES = 30_000;
/** Positions of the corpus with a network that travels, WIFIonICE: they are read as JSON. */
const NAMED_LIKE_TRAINS = 76;
const parser = new PositionParser();

/** True if the scan accepts a body, which must then be read as JSON.parse and the readers read it. */
function accepts(body: string | Buffer): boolean {
  const { isAccepted, difference } = compareReadings(Buffer.from(body));
  expect(difference).toBeUndefined();
  return isAccepted;
}

const accessPoint = (members: string) =>
  `{"wifiAccessPoints":[{"macAddress":"00:14:bf:aa:bb:01",${members}},{"macAddress":"00-14-bf-aa-bb-02"}]}`;
const cell = (members: string) =>
  `{"cellTowers":[{"radioType":"lte","mobileCountryCode":262,"mobileNetworkCode":1,${members}}]}`;
const points = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ macAddress: (0x0014bf000000 + i).toString(16).padStart(12, '0') }));

describe('a scanned body is read as JSON.parse and the readers read it', () => {
  test('as clients send it, and most bodies of the corpus are scanned', () => {
    const { shapes, differences, accepted, cases } = readShapes();
    expect(differences).toEqual([]);
    expect(accepted / cases).toBeGreaterThan(0.9);
    for (const [name, tally] of shapes) {
      if (/^benchmark|^known clients|: positions|: tracking|: clients/.test(name))
        expect(tally.accepted, name).toBe(tally.cases - (name === 'corpus: positions' ? NAMED_LIKE_TRAINS : 0));
    }
  });

  test(`with up to three changes, in ${CASES} cases`, () => {
    const { shapes, differences } = fuzzBodies(CASES, 1);
    expect(differences).toEqual([]);
    for (const [name, { accepted, cases }] of shapes) {
      expect(accepted, name).toBeGreaterThan(cases / 20);
      expect(accepted, name).toBeLessThan(cases);
    }
  });
});

describe('values are read alike, drawn where the difference would be small:', () => {
  const random = uniform(7);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)];
  const DRAWN = 20_000;

  test('numbers beside the half of a whole one, with up to 21 digits', () => {
    let accepted = 0;
    for (let i = 0; i < DRAWN; i++) {
      const number = (below(120) + 0.5 + (below(9) - 4) * 2 ** -pick([44, 45, 46, 47, 48])).toPrecision(2 + below(20));
      const value = pick([
        number,
        `"${number}"`,
        `${number}e${below(3) - 1}`,
        `${number.replace('.', '')}e-${number.split('.')[1]?.length ?? 0}`,
      ]);
      if (accepts(accessPoint(`"signalStrength":${value.replace(/^"?/, '$&-')},"age":${value},"channel":${value}`)))
        accepted++;
    }
    expect(accepted).toBeGreaterThan(DRAWN / 3);
  });

  test('network names that nearly opt out', () => {
    const pieces = [
      '_nomap',
      '_optout',
      '_NoMap',
      '_OPTOUT',
      '_',
      'n',
      'nomap',
      '_nom',
      'ap',
      'O',
      '\\u005f',
      '\\u006e',
      '\\u4f60',
      '\\n',
      '\\\\',
      '\\/',
      '\xe9',
      '\ud83d\ude00',
      ' ',
    ];
    const digits = [
      '5f6e6f6d6170',
      '5F6E6F6D6170',
      '5f6f70746f7574',
      '5F6f70746F7574',
      '5f4E6f4D6150',
      '5f4F5054',
      '4f7574',
      '20',
      '5f',
      '6e',
      '0',
      '70',
      'f',
      'G',
      '\\u0035',
    ];
    const draw = (from: readonly string[]) => Array.from({ length: below(7) }, () => pick(from)).join('');
    let accepted = 0;
    for (let i = 0; i < DRAWN; i++)
      if (accepts(accessPoint(`"ssidHex":"${draw(digits)}","ssid":"${pick(['', draw(pieces)])}"`))) accepted++;
    expect(accepted).toBeGreaterThan(DRAWN / 3);
  });

  test('network names that travel, or nearly', () => {
    const names = readFileSync('data/moving_hotspots.csv', 'utf8').trim().split('\n').slice(1);
    const pieces = ['db', 'DB', 'K', '\\/', '’', 'home', 'x'.repeat(28), ' ', '7', '\\u2019'];
    let accepted = 0;
    for (let i = 0; i < DRAWN; i++) {
      const listed = pick(names).split(',')[1].replaceAll('#', '7').replaceAll('?', 'é');
      const cased = pick([listed, listed.toUpperCase(), listed.slice(1), listed.slice(0, -1)]);
      const name = pick([cased, `${cased}${pick(pieces)}`, `${pick(pieces)}${cased}`, pick(pieces)]);
      const text = pick(['', name]);
      if (accepts(accessPoint(`"ssidHex":"${Buffer.from(name).toString('hex')}","ssid":"${text}"`))) accepted++;
    }
    expect(accepted).toBeGreaterThan(DRAWN / 20);
  });

  test('addresses and identifiers in unusual forms', () => {
    const pieces = [
      '00',
      '14',
      'bf',
      'aa',
      'bb',
      '01',
      '1',
      'a',
      '001',
      '4bfa',
      'abb0',
      ':',
      '-',
      '.',
      ':',
      '-',
      'g',
      '0014bfaabb01',
      '00:14:bf:aa:bb:01',
      'F7826DA6-4FA2-4E98-8024-BC5B71E0893E',
    ];
    const draw = () =>
      pick([
        Array.from({ length: 1 + below(12) }, () => pick(pieces)).join(''),
        ['00', '14', 'bf', 'aa', 'bb', '01'].join(pick([':', '-', '.', '', ':-'])),
        Array.from({ length: 6 }, () => pick(['0', 'a', '1B', '001'])).join(pick([':', '-', '.'])),
      ]);
    let written = 0;
    for (let i = 0; i < DRAWN; i++) {
      const uuid = pick([draw(), 'f7826da64fa24e988024bc5b71e0893e', '0'.repeat(32)]);
      const body = `{"wifiAccessPoints":[{"macAddress":"${draw()}"}],"bluetoothBeacons":[{"macAddress":"${draw()}","uuid":"${uuid}","major":1,"minor":2}]}`;
      expect(accepts(body)).toBe(true);
      written += parser.scan(Buffer.from(body))!.observations;
    }
    expect(written).toBeGreaterThan(DRAWN / 3);
  });
});

describe('the scan accepts', () => {
  test.each([
    ['no members', '{}'],
    ['white space', ' \r\n\t{ "wifiAccessPoints" :\n[ { "macAddress" : "0014bfaabb01" } ,\t{ } ] } \n'],
    [
      'members that mean nothing',
      '{"considerIp":false,"a":{"b":[1,-2.5e3,"\\u00e9",null,{"c":[]}]},"wifiAccessPoints":[]}',
    ],
    ['an age as text', accessPoint('"age":"1200"')],
    ['fractions and exponents', accessPoint('"signalStrength":-6.05e1,"age":"12.5","frequency":2.412E3')],
    ['a network name that is not ASCII', accessPoint('"ssid":"Café ☕"')],
    ['a network name that is not UTF-8', Buffer.from(accessPoint('"ssid":"\xc3\x28\xff_nomap"'), 'latin1')],
    ['escapes in a network name', accessPoint('"ssid":"\\"a\\"\\n\\u4f60\\ud800"')],
    [
      'values of another type',
      accessPoint('"signalStrength":[1],"age":{"a":1},"channel":true,"ssid":7,"frequency":null'),
    ],
    ['entries that are no objects', '{"cellTowers":[null,1,"x",[],{}],"bluetoothBeacons":null}'],
    [
      'a radio type behind the cells',
      '{"cellTowers":[{"mobileCountryCode":262,"mobileNetworkCode":1,"cellId":5,"locationAreaCode":7}],"radioType":"LTE"}',
    ],
    ['a type inferred from the cell id', cell('"locationAreaCode":3,"cellId":68719476735')],
    ['the older name of a code, and an age', cell('"psc":14,"age":150')],
    [
      'an iBeacon by numbered members',
      '{"bluetoothBeacons":[{"beaconType":533,"id1":"F7826DA64FA24E988024BC5B71E0893E","id2":"1","id3":2}]}',
    ],
    [
      'a fix with all its digits',
      '{"gps":{"latitude":52.520006599999996,"longitude":-13.404953999999975,"accuracy":0.1,"age":1}}',
    ],
    ['a member twice that is not a station', '{"timestamp":1,"timestamp":"2026-05-04T08:00:00Z"}'],
    ['a wrong structure beside the stations', '{"gps":{"latitude":91,"longitude":0},"wifiAccessPoints":[]}'],
  ])('%s', (_, body) => expect(accepts(body)).toBe(true));
});

describe('the scan declines', () => {
  test.each([
    ['nothing at all', ''],
    ['what is no object', '[]'],
    ['a byte order mark', '\ufeff{}'],
    ['text behind the object', '{}x'],
    ['a zero behind the object', '{}\u0000'],
    ['a comma before the end', '{"a":1,}'],
    ['a comma before the end of a list', '{"wifiAccessPoints":[{},]}'],
    ['a broken number', '{"a":01}'],
    ['a control character in a string', '{"a":"\u0001"}'],
    ['a list that is no list', '{"wifiAccessPoints":{}}'],
    ['a list that stands twice', '{"wifiAccessPoints":[],"wifiAccessPoints":[]}'],
    ['a value that stands twice', accessPoint('"age":1,"age":2')],
    ['an escape in a name', accessPoint('"\\u0061ge":1')],
    ['an escape in an address', '{"wifiAccessPoints":[{"macAddress":"0014bfaabb0\\u0031"}]}'],
    ['an escape that may hide an opt-out', accessPoint('"ssid":"x\\u005fnomap"')],
    ['names that reach a prototype', '{"a":{"__proto__":1}}'],
    ['the name of a constructor', '{"constructor":1}'],
    ['the name of a prototype', '{"a":[{"prototype":1}]}'],
    ['more digits than a double holds', accessPoint('"signalStrength":-60.00000000000000001')],
    ['a large exponent', accessPoint('"age":1e23')],
    ['white space around a number in a text', accessPoint('"age":" 1"')],
    ['deep nesting', `{"a":${'['.repeat(17)}${']'.repeat(17)}}`],
    ['a contribution', '{"gps":{"latitude":1,"longitude":2,"age":"0"},"cellTowers":[]}'],
    ['too many bytes', `{"a":"${'x'.repeat(MAX_BODY)}"}`],
    ['too many stations', JSON.stringify({ wifiAccessPoints: points(MAX_OBSERVATIONS + 1) })],
  ])('%s', (_, body) => expect(accepts(body)).toBe(false));

  test('and then the value of the JSON is the body', () => {
    expect(parser.parse(Buffer.from('\ufeff{"a":[1]}'))).toEqual({ a: [1] });
    expect(() => parser.parse(Buffer.from('{'))).toThrow('The body is not JSON');
  });
});

test('every prefix of a body is declined', () => {
  const whole = accessPoint('"ssid":"a\\u4f60é","signalStrength":-6.5e1,"x":[true,false,null,{"y":"z"}]');
  const bytes = Buffer.from(whole);
  for (let end = 0; end < bytes.length; end++)
    expect(accepts(bytes.subarray(0, end)), String(bytes.subarray(0, end))).toBe(false);
  expect(accepts(bytes)).toBe(true);
});

test('as many stations as fit are scanned', () => {
  expect(accepts(JSON.stringify({ wifiAccessPoints: points(MAX_OBSERVATIONS) }))).toBe(true);
});

test('the members that are no lists of stations are kept, and only those that mean something', () => {
  const body = parser.parse(
    Buffer.from(
      '{"tag":7,"id":8,"geoname":1,"wifiAccessPoints":[{"macAddress":"0014bfaabb01"}],"state":"\\ud800é","radioType":"lte"}',
    ),
  );
  expect(body).toBeInstanceOf(ScannedBody);
  expect((body as ScannedBody).rest).toEqual({ id: 8, geoname: 1, state: '\ud800é' });
  expect((body as ScannedBody).observations).toBe(1);
});

test('a body keeps its observations while others are scanned or declined', () => {
  const bodies = [points(3), points(700), [], points(40).reverse()].map(wifiAccessPoints => ({ wifiAccessPoints }));
  const scanned = bodies.map(body => parser.parse(Buffer.from(JSON.stringify(body))) as ScannedBody);
  parser.parse(Buffer.from('{"wifiAccessPoints":[{"macAddress":"0014bfffffff"},{"x":[]}], "a":"\\u0000"}'));
  expect(parser.scan(Buffer.from('{"wifiAccessPoints":[{"macAddress":"0014bfffffff"},'))).toBeUndefined();
  const write = (body: PositionBody, read: (writer: QueryWriter) => unknown): Uint8Array => {
    const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
    read(new QueryWriter(memory));
    return memory.u8;
  };
  for (const i of [2, 0, 3, 0, 1]) {
    const written = write(bodies[i], writer => readScanned(scanned[i], ARRIVAL_MS, writer, 0));
    expect(written).toEqual(write(bodies[i], writer => readQuery(bodies[i], ARRIVAL_MS, writer, 0)));
  }
});
