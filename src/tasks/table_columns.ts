// Which columns of a table are read for a question, and what they are called. A column is found by the spellings that
// other tables have for it, or the question names it. The flags of the commands and the parameters of the admin
// interface are made of these rows.

/** What is asked for each row. */
export type TableKind = 'locate' | 'geocode' | 'reverse';

/** What a column holds. */
interface ColumnRole {
  kind: TableKind;
  /** For whoever names the column. */
  holds: string;
  /** As other tables call it, without all but letters and digits; none where the question must name it. */
  spellings: readonly string[];
  /** Several columns together hold it, in their order. */
  isList?: true;
}

/** All roles, by the name of their flag. */
export const COLUMN_ROLES = {
  column: { kind: 'geocode', holds: 'the address, or a part of it', spellings: [], isList: true },
  street: { kind: 'geocode', holds: 'street and house number', spellings: [], isList: true },
  city: { kind: 'geocode', holds: 'the town', spellings: [], isList: true },
  postcode: { kind: 'geocode', holds: 'the postcode', spellings: [], isList: true },
  country: { kind: 'geocode', holds: 'the country', spellings: [], isList: true },
  latitude: { kind: 'reverse', holds: 'the latitude', spellings: ['latitude', 'lat', 'y'] },
  longitude: { kind: 'reverse', holds: 'the longitude', spellings: ['longitude', 'lon', 'lng', 'long', 'x'] },
  position: {
    kind: 'reverse',
    holds: 'both, in any form that the search reads',
    spellings: ['position', 'coordinates', 'coordinate', 'coords', 'latlon', 'latlng', 'latlong'],
  },
  body: { kind: 'locate', holds: 'a request as JSON', spellings: ['body'] },
  wifi: { kind: 'locate', holds: 'access points', spellings: ['wifi', 'wifiaccesspoints', 'accesspoints'] },
  radio: { kind: 'locate', holds: 'the type of the cell', spellings: ['radio', 'radiotype', 'act'] },
  mcc: { kind: 'locate', holds: 'its country code', spellings: ['mcc', 'mobilecountrycode'] },
  mnc: { kind: 'locate', holds: 'its network code', spellings: ['mnc', 'net', 'mobilenetworkcode'] },
  lac: { kind: 'locate', holds: 'its area', spellings: ['lac', 'tac', 'area', 'locationareacode'] },
  cell: { kind: 'locate', holds: 'its id', spellings: ['cell', 'cellid', 'cid', 'ci', 'eci', 'nci'] },
  signal: {
    kind: 'locate',
    holds: 'its level in dBm',
    spellings: ['signal', 'signalstrength', 'dbm', 'rssi', 'rsrp'],
  },
} as const satisfies Readonly<Record<string, ColumnRole>>;

/** Name of a role. */
export type Role = keyof typeof COLUMN_ROLES;

/** Names of the columns that a question says. */
export type NamedColumns = { readonly [role in Role]?: string | readonly string[] | undefined };

/** The roles of a kind of question. */
export function rolesOf(kind: TableKind): [Role, ColumnRole][] {
  return (Object.entries(COLUMN_ROLES) as [Role, ColumnRole][]).filter(([, role]) => role.kind === kind);
}

/**
 * Where the columns of a question are.
 * @returns places in the header by role, in the order in which they are named; empty for what the table does not have
 * @throws Error naming a column that is not there, or there twice, or a role that the kind does not have
 */
export function columnsOf(
  header: readonly string[],
  kind: TableKind,
  named: NamedColumns,
): Readonly<Record<Role, readonly number[]>> {
  const spelled = header.map(name => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  const [foreign] = Object.keys(named).filter(role => role in COLUMN_ROLES && COLUMN_ROLES[role as Role].kind !== kind);
  if (foreign !== undefined) throw new Error(`${foreign} names a column of ${COLUMN_ROLES[foreign as Role].kind}.`);
  const found: Partial<Record<Role, readonly number[]>> = {};
  for (const [role, { spellings, isList }] of rolesOf(kind)) {
    const names = [named[role] ?? []].flat();
    if (names.length > 1 && !isList) throw new Error(`One column holds ${role}, and ${names.length} are named.`);
    const at = spelled.findIndex(name => spellings.includes(name));
    found[role] = names.length > 0 ? names.map(name => placeOf(header, name)) : at < 0 ? [] : [at];
  }
  return found as Record<Role, readonly number[]>;
}

function placeOf(header: readonly string[], name: string): number {
  const at = header.indexOf(name);
  if (at < 0) throw new Error(`The table has no column "${name}"; it has ${header.join(', ')}.`);
  if (header.lastIndexOf(name) !== at)
    throw new Error(`The table has two columns "${name}"; give one of them another name.`);
  return at;
}
