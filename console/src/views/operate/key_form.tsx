// The settings of a key as a form. Which there are, their limits and what they mean comes from the schema of the admin
// interface, so a setting that is added there stands here.

import { keySettings } from '../../../../build/key_settings.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, ChoicesField, type Limits, limitsOf, TextField } from '../../ui/field.tsx';

const text = strings.operate.keys;

/** A setting, as its schema describes it. */
interface Setting extends Limits {
  type: string;
  title: string;
  description?: string;
  format?: string;
  /** Of a list. */
  items?: { type?: string; format?: string; enum?: readonly string[]; 'x-titles'?: readonly string[] };
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

/** Networks that need not be looked up, by what they are called. */
const USUAL_NETWORKS: readonly (readonly [title: string, networks: readonly string[]])[] = [
  [text.thisMachine, ['127.0.0.0/8', '::1']],
  [text.privateNetworks, ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
];

/** A value of a setting in words. @param member what a key calls the setting */
export function wordsOf(member: string, value: readonly string[]): string {
  const { enum: names = [], 'x-titles': titles = [] } = Object.fromEntries(SETTINGS)[member]?.items ?? {};
  return value.map(each => titles[names.indexOf(each)] ?? each).join(', ');
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
  if (type === 'array') return entriesOf(typed);
  return type === 'string' ? typed : Number(typed);
}

/** The entries of a list that is typed with commas. */
function entriesOf(typed: string): string[] {
  return typed
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');
}

interface KeyFormProps {
  typed: Typed;
  /** What the service says of a setting, by its name. */
  errors: Readonly<Record<string, string>>;
  onChange(typed: Typed): void;
}

/** True if a setting of this name has a field, at which its error stands. */
export const hasField = (name: string): boolean => name in keySettings;

/** The form. */
export function KeyForm({ typed, errors, onChange }: KeyFormProps) {
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
                error={errors[name]}
                onChange={value => onChange({ ...typed, [name]: value })}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </>
  );
}

interface SettingFieldProps {
  setting: Setting;
  value: string | boolean;
  error: string | undefined;
  onChange(value: string | boolean): void;
}

function SettingField({ setting, value, error, onChange }: SettingFieldProps) {
  const { title: label, description: hint, type, format, items } = setting;
  if (typeof value === 'boolean') return <CheckField {...{ label, hint, onChange }} checked={value} />;
  if (items?.enum !== undefined) {
    const options = items.enum.map((each, i) => [each, items['x-titles']?.[i] ?? each] as const);
    const choose = (chosen: string[]) => onChange(chosen.join(', '));
    return <ChoicesField {...{ label, hint, error, options }} chosen={entriesOf(value)} onChange={choose} />;
  }
  const isNumber = type === 'integer' || type === 'number';
  const field = (
    <TextField
      {...{ label, hint, error, value }}
      onInput={onChange}
      type={isNumber ? 'number' : format === 'date' ? 'date' : 'text'}
      {...(isNumber && { step: type === 'integer' ? 1 : 'any' })}
      {...limitsOf(setting)}
    />
  );
  if (items?.format !== 'network') return field;
  return (
    <div class="field">
      {field}
      <UsualNetworks value={value} onChange={onChange} />
    </div>
  );
}

/** Puts usual networks into the list, and takes them out again. */
function UsualNetworks({ value, onChange }: { value: string; onChange(value: string): void }) {
  const entries = entriesOf(value);
  return (
    <div class="actions">
      {USUAL_NETWORKS.map(([title, networks]) => {
        const isIn = networks.every(each => entries.includes(each));
        const others = entries.filter(each => !networks.includes(each));
        const next = isIn ? others : [...others, ...networks];
        return (
          <Button key={title} pressed={isIn} onClick={() => onChange(next.join(', '))}>
            {title}
          </Button>
        );
      })}
    </div>
  );
}
