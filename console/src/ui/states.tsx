// What stands where there is nothing to show: not yet, nothing there, or not to be had.

import type { ComponentChildren } from 'preact';
import type { Loaded } from '../state/load.ts';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

/** Nothing is there, and that is right: what it is for, and how something comes there. */
export function Empty({
  icon = 'info',
  title,
  children,
}: {
  icon?: IconName;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="state">
      <Icon name={icon} />
      <p class="state-title">{title}</p>
      {children !== undefined && <div class="state-text">{children}</div>}
    </div>
  );
}

/** Grey lines in the place of what comes, so nothing jumps when it does. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div class="state-loading" role="status" aria-label={strings.ui.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton" />
      ))}
    </div>
  );
}

/** It failed: why, and a way on. */
export function Failed({ message, again }: { message: string; again?: () => void }) {
  return (
    <div class="state state-failed" role="alert">
      <Icon name="warning" />
      <p class="state-title">{message}</p>
      {again && (
        <Button icon="refresh" onClick={again}>
          {strings.ui.again}
        </Button>
      )}
    </div>
  );
}

/** What is loaded, or the state in its place. An error beside an older value is told above it. */
export function Content<T>({
  loaded,
  lines,
  children,
}: {
  loaded: Loaded<T>;
  lines?: number;
  children(value: T): ComponentChildren;
}) {
  const { value, error, again } = loaded;
  if (value === undefined)
    return error ? <Failed message={error.message} again={again} /> : <Loading lines={lines ?? 3} />;
  return (
    <>
      {error && <Failed message={error.message} again={again} />}
      {children(value)}
    </>
  );
}
