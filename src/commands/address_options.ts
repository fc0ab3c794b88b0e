// What a command says of tables of addresses, besides their names.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { ADDRESS_ROLES, type AddressRole, type NamedAddressColumns } from '../transfer/addresses/address_columns.ts';

/** As the flags say it. */
export interface AddressFlags {
  licence?: string;
  country?: string;
  encoding?: string;
  number?: string[];
  street?: string[];
  city?: string[];
  postcode?: string[];
  latitude?: string[];
  longitude?: string[];
}

const HOLDS: Readonly<Record<AddressRole, string>> = {
  number: 'the house number',
  street: 'the street',
  city: 'the town',
  postcode: 'the postcode',
  longitude: 'the longitude',
  latitude: 'the latitude',
};
const LICENCE_MAX = 300;

/** Adds the flags. */
export function addAddressOptions(command: Command): void {
  command
    .option('--licence <text>', 'under which licence the data is; answers say it with the name of the source', licence)
    .option('--country <code>', 'the country of all rows, such as AU; rows elsewhere are refused', country)
    .option('--encoding <name>', 'how tables are written, such as windows-1252; without, their bytes tell');
  for (const role of ADDRESS_ROLES) {
    const option = new Option(`--${role} <name>`, `the column with ${HOLDS[role]}; several make one, in their order`);
    command.addOption(option.argParser((name: string, before: string[] = []) => [...before, name]));
  }
}

/** What the flags add to a job. */
export function addressMembers(flags: AddressFlags): object {
  const { licence, country, encoding } = flags;
  const columns: NamedAddressColumns = Object.fromEntries(
    ADDRESS_ROLES.flatMap(role => (flags[role] === undefined ? [] : [[role, flags[role]]])),
  );
  return {
    ...(licence !== undefined && { licence }),
    ...(country !== undefined && { country }),
    ...(encoding !== undefined && { encoding }),
    ...(Object.keys(columns).length > 0 && { columns }),
  };
}

function licence(text: string): string {
  if (!/^\P{Cc}+$/u.test(text) || text.length > LICENCE_MAX)
    throw new InvalidArgumentError(`It must have 1 to ${LICENCE_MAX} printable characters.`);
  return text;
}

function country(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new InvalidArgumentError('It must be a code of two letters, such as AU.');
  return text.toUpperCase();
}
