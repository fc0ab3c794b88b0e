// Which columns of a table of addresses are read. A column is found by the spellings of the registers below, or whoever
// has the table names it.
//
//   OpenAddresses                 github.com/openaddresses/openaddresses, CONTRIBUTING.md
//   BAN, France                   adresse.data.gouv.fr, "Format du fichier d'export"
//   BAG, the Netherlands          nlextract.nl, table of addresses
//   G-NAF Core, Australia         geoscape.com.au, "G-NAF Core Data Product Description"; the whole: gnaf_tables.ts
//   GWR, Switzerland and
//   Liechtenstein                 housing-stat.ch, entrances; swisstopo, official directory of building addresses
//   Overture Maps                 docs.overturemaps.org/schema/reference/addresses/address

/** What is read of an address. */
export const ADDRESS_ROLES = ['number', 'street', 'city', 'postcode', 'longitude', 'latitude'] as const;
export type AddressRole = (typeof ADDRESS_ROLES)[number];
/** What each of them is, for whoever names its column. */
export const ADDRESS_HOLDS: Readonly<Record<AddressRole, string>> = {
  number: 'the house number',
  street: 'the street',
  city: 'the town',
  postcode: 'the postcode',
  longitude: 'the longitude',
  latitude: 'the latitude',
};

/** Names of columns that somebody says. */
export type NamedAddressColumns = { readonly [role in AddressRole]?: readonly string[] };

/** Columns that hold a value together, and what stands between two of them; `|` before one that only stands in. */
interface Joined {
  at: readonly number[];
  between: readonly string[];
}

/** Where a table has an address. */
export type AddressLayout = { readonly [role in AddressRole]?: Joined };

/**
 * Columns of each role as tables call them, without all but letters and digits. The first row of which a table has all
 * columns counts; a sign before a name stands between it and the value before, and `|` before one that counts where
 * there is no value before.
 */
const SPELLINGS: Readonly<Record<AddressRole, readonly (readonly string[])[]>> = {
  number: [
    ['huisnummer', 'huisletter', '-huisnummertoevoeging'],
    ['numero', 'rep'],
    ['huisnummer', 'huisletter'],
    ['numberfirst', '-numberlast'],
    ...['number', 'housenumber', 'houseno', 'addrhousenumber', 'hausnummer', 'adrnumber', 'deinr'].map(one),
    ...['numero', 'huisnummer', 'numberfirst'].map(one),
  ],
  street: [
    ['streetname', ' streettype', ' streetsuffix'],
    ...['street', 'streetname', 'addrstreet', 'road', 'strasse', 'nomvoie', 'openbareruimte', 'stnlabel'].map(one),
    ...['strname', 'strnamk'].map(one),
  ],
  city: [
    ['postalcity', '|addresslevels'],
    ...['city', 'town', 'addrcity', 'localityname', 'locality', 'ort', 'nomcommune', 'woonplaats'].map(one),
    ...['ziplabel', 'dplzname', 'comname', 'placename'].map(one),
  ],
  postcode: [
    ...['postcode', 'postalcode', 'zip', 'zipcode', 'addrpostcode', 'plz', 'codepostal', 'ziplabel', 'dplz4'].map(one),
  ],
  longitude: ['lon', 'longitude', 'lng', 'long', 'adreasting', 'dkode', 'easting', 'eastings', 'x'].map(one),
  latitude: ['lat', 'latitude', 'adrnorthing', 'dkodn', 'northing', 'northings', 'y'].map(one),
};
const SIGN = /^[^a-z]/;
const STANDS_IN = '|';

function one(name: string): readonly string[] {
  return [name];
}

/**
 * Where a table has its addresses.
 * @returns only what it has
 * @throws Error naming a column that is not there
 */
export function addressLayout(header: readonly string[], named: NamedAddressColumns): AddressLayout {
  const spelled = header.map(name => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  const layout: { [role in AddressRole]?: Joined } = {};
  for (const role of ADDRESS_ROLES) {
    const names = named[role];
    if (names !== undefined) {
      layout[role] = { at: names.map(name => placeOf(header, name, role)), between: names.map(() => ' ') };
      continue;
    }
    const found = SPELLINGS[role].find(each => each.every(name => spelled.includes(name.replace(SIGN, ''))));
    if (found === undefined) continue;
    const between = found.map(name => SIGN.exec(name)?.[0] ?? '');
    layout[role] = { at: found.map(name => spelled.indexOf(name.replace(SIGN, ''))), between };
  }
  return layout;
}

function placeOf(header: readonly string[], name: string, role: AddressRole): number {
  const at = header.indexOf(name);
  if (at < 0) throw new Error(`The table has no column "${name}" for ${role}; it has ${header.join(', ')}.`);
  return at;
}

/** The value of a role in a row; empty where it has none. */
export function joinedValue(cells: readonly unknown[], joined: Joined | undefined): string {
  if (joined === undefined) return '';
  const { at, between } = joined;
  let text = '';
  for (let i = 0; i < at.length; i++) {
    if (text !== '' && between[i] === STANDS_IN) continue;
    const part = textOf(cells[at[i]]);
    if (part !== '') text += text === '' ? part : between[i] + part;
  }
  return text;
}

/** A cell as text; of a list the last one that it has, as the levels of an address end with the town. */
export function textOf(cell: unknown): string {
  if (!Array.isArray(cell)) return plainText(cell);
  for (const each of cell.toReversed()) {
    const text = plainText((each as { value?: unknown } | null)?.value ?? each);
    if (text !== '') return text;
  }
  return '';
}

function plainText(cell: unknown): string {
  if (typeof cell === 'string') return cell.trim();
  if (typeof cell === 'number' || typeof cell === 'bigint') return String(cell);
  return cell instanceof Uint8Array ? Buffer.from(cell).toString().trim() : '';
}
