// Are houses that a register gives as good as those of the map? Of a real extract the houses of every fifth address are
// taken out. Their addresses come back as tables in the forms in which registers are written, beside those of all other
// houses, as a register has them. Then every address is asked for: what is at its position, and where its words are. Per
// form: the share that is right beside that of the whole extract, and houses that stand there twice.
//
//   node bench/given_addresses.ts [LAND…]

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unitsOf } from '../src/geo/units.ts';
import { metresBetween } from '../src/geocoding/import/areas/known_areas.ts';
import { AddressWriter } from '../src/geocoding/import/houses/address_file.ts';
import { buildPlaces } from '../src/geocoding/import/import_osm.ts';
import { LayerBuilder } from '../src/geocoding/import/layer_builder.ts';
import { classify } from '../src/geocoding/import/objects/classify.ts';
import { matchKeyOf } from '../src/geocoding/import/objects/match_key.ts';
import type { FeatureClass, OsmFeature } from '../src/geocoding/import/osm/features.ts';
import { readOsm } from '../src/geocoding/import/osm/read.ts';
import { freeTextQuestion } from '../src/geocoding/search/question.ts';
import { houseNumbersOf } from '../src/geocoding/search/words/house_number.ts';
import { LayerReader } from '../src/tables/places/layer.ts';
import { OSM_NONE } from '../src/tables/places/place.ts';
import { readAddresses } from '../src/transfer/addresses/read_addresses.ts';
import {
  addressOf,
  extractOf,
  LANDS,
  type Land,
  openLayers,
  type RealGeocoder,
  type RealObject,
  realObjects,
} from '../test/geocoding/real_geocoder.ts';
import { overtureParquet } from '../test/kits/parquet.ts';
import { hash32 } from '../test/kits/random.ts';

/** An address and the houses that have it. */
interface Address {
  number: string;
  street: string;
  city: string;
  postcode: string;
  houses: RealObject[];
  isTaken: boolean;
}

interface Built extends RealGeocoder {
  /** Pairs of houses of one address within 60 metres, of which one was given. */
  twice: number;
}

const TAKEN_OF = 5;
const SAME_METRES = 60;
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const at = ({ houses: [{ latitude, longitude }] }: Address) => [latitude.toFixed(7), longitude.toFixed(7)];

/** Tables of addresses by their form. */
const FORMS: Readonly<Record<string, (addresses: readonly Address[]) => string | Buffer>> = {
  'OpenAddresses CSV': addresses =>
    ['LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH']
      .concat(
        addresses.map(each => {
          const [latitude, longitude] = at(each);
          const { number, street, city, postcode } = each;
          return `${longitude},${latitude},${[number, street, '', city, '', '', postcode, '', ''].map(cell).join()}`;
        }),
      )
      .join('\n'),
  'GeoJSON lines': addresses =>
    addresses
      .map(each => {
        const [latitude, longitude] = at(each).map(Number);
        const { number, street, city, postcode } = each;
        const geometry = { type: 'Point', coordinates: [longitude, latitude] };
        return JSON.stringify({ type: 'Feature', properties: { number, street, city, postcode }, geometry });
      })
      .join('\n'),
  'columns of BAN': addresses =>
    ['id;numero;rep;nom_voie;code_postal;nom_commune;x;y;lon;lat']
      .concat(
        addresses.map((each, i) => {
          const [latitude, longitude] = at(each);
          const [, number, rest] = /^(\d*)(.*)$/.exec(each.number)!;
          const cells = [`${i}`, number, rest, each.street, each.postcode, each.city, '1', '1'].map(cell);
          return `${cells.join(';')};${longitude};${latitude}`;
        }),
      )
      .join('\n'),
  'in capitals': addresses =>
    ['NUMBER|STREET|CITY|POSTCODE|LONGITUDE|LATITUDE']
      .concat(
        addresses.map(each => {
          const [latitude, longitude] = at(each);
          const texts = [each.number, each.street, each.city, each.postcode].map(text => cell(text.toUpperCase()));
          return `${texts.join('|')}|${longitude}|${latitude}`;
        }),
      )
      .join('\n'),
  'GeoParquet of Overture Maps': addresses =>
    overtureParquet(
      addresses.map(each => {
        const [latitude, longitude] = at(each).map(Number);
        return { ...each, latitude, longitude };
      }),
      { rowGroupSize: 1_000, inLevels: true },
    ),
};

const only = process.argv.slice(2);
for (const land of LANDS) if (only.length === 0 || only.includes(land)) await measure(land);

async function measure(land: Land): Promise<void> {
  const addresses = addressesOf(await realObjects(land, (_, tags) => tags['addr:housenumber'] !== undefined));
  const taken = addresses.filter(({ isTaken }) => isTaken);
  const show = async (name: string, built: Built) => {
    const shares = [addresses, taken].map(each => sharesOf(built, each));
    const cells = shares.flatMap(({ reverse, search }) => [reverse, search]).map(share => (100 * share).toFixed(2));
    console.log(`${land} | ${name} | ${cells.join(' | ')} | ${built.twice}`);
    await built.close();
  };
  console.log(`${land}: ${addresses.length} addresses, of which ${taken.length} are taken out`);
  await show('whole', await build(land, new Set(), undefined));
  const gone = new Set(taken.flatMap(({ houses }) => houses.map(({ type, id }) => `${type} ${id}`)));
  await show('a fifth taken out', await build(land, gone, undefined));
  for (const [name, write] of Object.entries(FORMS)) {
    await show(`${name}, all`, await build(land, gone, write(addresses)));
    await show(`${name}, those taken`, await build(land, gone, write(taken)));
  }
}

function addressesOf(houses: readonly RealObject[]): Address[] {
  const byText = new Map<string, Address>();
  for (const house of houses) {
    const street = house.tags['addr:street'];
    if (street === undefined) continue;
    const number = house.tags['addr:housenumber'];
    const [city, postcode] = [house.tags['addr:city'] ?? '', house.tags['addr:postcode'] ?? ''];
    const text = [number, street, city, postcode].join('\n');
    const known = byText.get(text);
    if (known !== undefined) known.houses.push(house);
    else {
      const isTaken = hash32(7, byText.size, 0) % TAKEN_OF === 0;
      byText.set(text, { number, street, city, postcode, houses: [house], isTaken });
    }
  }
  return [...byText.values()];
}

/** @param gone objects that are taken out @param table what a register gives */
async function build(land: Land, gone: ReadonlySet<string>, table: string | Buffer | undefined): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-given-'));
  const features = await readOsm({
    files: [extractOf(land)],
    scratchFolder: folder,
    wants: (type, tags, isClosed) => classify(type, tags, isClosed)?.featureClass,
    onProgress: () => {},
  });
  const read = function* (featureClass: FeatureClass): Generator<OsmFeature> {
    for (const feature of features.read(featureClass)) if (!gone.has(`${feature.type} ${feature.id}`)) yield feature;
  };
  const { boundaries, streets, skipped, counts } = features;
  const layer = join(folder, 'layer');
  const builder = LayerBuilder.start(layer);
  const sources = table === undefined ? [] : [await sourceOf(folder, table)];
  buildPlaces({ boundaries, streets, skipped, counts, read }, builder, () => {}, undefined, sources);
  features.close();
  const extracts = [{ name: 'register', kind: 'addresses' as const, files: [], objects: 0, importedAt: '' }];
  await builder.finish({ licence: 'map', sources: [], extracts });
  return { ...(await openLayers(folder, layer)), twice: await countTwice(layer) };
}

async function sourceOf(folder: string, table: string | Buffer) {
  const path = join(folder, 'register.addresses');
  const tables = join(folder, 'tables');
  mkdirSync(tables);
  writeFileSync(join(tables, typeof table === 'string' ? 'register.csv' : 'register.parquet'), table);
  const writer = new AddressWriter(path);
  await readAddresses({
    ...{ paths: [tables], isPostcodes: false, scratchFolder: folder },
    ...{ take: row => writer.add(row), onProgress: () => {} },
  });
  const checksum = writer.finish();
  writer.close();
  rmSync(tables, { recursive: true });
  return { name: 'register', path, checksum, isPostcodes: false, count: writer.count };
}

async function countTwice(layer: string): Promise<number> {
  const reader = new LayerReader(layer);
  const houses = new Map<string, { x: number; y: number; isGiven: boolean }[]>();
  let twice = 0;
  for (let id = 1; id <= reader.meta.count; id++) {
    const { houseNumber, isAddressInherited, street, parent, osmType, latitude, longitude } = reader.place(id)!;
    if (houseNumber === '' || isAddressInherited) continue;
    const name = street || (parent === 0 ? '' : (reader.place(parent)!.names.name ?? ''));
    const house = { x: unitsOf(longitude), y: unitsOf(latitude), isGiven: osmType === OSM_NONE };
    for (const { key, isInRange } of houseNumbersOf(houseNumber)) {
      if (isInRange) continue;
      const text = `${key} ${matchKeyOf(name)}`;
      const others = houses.get(text) ?? [];
      const isTwice = ({ x, y, isGiven }: typeof house) =>
        (isGiven || house.isGiven) && metresBetween(x, y, house.x, house.y) <= SAME_METRES;
      if (others.some(isTwice)) twice++;
      houses.set(text, [...others, house]);
    }
  }
  await reader.close();
  return twice;
}

/** Shares of addresses that are right. */
function sharesOf({ geocoder }: Built, addresses: readonly Address[]): { reverse: number; search: number } {
  const isRight = (place: Parameters<typeof addressOf>[0] | undefined, { number, street, postcode }: Address) => {
    const found = place === undefined ? {} : addressOf(place);
    const keys = (text: string) => houseNumbersOf(text).flatMap(({ key, isInRange }) => (isInRange ? [] : [key]));
    return (
      found.house_number !== undefined &&
      keys(found.house_number).join() === keys(number).join() &&
      matchKeyOf(found.road ?? '') === matchKeyOf(street) &&
      (postcode === '' || found.postcode === postcode)
    );
  };
  const isReverse = (address: Address) => {
    const [{ latitude, longitude }] = address.houses;
    return isRight(geocoder.reverse({ latitude, longitude, zoom: 18, languages: [] }), address);
  };
  const isSearch = (address: Address) => {
    const { number, street, city, postcode } = address;
    const tail = `${postcode} ${city}`.trim();
    const text = tail === '' ? `${street} ${number}` : `${street} ${number}, ${tail}`;
    return isRight(geocoder.search(freeTextQuestion(text))[0], address);
  };
  return {
    reverse: addresses.filter(isReverse).length / addresses.length,
    search: addresses.filter(isSearch).length / addresses.length,
  };
}
