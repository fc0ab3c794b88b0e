// What an import of addresses is told besides files and source, by flags of a command or by parameters of a request.

import { ADDRESS_ROLES, type AddressRole } from '../transfer/addresses/address_columns.ts';
import type { AddressesJob } from './job.ts';

/** Characters of a licence. */
export const LICENCE_MAX = 300;

/** As it is said; a role names its columns. */
export type AddressFlags = { readonly [role in AddressRole]?: string | string[] | undefined } & {
  licence?: string | undefined;
  country?: string | undefined;
  encoding?: string | undefined;
};

/** The members of the job. */
export function addressMembers(
  flags: AddressFlags,
): Pick<AddressesJob, 'licence' | 'country' | 'encoding' | 'columns'> {
  const { licence, country, encoding } = flags;
  const columns = ADDRESS_ROLES.flatMap(role => (flags[role] === undefined ? [] : [[role, [flags[role]].flat()]]));
  return {
    ...(licence !== undefined && { licence }),
    ...(country !== undefined && { country: country.toUpperCase() }),
    ...(encoding !== undefined && { encoding }),
    ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
  };
}
