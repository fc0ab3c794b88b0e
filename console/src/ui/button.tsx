// Buttons and links that look like them.

import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** How a button looks: the one thing to do, one of several, one in a row, or one that takes something away. */
type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps {
  kind?: ButtonKind;
  icon?: IconName;
  /** For buttons that show only an icon. */
  label?: string;
  type?: 'button' | 'submit';
  disabled?: boolean;
  /** It works on it: it cannot be pressed, and says so. */
  isBusy?: boolean;
  /** Of a button that switches something on and off. */
  pressed?: boolean;
  onClick?(event: MouseEvent): void;
  children?: ComponentChildren;
}

/** A button. */
export function Button({ kind = 'plain', icon, label, type = 'button', isBusy = false, ...rest }: ButtonProps) {
  const { disabled, pressed, onClick, children } = rest;
  return (
    <button
      class={`button button-${kind}`}
      type={type}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      {...(label !== undefined && { 'aria-label': label, title: label })}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      {...(onClick && { onClick })}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button: it leads somewhere. */
export function ButtonLink({ href, kind = 'plain', icon, children }: ButtonProps & { href: string }) {
  return (
    <a class={`button button-${kind}`} href={href}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
