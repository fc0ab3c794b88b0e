// What the document says of requests, against what the readers do with them.

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readItem } from '../../../src/intake/geosubmit.ts';
import {
  CELL_WORDS,
  type CellWords,
  cellSchema,
  OLD_CELL_WORDS,
} from '../../../src/protocol/openapi/station_schemas.ts';
import { readDeviceId } from '../../../src/protocol/requests/parameters.ts';
import { readReverse, readSearch } from '../../../src/protocol/requests/place_question.ts';
import { readPoints } from '../../../src/protocol/requests/points.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';
import { KIND_GSM, RADIO_TYPES, type RadioType } from '../../../src/radio/kind.ts';
import { parseMac, parseUuid } from '../../../src/radio/mac.ts';
import { CELL_RANGES, type CellRanges } from '../../../src/radio/ranges.ts';
import { NETWORK_NONE } from '../../../wasm/range_constants.ts';
import { queryOf } from '../../kits/radio/query_in_memory.ts';
import { committedDocument, type Json, operationsOf } from './committed_document.ts';

const document = committedDocument();
const { schemas } = document.components;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'document', components: document.components });

/** True when a value fits a schema of the components. */
function fits(name: string, value: unknown): boolean {
  return ajv.getSchema(`document#/components/schemas/${name}`)!(value) as boolean;
}

const FIELDS = Object.keys(CELL_RANGES.gsm) as (keyof CellRanges)[];

/** A cell with every member that its radio type has, each at one end of its range. */
function fullCell(radio: RadioType, end: 'min' | 'max', words: CellWords = CELL_WORDS): Record<string, unknown> {
  const ranges = CELL_RANGES[radio];
  const fields = FIELDS.filter(field => ranges[field].min <= ranges[field].max);
  return {
    [words.radioType]: radio,
    ...Object.fromEntries(fields.map(field => [words[field], ranges[field][end]])),
    [words.serving]: 1,
    [words.age]: 0,
  };
}

describe.each(RADIO_TYPES)('a cell of %s', radio => {
  const isValid = ajv.compile(cellSchema(radio, CELL_WORDS));
  const cellsOf = (cell: object) => queryOf({ cellTowers: [cell] }).cells;

  test.each(['min', 'max'] as const)('fits its schema and is read at the %s of its ranges', end => {
    const cell = fullCell(radio, end);
    expect(isValid(cell)).toBe(true);
    expect(cellsOf(cell)).toMatchObject([{ kind: KIND_GSM + RADIO_TYPES.indexOf(radio), signal: cell.signalStrength }]);
  });

  test('beyond a range does not fit', () => {
    for (const field of FIELDS) {
      const { min, max } = CELL_RANGES[radio][field];
      if (min > max) continue;
      expect(isValid({ ...fullCell(radio, 'max'), [field]: min - 1 })).toBe(false);
      expect(
        isValid({
          ...fullCell(radio, 'min'),
          [field]: (radio === 'nr' && field === 'locationAreaCode' ? 16_777_215 : max) + 1,
        }),
      ).toBe(false);
      expect(isValid({ ...fullCell(radio, 'min'), [field]: max - 0.5 })).toBe(false);
    }
  });

  test('fits without a member exactly when it is read without it', () => {
    const identity = ['mobileCountryCode', 'mobileNetworkCode', 'locationAreaCode', 'cellId', 'primaryScramblingCode'];
    fc.assert(
      fc.property(fc.subarray(identity), fc.boolean(), (left, isLong) => {
        const cell = fullCell(radio, 'max');
        for (const member of left) delete cell[member];
        if (isLong && radio === 'nr') cell.newRadioCellId = 1;
        // Without a network code a cell is read for a fallback alone.
        const found = cellsOf(cell).filter(({ mnc }) => radio === 'cdma' || mnc !== NETWORK_NONE);
        expect(isValid(cell)).toBe(found.length === 1);
      }),
    );
  });
});

test('a cell in the words of the oldest format is read as the same cell', () => {
  for (const radio of RADIO_TYPES) {
    const old = fullCell(radio, 'max', OLD_CELL_WORDS);
    expect(ajv.validate(cellSchema(radio, OLD_CELL_WORDS), old)).toBe(true);
    expect(readItem({ lat: 1, lon: 1, cell: [old] }).cellTowers).toEqual([fullCell(radio, 'max')]);
  }
});

test('an address fits exactly when it is read', () => {
  const pattern = new RegExp(schemas.AccessPoint.properties.macAddress.pattern);
  const digits = fc.array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength: 11, maxLength: 13 });
  const separated = digits.chain(list =>
    fc.tuple(...list.map(digit => fc.constantFrom('', '', ':', '-', '.', 'g').map(before => before + digit))),
  );
  fc.assert(
    fc.property(fc.oneof(digits, separated), parts => {
      const text = parts.join('');
      expect(pattern.test(text)).toBe(parseMac(text) >= 0);
    }),
  );
});

test('a uuid fits exactly when it is read', () => {
  const pattern = new RegExp(schemas.Beacon.properties.uuid.pattern);
  const digits = fc.array(fc.constantFrom(...'123456789abcdefABCDEF'), { minLength: 31, maxLength: 33 });
  const separated = digits.chain(list =>
    fc.tuple(...list.map(digit => fc.constantFrom('', '', '-').map(before => before + digit))),
  );
  fc.assert(
    fc.property(fc.oneof(digits, separated), parts => {
      const text = parts.join('');
      expect(pattern.test(text)).toBe(parseUuid(text, new Uint8Array(16)));
    }),
  );
});

test('a body fits exactly when its structure is accepted', () => {
  const any = fc.constantFrom<unknown[]>(null, [], {}, 5, true, 'x');
  const body = fc.record(
    {
      cellTowers: any,
      wifiAccessPoints: any,
      bluetoothBeacons: any,
      sensors: any,
      gps: any,
      lastLocation: any,
      fallbacks: any,
      state: any,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof({ weight: 1, arbitrary: any }, { weight: 20, arbitrary: body }), value => {
      expect(fits('PositionRequest', value)).toBe(succeeds(() => checkStructure(value)));
    }),
    { numRuns: 2000 },
  );
});

describe('query parameters', () => {
  const parametersOf = (path: string, method: string) =>
    operationsOf(document).find(each => each.path === path && each.method === method)!.operation.parameters as Json[];

  test.each([
    ['/reverse', readReverse, 'lat=1&lon=1'],
    ['/search', readSearch, 'q=x'],
  ] as const)('of %s: what fits is accepted, and what lies beyond a bound is refused', (path, read, needed) => {
    const isAccepted = (name: string, value: unknown) => {
      const pairs = new URLSearchParams(needed);
      pairs.set(name, `${value}`);
      return succeeds(() => read(`${path}?${pairs}`, undefined));
    };
    let bounds = 0;
    for (const { name, schema, example } of parametersOf(path, 'GET')) {
      if (name === undefined) continue;
      const { minimum, maximum, maxLength, enum: values = [], default: byDefault } = schema;
      for (const value of [example, byDefault, minimum, maximum, ...values])
        if (value !== undefined) expect([name, isAccepted(name, value)]).toEqual([name, true]);
      const beyond = [minimum - 1, maximum + 1].filter(number => !Number.isNaN(number));
      for (const number of beyond) expect([name, isAccepted(name, number)]).toEqual([name, false]);
      if (maxLength !== undefined && name === 'q') {
        expect(isAccepted(name, 'x'.repeat(maxLength))).toBe(true);
        expect(isAccepted(name, 'x'.repeat(maxLength + 1))).toBe(false);
        bounds++;
      }
      bounds += beyond.length;
    }
    expect(bounds).toBeGreaterThan(0);
  });

  test('a device id has as many characters as the document says', () => {
    const { maxLength } = document.components.parameters.DeviceId.schema;
    expect(succeeds(() => readDeviceId('😀'.repeat(maxLength)))).toBe(true);
    expect(succeeds(() => readDeviceId('x'.repeat(maxLength + 1)))).toBe(false);
  });

  test('a batch has as many points as the document says', () => {
    const form = { format: undefined, hasAddress: true };
    const { maxItems } = schemas.Points;
    expect(succeeds(() => readPoints(Array(maxItems).fill({}), form))).toBe(true);
    expect(succeeds(() => readPoints(Array(maxItems + 1).fill({}), form))).toBe(false);
  });
});

test('a measurement in each form is read with every member that the document has', () => {
  const cell = fullCell('lte', 'max');
  const point = { latitude: 1, longitude: 2 };
  const numbers = { accuracy: 3, altitude: 4, heading: 5, speed: 6, floor: -1 };
  const station = { ssid: 'x', ssidHex: '78', frequency: 2412, channel: 1, age: 7 };
  const beacon = { macAddress: '02:00:5e:00:00:01', signalStrength: -50, age: 7 };
  const heard = {
    radioType: 'lte',
    wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:01', signalStrength: -50, ...station }],
    bluetoothBeacons: [beacon],
    cellTowers: [cell],
  };
  const newer = { ...numbers, age: 8, source: 'gps' };
  const items = {
    Measurement: { timestamp: 9, position: { ...point, ...newer }, ...heard },
    FlatMeasurement: { timestamp: 9, ...point, ...newer, ...heard },
    OldMeasurement: {
      lat: 1,
      lon: 2,
      ...numbers,
      time: 9,
      radio: 'lte',
      wifi: [{ key: '02:00:5e:00:00:01', signal: -50, ...station }],
      blue: [{ key: '02:00:5e:00:00:01', signal: -50, age: 7 }],
      cell: [fullCell('lte', 'max', OLD_CELL_WORDS)],
    },
  };
  const draft = { ...point, accuracyMetres: 3, altitude: 4, heading: 5, speed: 6, floor: -1, timeMs: 9000, ...heard };
  for (const [form, item] of Object.entries(items)) {
    expect(Object.keys(schemas[form].properties).sort()).toEqual(Object.keys(item).sort());
    expect(fits(form, item)).toBe(true);
    expect(readItem(item)).toEqual(form === 'OldMeasurement' ? draft : { ...draft, source: 'gps', positionAgeMs: 8 });
  }
  expect(Object.keys(schemas.Measurement.properties.position.properties).sort()).toEqual(
    Object.keys(items.Measurement.position).sort(),
  );
});

test('examples of batches are read as measurements with all that they hold', () => {
  for (const { operation } of operationsOf(document).filter(
    ({ method, operation: { tags } }) => method === 'POST' && tags[0] === 'submissions',
  )) {
    const examples = Object.values<{ value: { items: unknown[] } }>(
      operation.requestBody.content['application/json'].examples,
    );
    for (const item of examples.flatMap(({ value }) => value.items)) {
      expect(readItem(item)).toMatchObject({
        latitude: 47.141,
        longitude: 9.521,
        accuracyMetres: 8,
        timeMs: 1_769_947_200_000,
        wifiAccessPoints: [{ macAddress: '44:d4:53:12:34:56', signalStrength: -61 }],
      });
    }
  }
});

function succeeds(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
