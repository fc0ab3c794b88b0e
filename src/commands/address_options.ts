// What a command says of tables of addresses, besides their names.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { LICENCE_MAX } from '../jobs/address_job.ts';
import { ADDRESS_HOLDS, ADDRESS_ROLES } from '../transfer/addresses/address_columns.ts';
import { countryCode } from './arguments.ts';

/** Adds the flags. */
export function addAddressOptions(command: Command): void {
  command
    .option('--licence <text>', 'under which licence the data is; answers say it with the name of the source', licence)
    .option('--country <code>', 'the country of all rows, such as AU; rows elsewhere are refused', countryCode)
    .option('--encoding <name>', 'how tables are written, such as windows-1252; without, their bytes tell');
  for (const role of ADDRESS_ROLES) {
    const option = new Option(
      `--${role} <name>`,
      `the column with ${ADDRESS_HOLDS[role]}; several make one, in their order`,
    );
    command.addOption(option.argParser((name: string, before: string[] = []) => [...before, name]));
  }
}

function licence(text: string): string {
  if (!/^\P{Cc}+$/u.test(text) || text.length > LICENCE_MAX)
    throw new InvalidArgumentError(`It must have 1 to ${LICENCE_MAX} printable characters.`);
  return text;
}
