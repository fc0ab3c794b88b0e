// The settings of a key as a form. Which there are, their limits and what they mean comes from the schema of the admin
// interface, so a setting that is added there stands here.

import { keySettings } from '../../../../build/key_settings.ts';
import { strings } from '../../strings.ts';
import { CheckField, TextField } from '../../ui/field.tsx';

const text = strings.operate.keys;

/** A setting, as its schema describes it. */
interface Setting {
  type: string;
  title: string;
  description?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  /** Of a list. */
  items?: { type?: string; enum?: readonly string[] };
}

const SETTINGS: readonly (readonly [name: string, setting: Setting])[] = Object.entries(keySettings);
/** What a key calls its settings where that is another name than the setting's. */
const SHOWN_AS: Readonly<Record<string, string>> = { ratePerSecond: 'rate', storageMegabytes: 'storageMb' };
const GROUPS: readonly (readonly [title: string, isPart: (setting: Setting) => boolean])[] = [
  [text.limits, ({ type }) => type !== 'boolean'],
  [text.rights, ({ type }) => type === 'boolean'],
];

const TITLES: Readonly<Record<string, string>> = {
  ...text.members,
  ...Object.fromEntries(SETTINGS.map(([name, { title }]) => [SHOWN_AS[name] ?? name, title])),
};

/** What a member of a key is called. */
export function titleOf(member: string): string {
  return TITLES[member] ?? member;
}

/** What stands in the form, by setting: a text, empty where nothing is set, with commas in a list; or a choice. */
type Typed = Readonly<Record<string, string | boolean>>;

/** The settings of a key as they stand in the form. */
export function typedOf(key: object): Typed {
  const shown = key as Record<string, unknown>;
  return Object.fromEntries(
    SETTINGS.map(([name, { type }]) => {
      const value = shown[SHOWN_AS[name] ?? name];
      if (type === 'boolean') return [name, value === true];
      return [name, Array.isArray(value) ? value.join(', ') : String(value ?? '')];
    }),
  );
}

type Value = string | number | boolean | string[];

/** What is set, as the service takes it. */
export function settingsOf(typed: Typed): Record<string, Value> {
  const given = SETTINGS.filter(([name]) => typed[name] !== '' && typed[name] !== false);
  return Object.fromEntries(given.map(([name, setting]) => [name, valueTyped(setting, typed[name])]));
}

/** What has changed; `null` takes a setting away. */
export function changesOf(before: Typed, typed: Typed): Record<string, Value | null> {
  const changed = SETTINGS.filter(([name]) => typed[name] !== before[name]);
  return Object.fromEntries(
    changed.map(([name, setting]) => [name, typed[name] === '' ? null : valueTyped(setting, typed[name])]),
  );
}

function valueTyped({ type }: Setting, typed: string | boolean): Value {
  if (typeof typed === 'boolean') return typed;
  if (type === 'array')
    return typed
      .split(',')
      .map(each => each.trim())
      .filter(each => each !== '');
  return type === 'string' ? typed : Number(typed);
}

/** The form. */
export function KeyForm({ typed, onChange }: { typed: Typed; onChange(typed: Typed): void }) {
  return (
    <>
      {GROUPS.map(([title, isPart]) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          <div class="form-grid">
            {SETTINGS.filter(([, setting]) => isPart(setting)).map(([name, setting]) => (
              <SettingField
                key={name}
                setting={setting}
                value={typed[name]}
                onChange={value => onChange({ ...typed, [name]: value })}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </>
  );
}

function SettingField({
  setting,
  value,
  onChange,
}: {
  setting: Setting;
  value: string | boolean;
  onChange(value: string | boolean): void;
}) {
  const { title: label, description, type, format, minimum: min, maximum: max, items } = setting;
  const hint = [description, ...(items?.enum ? [text.someOf(items.enum.join(', '))] : [])].join(' ');
  if (typeof value === 'boolean') return <CheckField label={label} hint={hint} checked={value} onChange={onChange} />;
  const isNumber = type === 'integer' || type === 'number';
  return (
    <TextField
      label={label}
      hint={hint}
      value={value}
      onInput={onChange}
      type={isNumber ? 'number' : format === 'date' ? 'date' : 'text'}
      {...(isNumber && { step: type === 'integer' ? 1 : 'any' })}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
    />
  );
}
