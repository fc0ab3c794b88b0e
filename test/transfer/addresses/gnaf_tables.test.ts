// The register of Australia as it is released: a file for each table of each state.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { GivenAddress } from '../../../src/geocoding/import/houses/address_file.ts';
import { readAddresses } from '../../../src/transfer/addresses/read_addresses.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { zipOf } from '../formats/zip_of.ts';

const table = (...rows: string[]) => `${rows.join('\r\n')}\r\n`;

const DETAIL =
  'ADDRESS_DETAIL_PID|DATE_CREATED|DATE_RETIRED|NUMBER_FIRST_PREFIX|NUMBER_FIRST|NUMBER_FIRST_SUFFIX|' +
  'NUMBER_LAST_PREFIX|NUMBER_LAST|NUMBER_LAST_SUFFIX|STREET_LOCALITY_PID|LOCALITY_PID|ALIAS_PRINCIPAL|POSTCODE';
const GEOCODE = 'ADDRESS_DEFAULT_GEOCODE_PID|DATE_CREATED|DATE_RETIRED|ADDRESS_DETAIL_PID|LONGITUDE|LATITUDE';
const STREETS = 'STREET_LOCALITY_PID|STREET_NAME|STREET_TYPE_CODE|STREET_SUFFIX_CODE';

/** The files of a release with two states. */
const RELEASE: Readonly<Record<string, string>> = {
  'Standard/ACT_ADDRESS_DETAIL_psv.psv': table(
    DETAIL,
    'GAACT1|2020-01-01|||12|A||14||ACT1|loc1|P|2999',
    'GAACT2|2020-01-01||||||||ACT1|loc1|P|2999',
    'GAACT3|2020-01-01|2021-01-01||13|||||ACT1|loc1|P|2999',
    'GAACT4|2020-01-01|||15|||||ACT1|loc1|A|2999',
    'GAACT5|2020-01-01|||16|||||ACT1|loc1|P|2999',
    'GAACT6|2020-01-01|||17|||||ACT2|loc1|P|',
  ),
  'Standard/ACT_ADDRESS_DEFAULT_GEOCODE_psv.psv': table(
    GEOCODE,
    'G1|2020-01-01|2021-01-01|GAACT1|100|-10',
    'G2|2020-01-01||GAACT1|149.1|-35.1',
    'G3|2020-01-01||GAACT2|149.2|-35.2',
    'G4|2020-01-01||GAACT6|149.3|-35.3',
  ),
  'Standard/ACT_STREET_LOCALITY_psv.psv': table(STREETS, 'ACT1|LIME|STREET|N', 'ACT2|THE AVENUE||'),
  'Standard/ACT_LOCALITY_psv.psv': table('LOCALITY_PID|LOCALITY_NAME', 'loc1|ATOWN'),
  'Standard/ACT_STATE_psv.psv': table('STATE_PID|STATE_NAME|STATE_ABBREVIATION', '8|A TERRITORY|ACT'),
  'Authority Code/Authority_Code_STREET_SUFFIX_AUT_psv.psv': table('CODE|NAME|DESCRIPTION', 'N|NORTH|N'),
  'Standard/OT_ADDRESS_DETAIL_psv.psv': table(DETAIL, 'GAOT1|2020-01-01|||1|||||ACT1|loc1|P|6799'),
  'Standard/OT_ADDRESS_DEFAULT_GEOCODE_psv.psv': table(GEOCODE, 'G1|2020-01-01||GAOT1|105.6|-10.4'),
  'Standard/OT_STREET_LOCALITY_psv.psv': table(STREETS, 'ACT1|ISLAND|ROAD|'),
  'Standard/OT_LOCALITY_psv.psv': table('LOCALITY_PID|LOCALITY_NAME', 'loc1|BTOWN'),
};
const HOUSES = [
  { number: '12A-14', street: 'LIME STREET NORTH', city: 'ATOWN', postcode: '2999', latitude: -35.1, longitude: 149.1 },
  { number: '17', street: 'THE AVENUE', city: 'ATOWN', postcode: '', latitude: -35.3, longitude: 149.3 },
  { number: '1', street: 'ISLAND ROAD', city: 'BTOWN', postcode: '6799', latitude: -10.4, longitude: 105.6 },
];

async function read(path: string, options: Partial<Parameters<typeof readAddresses>[0]> = {}) {
  const rows: GivenAddress[] = [];
  const scratchFolder = temporaryFolder();
  const reading = await readAddresses({
    ...{ paths: [path], isPostcodes: false, scratchFolder, take: (row: GivenAddress) => void rows.push(row) },
    ...{ onProgress: () => {}, ...options },
  });
  expect(readdirSync(scratchFolder)).toEqual([]);
  return { rows, reading };
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

test('tables of each state are joined; aliases and what is retired are counted, and lines are named', async () => {
  const folder = folderOf(RELEASE);
  const told: { bytesDone: number; bytesTotal: number }[] = [];
  const { rows, reading } = await read(folder, { onProgress: progress => void told.push(progress) });
  expect(new Set(rows)).toEqual(new Set(HOUSES));
  expect(reading).toMatchObject({ accepted: 3, leftOut: [] });
  expect(reading.refusedByRule).toEqual({ retired: 1, alias: 1, position: 1, number: 1 });
  const file = join(folder, 'Standard/ACT_ADDRESS_DETAIL_psv.psv');
  expect(
    reading.refusedLines
      .filter(line => line.file === file)
      .map(({ line }) => line)
      .toSorted(),
  ).toEqual([3, 4, 5, 6]);
  expect(told.at(-1)!.bytesDone).toBe(told.at(-1)!.bytesTotal);
});

test('a release in an archive is read beside other tables', async () => {
  const folder = temporaryFolder();
  const files = Object.entries(RELEASE).map(([name, content]) => ({ name: `G-NAF/${name}`, content }));
  writeFileSync(join(folder, 'gnaf.zip'), zipOf(...files));
  writeFileSync(join(folder, 'own.csv'), 'lat,lon,number,city\n-35,149,3,Ctown\n');
  const { rows } = await read(folder);
  expect(rows.map(({ city }) => city).toSorted()).toEqual(['ATOWN', 'ATOWN', 'BTOWN', 'Ctown']);
});

test('codes stand as they are where the release does not say what they mean', async () => {
  const { 'Authority Code/Authority_Code_STREET_SUFFIX_AUT_psv.psv': _, ...files } = RELEASE;
  expect((await read(folderOf(files))).rows.map(({ street }) => street)).toContain('LIME STREET N');
});

test('what a release lacks is named', async () => {
  const { 'Standard/OT_LOCALITY_psv.psv': _, ...files } = RELEASE;
  const { reading } = await read(folderOf(files));
  expect(reading.accepted).toBe(2);
  expect(reading.leftOut.map(name => name.replace(/.*\//, ''))).toEqual([
    'OT_ADDRESS_DEFAULT_GEOCODE_psv.psv',
    'OT_ADDRESS_DETAIL_psv.psv',
    'OT_STREET_LOCALITY_psv.psv',
  ]);
  const folder = folderOf({ ...RELEASE, 'Standard/ACT_LOCALITY_psv.psv': table('LOCALITY_PID|NAME', 'loc1|ATOWN') });
  const path = join(folder, 'Standard/ACT_LOCALITY_psv.psv');
  await expect(read(folder)).rejects.toThrow(`${path} has no column LOCALITY_NAME.`);
});
