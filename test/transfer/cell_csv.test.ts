import { describe, expect, test } from 'vitest';
import { areaOfKey, cellOfKey, mccOfKey, mncOfKey } from '../../src/radio/station_key.ts';
import { RecordSort } from '../../src/tables/environment/record_sort.ts';
import { decodeStation, STATE_ACTIVE } from '../../src/tables/stations/station.ts';
import { addCell, recogniseCellTable } from '../../src/transfer/cell_csv.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const HEADER = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal';
const LTE = 'LTE,206,1,251,51764,88,4.3517,50.8466,1500,42,1,1459814306,1741057142,0';

/** The row with some columns changed. */
function row(changes: Record<string, string> = {}, text = LTE): string[] {
  const columns = HEADER.split(',');
  return text.split(',').map((value, i) => changes[columns[i]] ?? value);
}

function read(fields: string[]) {
  const records = new RecordSort(temporaryFolder(), 12, 24, 4);
  const refusal = addCell(fields, records);
  if (refusal !== undefined) return { refusal };
  const { bytes } = records;
  const key = {
    kind: bytes[0],
    mcc: mccOfKey(bytes, 0),
    mnc: mncOfKey(bytes, 0),
    area: areaOfKey(bytes, 0),
    cell: cellOfKey(bytes, 0),
  };
  return { key, station: decodeStation(records.view, 12) };
}

describe('a row', () => {
  test('becomes a station whose 50 % radius is its range', () => {
    expect(read(row())).toEqual({
      key: { kind: 11, mcc: 206, mnc: 1, area: 251, cell: 51764 },
      station: {
        latitude: 50.8466,
        longitude: 4.3517,
        r50Metres: 1500,
        r95Metres: 3120,
        samples: 42,
        firstSeenDay: 16_895,
        lastSeenDay: 20_151,
        state: STATE_ACTIVE,
        referenceDbm: 0,
        exponent: 0,
        code: 88,
        isLearned: false,
        isUntrusted: false,
      },
    });
  });

  test.each([
    ['GSM', 8],
    ['cdma', 9],
    ['UMTS', 10],
    ['wcdma', 10],
    ['Lte', 11],
    ['NBIOT', 12],
    ['NB-IoT', 12],
    ['NR', 13],
  ])('of radio type %s has kind %i', (radio, kind) => {
    expect(read(row({ radio })).key?.kind).toBe(kind);
  });

  test.each([
    { mcc: '0' },
    { radio: 'GSM', cell: '65535' },
    { radio: 'GSM', cell: '0' },
    { radio: 'GSM', area: '65534' },
    { radio: 'CDMA', net: '0' },
    { radio: 'UMTS', cell: '268435455' },
    { radio: 'UMTS', cell: '65535' },
    { radio: 'LTE', cell: '268435455' },
    { radio: 'NBIOT', cell: '0' },
    { radio: 'NR', cell: '68719476735' },
  ])('with an identity that devices send for none is refused: %j', changed => {
    expect(read(row(changed)).refusal).toMatchObject({ rule: 'fake identity' });
  });

  test.each([{ area: '65535' }, { radio: 'GSM', cell: '65534' }, { radio: 'CDMA', mcc: '0', net: '4139' }])(
    'with an identity beside those is taken: %j',
    changed => {
      expect(read(row(changed)).refusal).toBeUndefined();
    },
  );

  test.each(['-1', '0', '', '512', 'x'])('with unit "%s" has no code', unit => {
    expect(read(row({ unit })).station?.code).toBe(65_535);
  });

  test('keeps a physical cell id of NR up to 1023, and no code for GSM', () => {
    expect(read(row({ radio: 'NR', unit: '1007' })).station?.code).toBe(1007);
    expect(read(row({ radio: 'GSM', unit: '7' })).station?.code).toBe(65_535);
  });

  test('without range, samples and times is still taken', () => {
    expect(read(row({ range: '', samples: '', created: '', updated: '' })).station).toMatchObject({
      r50Metres: 1000,
      samples: 1,
      firstSeenDay: 0,
      lastSeenDay: 0,
    });
    expect(read(row({ range: '0', samples: '70000' })).station).toMatchObject({ r50Metres: 1000, samples: 65_535 });
  });

  test.each<[Record<string, string>, string | undefined]>([
    [{ mcc: '999', net: '999' }, undefined],
    [{ mcc: '1000' }, 'network'],
    [{ mcc: '' }, 'network'],
    [{ net: '1000' }, 'network'],
    [{ radio: 'CDMA', net: '32767' }, undefined],
    [{ radio: 'CDMA', net: '32768' }, 'network'],
    [{ area: '0' }, undefined],
    [{ area: '65535' }, undefined],
    [{ area: '65536' }, 'area'],
    [{ area: '-1' }, 'area'],
    [{ area: '' }, 'area'],
    [{ radio: 'NR', area: '0' }, 'area'],
    [{ radio: 'NR', area: '16777213' }, undefined],
    [{ radio: 'NR', area: '16777214' }, 'area'],
    [{ radio: 'NR', area: '16777215' }, undefined],
    [{ cell: '268435454' }, undefined],
    [{ cell: '268435456' }, 'cell id'],
    [{ cell: '-1' }, 'cell id'],
    [{ radio: 'GSM', cell: '65534' }, undefined],
    [{ radio: 'GSM', cell: '65536' }, 'cell id'],
    [{ radio: 'NR', cell: '68719476734' }, undefined],
    [{ radio: 'NR', cell: '68719476736' }, 'cell id'],
    [{ radio: 'WIMAX' }, 'radio type'],
    [{ lat: '90.5' }, 'position'],
    [{ lon: '' }, 'position'],
    [{ lat: '0', lon: '0' }, 'null island'],
  ])('with %j is refused by rule %s', (changes, rule) => {
    expect(read(row(changes)).refusal?.rule).toBe(rule);
  });

  test('says what is wrong with it', () => {
    expect(read(row({ area: 'x' })).refusal?.why).toBe('area "x" is not a whole number from 0 to 65535');
    expect(read(row().slice(1)).refusal).toEqual({ rule: 'columns', why: 'there are 13 columns instead of 14' });
    expect(read(row({ radio: 'WIMAX' })).refusal?.why).toBe('the radio type "WIMAX" is unknown');
  });
});

describe('a cell table is told', () => {
  test('by its header, in any case', () => {
    expect(recogniseCellTable('f', [HEADER.split(','), row()])).toBe(true);
    expect(recogniseCellTable('f', [HEADER.toUpperCase().split(',')])).toBe(true);
  });

  test('without a header by a first row, even behind bad lines', () => {
    expect(recogniseCellTable('f', [row()])).toBe(false);
    expect(recogniseCellTable('f', [['garbage'], row()])).toBe(false);
  });

  test('from a table with other columns', () => {
    expect(() => recogniseCellTable('f.csv', [['radio', 'mcc', 'mnc']])).toThrow(
      'f.csv is not a cell table: its header must read radio,mcc,net',
    );
    expect(() =>
      recogniseCellTable('f.csv', [
        ['ssid', 'bssid'],
        ['a', 'b'],
      ]),
    ).toThrow('f.csv is not a cell table: none of its first 2 lines has the 14 columns');
  });
});
