// Fields of forms: a label, a control, what it means, and what is wrong with it.

import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  /** What it means, in a sentence. */
  hint?: string | undefined;
  /** What is wrong with it. */
  error?: string | undefined;
  /** The label is for screen readers: what stands around the field says it. */
  isLabelHidden?: boolean;
}

type Control = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean };

/** A label, a hint and an error around any control. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden = false,
  children,
}: FieldProps & { children(control: Control): ComponentChildren }) {
  const id = useId();
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : ''}>
        {label}
      </label>
      {children({
        id,
        ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  value: string;
  onInput(text: string): void;
  type?: 'text' | 'password' | 'search' | 'number' | 'date' | 'email';
  name?: string;
  autocomplete?: string;
  placeholder?: string;
  inputMode?: 'text' | 'decimal' | 'numeric' | 'search';
  required?: boolean;
  disabled?: boolean;
  minLength?: number;
  maxLength?: number;
  min?: number | string;
  max?: number | string;
  step?: number | string;
}

/** What a schema says of a value. */
export interface Limits {
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** The limits of a field, from the schema of what is typed in it. */
export function limitsOf({ minLength, maxLength, minimum: min, maximum: max }: Limits) {
  return Object.fromEntries(
    Object.entries({ minLength, maxLength, min, max }).filter(([, limit]) => limit !== undefined),
  ) as Pick<TextFieldProps, 'minLength' | 'maxLength' | 'min' | 'max'>;
}

/** Once something is refused, the keyboard goes to the field in which it is wrong. */
export function useFocusOnError(form: RefObject<HTMLElement | null>, error: string | undefined): void {
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
}

/** A line of text, a number or a day. */
export function TextField({ label, hint, error, isLabelHidden, value, onInput, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, hint, error }} {...(isLabelHidden && { isLabelHidden })}>
      {control => (
        <input
          class="input"
          spellcheck={false}
          {...(input as object)}
          {...control}
          value={value}
          onInput={event => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** One of several. */
export function SelectField<T extends string>({
  label,
  hint,
  error,
  value,
  options,
  onChange,
}: FieldProps & {
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onChange(value: T): void;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <select class="input" {...control} value={value} onChange={event => onChange(event.currentTarget.value as T)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** On or off. */
export function CheckField({
  label,
  hint,
  checked,
  disabled,
  onChange,
}: Omit<FieldProps, 'error'> & {
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
}) {
  const id = useId();
  return (
    <div class="check-field">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled ?? false}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Some of several. */
export function ChoicesField({
  label,
  hint,
  error,
  chosen,
  options,
  onChange,
}: FieldProps & {
  chosen: readonly string[];
  options: readonly (readonly [value: string, text: string])[];
  /** In the order of the options. */
  onChange(chosen: string[]): void;
}) {
  const id = useId();
  const change = (value: string, isChosen: boolean) =>
    onChange(options.map(([each]) => each).filter(each => (each === value ? isChosen : chosen.includes(each))));
  return (
    <fieldset class="field choices" aria-describedby={`${id}-about`}>
      <legend>{label}</legend>
      <div id={`${id}-about`}>
        {hint !== undefined && <p class="hint">{hint}</p>}
        {error !== undefined && <p class="field-error">{error}</p>}
      </div>
      <div class="choices-list">
        {options.map(([value, text]) => (
          <CheckField
            key={value}
            label={text}
            checked={chosen.includes(value)}
            onChange={isChosen => change(value, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}
