// What is said of a table of addresses or postcodes before it is imported: its licence, country and encoding, and its
// columns, as the service recognises them by the first bytes. Nothing is imported by that.

import type { AdminRoutes, AdminSchemas } from '../../../../build/console_api.ts';
import { importParameters } from '../../../../build/key_settings.ts';
import { call } from '../../api/call.ts';
import { type Loaded, useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { limitsOf, SelectField, TextField } from '../../ui/field.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { errorsOf, parameterOf } from './ask.ts';
import { count } from './formats.ts';

const text = strings.operate.data.addresses;
/** The service takes no more. */
const LOOK_BYTES = 262_144;
const COUNTRY = /^[a-z]{2}$/i;

type Look = AdminSchemas['AddressLook'];
type Query = AdminRoutes['POST /imports/look']['query'];
type Role = keyof Look['recognised'];
/** Kinds of files that have such columns. */
type AddressKind = Query['kind'];
/** What is said; a role names its column. */
export type Told = { [name in Exclude<keyof Query, 'kind'>]?: string };

const ROLES: Readonly<Record<AddressKind, readonly Role[]>> = {
  addresses: ['number', 'street', 'city', 'postcode', 'latitude', 'longitude'],
  postcodes: ['postcode', 'city', 'latitude', 'longitude'],
};
const OF_POINTS: readonly Role[] = ['latitude', 'longitude'];

/** Looks at a file, again when something else is said of it. */
export function useLook(file: File, kind: AddressKind | undefined, told: Told): Loaded<Look | undefined> {
  const { licence: _, country = '', ...others } = told;
  const query = { ...others, ...(COUNTRY.test(country) && { country }) };
  return useLoaded(
    async signal =>
      kind &&
      (await call('POST /imports/look', { query: { kind, ...query }, body: file.slice(0, LOOK_BYTES), signal })),
    [file, kind, JSON.stringify(query)],
  );
}

/** Whether an import would find nothing to read. In an archive another table may have what this one lacks. */
export function isMissing({ value }: Loaded<Look | undefined>): boolean {
  return value !== undefined && value.missing.length > 0 && value.table === undefined;
}

/** @param errors what the service says of a parameter, by its name */
export function AddressFields({
  kind,
  told,
  look,
  errors,
  onTold,
}: {
  kind: AddressKind;
  told: Told;
  look: Loaded<Look | undefined>;
  errors: Readonly<Record<string, string>>;
  onTold(told: Told): void;
}) {
  const { value, error, isLoading } = look;
  const all = { ...(error && errorsOf({ error: error.message, parameter: parameterOf(error) })), ...errors };
  const set = (name: keyof Told) => (said: string) => {
    const { [name]: _, ...others } = told;
    onTold(said === '' ? others : { ...others, [name]: said });
  };
  const field = (name: 'licence' | 'country' | 'encoding', wrong?: string) => (
    <TextField
      label={text[name]}
      hint={text.hints[name]}
      error={wrong ?? all[name]}
      value={told[name] ?? ''}
      onInput={set(name)}
      {...limitsOf(importParameters[name])}
    />
  );
  return (
    <>
      <div class="form-grid">
        {field('licence')}
        {field('country', (told.country ?? 'AU').match(COUNTRY) ? undefined : text.countryWrong)}
        {field('encoding')}
      </div>
      {isLoading && value === undefined && <Loading lines={2} />}
      {error && !(parameterOf(error)! in text.hints) && <Failed message={error.message} />}
      {value && !error && (
        <>
          <p>{text.seen(value.format, value.encoding, value.table)}</p>
          {value.columns.length > 0 && (
            <div class="form-grid">
              {ROLES[kind]
                .filter(role => value.format !== 'GeoJSON' || !OF_POINTS.includes(role))
                .map(role => (
                  <ColumnField
                    key={role}
                    role={role}
                    of={value}
                    told={told[role]}
                    error={errors[role]}
                    onTold={set(role)}
                  />
                ))}
            </div>
          )}
          <FirstRows kind={kind} of={value} />
        </>
      )}
    </>
  );
}

/** Which column is read as what. */
function ColumnField({
  role,
  of: { columns, recognised, missing },
  told,
  error,
  onTold,
}: {
  role: Role;
  of: Look;
  told: string | undefined;
  error: string | undefined;
  onTold(name: string): void;
}) {
  const found = told === undefined ? recognised[role]?.join(' + ') : text.asRecognised;
  const names = columns.map(({ name, example }) => [name, text.column(name, example)] as const);
  return (
    <SelectField
      label={text.roles[role]}
      error={error ?? (missing.includes(role) ? text.missing : undefined)}
      value={told ?? ''}
      options={[['', found ?? text.notRecognised], ...names]}
      onChange={onTold}
    />
  );
}

/** How the first rows are read, and what is wrong with others. */
function FirstRows({ kind, of }: { kind: AddressKind; of: Look }) {
  const { rows, accepted, refused, refusedLines, isCut } = of;
  if (accepted + refused === 0) return null;
  const columns = ROLES[kind].map(role => ({
    title: text.roles[role],
    isNumber: OF_POINTS.includes(role),
    cell: (row: (typeof rows)[number]) => row[role],
  }));
  return (
    <>
      <p>{text.counted(count(accepted), count(refused), isCut)}</p>
      {rows.length > 0 && <Table label={text.firstRows} rows={rows} keyOf={({ line }) => line} columns={columns} />}
      {refusedLines.length > 0 && (
        <ul class="reasons">
          {refusedLines.map(({ line, why }) => (
            <li key={`${line} ${why}`}>{strings.operate.data.line(line, why)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
